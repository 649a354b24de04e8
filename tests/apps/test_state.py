# SPDX-License-Identifier: BSD-3-Clause
"""A transfer that stands still says what it waits for."""
import signal
import unittest

from transfer_programs import TransferTest, wait_for

STATE = (r"state: [\d.]+ \w+ written but not acknowledged, \d+ chunks of it sent, peer's receive window [\d.]+ \w+; "
         r"[\d.]+ \w+ received but not read, [\d.]+ \w+ held out of order\n")
PATH = (r".*path {}, 127\.\S+ -> 127\.\S+: (active|failed), [\d.]+ \w+ of cwnd [\d.]+ \w+ in flight, RTT .+; "
        r"packets sent \d+, chunks lost \d+; probes \d+, timeouts \d+, failures \d+\n")
BOTH = STATE + PATH.format(1) + PATH.format(2)


class State(TransferTest):
    def test_on_sigusr1_and_the_transfer_goes_on(self):
        source = self.file("big", 64_000_000)
        receiver = self.receiver("--once")
        sender = self.start_send(source)
        self.stop_in_the_middle(receiver, "big")
        sender.signal(signal.SIGUSR1)
        wait_for(lambda: "path 2, 127." in sender.stderr, "the sender's state")
        receiver.signal(signal.SIGUSR1)
        receiver.signal(signal.SIGCONT)
        self.assert_sent(sender)
        self.assertEqual(receiver.wait(), 0)
        self.assertRegex(sender.stderr, "cmt-send: " + BOTH)
        self.assertRegex(receiver.stderr, r"cmt-recv: from 127\.\S+: " + BOTH)
        self.assert_same(source, "big")

    def test_on_sigusr1_with_no_transfer(self):
        receiver = self.receiver()
        receiver.signal(signal.SIGUSR1)
        self.assert_sent(self.send(self.file("a", 10)))
        self.assertNotIn("state:", receiver.stderr)

    def test_when_the_receiver_is_silent(self):
        receiver = self.receiver("--once")
        sender = self.start_send("--timeout", "2s", self.file("big", 64_000_000))
        self.stop_in_the_middle(receiver, "big")
        self.assert_failed(sender, BOTH + "(?s:.*)the receiver has been silent for 2 s")

    def test_when_the_sender_is_silent(self):
        receiver = self.receiver("--once", "--timeout", "2s")
        sender = self.start_send(self.file("big", 64_000_000))
        self.stop_in_the_middle(receiver, "big")
        sender.signal(signal.SIGSTOP)
        receiver.signal(signal.SIGCONT)
        self.assert_failed(receiver, BOTH + "(?s:.*)nothing heard for 2 s")


if __name__ == "__main__":
    unittest.main()
