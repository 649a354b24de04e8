#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""peers.py BUILD: other stacks (tests/interop) behind NATs, and as servers for who is: the first path works, every message arrives,
both ends end in good order, and no packet has an ABORT. In real time."""

import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, *(os.path.join(HERE, "..", folder) for folder in ("package", "interop"))]
from captured import chunk_types, packets  # noqa: E402
from clean_root import enter_namespaces, run  # noqa: E402
from network import Uplinks, in_namespace  # noqa: E402

BUILD = os.path.realpath(sys.argv[1])
PATIENCE_S = 60
ABORT = 6
# pion lets nobody choose its port, nor should it end an association (peer_pion.go). It drops an INIT-ACK that names addresses.
PION = ("--port", "5000", "--receiver-ends")


def program(name):
    return os.path.join(BUILD, "tests", "interop", "interop-" + name)


class Capture:
    """What leaves and enters a namespace meanwhile."""

    def __init__(self, namespace, path):
        self.path = path
        self._process = subprocess.Popen(in_namespace(namespace, "tcpdump", "-Z", "root", "-i", "any", "-U", "--immediate-mode", "-w",
                                                      path, "udp"), stderr=subprocess.PIPE, text=True)
        if "listening on" not in self._process.stderr.readline() + self._process.stderr.readline():
            raise AssertionError("tcpdump does not listen")

    def end(self):
        """How many packets had a chunk of each type."""
        self._process.terminate()
        self._process.communicate()
        return chunk_types(packets(self.path), 0, float("inf"))


class PeersTest(unittest.TestCase):
    def transfer(self, network, client, server):
        addresses = ",".join(network.servers[:1] if client == "pion" else network.servers)
        options = PION[:3 if client == "pion" else 2] if "pion" in (client, server) else ()
        capture = Capture("server", os.path.join(WORK, "capture"))
        receiver = subprocess.Popen(in_namespace("server", program(server), "receive", "--local", addresses, *options),
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            self.assertIn("listening", receiver.stdout.readline())
            sent = subprocess.run(in_namespace("client", program(client), "send", "--local", "192.168.1.2,192.168.2.2", "--peer",
                                               addresses, *options), capture_output=True, text=True, timeout=PATIENCE_S,
                                  check=False)
            self.assertEqual(sent.returncode, 0, sent.stderr)
            said, _ = receiver.communicate(timeout=PATIENCE_S)
            self.assertEqual(receiver.returncode, 0, said)
        finally:
            receiver.kill()
            receiver.communicate()
            seen = capture.end()
        self.assertGreater(sum(seen.values()), 1000)
        self.assertEqual(seen[ABORT], 0)

    def assert_all(self, **kind):
        network = Uplinks(**kind)
        self.addCleanup(network.close)
        network.move_servers_off_loopback()
        for client, server in (("event", "release"), ("release", "event"), ("threads", "release"), ("release", "threads"),
                               ("event", "pion"), ("pion", "event")):
            with self.subTest(client=client, server=server):
                self.transfer(network, client, server)

    def test_a_server_with_one_address(self):
        self.assert_all()

    def test_a_server_with_two_addresses(self):
        self.assert_all(server_addresses=2)

    def test_both_uplinks_behind_one_public_address(self):
        self.assert_all(shared=True)


if __name__ == "__main__":
    WORK = enter_namespaces()
    run("mount", "-t", "tmpfs", "none", "/run")
    unittest.main(argv=sys.argv[:1])
