# SPDX-License-Identifier: BSD-3-Clause
# cost: 3 s
"""cmt-gateway between HTTP and cmt-streamd: the answers are right, and stay so when something breaks."""
import http.client
import os
import re
import select
import signal
import socket
import subprocess
import threading
import time
import unittest

from film import frames, make_film
from gateway_programs import GATEWAY, HOST, SCRIPTED_PEER, SERVER, GatewayTest
from transfer_programs import PATIENCE_S, Program, wait_for, without_quarantine

MB = 1_000_000


class Answers(GatewayTest):
    def test_a_file_arrives_as_it_is_again_and_again_on_one_connection(self):
        content = self.file("a b/ä.mp4", 3 * MB + 1)
        empty = self.file("empty.vtt", 0)
        self.both()
        connection = self.connection()
        for _ in range(3):
            answer, body = self.ask("/a%20b/%C3%A4.mp4?x=1", connection=connection)
            self.assertEqual((answer.status, answer.version, body), (200, 11, content))
            self.assertEqual(answer.getheader("Content-Length"), str(len(content)))
            self.assertEqual(answer.getheader("Content-Type"), "video/mp4")
            self.assertEqual(answer.getheader("Accept-Ranges"), "bytes")
            self.assertRegex(answer.getheader("ETag"), '^"[!-~]+"$')
            self.assertRegex(answer.getheader("Last-Modified"), r"^\w{3}, \d\d \w{3} \d{4} [0-9:]{8} GMT$")
            self.assertIsNone(answer.getheader("Transfer-Encoding"))
            self.assertIsNone(answer.getheader("Access-Control-Allow-Origin"))
            answer, body = self.ask("/empty.vtt", connection=connection)
            self.assertEqual((answer.status, answer.getheader("Content-Length"), body), (200, "0", empty))
            answer, body = self.ask("/a%20b/%C3%A4.mp4", method="HEAD", connection=connection)
            self.assertEqual((answer.status, answer.getheader("Content-Length"), body), (200, "3000001", b""))

    def test_ranges(self):
        content = self.file("film.mp4", 300_000)
        self.both()
        connection = self.connection()
        for value, first, last in (("0-0", 0, 0), ("5-9", 5, 9), ("100000-", 100_000, 299_999),
                                   ("-7", 299_993, 299_999),
                                   ("299999-400000", 299_999, 299_999), ("-999999", 0, 299_999)):
            answer, body = self.ask("/film.mp4", {"Range": f"bytes={value}"}, connection=connection)
            self.assertEqual((answer.status, answer.getheader("Content-Range")),
                             (206, f"bytes {first}-{last}/300000"), value)
            self.assertEqual(body, content[first:last + 1])
            self.assertEqual(int(answer.getheader("Content-Length")), len(body))
        for value in ("bytes=0-1,5-6", "bytes=9-5", "bytes=x", "lines=1-2"):
            answer, body = self.ask("/film.mp4", {"Range": value}, connection=connection)
            self.assertEqual((answer.status, body), (200, content), value)
        for value in ("300000-", "-0", "9223372036854775807-", "99999999999999999999-"):
            answer, body = self.ask("/film.mp4", {"Range": f"bytes={value}"}, connection=connection)
            self.assertEqual((answer.status, answer.getheader("Content-Range")), (416, "bytes */300000"), value)
        answer, _ = self.ask("/film.mp4", {"Range": "bytes=5-9"}, "HEAD", connection)
        self.assertEqual((answer.status, answer.getheader("Content-Length")), (200, "300000"))

    def test_conditions(self):
        content = self.file("film.mp4", 300_000)
        self.both()
        connection = self.connection()
        answer, _ = self.ask("/film.mp4", method="HEAD", connection=connection)
        etag, date = answer.getheader("ETag"), answer.getheader("Last-Modified")
        part, old = {"Range": "bytes=5-9"}, "Sun, 06 Nov 1994 08:49:37 GMT"
        for headers, status, expected in (
                ({"If-None-Match": etag}, 304, b""), ({"If-None-Match": '"x"'}, 200, content),
                ({"If-Modified-Since": date}, 304, b""), ({"If-Modified-Since": old}, 200, content),
                ({"If-Match": '"x"'}, 412, None), ({"If-Match": etag}, 200, content),
                ({"If-Unmodified-Since": old}, 412, None),
                ({**part, "If-Range": etag}, 206, content[5:10]), ({**part, "If-Range": '"abc"'}, 200, content),
                ({**part, "If-Range": '"' + "a" * 90 + '"'}, 200, content),
                ({**part, "If-Range": date}, 206, content[5:10]), ({**part, "If-Range": old}, 200, content)):
            answer, body = self.ask("/film.mp4", headers, connection=connection)
            self.assertEqual(answer.status, status, headers)
            if expected is not None:
                self.assertEqual(body, expected, headers)

    def test_what_is_not_there_is_told_with_its_status(self):
        content = self.file("film.mp4", 1000)
        self.file(".secret", 10)
        self.file("folder/x", 10)
        os.symlink("/etc/passwd", os.path.join(self.media, "out"))
        self.both()
        connection = self.connection()
        for path, statuses in (("/nothing", (404,)), ("/.secret", (404,)), ("/folder", (404,)), ("/out", (404, 403)),
                               ("/../film.mp4", (400,)), ("/%2e%2e/%2e%2e/etc/passwd", (400,)), ("/a/..%2fx", (400,)),
                               ("/%00", (400,)), ("/%ff", (400,)), ("/%zz", (400,)), ("/" + "a" * 1500, (414,)),
                               ("//film.mp4", (400, 404)), ("/film.mp4/", (400, 404))):
            answer, body = self.ask(path, connection=connection)
            self.assertIn(answer.status, statuses, path)
            self.assertIn(str(answer.status).encode(), body)
            answer, body = self.ask(path, method="HEAD", connection=connection)
            self.assertIn(answer.status, statuses, path)
            self.assertEqual(body, b"")
        self.assertEqual(self.ask("/film.mp4", connection=connection)[1], content)

    def test_pages_of_others_are_let_in_only_when_told(self):
        self.file("film.mp4", 1000)
        self.both("--allow-origin", "http://localhost:3000")
        for path in ("/film.mp4", "/nothing"):
            answer, _ = self.ask(path)
            self.assertEqual(answer.getheader("Access-Control-Allow-Origin"), "http://localhost:3000")
        answer, _ = self.ask("/film.mp4", method="OPTIONS")
        self.assertEqual(answer.status, 204)
        self.assertIn("Range", answer.getheader("Access-Control-Allow-Headers"))

    def test_many_requests_at_once_also_more_than_may_be(self):
        contents = [self.file(f"{i}.ts", 200_000 + i, i) for i in range(12)]
        self.both("--max-requests", "3")
        failures = []

        def play(i):
            for j in (i, (i + 5) % 12):
                if self.ask(f"/{j}.ts")[1] != contents[j]:
                    failures.append(j)
        players = [threading.Thread(target=play, args=(i,)) for i in range(12)]
        for player in players:
            player.start()
        for player in players:
            player.join(PATIENCE_S)
        self.assertEqual(failures, [])

    def test_a_pace_is_kept_behind_the_burst(self):
        content = self.file("film.mp4", MB)
        self.both("--pace", "8Mbit", "--burst", "500kB")
        started = time.monotonic()
        self.assertEqual(self.ask("/film.mp4")[1], content)
        self.assertGreater(time.monotonic() - started, 0.35)


class Players(GatewayTest):
    def assert_no_answer(self, connection):
        self.assertEqual(select.select([connection.sock], [], [], 0.3)[0], [])

    def test_more_than_may_be_wait_until_one_has_gone(self):
        content = self.file("film.mp4", 1000)
        self.both("--max-clients", "2")
        there = [self.connection() for _ in range(2)]
        for connection in there:
            self.assertEqual(self.ask("/film.mp4", connection=connection)[1], content)
        waiting = self.connection()
        waiting.request("GET", "/film.mp4")
        self.assert_no_answer(waiting)
        there[0].close()
        self.assertEqual(waiting.getresponse().read(), content)

    def test_one_that_is_paused_stops_itself_only_and_costs_no_more_than_its_window(self):
        large, small = self.file("large.mp4", 24 * MB), self.file("small.mp4", 4 * MB)
        self.server()
        gateway = self.gateway("--window", "256kB", env=without_quarantine())
        self.ask("/small.mp4")
        before_kib = gateway.resident_kib
        paused = [self.begin("/large.mp4") for _ in range(4)]
        paused[3].sock.settimeout(0.5)
        with self.assertRaises(TimeoutError):  # what one says meanwhile is not piled up either
            paused[3].sock.sendall(bytes(64 << 20))
        for _ in range(3):
            self.assertEqual(self.ask("/small.mp4")[1], small)
        self.assertLess(gateway.resident_kib - before_kib, 8 << 10)
        for answer in paused[:2]:
            self.assertEqual(answer.read(), large)

    def test_one_that_goes_away_ends_its_request(self):
        self.file("large.mp4", 24 * MB)
        small = self.file("small.mp4", 1000)
        gateway = self.both("--max-requests", "1", "--window", "64KiB")
        answer = self.begin("/large.mp4")
        self.assertEqual(len(answer.read(10_000)), 10_000)
        waiting = self.connection()
        waiting.request("GET", "/small.mp4")
        self.assert_no_answer(waiting)  # one at once
        answer.leave()
        self.assertEqual(waiting.getresponse().read(), small)
        self.assertIn("the player has gone", gateway.stderr)

    def test_one_that_leaves_before_its_answer_is_forgotten(self):
        self.file("film.mp4", 1000)
        gateway = self.gateway("--retry-for", "60s", connected=False)
        for _ in range(5):
            connection = self.connection()
            connection.request("GET", "/film.mp4")
            connection.close()
        wait_for(lambda: gateway.stderr.count("the player has gone") == 5, "five to be forgotten")
        self.server()
        self.assertEqual(self.ask("/film.mp4")[0].status, 200)


class Hostile(GatewayTest):
    def status(self, request):
        return self.raw(request).split(b" ")[1:2]

    def test_malformed_requests_have_their_status_and_end_the_connection(self):
        content = self.file("film.mp4", 1000)
        gateway = self.both()
        host = f"Host: {HOST}\r\n".encode()
        for request, status in (
                (b"garbage\r\n\r\n", b"400"), (b"GET / HTTP/9.9\r\n\r\n", b"400"),
                (b"GET /film.mp4 HTTP/1.1\r\n\r\n", b"400"),
                (b"GET /film.mp4 HTTP/1.1\r\n" + host + host + b"\r\n", b"400"),
                (b"GET /film.mp4 HTTP/1.1\r\nHost: evil.example\r\n\r\n", b"421"),
                (b"GET /" + b"a" * 40_000 + b" HTTP/1.1\r\n" + host + b"\r\n", b"400"),
                (b"GET / HTTP/1.1\r\n" + host + b"X: " + b"a" * 40_000 + b"\r\n\r\n", b"400"),
                (b"GET / HTTP/1.1\r\n" + host + b"X: y\r\n" * 9000 + b"\r\n", b"400"),
                (b"GET / HTTP/1.1\r\n" + host + b"Content-Length: -1\r\n\r\n", b"400"),
                (b"GET / HTTP/1.1\r\n" + host + b"Content-Length: 99999999999\r\n\r\n", b"413"),
                (b"GET / HTTP/1.1\r\n" + host + b"Content-Length: 3\r\n\r\nabc", b"400"),
                (b"GET / HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", b"400"),
                (b"GET / HTTP/1.1\r\n" + host + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", b"400"),
                (b"POST / HTTP/1.1\r\n" + host + b"Content-Length: 3\r\n\r\nabc", b"405"),
                (b"DELETE /film.mp4 HTTP/1.1\r\n" + host + b"\r\n", b"405"),
                (b"BREW / HTTP/1.1\r\n" + host + b"\r\n", b"501")):
            self.assertEqual(self.status(request), [status], request[:60])
        self.assertEqual(self.raw(b"CONNECT a:80 HTTP/1.1\r\n" + host + b"\r\n"), b"")
        smuggled = (b"HEAD /film.mp4 HTTP/1.1\r\n" + host + b"Content-Length: 60\r\n\r\n"
                    b"GET /film.mp4 HTTP/1.1\r\n" + host + b"\r\n")
        self.assertEqual(self.raw(smuggled).count(b"HTTP/1.1 "), 1)
        for path in (b"/nothing", b"/film.mp4"):
            self.assertTrue(self.raw(b"HEAD " + path + b" HTTP/1.1\r\nConnection: close\r\n" + host + b"\r\n")
                            .endswith(b"\r\n\r\n"))
        pipelined = (b"GET /film.mp4 HTTP/1.1\r\n" + host + b"\r\n") * 20 + b"GET /film.mp4 HTTP/1.0\r\n\r\n"
        self.assertEqual(self.raw(pipelined).count(content), 21)
        self.assertEqual(self.ask("/film.mp4")[1], content)
        self.assertIsNone(gateway.process.poll())

    def test_a_connection_is_not_late_after_an_answer_that_needed_no_file(self):
        content = self.file("film.mp4", 1000)
        self.both("--request-timeout", "500ms")
        connection = self.connection()
        for path in ("/%00", "/film.mp4"):
            for method in ("OPTIONS", "GET", "HEAD"):
                self.ask(path, method=method, connection=connection)
        self.ask("/film.mp4", method="OPTIONS", connection=connection)
        stream = connection.sock
        time.sleep(1)
        self.assertEqual(self.ask("/film.mp4", connection=connection)[1], content)
        self.assertIs(connection.sock, stream)

    def test_slow_requests_are_ended_and_others_served(self):
        content = self.file("film.mp4", MB)
        self.both("--request-timeout", "1s", "--keep-alive", "1s", "--max-clients", "8")
        slow = [socket.create_connection((HOST, self.port), timeout=PATIENCE_S) for _ in range(7)]
        for stream in slow[:4]:
            stream.sendall(b"GET /film.mp4 HTTP/1.1\r\nX: ")
        self.assertEqual(self.ask("/film.mp4")[1], content)
        until = time.monotonic() + PATIENCE_S
        alive = True
        while alive and time.monotonic() < until:  # a byte now and then is no request
            time.sleep(0.1)
            try:
                slow[0].sendall(b"a")
            except OSError:
                alive = False
        self.assertFalse(alive)
        self.assertEqual([stream.recv(100).split(b" ")[1:2] for stream in slow[1:]], [[b"408"]] * 3 + [[]] * 3)
        more = [socket.create_connection((HOST, self.port), timeout=PATIENCE_S) for _ in range(20)]
        self.assertEqual(self.ask("/film.mp4")[1], content)  # waits for the places of the first ones
        for stream in slow + more:
            stream.close()


class HostileServer(GatewayTest):
    """A server that breaks the rules is given up; a request that it has begun to answer is cut off."""
    WELCOME = '{"type":"welcome","version":1,"requests_max":32}'
    ANSWER = ('{"type":"answer","status":200,"size":100000,"first":0,"bytes":100000,"content_type":"video/mp4",'
              '"etag":"a","modified_us":0}')

    def says(self, *steps):
        """A fresh pair; steps are (stream, kind, text)."""
        kinds = {"control": 0x434d5452, "data": 0x434d5456, "other": 7}
        words = [f"m:{step[0]}:{kinds[step[1]]}:{step[2]}" if isinstance(step, tuple) else step for step in steps]
        server = Program(self, [SCRIPTED_PEER, "recv", SERVER, "w:hello", *words, "stay"])
        wait_for(lambda: "listening" in server.stdout, "the server")
        gateway = self.gateway("--port", "5001", "--peer-udp-port", "9899", "--window", "64KiB", "--retry-for", "500ms", connected=False)
        return server, gateway

    def test_what_it_says_wrong_before_a_body_is_a_bad_gateway(self):
        asked = ((0, "control", self.WELCOME), "w:request")
        for steps, why in (
                ([(0, "control", "{}")], "has no type"),
                ([(0, "control", '{"type":"welcome","version":2,"requests_max":32}')], "version 2"),
                ([(0, "control", '{"type":"error","text":"no\\u001b[2J"}')], r"refused by .*: no"),
                ([(0, "other", "x")], "neither control nor data"),
                ([*asked, (1, "data", "x")], "more data came"),
                ([*asked, (1, "control", "x" * 17_000)], "longer than 16384"),
                ([*asked, (1, "control", '{"type":"end","bytes":0}')], "without an answer"),
                ([*asked, (2, "control", self.ANSWER)], "has no request"),
                ([*asked, (1, "control", self.ANSWER.replace("200", "206"))], "does not match its request"),
                ([*asked, (1, "control", self.ANSWER.replace('"a"', '"a\\r\\nX: y"'))], "an invalid etag"),
                ([*asked, (1, "control", self.ANSWER.replace("video/mp4", "a\\nX: y"))],
                 "an invalid content type")):
            server, gateway = self.says(*steps)
            answer, body = self.ask("/film.mp4")
            self.assertIn(answer.status, (502, 504), why)  # 504: it was gone before the request came
            self.assertRegex(body.decode(), why if answer.status == 502 else "^504 ")
            wait_for(lambda: re.search(why, gateway.stderr), why)  # pylint: disable=cell-var-from-loop
            self.assertNotIn("\x1b", body.decode())
            self.end(gateway)
            server.end()

    def test_more_than_there_was_room_for_cuts_off(self):
        # In one message, so that there is no time to make room in between.
        server, gateway = self.says((0, "control", self.WELCOME), "w:request", (1, "control", self.ANSWER),
                                    (1, "data", "x" * 70_000))
        with self.assertRaises(http.client.IncompleteRead) as caught:
            self.ask("/film.mp4")
        self.assertEqual(set(caught.exception.partial), {ord("x")})
        self.assertRegex(gateway.stderr, "more data came than was asked for")
        server.end()


class Start(GatewayTest):
    def test_it_ends_when_told_with_answers_under_way(self):
        self.file("large.mp4", 24 * MB)
        gateway = self.both()
        idle = self.connection()
        idle.connect()
        answer = self.begin("/large.mp4")
        started = time.monotonic()
        gateway.signal(signal.SIGTERM)
        self.assertEqual(gateway.wait(), 0)
        self.assertLess(time.monotonic() - started, 20)
        with self.assertRaises((http.client.IncompleteRead, ConnectionError)):
            answer.read()

    def test_it_says_what_it_cannot_do(self):
        for arguments, status, message in (
                ([], 2, "no server given; write --connect"),
                (["--connect", SERVER, "--listen", "192.0.2.1:80"], 1,
                 r"cannot listen on 192.0.2.1, port 80: .*--listen"),
                (["--connect", SERVER, "--sched", "arrival:x=1"], 2,
                 "--sched: arrival has no option \"x\"; it has queue_us, queue_pkts")):
            program = Program(self, [GATEWAY, "--bind", "127.0.0.1", *arguments])
            self.assertEqual(program.wait(), status, program.stderr)
            self.assertRegex(program.stderr, f"^cmt-gateway: {message}")


class Ffmpeg(GatewayTest):
    def test_a_film_is_probed_played_and_sought_in(self):
        film = os.path.join(self.media, "film.mp4")
        make_film(film, ["libx264", "-preset", "ultrafast"])  # its index is at the end: ffmpeg has to seek for it
        self.both()
        probed = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "format=duration:stream=codec_name", "-of",
                                 "csv=p=0", self.url("film.mp4")], check=True, capture_output=True, timeout=PATIENCE_S)
        self.assertEqual(probed.stdout.split(), [b"h264", b"aac", b"4.000000"])
        self.assertEqual(frames(self.url("film.mp4"), PATIENCE_S), frames(film, PATIENCE_S))
        self.assertEqual(self.ask("/film.mp4")[1], self.read("film.mp4"))

    def test_hls_and_dash_play(self):
        film = os.path.join(self.folder, "film.mp4")
        make_film(film, ["libx264", "-preset", "ultrafast"])
        copy = ["ffmpeg", "-v", "error", "-nostdin", "-i", film, "-c", "copy"]
        for name, how in (("hls/index.m3u8", ["-f", "hls", "-hls_time", "1", "-hls_list_size", "0"]),
                          ("dash/index.mpd", ["-f", "dash", "-seg_duration", "1"])):
            os.mkdir(os.path.join(self.media, os.path.dirname(name)))
            subprocess.run([*copy, *how, os.path.join(self.media, name)], check=True)
        self.both()
        for name in ("hls/index.m3u8", "dash/index.mpd"):
            same = frames(os.path.join(self.media, name), PATIENCE_S)
            self.assertEqual(frames(self.url(name), PATIENCE_S), same, name)
        for name in os.listdir(os.path.join(self.media, "hls")):
            self.assertEqual(self.ask(f"/hls/{name}")[1], self.read(f"hls/{name}"))


if __name__ == "__main__":
    unittest.main()
