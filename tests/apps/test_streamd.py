# SPDX-License-Identifier: BSD-3-Clause
"""What cmt-streamd answers, to whom, and how fast."""
import os
import re
import time
import unittest

from media_programs import Client, MediaTest, SERVER, VIEWER, WIDE
from transfer_programs import wait_for
from undisturbed import undisturbed


class Answers(MediaTest):
    def test_a_whole_file(self):
        content = self.media("films/a b.mp4", 3_000_000)
        server, client = self.server(), None
        client = Client(self)
        answer, end, body = client.fetch(1, "/films/a b.mp4")
        self.assert_body(body, content)
        stat = os.stat(self.in_target("films/a b.mp4"))
        self.assertEqual({key: answer[key] for key in ("status", "size", "first", "bytes", "content_type", "modified_us")},
                         {"status": 200, "size": 3_000_000, "first": 0, "bytes": 3_000_000, "content_type": "video/mp4",
                          "modified_us": stat.st_mtime_ns // 1000})
        self.assertEqual(end, {"type": "end", "bytes": 3_000_000})
        line = self.log(server, 1)[0]
        self.assertRegex(line, rf'^({VIEWER.replace(",", "|")}) - - \[\d+/\w+/\d+:[0-9:]+ [+-]\d+\] '
                         r'"GET /films/a b.mp4 CMT/1" 200 3000000 0-2999999/3000000 \d+\.\d{3} \d+(/\d+)? '
                         r'"test \\x221\\x22" -$')

    def test_an_empty_file_and_head(self):
        content = self.media("x.webm", 70_000)
        self.media("empty", 0)
        self.server()
        client = Client(self)
        answer, end, body = client.fetch(1, "/empty")
        self.assertEqual((answer["status"], answer["bytes"], end["bytes"], body[0]), (200, 0, 0, 0))
        answer, end, body = client.fetch(2, "/x.webm", method="head", window_bytes=0)
        self.assertEqual((answer["status"], answer["bytes"], end["bytes"], body[0]), (200, len(content), 0, 0))
        answer, end, body = client.fetch(1, "/x.webm", 1, method="head", first=10)
        self.assertEqual((answer["status"], answer["first"], answer["bytes"], body[0]), (206, 10, 69_990, 0))

    def test_ranges(self):
        content = self.media("x", 100_000)
        self.server()
        client = Client(self)
        for nth, (asked, expected) in enumerate([
                ({"first": 0, "last": 0}, content[:1]), ({"first": 99_999}, content[-1:]),
                ({"first": 5, "last": 70_000}, content[5:70_001]), ({"last": 9}, content[:10]),
                ({"first": 50_000, "last": 1 << 62}, content[50_000:]), ({"suffix": 7}, content[-7:]),
                ({"suffix": 1 << 62}, content)]):
            with self.subTest(asked):
                answer, _, body = client.fetch(1, "/x", nth, **asked)
                self.assert_body(body, expected)
                self.assertEqual((answer["status"], answer["size"], answer["bytes"]), (206, 100_000, len(expected)))

    def test_refusals(self):
        self.media("x", 1000)
        self.media("folder/y", 1)
        self.media(".hidden/z", 1)
        self.media("folder/.z", 1)
        os.symlink("/etc/passwd", self.in_target("out"))
        os.symlink("../..", self.in_target("folder/up"))
        os.symlink("loop", self.in_target("loop"))
        os.mkfifo(self.in_target("fifo"))
        self.server()
        client = Client(self)
        missing, odd = "no such file", 'a path has an empty component, "." or ".."'
        for nth, (path, status, text) in enumerate([
                ("/y", 404, missing), ("/x/", 404, missing), ("/x/y", 404, missing), ("/folder", 404, missing),
                ("/", 404, missing), ("/.hidden/z", 404, missing), ("/folder/.z", 404, missing), ("/out", 404, missing),
                ("/folder/up/secret", 404, missing), ("/folder/up/target/x", 404, missing), ("/loop", 404, missing),
                ("/" + "n" * 300, 404, missing), ("/../x", 400, odd), ("/folder/../x", 400, odd), ("/./x", 400, odd),
                ("//x", 400, odd), ("//etc/passwd", 400, odd), ("/x\n", 400, "a path has a control character"),
                ("/fifo", 403, "not a regular file")]):
            with self.subTest(path):
                self.assert_refused(client.fetch(1, path, nth), status, text)
        etag = client.fetch(2, "/x")[0]["etag"]
        for nth, (asked, status, text) in enumerate([
                ({"first": 1000}, 416, "the range begins beyond the end of the file"),
                ({"suffix": 0}, 416, "the range begins beyond the end of the file"),
                ({"first": 9, "last": 8}, 400, "the range ends before it begins"),
                ({"etag": etag + "0"}, 412, "the file has been replaced")]):
            with self.subTest(asked):
                got = client.fetch(3, "/x", nth, **asked)
                self.assert_refused(got, status, text)
                self.assertEqual(got[0].get("size"), 1000 if status == 416 else None)

    def test_links_below_the_folder_and_indices_are_served(self):
        content = self.media("real/a.mkv", 1000)
        index = self.media("real/index.html", 500)
        os.symlink("real", self.in_target("link"))
        self.server()
        client = Client(self)
        answer, _, body = client.fetch(1, "/link/a.mkv")
        self.assert_body(body, content)
        for nth, path in enumerate(("/real/", "/link", "/real")):
            answer, _, body = client.fetch(2, path, nth)
            self.assert_body(body, index)
            self.assertEqual(answer["content_type"], "text/html; charset=utf-8")

    def test_the_etag_is_that_of_one_version_of_a_file(self):
        first = self.media("x", 50_000)
        self.server()
        client = Client(self)
        etag = client.fetch(1, "/x")[0]["etag"]
        answer, _, body = client.fetch(1, "/x", 1, etag=etag, first=10)
        self.assertEqual((answer["status"], answer["etag"]), (206, etag))
        self.assert_body(body, first[10:])
        stat = os.stat(self.in_target("x"))
        with open(self.in_target("x"), "r+b") as file:
            file.write(b"another")
        os.utime(self.in_target("x"), ns=(stat.st_atime_ns, stat.st_mtime_ns))
        self.assert_refused(client.fetch(1, "/x", 2, etag=etag), 412, "the file has been replaced")

    def test_a_file_that_shrinks_ends_its_answer_early(self):
        self.media("x", 4_000_000)
        self.server()
        client = Client(self)
        client.get(1, "/x", window_bytes=100_000)
        client.wait_count(1, 100_000)
        os.truncate(self.in_target("x"), 150_000)
        client.send(1, type="window", window_bytes=WIDE)
        answer, end, body = client.answered(1)
        self.assertEqual((answer["bytes"], end["bytes"], body[0]), (4_000_000, 150_000, 150_000))
        self.assertEqual(end["text"], "the file has become shorter")


class Together(MediaTest):
    def test_one_answer_that_is_not_read_holds_up_no_other(self):
        paused, whole = self.media("paused", 3_000_000), self.media("whole", 5_000_000)
        self.server()
        client = Client(self)
        client.get(1, "/paused", window_bytes=20_000)
        client.wait_count(1, 20_000)
        self.assert_body(client.fetch(2, "/whole")[2], whole)
        self.assertEqual(client.count(1), 20_000)
        client.send(1, type="window", window_bytes=20_001)
        client.wait_count(1, 20_001)
        client.send(1, type="window", window_bytes=WIDE)
        client.send(1, type="window", window_bytes=5)  # takes nothing back
        self.assert_body(client.answered(1)[2], paused)

    def test_cancel_ends_an_answer_and_frees_its_stream(self):
        content = self.media("x", 3_000_000)
        server = self.server()
        client = Client(self)
        client.get(1, "/x", window_bytes=50_000)
        client.wait_count(1, 50_000)
        client.send(1, type="cancel")
        answer, end, body = client.answered(1)
        self.assertEqual((end["text"], end["bytes"], body[0]), ("cancelled", 50_000, 50_000))
        client.send(1, type="cancel")  # of nothing, as is the window
        client.send(1, type="window", window_bytes=1)
        self.assert_body(client.fetch(1, "/x", 1)[2], content)
        self.assertRegex(self.log(server, 2)[0], r'" 200 50000 0-2999999/3000000 .* "cancelled"$')

    def test_no_more_requests_at_once_than_allowed(self):
        self.media("x", 1_000_000)
        self.server("--max-requests", "3")
        client = Client(self)
        self.assertEqual(client.message(0, "welcome")["requests_max"], 3)
        for stream in (1, 2, 3):
            client.get(stream, "/x", window_bytes=1000)
        for stream in (1, 2, 3):
            client.message(stream, "answer")  # messages of different streams overtake each other
        self.assert_refused(client.fetch(4, "/x"), 429, "more requests at once than this server allows")
        client.send(2, type="cancel")
        client.answered(2)
        self.assertEqual(client.fetch(4, "/x", 1)[0]["status"], 200)

    def test_every_stream_at_once(self):
        content = self.media("x", 200_000)
        self.server("--max-requests", "63")
        client = Client(self)
        for stream in range(1, 64):
            client.get(stream, "/x")
        for stream in range(1, 64):
            self.assert_body(client.answered(stream)[2], content)

    def test_a_slow_client_is_dropped_and_disturbs_no_others_and_a_paused_one_is_not(self):
        content = self.media("x", 8_000_000)
        server = self.server("--stall-timeout", "2s")
        slow, paused = Client(self), Client(self)
        paused.get(1, "/x", window_bytes=100_000)
        slow.get(1, "/x")
        slow.wait_count(1, 1)
        slow.command("deaf")
        self.assert_body(Client(self).fetch(1, "/x")[2], content)
        wait_for(lambda: "the client acknowledged nothing for 2 s" in server.stderr, "the slow one to be dropped")
        self.assertRegex("\n".join(self.log(server, 2)), '"the client acknowledged nothing for 2 s"')
        paused.send(1, type="window", window_bytes=WIDE)
        self.assert_body(paused.answered(1)[2], content)

    def test_clients_beyond_the_limit_are_told_so(self):
        content = self.media("x", 1000)
        server = self.server("--max-clients", "2")
        first, second, third = Client(self), Client(self), Client(self, hello=False)
        text = "the server has reached its limit of 2 clients; try again later"
        self.assertEqual(third.message(0, "error")["text"], text)
        third.wait_end()
        second.send(0, type="bye")
        second.wait_end()
        self.assert_body(Client(self).fetch(1, "/x")[2], content)
        self.assert_body(first.fetch(1, "/x")[2], content)
        self.assertIn(text, server.stderr)


class Pace(MediaTest):
    def timed(self, client, stream, path, **more):
        began = time.monotonic()
        client.fetch(stream, path, **more)
        return time.monotonic() - began

    @undisturbed
    def test_the_body_is_paced_after_a_burst(self):
        self.media("x", 1_000_000)
        self.server()
        client = Client(self)
        # 800 kB behind a burst of 200 kB at 500 kB/s; a busy machine is late, never early
        took_s = self.timed(client, 1, "/x", pace_bps=4_000_000, burst_bytes=200_000)
        self.assertGreater(took_s, 1.55)
        self.assertLess(took_s, 4)

    def test_the_burst_comes_at_once_and_others_are_not_paced(self):
        content = self.media("x", 1_000_000)
        self.server()
        client = Client(self)
        client.get(1, "/x", pace_bps=8000, burst_bytes=400_000)
        client.wait_count(1, 400_000)
        self.assert_body(client.fetch(2, "/x")[2], content)
        self.assertLess(client.count(1), 450_000)


class Ends(MediaTest):
    def test_bye_is_answered_when_everything_was_sent(self):
        content = self.media("x", 2_000_000)
        self.server()
        client = Client(self)
        client.get(1, "/x", window_bytes=10_000)
        client.message(1, "answer")  # messages of different streams overtake each other
        client.send(0, type="bye")
        client.message(0, "bye")
        client.send(1, type="window", window_bytes=WIDE)
        self.assert_body(client.answered(1)[2], content)
        client.wait_end()

    def test_a_client_that_says_nothing_or_wants_nothing_is_sent_away(self):
        self.media("x", 50_000)
        server = self.server("--hello-timeout", "2s", "--idle-timeout", "2s")
        silent, idle, paused = Client(self, hello=False), Client(self), Client(self)
        paused.get(1, "/x", window_bytes=10)
        self.assertEqual(silent.message(0, "error")["text"], "no hello for 2 s")
        idle.message(0, "bye")
        self.assertEqual(paused.message(1, "end")["text"], "no requests for 2 s")
        for client in (silent, idle, paused):
            client.wait_end()
        self.assertIn("no hello for 2 s", server.stderr)

    def test_told_to_stop_it_finishes_what_it_has_begun(self):
        content = self.media("x", 2_000_000)
        server = self.server()
        client, idle = Client(self), Client(self)
        client.get(1, "/x", window_bytes=10_000)
        client.wait_count(1, 10_000)
        server.signal(15)
        client.message(0, "bye")
        idle.wait_end()
        self.assert_refused(client.fetch(2, "/x"), 503, "the server is shutting down")
        self.assertIsNone(server.process.poll())
        client.send(1, type="window", window_bytes=WIDE)
        self.assert_body(client.answered(1)[2], content)
        client.wait_end()
        self.assertEqual(server.wait(), 0)

    def test_the_grace_has_an_end_and_a_second_signal_is_one(self):
        self.media("x", 2_000_000)
        for arguments, message, signals in ((("--grace", "1s"), "--grace is over: 1 answer is cut off", 1),
                                            ((), "stopped by a second signal: 1 answer is cut off", 2)):
            with self.subTest(message):
                server = self.server(*arguments)
                client = Client(self)
                client.get(1, "/x", window_bytes=10_000)
                client.wait_count(1, 10_000)
                server.signal(2)
                if signals == 2:
                    client.message(0, "bye")
                    server.signal(15)
                self.assertEqual(server.wait(), 0)
                self.assertIn(message, server.stderr)
                self.assertRegex(server.stdout, '"the server has shut down"\n$')
                client.wait_end()

    def test_without_clients_it_ends_at_once(self):
        server = self.server()
        server.signal(15)
        self.assertEqual(server.wait(), 0)

    def test_the_access_log_can_be_moved_away(self):
        self.media("x", 10)
        log = os.path.join(self.folder, "log")
        server = self.server("--access-log", log)
        client = Client(self)
        client.fetch(1, "/x")
        os.rename(log, log + ".1")
        server.signal(1)
        wait_for(lambda: os.path.exists(log), "a new log")
        client.fetch(1, "/x", 1, first=3)
        for name, part in ((log + ".1", "200 10 0-9/10"), (log, "206 7 3-9/10")):
            with open(name, encoding="ascii") as file:
                self.assertRegex(file.read(), rf'^[^\n]*"GET /x CMT/1" {part} [^\n]*\n$')


class Loopback(MediaTest):
    def test_it_listens_on_loopback_unless_told_otherwise(self):
        server = self.server("--udp-port", "0", bind=())
        self.assertRegex(server.stderr, r"listening on 127\.0\.0\.1, SCTP port 5002, UDP port \d+; with --bind any, "
                                        r"other hosts can connect\n")


if __name__ == "__main__":
    unittest.main()
