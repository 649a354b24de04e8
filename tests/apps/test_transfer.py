# SPDX-License-Identifier: BSD-3-Clause
# cost: 3 s
"""What is sent arrives: files, folders, streams; and what is there already is left alone."""
import os
import stat
import subprocess
import unittest

from transfer_programs import RECEIVER, RECV, SEND, Program, TransferTest, sha256, wait_for


class Roundtrip(TransferTest):
    def test_a_file_arrives_with_mode_and_time(self):
        source = self.file("a.bin", 3_000_001)
        os.chmod(source, 0o640)
        os.utime(source, (1_000_000_000, 1_234_567_890))
        receiver = self.receiver("--once", "--stats", "json")
        sender = self.send("--stats", "json", source)
        self.assert_sent(sender)
        self.assertEqual(receiver.wait(), 0)
        self.assert_same(source, "a.bin")
        found = os.stat(self.in_target("a.bin"))
        self.assertEqual((stat.S_IMODE(found.st_mode), found.st_mtime), (0o640, 1_234_567_890))
        for stats in (sender.stats, receiver.stats):
            self.assertEqual((stats["bytes"], stats["files"]), (3_000_001, 1))
            self.assertEqual((stats["integrity"], stats["error"], stats["resumed_at_bytes"]), ("ok", None, 0))
            self.assertGreater(stats["goodput_bps"], 0)
            self.assertGreater(stats["duration_us"], 0)
            self.assertEqual((stats["msg_bytes"], stats["illegal_decisions"]), (1400, 0))
        paths = sender.stats["paths"]
        self.assertEqual(len(paths), 2)
        self.assertAlmostEqual(sum(path["share"] for path in paths), 1, places=3)
        self.assertGreater(sum(path["sent_bytes"] for path in paths), 3_000_000)

    def test_several_files_and_an_empty_one(self):
        sources = [self.file(f"f{i}", size, i) for i, size in enumerate((0, 1, 1399, 1400, 1401, 500_000))]
        receiver = self.receiver("--once")
        self.assert_sent(self.send(*sources))
        self.assertEqual(receiver.wait(), 0)
        for source in sources:
            self.assert_same(source, os.path.basename(source))

    def test_more_files_than_may_be_offered_at_once(self):
        for i in range(300):
            self.file(f"many/{i % 7}/{i}", 100 + i, i)
        receiver = self.receiver("--once")
        self.assert_sent(self.send(os.path.join(self.folder, "many")))
        self.assertEqual(receiver.wait(), 0)
        for i in range(300):
            self.assert_same(os.path.join(self.folder, f"many/{i % 7}/{i}"), f"many/{i % 7}/{i}")

    def test_a_folder_keeps_its_tree(self):
        tree = os.path.join(self.folder, "tree")
        self.file("tree/a/b/deep", 70_000)
        self.file("tree/a/empty", 0)
        self.file("tree/späße und so", 10)
        os.makedirs(os.path.join(tree, "nothing/in/here"))
        os.symlink("/etc/passwd", os.path.join(tree, "link"))
        os.chmod(os.path.join(tree, "a/b"), 0o555)
        self.addCleanup(os.chmod, os.path.join(tree, "a/b"), 0o755)
        os.utime(os.path.join(tree, "a"), (1_000_000_000, 1_000_000_000))
        receiver = self.receiver("--once")
        sender = self.send(tree + "/")
        self.assert_sent(sender)
        self.assertIn("tree/link: is a link: skipped", sender.stderr)
        self.assertEqual(receiver.wait(), 0)
        for name in ("a/b/deep", "a/empty", "späße und so"):
            self.assert_same(os.path.join(tree, name), os.path.join("tree", name))
        self.assertEqual(os.listdir(self.in_target("tree/nothing/in/here")), [])
        self.assertFalse(os.path.lexists(self.in_target("tree/link")))
        self.assertEqual(stat.S_IMODE(os.stat(self.in_target("tree/a/b")).st_mode), 0o555)
        self.assertEqual(os.stat(self.in_target("tree/a")).st_mtime, 1_000_000_000)
        os.chmod(self.in_target("tree/a/b"), 0o755)

    def test_standard_input_to_standard_output(self):
        source = self.file("stream", 5_000_000)
        receiver = self.receiver("--once", where=["-o", "-"], stdout=subprocess.PIPE)
        with open(source, "rb") as content:
            pipe = subprocess.Popen(["cat"], stdin=content, stdout=subprocess.PIPE)
            sender = self.start_send("--stats", "json", "-", stdin=pipe.stdout)
            arrived = receiver.process.stdout.read()
            pipe.stdout.close()
            pipe.wait()
        self.assert_sent(sender)
        self.assertEqual(receiver.wait(), 0)
        with open(source, "rb") as content:
            self.assertEqual(arrived, content.read())

    def test_slow_standard_output_holds_the_sender_back_and_loses_nothing(self):
        source = self.file("slow", 8_000_000)
        receiver = self.receiver("--once", "--timeout", "2s", "--rcvbuf", "64kB", where=["-o", "-"],
                                 stdout=subprocess.PIPE)
        sender = self.start_send("--timeout", "2s", "--sndbuf", "64kB", source)
        with self.assertRaises(subprocess.TimeoutExpired):
            sender.process.wait(6)  # nobody reads, for longer than both timeouts
        arrived = receiver.process.stdout.read()
        self.assert_sent(sender)
        self.assertEqual(receiver.wait(), 0)
        with open(source, "rb") as content:
            self.assertEqual(arrived, content.read())

    def test_a_slow_standard_input_is_no_silence(self):
        receiver = self.receiver("--once", "--timeout", "2s")
        sender = self.start_send("--timeout", "2s", "--name", "slow", "-", stdin=subprocess.PIPE)
        sender.process.stdin.write(b"one ")
        sender.process.stdin.flush()
        with self.assertRaises(subprocess.TimeoutExpired):
            sender.process.wait(4)
        sender.process.stdin.write(b"two")
        sender.process.stdin.close()
        self.assert_sent(sender)
        self.assertEqual(receiver.wait(), 0)
        with open(self.in_target("slow"), "rb") as content:
            self.assertEqual(content.read(), b"one two")

    def test_output_to_a_named_file(self):
        source = self.file("a", 10_000)
        receiver = self.receiver("--once", where=["-o", self.in_target("other")])
        self.assert_sent(self.send(source))
        self.assertEqual(receiver.wait(), 0)
        self.assert_same(source, "other")

    def test_standard_output_takes_one_file_only(self):
        receiver = self.receiver("--once", where=["-o", "-"])
        self.assert_failed(self.send(self.file("a", 10), self.file("b", 10)), "accepts only one file")
        self.assertEqual(receiver.wait(), 1)

    def test_every_scheduler_carries_a_file(self):
        self.receiver("--overwrite")
        for i, scheduler in enumerate(("arrival", "lcm", "rr", "stock", "single")):
            source = self.file("same", 400_000, i)
            sender = self.send("--sched", scheduler, "--stats", "json", source)
            self.assert_sent(sender)
            self.assert_same(source, "same")
            self.assertEqual(sender.stats["illegal_decisions"], 0)

    def test_messages_of_every_length_with_small_buffers(self):
        source = self.file("a", 500_000)
        self.receiver("--rcvbuf", "16kB", "--overwrite")
        for message in ("100", "1400", "1432", "16kB"):
            self.assert_sent(self.send("--sndbuf", "32kB", "--msg", message, source))
            self.assert_same(source, "a")
            os.truncate(source, os.path.getsize(source) - 1)

    def test_messages_of_one_byte(self):
        source = self.file("a", 5_000)
        self.receiver()
        self.assert_sent(self.send("--msg", "1", source))
        self.assert_same(source, "a")


class Existing(TransferTest):
    def test_the_same_file_is_not_sent_again(self):
        source = self.file("a", 100_000)
        self.receiver()
        self.assert_sent(self.send(source))
        sender = self.send("--stats", "json", source)
        self.assert_sent(sender)
        self.assertEqual(sender.stderr, "cmt-send: 1 file already there, nothing to send\n")
        self.assertEqual([sender.stats[key] for key in ("bytes", "files", "files_there")], [0, 1, 1])

    def test_many_that_are_there_are_one_line_and_their_names_on_request(self):
        for i in range(70):
            self.file(f"many/{i}", 100 + i, i)
        many = os.path.join(self.folder, "many")
        receiver = self.receiver()
        self.assertRegex(self.send(many).stderr, r"(?m)^cmt-send: 70 files, [\d.]+ B in .*, verified\n\Z")
        self.assertEqual(self.send(many).stderr, "cmt-send: 70 files already there, nothing to send\n")
        wait_for(lambda: "70 files already there, nothing to send" in receiver.stderr, "the receiver's line")
        names = self.send("-v", many).stderr
        self.assertEqual(names.count("is at the receiver already"), 70)
        self.assertIn("many/69: is at the receiver already", names)
        self.file("many/new", 12_345)
        self.assertRegex(self.send(many).stderr,
                         r"^cmt-send: 1 file, 12.3 kB in .*, verified; 70 files already there\n$")

    def test_an_empty_file_has_no_rate(self):
        self.receiver()
        self.assertRegex(self.send(self.file("empty", 0)).stderr, "(?m)^cmt-send: 1 file, 0 B, verified\n\\Z")

    def test_another_file_of_that_name_stays(self):
        self.receiver()
        self.assert_sent(self.send(self.file("a", 100_000, 1)))
        before = sha256(self.in_target("a"))
        for size in (100_000, 99_999):  # compared by content, refused by length
            self.assert_failed(self.send(self.file("a", size, 2)), "a: already exists at the receiver with other "
                               "content; --overwrite there replaces it")
        self.assertEqual(sha256(self.in_target("a")), before)

    def test_overwrite_replaces_it(self):
        receiver = self.receiver("--overwrite")
        for size, seed in ((100_000, 1), (100_000, 2), (99_999, 3)):
            source = self.file("a", size, seed)
            self.assert_sent(self.send(source))
            self.assert_same(source, "a")
        self.assertIsNone(receiver.process.poll())

    def test_a_folder_or_link_in_the_way_is_refused(self):
        os.mkdir(self.in_target("a"))
        os.symlink("/tmp", self.in_target("b"))
        outside = os.path.join(self.folder, "outside")
        os.mkdir(outside)
        os.symlink(outside, self.in_target("tree"))
        self.receiver("--overwrite")
        self.assert_failed(self.send(self.file("a", 10)), "a: something else has that name")
        self.assert_failed(self.send(self.file("b", 10)), "b: something else has that name")
        self.file("tree/x", 10)
        self.assert_failed(self.send(os.path.join(self.folder, "tree")), "tree: a part of this name is a file or a link")
        self.assertEqual(os.listdir(outside), [])


class SeveralSenders(TransferTest):
    def test_a_hundred_at_once(self):
        receiver = self.receiver()
        senders = [self.start_send("-q", self.file(f"s{i}", 20_000 + i, i)) for i in range(100)]
        for i, sender in enumerate(senders):
            self.assert_sent(sender)
            self.assert_same(os.path.join(self.folder, f"s{i}"), f"s{i}")
        self.assertIsNone(receiver.process.poll())

    def test_the_second_of_one_name_is_refused_and_the_first_completes(self):
        self.receiver()
        first = self.start_send("--name", "same", "-", stdin=subprocess.PIPE)
        first.process.stdin.write(b"x")
        first.process.stdin.flush()
        wait_for(lambda: os.path.exists(self.in_target("same.cmt-part")), "the first one's data")
        self.assert_failed(self.send(self.file("same", 10)), "same: is already being received, from 127[0-9.]*; send it again when that transfer is over")
        first.process.stdin.close()
        self.assert_sent(first)
        with open(self.in_target("same"), "rb") as content:
            self.assertEqual(content.read(), b"x")

    def test_a_receiver_for_one_transfer_refuses_the_next(self):
        receiver = self.receiver("--once")
        first = self.start_send("--name", "first", "-", stdin=subprocess.PIPE)
        first.process.stdin.write(b"x")
        first.process.stdin.flush()
        wait_for(lambda: os.path.exists(self.in_target("first.cmt-part")), "the first one's data")
        self.assert_failed(self.send(self.file("second", 10)), "this receiver accepts only one transfer")
        first.process.stdin.close()
        self.assert_sent(first)
        self.assertEqual(receiver.wait(), 0)

    def test_two_receivers_do_not_write_one_file(self):
        receiver = self.receiver()
        first = self.start_send("--name", "same", "-", stdin=subprocess.PIPE)
        first.process.stdin.write(b"x")
        first.process.stdin.flush()
        wait_for(lambda: os.path.exists(self.in_target("same.cmt-part")), "the first one's data")
        other = Program(self, [RECV, "--bind", RECEIVER, "--udp-port", "9900", "-d", self.target])
        wait_for(lambda: "listening" in other.stderr, "the second receiver")
        self.assert_failed(self.send("--peer-udp-port", "9900", self.file("same", 10)),
                           "same: another cmt-recv is receiving it")
        first.process.stdin.close()
        self.assert_sent(first)
        self.assertIsNone(receiver.process.poll())


class Information(unittest.TestCase):
    def test_help_and_version(self):
        for program in (SEND, RECV):
            text = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
            self.assertIn("EXIT STATUS", text)
            self.assertLessEqual(max(map(len, text.splitlines())), 100)
            version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
            self.assertRegex(version, r"^cmt-(send|recv) \d+\.\d+\.\d+\n$")


if __name__ == "__main__":
    unittest.main()
