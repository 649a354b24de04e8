# SPDX-License-Identifier: BSD-3-Clause
# cost: 3 s
"""A link-local address with its interface is all that a program needs to reach another: neither side binds one by name."""
import os
import re
import unittest
import urllib.request

import two_networks
from transfer_programs import RECV, SEND, Program, TransferTest, wait_for

GATEWAY, LIVE, PERF, STREAMD = (os.environ[name] for name in ("CMT_GATEWAY", "CMT_LIVE", "CMT_PERF", "CMT_STREAMD"))
SERVER, INTERFACE = "fe80::cafe", "near2"


class LinkLocal(TransferTest):
    def setUp(self):
        super().setUp()
        self.networks = two_networks.TwoNetworks(self)
        two_networks.run("ip", "address", "add", "fe80::beef/64", "dev", INTERFACE, "nodad")
        self.networks.there("ip", "address", "add", SERVER + "/64", "dev", "far2", "nodad")

    def serve(self, *arguments):
        program = Program(self, [*self.networks.there_prefix(), *arguments, "--bind", "any"])
        wait_for(lambda: "listening" in program.stderr or program.process.poll() is not None, arguments[0])
        self.assertIn("listening", program.stderr)
        return program

    def assert_ends(self, *arguments, **options):
        program = Program(self, arguments, **options)
        self.assertEqual(program.wait(), 0, program.stderr)

    def test_cmt_send(self):
        self.serve(RECV, "-d", self.target)
        source = self.file("x", 100_000)
        self.assert_ends(SEND, "--connect", f"{SERVER}%{INTERFACE}", source)
        self.assert_same(source, "x")

    def test_cmt_perf(self):
        self.serve(PERF, "-s")
        self.assert_ends(PERF, "-c", f"[{SERVER}%{INTERFACE}]:5201", "-n", "100000")

    def test_cmt_live(self):
        receiver = self.serve(LIVE, "cmt://", "-", "--once")
        with open(self.file("x", 100_000), "rb") as source:
            self.assert_ends(LIVE, "-", f"cmt://[{SERVER}%{INTERFACE}]", "--rate", "8Mbit", stdin=source)
        self.assertEqual(receiver.wait(), 0, receiver.stderr)
        with open(os.path.join(self.folder, "x"), "rb") as source:
            self.assertEqual(os.pread(receiver.out.fileno(), 1 << 20, 0), source.read())

    def test_cmt_gateway(self):
        self.serve(STREAMD, "-d", os.path.dirname(self.file("films/film.mp4", 100_000)))
        gateway = Program(self, [GATEWAY, "--connect", f"{SERVER}%{INTERFACE}", "--listen", "127.0.0.1:0", "-v"])
        wait_for(lambda: "connected to" in gateway.stderr or gateway.process.poll() is not None, "cmt-gateway")
        page = re.search(r"listening on (http://\S+/)", gateway.stderr)[1]
        with urllib.request.urlopen(page + "film.mp4") as answer, \
             open(os.path.join(self.folder, "films/film.mp4"), "rb") as film:
            self.assertEqual(answer.read(), film.read())


if __name__ == "__main__":
    two_networks.enter()
    unittest.main(verbosity=2)
