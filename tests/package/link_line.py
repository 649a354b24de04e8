#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""link_line.py CC SOURCE LIBRARY_FOLDER CMT_LAB INCLUDE...: a program written for usrsctp, compiled once against Debian's
libusrsctp-dev, linked with that and with ours, and what docs/migration.md says that each gives. Two hosts in network
namespaces, two networks between them; a socket on the receiver's side counts what came over each. Each network has a rate
far below what the hosts can send: how busy the machine is does not decide whether one of them would be enough."""

import collections
import os
import socket
import struct
import subprocess
import sys
import threading
import unittest

from clean_root import enter_namespaces, run

CC, SOURCE, LIBRARY, LAB, *INCLUDES = sys.argv[1:]
KILOBYTES = 3000
SERVER_PORT, CLIENT_PORT = 9899, 9900
ADDRESSES = ("10.1.0.1", "10.2.0.1")
PACKET_OUTGOING = 4
UDP = 17
TIMEOUT_S = 20
NETWORK = ("tbf", "rate", "20mbit", "burst", "20k", "latency", "50ms")


class Counter:
    """Bytes of UDP packets that arrive at the server, by destination."""

    def __init__(self):
        self.bytes = collections.Counter()
        self._ended = False
        self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 23)
        self._socket.settimeout(0.1)
        self._thread = threading.Thread(target=self._count, daemon=True)
        self._thread.start()

    def _count(self):
        while not self._ended:
            try:
                packet, address = self._socket.recvfrom(65536)
            except TimeoutError:
                continue
            if address[2] != PACKET_OUTGOING and len(packet) > 28 and packet[9] == UDP and \
                    struct.unpack("!H", packet[22:24])[0] == SERVER_PORT:
                self.bytes[socket.inet_ntoa(packet[16:20])] += len(packet)

    def end(self):
        self._ended = True
        self._thread.join()
        self._socket.close()
        return self.bytes


class LinkLine(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.chdir(WORK)
        ours = ("-L" + LIBRARY, "-lusrsctp-cmt", "-Wl,-rpath," + LIBRARY)
        run(CC, "-Wall", "-Wextra", "-Werror", "-c", SOURCE, "-o", "classic.o")
        run(CC, "classic.o", "-o", "with-usrsctp", "-lusrsctp")
        run(CC, "classic.o", "-o", "with-ours", *ours)
        run(CC, "-Wall", "-Wextra", "-Werror", "-DALL_PATHS", *("-I" + folder for folder in INCLUDES), SOURCE, "-o",
            "with-all-paths", *ours)
        cls.other_host = subprocess.Popen(["unshare", "--net", "sh", "-c", "echo ready; exec sleep 600"],
                                          stdout=subprocess.PIPE, text=True)
        cls.addClassCleanup(cls.other_host.kill)
        cls.other_host.stdout.readline()
        cls.there = ["nsenter", "--net", "--target", str(cls.other_host.pid)]
        for n in (1, 2):
            run("ip", "link", "add", f"here{n}", "type", "veth", "peer", "name", f"there{n}", "netns",
                str(cls.other_host.pid))
            run("ip", "address", "add", f"10.{n}.0.1/24", "dev", f"here{n}")
            run("ip", "link", "set", f"here{n}", "up")
            run(*cls.there, "ip", "address", "add", f"10.{n}.0.2/24", "dev", f"there{n}")
            run(*cls.there, "ip", "link", "set", f"there{n}", "up")
            run(*cls.there, "tc", "qdisc", "add", "dev", f"there{n}", "root", *NETWORK)

    def transfer(self, client, server, **environment):
        """Part of the bytes that came over the second network, and what the client said. Upstream's threads may miss their
        end (docs/fork.md): what Debian's library takes part in is tried again."""
        for _ in range(2 if "with-usrsctp" in (client, server) else 0):
            try:
                return self._transfer(client, server, environment)
            except subprocess.TimeoutExpired:
                print(client, server, "did not end")
        return self._transfer(client, server, environment)

    def _transfer(self, client, server, environment):
        counter = Counter()
        with subprocess.Popen(["./" + server, "server", str(SERVER_PORT), *ADDRESSES], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True) as receiver:
            try:
                self.assertEqual("listening\n", receiver.stdout.readline())
                sender = subprocess.run([*self.there, "./" + client, "client", str(CLIENT_PORT), str(SERVER_PORT),
                                         str(KILOBYTES), *ADDRESSES], env={**os.environ, **environment}, check=False,
                                        capture_output=True, text=True, timeout=TIMEOUT_S)
                self.assertEqual(0, sender.returncode, sender.stderr)
                self.assertEqual(f"{KILOBYTES * 1000} bytes read\n", receiver.communicate(timeout=TIMEOUT_S)[0])
            finally:
                receiver.kill()
                came = counter.end()
        print(client, environment, dict(came))
        self.assertGreater(sum(came.values()), KILOBYTES * 500)
        return came[ADDRESSES[1]] / sum(came.values()), sender.stderr

    def test_1_as_it_was(self):
        share, _ = self.transfer("with-usrsctp", "with-usrsctp")
        self.assertLess(share, 0.01)

    def test_2_the_link_line_alone_changes_no_path(self):
        share, said = self.transfer("with-ours", "with-ours")
        self.assertLess(share, 0.01)
        self.assertEqual("", said)

    def test_3_the_link_line_and_the_environment(self):
        share, said = self.transfer("with-ours", "with-ours", USRSCTP_CMT_SCHEDULER="rr")
        self.assertGreater(share, 0.2)
        self.assertEqual("", said)

    def test_4_the_two_lines_more(self):
        share, _ = self.transfer("with-all-paths", "with-ours")
        self.assertGreater(share, 0.1)

    def test_5_what_the_program_sets_counts(self):
        share, _ = self.transfer("with-all-paths", "with-ours", USRSCTP_CMT_SCHEDULER="stock")
        self.assertGreater(share, 0.1)

    def test_6_old_and_new_understand_each_other(self):
        share, _ = self.transfer("with-all-paths", "with-usrsctp")
        self.assertGreater(share, 0.1)
        share, _ = self.transfer("with-usrsctp", "with-all-paths")
        self.assertLess(share, 0.01)

    def test_7_a_mistake_in_the_environment_is_told_and_harmless(self):
        for value, part in (("arival", "\"arival\": no such scheduler"), ("rr:speed=9", "no such option"),
                            ("x" * 200, "one of stock, arrival")):
            with self.subTest(value):
                share, said = self.transfer("with-ours", "with-ours", USRSCTP_CMT_SCHEDULER=value)
                self.assertLess(share, 0.01)
                self.assertIn(part, said)
                self.assertEqual(1, said.count("\n"))

    def test_8_simulations_take_no_notice(self):
        packets = {run(LAB, "run", "sarwar1", "-s", "stock", "--only-path", "1", "--bytes", "50kB", "--json",
                       env={**os.environ, "USRSCTP_CMT_SCHEDULER": value}) for value in ("", "rr", "nonsense")}
        self.assertEqual(1, len(packets))


if __name__ == "__main__":
    WORK = enter_namespaces()
    unittest.main(argv=sys.argv[:1])
