# SPDX-License-Identifier: BSD-3-Clause
# cost: 3 s
"""Peers that break the rules of docs/transfer-protocol.md: the other side says what is wrong, ends that
connection only, and neither crashes, hangs nor leaves its folder."""
import hashlib
import json
import os
import unittest

from transfer_programs import RECEIVER, SENDER, Program, TransferTest, wait_for, without_quarantine

PEER = os.environ["SCRIPTED_PEER"]
ZEROS = hashlib.sha256(bytes(1000)).hexdigest()


def control(kind, **members):
    return "c:" + json.dumps({"type": kind, **members})


HELLO = control("hello", version=1, files=1, resume=False)


def offer(name="x", size=1000, number=0):
    return control("file", id=number, name=name, mode=0o644, bytes=size)


def end(digest=ZEROS, size=1000, number=0):
    return control("end", id=number, bytes=size, sha256=digest)


START = control("start", id=0, offset=0)


class HostileSender(TransferTest):
    def converse(self, *steps):
        """What the receiver answers, message by message; "end" is the last."""
        peer = Program(self, [PEER, "send", SENDER, RECEIVER, *steps])
        self.assertEqual(peer.wait(), 0, peer.stderr)
        lines = peer.stdout.splitlines()
        self.assertEqual(lines[-1], "end", lines)
        return [json.loads(line) for line in lines[:-1]]

    def assert_refused(self, steps, sentence):
        told = self.converse(*steps)
        self.assertTrue(told and told[-1]["type"] == "error", told)
        self.assertIn(sentence, told[-1]["text"])

    def tree(self):
        return sorted(os.path.join(place, name) for place, folders, files in os.walk(self.folder)
                      for name in folders + files)

    def test_what_breaks_the_protocol_is_refused_with_a_sentence(self):
        cases = [
            ([control("bye")], "the first message must be hello"),
            (["d:100"], "data came without a file"),
            ([HELLO, HELLO], "only the first message may be hello"),
            ([control("hello", version=7, files=1, resume=False)], "speaks version 7 of the transfer protocol"),
            ([control("hello", version=1, files=1)], "lacks \"resume\""),
            ([control("hello", version=1, files=1, resume=False, colour="red")], "has no \"colour\""),
            ([control("hello", version="1", files=1, resume=False)], "has the wrong type"),
            ([control("hello", version=1, files=-1, resume=False)], "out of range"),
            ([HELLO, control("dance")], "\"dance\" is not a control message type"),
            ([HELLO, "c:not json"], "is not a JSON object"),
            ([HELLO, "c:[1]"], "is not a JSON object"),
            ([HELLO, "c:" + "[" * 10000], "is not a JSON object"),
            ([HELLO, "b:300000"], "too long"),
            ([HELLO, "b:20000"], "longer than"),
            ([HELLO, "p:7:hello"], "neither control nor data"),
            ([HELLO, "s:3:{}"], "not ordered on stream 0"),
            ([HELLO, "u:{}"], "not ordered on stream 0"),
            ([HELLO, control("welcome", version=1)], "\"welcome\" is not a message for a receiver"),
            ([HELLO, START], "is not about the current file"),
            ([HELLO, offer(), end()], "is not about the current file"),
            ([HELLO, offer(), control("start", id=9, offset=0)], "is not about the current file"),
            ([HELLO, offer(), START, START], "is not about the current file"),
            ([HELLO, offer(), "d:1000"], "data came without a file"),
            ([HELLO, offer(), control("start", id=0, offset=5)], "offset that was not offered"),
            ([HELLO, offer(), control("skip", id=0)], "skip of a file that the receiver does not have"),
            ([HELLO, offer(), START, "d:1001"], "more data came than the file has"),
            ([HELLO, offer(), START, "d:900", end(size=900)], "does not match the bytes"),
            ([HELLO, offer(), START, "d:1000", end(digest="x" * 64)], "an invalid sha256"),
            ([HELLO, offer(), control("bye")], "said bye with files still in transfer"),
            ([HELLO, *(offer(f"f{i}", 1, i) for i in range(65))], "too many files offered at once"),
        ]
        receiver = self.receiver()
        for steps, sentence in cases:
            with self.subTest(sentence):
                self.assert_refused(steps, sentence)
        source = self.file("after", 1000)
        self.assert_sent(self.send(source))
        self.assert_same(source, "after")
        self.assertIsNone(receiver.process.poll())

    def test_no_name_leads_out_of_the_folder(self):
        receiver = self.receiver()
        before = self.tree()
        for name in ("../x", "/etc/x", "a/../../x", "..", ".", "", "a//b", "a/", "/", "./x", "x\n", "x\x1b[2J",
                     "x\x7f", "\u009bx", "x.cmt-part", "y.cmt-part/x", "a" * 247, "a/" * 600 + "a"):
            with self.subTest(name):
                for message in (offer(name), control("folder", id=0, name=name, mode=0o777, final=False)):
                    told = self.converse(HELLO, message)
                    self.assertEqual(told[-1]["type"], "error", told)
        self.assertEqual(self.tree(), before)
        self.assertNotIn("\x1b", receiver.stderr)

    def test_a_link_in_the_folder_is_not_followed(self):
        outside = os.path.join(self.folder, "outside")
        os.mkdir(outside)
        os.symlink(outside, self.in_target("link"))
        os.symlink(os.path.join(outside, "y"), self.in_target("z.cmt-part"))
        with open(os.path.join(outside, "other"), "w") as file:
            file.write("stays")
        os.link(os.path.join(outside, "other"), self.in_target("hard.cmt-part"))
        os.mkfifo(self.in_target("fifo.cmt-part"))
        self.receiver()
        told = self.converse(HELLO, offer("link/x"), "w:answer", "close")
        self.assertEqual(told[-1]["verdict"], "refused", told)
        told = self.converse(HELLO, control("folder", id=0, name="link/new", mode=0o777, final=True), "w:done", "close")
        self.assertEqual(told[-1]["verdict"], "failed", told)
        for name in ("z", "hard", "fifo"):
            told = self.converse(HELLO, offer(name), START, "d:1000", "w:done", "close")
            self.assertEqual(told[-1]["verdict"], "failed", told)
        self.assertEqual(os.listdir(outside), ["other"])
        with open(os.path.join(outside, "other")) as file:
            self.assertEqual(file.read(), "stays")

    def test_damaged_data_are_found_and_not_kept(self):
        receiver = self.receiver("--once", "--stats", "json")
        told = self.converse(HELLO, offer(), START, "d:1000", end(digest="0" * 64), "w:done", control("bye"), "close")
        self.assertEqual((told[-2]["type"], told[-2]["verdict"]), ("done", "corrupt"))
        self.assertIn("x: arrived damaged", told[-2]["text"])
        self.assertEqual(receiver.wait(), 1)
        self.assertEqual(receiver.stats["integrity"], "corrupt")
        self.assertEqual(os.listdir(self.target), [])

    def test_good_data_are_kept(self):
        """The script itself is right, or the test above would prove nothing."""
        receiver = self.receiver("--once")
        told = self.converse(HELLO, offer(), START, "d:400", "d:600", end(), "w:done", control("bye"), "close")
        self.assertEqual((told[-2]["type"], told[-2]["verdict"]), ("done", "ok"))
        self.assertEqual(told[-1], {"type": "bye"})
        self.assertEqual(receiver.wait(), 0)
        with open(self.in_target("x"), "rb") as file:
            self.assertEqual(file.read(), bytes(1000))

    def test_start_does_not_overwrite_what_must_stay(self):
        with open(self.in_target("x"), "wb") as file:
            file.write(b"1" * 1000)
        self.receiver()
        self.assert_refused([HELLO, offer(), "w:answer", START], "start would overwrite a file")
        with open(self.in_target("x"), "rb") as file:
            self.assertEqual(file.read(), b"1" * 1000)

    def test_a_silent_sender_is_given_up(self):
        receiver = self.receiver("--timeout", "1s")
        for steps in (["stay"], [HELLO, offer(), START, "d:10", "stay"]):
            self.assert_refused(steps, "nothing heard for 1 s")
        self.assertEqual(os.listdir(self.target), ["x.cmt-part"])
        self.assertIsNone(receiver.process.poll())

    def test_answers_that_nobody_reads_do_not_pile_up(self):
        receiver = self.receiver("--timeout", "2s", env=without_quarantine())
        before = receiver.resident_kib
        flood = control("folder", id=0, name="f", mode=0o755, final=False)
        peer = Program(self, [PEER, "send", SENDER, RECEIVER, HELLO, "deaf", f"x:1000000:{flood[2:]}", "stay"])
        wait_for(lambda: "nothing heard for 2 s" in receiver.stderr or "lost" in receiver.stderr, "the end")
        self.assertIsNone(peer.process.poll())
        self.assertLess(receiver.resident_kib - before, 30_000)
        self.assertIsNone(receiver.process.poll())

    def test_a_name_is_free_again_when_its_sender_is_gone(self):
        receiver = self.receiver()
        for _ in range(3):
            self.converse(HELLO, offer(), START, "d:10", "close")
        source = self.file("x", 10)
        self.assert_sent(self.send(source))
        self.assert_same(source, "x")
        self.assertIsNone(receiver.process.poll())


class HostileReceiver(TransferTest):
    def test_what_breaks_the_protocol_ends_the_sender_with_a_sentence(self):
        welcome = control("welcome", version=1)
        source = self.file("x", 1000)
        cases = [
            ([control("error", text="go \x1b away")], r"the receiver says: go \\x1b away"),
            ([control("welcome", version=2)], "speaks version 2 of the transfer protocol"),
            ([control("done", id=0, verdict="ok")], "sent \"done\" at the wrong time"),
            ([welcome, welcome], "sent \"welcome\" at the wrong time"),
            ([welcome, control("bye")], "sent \"bye\" at the wrong time"),
            ([welcome, "d:10"], "the receiver sent data"),
            ([welcome, control("answer", id=7, verdict="send")], "refers to a file that was not offered"),
            ([welcome, "w:file", control("answer", id=0, verdict="ok")], "is not a verdict"),
            ([welcome, "w:file", control("answer", id=0, verdict="partial")], "lacks \"bytes\""),
            ([welcome, "w:file", *[control("answer", id=0, verdict="send")] * 2], "answered twice|not offered"),
            ([welcome, "w:file", control("answer", id=0, verdict="refused", text="x: no\n")], r"x: no\\x0a"),
            ([welcome, "w:file", control("answer", id=0, verdict="send"), "w:end",
              control("done", id=0, verdict="corrupt", text="x: damaged")], "x: damaged"),
            ([welcome, "close"], "the connection to .* was lost"),
            (["stay"], "the receiver has been silent for 1 s"),
            ([welcome, "w:file", control("answer", id=0, verdict="send"), "w:end", "stay"], "has been silent for 1 s"),
        ]
        for steps, sentence in cases:
            with self.subTest(sentence):
                peer = Program(self, [PEER, "recv", RECEIVER, "w:hello", *steps])
                wait_for(lambda: "listening" in peer.stdout, "the scripted receiver")
                patience = ["--timeout", "1s"] if "silent" in sentence else []
                try:
                    self.assert_failed(self.send(*patience, source), sentence)
                finally:
                    peer.end()

    def test_damage_is_told_in_the_statistics(self):
        peer = Program(self, [PEER, "recv", RECEIVER, "w:hello", control("welcome", version=1), "w:file",
                              control("answer", id=0, verdict="send"), "w:end",
                              control("done", id=0, verdict="corrupt", text="x: damaged")])
        wait_for(lambda: "listening" in peer.stdout, "the scripted receiver")
        sender = self.send("--stats", "json", self.file("x", 1000))
        self.assert_failed(sender, "x: damaged")
        self.assertEqual((sender.stats["integrity"], sender.stats["files"]), ("corrupt", 0))


if __name__ == "__main__":
    unittest.main()
