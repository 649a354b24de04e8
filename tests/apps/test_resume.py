# SPDX-License-Identifier: BSD-3-Clause
# cost: 6 s
"""A transfer breaks: what arrived stays, and --resume continues it."""
import os
import signal
import time
import unittest

from transfer_programs import TransferTest, wait_for
from undisturbed import undisturbed

LARGE = 64_000_000  # far more than what is on its way at any time


class Broken(TransferTest):
    def break_in_the_middle(self, receiver, source, name="big"):
        """Kills the sender half way; returns the length of what stays."""
        sender = self.start_send(source)
        part = self.stop_in_the_middle(receiver, name)
        sender.signal(signal.SIGKILL)
        sender.wait()
        receiver.signal(signal.SIGCONT)
        return part

    @undisturbed
    def test_the_receiver_survives_a_killed_sender_and_resume_continues(self):
        source = self.file("big", LARGE)
        receiver = self.receiver("--stats", "json", "--timeout", "2s")
        part = self.break_in_the_middle(receiver, source)
        wait_for(lambda: "nothing heard for 2 s; what arrived is kept" in receiver.stderr or
                 "connection was lost" in receiver.stderr, "the receiver to notice")
        kept = os.path.getsize(part)
        with open(part, "rb") as arrived, open(source, "rb") as sent:
            self.assertEqual(arrived.read(), sent.read(kept))
        self.assertIsNone(receiver.process.poll())
        sender = self.send("--resume", "--stats", "json", source)
        self.assert_sent(sender)
        self.assert_same(source, "big")
        self.assertEqual(sender.stats["resumed_at_bytes"], kept)
        self.assertGreater(kept, 0)
        self.assertEqual(sender.stats["bytes"], LARGE - kept)
        wait_for(lambda: receiver.stdout.count("\n") == 2, "the second transfer's statistics")
        self.assertEqual(receiver.stats["resumed_at_bytes"], kept)

    @undisturbed
    def test_a_killed_sender_is_succeeded_long_before_the_timeout(self):
        source = self.file("big", LARGE)
        receiver = self.receiver()
        part = self.break_in_the_middle(receiver, source)
        kept = os.path.getsize(part)
        began = time.monotonic()
        sender = self.send("--resume", "--stats", "json", source)
        self.assert_sent(sender)
        self.assertLess(time.monotonic() - began, 10)
        self.assertIn("big: waiting for the receiver, which", sender.stderr)
        self.assert_same(source, "big")
        self.assertGreaterEqual(sender.stats["resumed_at_bytes"], kept)
        self.assertIn("another sender has taken over; what arrived is kept", receiver.stderr)

    @undisturbed
    def test_another_beginning_starts_anew_and_says_so(self):
        source = self.file("big", LARGE)
        receiver = self.receiver("--timeout", "2s")
        part = self.break_in_the_middle(receiver, source)
        wait_for(lambda: "is kept" in receiver.stderr, "the receiver to notice")
        with open(part, "r+b") as file:
            file.seek(os.path.getsize(part) // 2)
            file.write(b"something else")
        sender = self.send("--resume", "--stats", "json", source)
        self.assert_sent(sender)
        self.assertIn("big: the receiver's part is not its beginning; starting over", sender.stderr)
        self.assertEqual((sender.stats["resumed_at_bytes"], sender.stats["bytes"]), (0, LARGE))
        self.assert_same(source, "big")

    def test_a_longer_rest_than_the_file_starts_anew(self):
        source = self.file("a", 10_000)
        with open(self.in_target("a.cmt-part"), "wb") as part:
            part.write(bytes(20_000))
        self.receiver()
        sender = self.send("--resume", source)
        self.assert_sent(sender)
        self.assertIn("starting over", sender.stderr)
        self.assert_same(source, "a")

    def test_a_complete_rest_only_needs_its_name(self):
        source = self.file("a", 10_000)
        with open(source, "rb") as file, open(self.in_target("a.cmt-part"), "wb") as part:
            part.write(file.read())
        self.receiver()
        sender = self.send("--resume", "--stats", "json", source)
        self.assert_sent(sender)
        self.assertEqual((sender.stats["bytes"], sender.stats["resumed_at_bytes"]), (0, 10_000))
        self.assert_same(source, "a")

    def test_without_resume_it_starts_anew(self):
        source = self.file("a", 10_000)
        with open(source, "rb") as file, open(self.in_target("a.cmt-part"), "wb") as part:
            part.write(file.read(5000))
        self.receiver()
        sender = self.send("--stats", "json", source)
        self.assert_sent(sender)
        self.assertEqual((sender.stats["bytes"], sender.stats["resumed_at_bytes"]), (10_000, 0))
        self.assert_same(source, "a")

    @undisturbed
    def test_a_killed_receiver_ends_the_sender_within_its_timeout(self):
        source = self.file("big", LARGE)
        receiver = self.receiver()
        sender = self.start_send("--timeout", "3s", "--stats", "json", source)
        part = self.stop_in_the_middle(receiver, "big")
        receiver.signal(signal.SIGKILL)
        receiver.wait()
        started = time.monotonic()
        self.assert_failed(sender, "(the receiver has been silent for 3 s|the connection to .* was lost.*); "
                           "send again with --resume to continue")
        self.assertLess(time.monotonic() - started, 10)
        self.assertIsNotNone(sender.stats["error"])
        self.assertTrue(0 < sender.stats["duration_us"] < 100e6, sender.stats)
        kept = os.path.getsize(part)
        self.receiver()
        again = self.send("--resume", "--stats", "json", source)
        self.assert_sent(again)
        self.assertEqual(again.stats["resumed_at_bytes"], kept)
        self.assert_same(source, "big")

    @undisturbed
    def test_a_signal_ends_the_sender_and_the_receiver_is_told(self):
        receiver = self.receiver("--once")
        sender = self.start_send(self.file("big", LARGE))
        self.stop_in_the_middle(receiver, "big")
        sender.signal(signal.SIGTERM)
        self.assert_failed(sender, "stopped by a signal; send again with --resume")
        receiver.signal(signal.SIGCONT)
        self.assert_failed(receiver, "stopped by a signal|connection was lost")

    def test_a_signal_ends_the_receiver_and_the_sender_is_told(self):
        receiver = self.receiver()
        sender = self.start_send("--timeout", "10s", self.file("big", LARGE))
        part = self.in_target("big.cmt-part")
        wait_for(lambda: os.path.exists(part), "data")
        receiver.signal(signal.SIGTERM)
        self.assertEqual(receiver.wait(), 0)
        self.assert_failed(sender, "the receiver was stopped|connection to .* was lost")
        self.assertTrue(os.path.exists(part))


class ChangingSource(TransferTest):
    def change_in_the_middle(self, change, message):
        source = self.file("big", LARGE)
        receiver = self.receiver("--once")
        sender = self.start_send(source)
        self.stop_in_the_middle(receiver, "big")
        change(source)
        receiver.signal(signal.SIGCONT)
        self.assert_failed(sender, message)
        self.assertEqual(receiver.wait(), 1)
        self.assertFalse(os.path.exists(self.in_target("big")))

    @undisturbed
    def test_it_shrinks(self):
        self.change_in_the_middle(lambda path: os.truncate(path, LARGE // 2),
                                  f"big: has shrunk while it was sent, from {LARGE} to {LARGE // 2} bytes; send it again")

    @undisturbed
    def test_it_grows(self):
        def grow(path):
            with open(path, "ab") as file:
                file.write(b"more")
        self.change_in_the_middle(grow, f"big: has grown while it was sent, from {LARGE} to {LARGE + 4} bytes")

    @undisturbed
    def test_its_content_changes(self):
        def write(path):
            with open(path, "r+b") as file:
                file.write(b"other")
        self.change_in_the_middle(write, "big: has changed while it was sent; send it again")

    @undisturbed
    def test_its_name_vanishes_and_all_is_well(self):
        source = self.file("big", LARGE)
        receiver = self.receiver("--once")
        sender = self.start_send(source)
        self.stop_in_the_middle(receiver, "big")
        os.remove(source)
        receiver.signal(signal.SIGCONT)
        self.assert_sent(sender)
        self.assertEqual(receiver.wait(), 0)
        self.assertEqual(os.path.getsize(self.in_target("big")), LARGE)

    @undisturbed
    def test_one_of_several_vanishes_and_the_others_arrive(self):
        big, gone, last = self.file("a_big", LARGE), self.file("b_gone", 10), self.file("c_last", 10)
        receiver = self.receiver("--once")
        sender = self.start_send(big, gone, last)
        self.stop_in_the_middle(receiver, "a_big")
        os.remove(gone)
        receiver.signal(signal.SIGCONT)
        self.assert_failed(sender, "b_gone: cannot read it: No such file or directory")
        self.assertEqual(receiver.wait(), 1)
        self.assert_same(big, "a_big")
        self.assert_same(last, "c_last")
        self.assertFalse(os.path.exists(self.in_target("b_gone")))


if __name__ == "__main__":
    unittest.main()
