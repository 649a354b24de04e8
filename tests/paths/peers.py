#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""peers.py BUILD: the release as published, and the fork with upstream's threads, behind NATs and as servers for who is: the first
path works, every message arrives, and nobody says ABORT (both ends in good order), in real time."""

import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "package"))
from clean_root import enter_namespaces, run  # noqa: E402
from network import Uplinks, in_namespace  # noqa: E402

BUILD = os.path.realpath(sys.argv[1])
PATIENCE_S = 60


def program(name):
    return os.path.join(BUILD, "tests", "interop", "interop-" + name)


class PeersTest(unittest.TestCase):
    def transfer(self, network, client, server):
        addresses = ",".join(network.servers)
        receiver = subprocess.Popen(in_namespace("server", program(server), "receive", "--local", addresses),
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            self.assertIn("listening", receiver.stdout.readline())
            sent = subprocess.run(in_namespace("client", program(client), "send", "--local", "192.168.1.2,192.168.2.2", "--peer",
                                               addresses), capture_output=True, text=True, timeout=PATIENCE_S, check=False)
            self.assertEqual(sent.returncode, 0, sent.stderr)
            said, _ = receiver.communicate(timeout=PATIENCE_S)
            self.assertEqual(receiver.returncode, 0, said)
        finally:
            receiver.kill()
            receiver.communicate()

    def assert_all(self, server_addresses):
        network = Uplinks(server_addresses=server_addresses)
        self.addCleanup(network.close)
        network.move_servers_off_loopback()
        for client, server in (("event", "release"), ("release", "event"), ("threads", "release"), ("release", "threads")):
            with self.subTest(client=client, server=server):
                self.transfer(network, client, server)

    def test_a_server_with_one_address(self):
        self.assert_all(1)

    def test_a_server_with_two_addresses(self):
        self.assert_all(2)


if __name__ == "__main__":
    enter_namespaces()
    run("mount", "-t", "tmpfs", "none", "/run")
    unittest.main(argv=sys.argv[:1])
