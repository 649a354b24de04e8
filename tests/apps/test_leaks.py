# SPDX-License-Identifier: BSD-3-Clause
# cost: 15 s
"""Under valgrind the programs end without an error and without a block that is still allocated, however they end."""
import os
import signal
import unittest

from transfer_programs import RECEIVER, RECV, SEND, SENDER, Program, TransferTest, wait_for

PERF = os.environ["CMT_PERF"]
ERROR = 99
VALGRIND = ["valgrind", "-q", "--leak-check=full", "--show-leak-kinds=all", "--errors-for-leak-kinds=all",
            f"--error-exitcode={ERROR}"]


class Leaks(TransferTest):
    def under_valgrind(self, *arguments):
        return Program(self, [*VALGRIND, *arguments])

    def listener(self, *arguments):
        program = self.under_valgrind(*arguments)
        wait_for(lambda: "listening" in program.stderr + program.stdout or program.process.poll() is not None,
                 "the server to listen")
        return program

    def receiver(self, *arguments):
        return self.listener(RECV, "--bind", RECEIVER, "-d", self.target, *arguments)

    def assert_clean(self, program, status=0):
        self.assertEqual(program.wait(), status, program.stderr)
        self.assertNotIn("==", program.stderr)

    def test_a_transfer(self):
        receiver = self.receiver("--once", "--stats", "json")
        sources = [self.file("a", 3_000_000), self.file("b", 0)]
        self.assert_clean(self.under_valgrind(SEND, "--bind", SENDER, "--connect", RECEIVER, *sources))
        self.assert_clean(receiver)

    def test_a_sender_that_is_killed_and_a_receiver_that_is_stopped(self):
        receiver = self.receiver()
        sender = self.start_send(self.file("a", 50_000_000))
        part = self.in_target("a") + ".cmt-part"
        wait_for(lambda: os.path.exists(part) and os.path.getsize(part) > 1 << 20, "part of a")
        sender.signal(signal.SIGKILL)
        sender.wait()
        receiver.signal(signal.SIGTERM)
        self.assert_clean(receiver)

    def test_a_sender_that_is_interrupted(self):
        receiver = self.receiver("--once")
        sender = self.under_valgrind(SEND, "--bind", SENDER, "--connect", RECEIVER, self.file("a", 50_000_000))
        part = self.in_target("a") + ".cmt-part"
        wait_for(lambda: os.path.exists(part) and os.path.getsize(part) > 1 << 20, "part of a")
        sender.signal(signal.SIGTERM)
        self.assertNotEqual(sender.wait(), ERROR, sender.stderr)
        self.assert_clean(receiver, 1)

    def test_nobody_there(self):
        self.assert_clean(self.under_valgrind(SEND, "--bind", SENDER, "--connect", RECEIVER, self.file("a", 100)), 1)

    def test_a_measurement(self):
        server = self.listener(PERF, "-s", "-1", "--bind", RECEIVER)
        self.assert_clean(self.under_valgrind(PERF, "-c", RECEIVER, "--bind", SENDER, "-t", "2", "-P", "2"))
        self.assert_clean(server)


if __name__ == "__main__":
    unittest.main()
