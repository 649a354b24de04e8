# SPDX-License-Identifier: BSD-3-Clause
"""Programs with --admin, for the tests of this folder."""
import os

from http_client import Server
from transfer_programs import RECEIVER, SENDER, Program, TransferTest, wait_for

PERF = os.environ["CMT_PERF"]
WATCHED = os.environ["WATCHED_PROGRAM"]
RATE_BPS = 8e6


class MonitorTest(TransferTest):
    def watched(self, *arguments, **options):
        """A program with --admin, and its server."""
        program = Program(self, [*arguments], **options)
        wait_for(lambda: "watch at" in program.stderr or program.process.poll() is not None, "the admin page")
        self.assertIn("watch at", program.stderr)
        return program, Server(program)

    def perf(self, *arguments, admin="0"):
        """A client of cmt-perf that sends to a server of its own, and who watches it. Returns when data flow."""
        sink = Program(self, [PERF, "-s", "--bind", RECEIVER, "--admin", "0"])
        wait_for(lambda: "listening" in sink.stderr, "cmt-perf to listen")
        program, server = self.watched(PERF, "-c", RECEIVER, "--bind", SENDER, "-t", "600", "-b", "8Mbit",
                                       "--admin", admin, *arguments)
        wait_for(lambda: server.stats()["total"]["send_rate_bps"] > RATE_BPS / 2, "data to flow")
        self.sink = Server(sink)
        self.sink_program = sink
        return program, server

    def crowd(self, n, size=0):
        """`n` associations that send `size` bytes every 20 ms each."""
        sink = Program(self, [WATCHED, "listen", RECEIVER])
        wait_for(lambda: "listening" in sink.stdout, "the sink")
        program, server = self.watched(WATCHED, "connect", "0", str(n), str(size), SENDER, RECEIVER)
        wait_for(lambda: "all up" in program.stdout, "all connections")
        return program, server
