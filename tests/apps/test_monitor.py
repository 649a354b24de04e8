# SPDX-License-Identifier: BSD-3-Clause
# cost: 3 s
"""--admin: what it answers, and to whom."""
import os
import re
import signal
import socket
import struct
import subprocess
import time
import unittest

from media_programs import Client
from monitor_programs import PERF, RATE_BPS, MonitorTest
from transfer_programs import PATIENCE_S, RECEIVER, SENDER, Program, wait_for
from undisturbed import undisturbed

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"'
SAMPLE = re.compile(rf"({NAME})(?:\{{({LABEL}(?:,{LABEL})*)\}})? (-?[0-9.]+(?:e[+-]?[0-9]+)?)")


def parse_metrics(text):
    """{name: (type, {labels: value})}; raises AssertionError where the text is not what Prometheus reads."""
    families, name, kind = {}, None, None
    assert text.endswith("\n")
    for line in text.splitlines():
        if line.startswith("# HELP "):
            helped = re.fullmatch(rf"# HELP ({NAME}) \S.*", line)[1]
            assert helped not in families, f"{helped} comes in two places"
            name, kind = helped, None
        elif line.startswith("# TYPE "):
            typed, kind = re.fullmatch(rf"# TYPE ({NAME}) (counter|gauge)", line).groups()
            assert typed == name, "TYPE must follow HELP"
            assert (kind == "counter") == name.endswith("_total"), name
            families[name] = (kind, {})
        else:
            sample = SAMPLE.fullmatch(line)
            assert sample, line
            assert sample[1] == name and kind, f"{line} is not below its TYPE"
            assert sample[2] not in families[name][1], f"{line} comes twice"
            families[name][1][sample[2]] = float(sample[3])
    return families


class Tells(MonitorTest):
    def test_json(self):
        _, server = self.perf()
        stats = server.stats()
        self.assertEqual(stats["program"], "cmt-perf")
        self.assertEqual(stats["total"]["associations"], 1)
        self.assertEqual(stats["total"]["paths"], 2)
        self.assertEqual(stats["total"]["failed_paths"], 0)
        self.assertEqual(stats["events"], [])
        self.assertAlmostEqual(stats["now_s"], time.time(), delta=30)
        association, = stats["associations"]
        self.assertEqual(association["scheduler"], "auto")
        self.assertTrue(association["extension"])
        self.assertEqual(association["send_buffer_bytes"], 1 << 20)
        self.assertEqual(association["receive_buffer_bytes"], 1 << 20)
        paths = association["paths"]
        self.assertEqual({p["remote"] for p in paths}, set(RECEIVER.split(",")))
        self.assertLessEqual({p["local"] for p in paths}, set(SENDER.split(",")) | {None})
        self.assertEqual([p["state"] for p in paths], ["active", "active"])
        self.assertAlmostEqual(sum(p["share"] for p in paths), 1, delta=0.001)
        self.assertAlmostEqual(sum(p["send_rate_bps"] for p in paths), association["send_rate_bps"], delta=2)
        busiest = max(paths, key=lambda p: p["send_rate_bps"])
        for key in ("cwnd_bytes", "mtu_bytes", "rate_bps", "sent_bytes", "acked_bytes", "sent_packets"):
            self.assertGreater(busiest[key], 0, key)
        self.assertIsNotNone(busiest["fwd_delay_us"])
        self.assertIsNotNone(busiest["fwd_delay_base_us"])

    def test_the_receiver_knows_what_came_on_which_path(self):
        _, server = self.perf()
        wait_for(lambda: self.sink.stats()["total"]["receive_rate_bps"] > RATE_BPS / 2, "the rate of the receiver")
        sent = server.stats()["associations"][0]["sent_bytes"]
        wait_for(lambda: self.sink.stats()["associations"][0]["received_bytes"] >= sent, "what was sent")
        paths = self.sink.stats()["associations"][0]["paths"]
        self.assertEqual({p["remote"] for p in paths}, set(SENDER.split(",")))
        self.assertAlmostEqual(sum(p["share"] for p in paths), 1, delta=0.001)

    def test_metrics(self):
        _, server = self.perf()
        _, headers, body = server.get("/metrics")
        self.assertEqual(headers["Content-Type"], "text/plain; version=0.0.4; charset=utf-8")
        first = parse_metrics(body.decode())
        self.assertEqual(first["cmt_associations"], ("gauge", {None: 1}))
        self.assertEqual(len(first["cmt_path_sent_bytes_total"][1]), 2)
        self.assertEqual(sorted(first["cmt_path_state"][1].values()), [0] * 6 + [1] * 2)
        wait_for(lambda: parse_metrics(server.get("/metrics")[2].decode())["cmt_sent_bytes_total"][1][None]
                 > first["cmt_sent_bytes_total"][1][None], "the counter to count")
        second = parse_metrics(server.get("/metrics")[2].decode())
        for name, (kind, samples) in first.items():
            if kind == "counter":
                for labels, value in samples.items():
                    self.assertGreaterEqual(second[name][1][labels], value, name)

    def test_metrics_without_associations(self):
        _, server = self.watched(PERF, "-s", "--bind", RECEIVER, "--admin", "0")
        self.assertEqual(parse_metrics(server.get("/metrics")[2].decode())["cmt_associations"][1], {None: 0})
        self.assertEqual(server.stats()["associations"], [])

    @undisturbed
    def test_events(self):
        _, server = self.perf()
        events = server.events()
        first, second = next(events), next(events)
        self.assertEqual(server.events_headers["Content-Type"], "text/event-stream")
        self.assertLess(first["now_s"], second["now_s"])
        self.assertAlmostEqual(second["associations"][0]["send_rate_bps"], RATE_BPS, delta=0.4 * RATE_BPS)
        events.close()

    def test_programs_end_well_while_they_are_watched(self):
        program, server = self.perf()
        for watched, process in ((server, program), (self.sink, self.sink_program)):
            next(stream := watched.events())
            idle = watched.connect()
            process.signal(signal.SIGTERM)
            self.assertEqual(process.wait(), 0, process.stderr)
            idle.close()
            stream.close()

    def test_many_associations(self):
        program, server = self.crowd(260, 100)
        wait_for(lambda: server.stats()["total"]["associations"] == 260, "260 associations")
        self.assertEqual(len(server.stats()["associations"]), 260)
        events = server.events()
        shown = next(events)
        self.assertEqual(shown["total"]["associations"], 260)
        self.assertEqual(len(shown["associations"]), 256)
        events.close()
        parse_metrics(server.get("/metrics")[2].decode())
        self.assertIsNone(program.process.poll())

    def test_a_transfer_has_the_name_of_its_file(self):
        receiver, receiving = self.watched(os.environ["CMT_RECV"], "--bind", RECEIVER, "-d", self.target, "--admin", "0")
        wait_for(lambda: "listening" in receiver.stderr, "cmt-recv")
        sender, sending = self.watched(os.environ["CMT_SEND"], "--bind", SENDER, "--connect", RECEIVER, "--admin", "0",
                                       "--name", "film", "-", stdin=subprocess.PIPE)
        sender.process.stdin.write(b"x" * 100000)
        sender.process.stdin.flush()
        for server in (receiving, sending):
            wait_for(lambda server=server: [a["name"] for a in server.stats()["associations"]] == ["film"], "its name")
        wait_for(lambda: receiving.stats()["associations"][0]["received_bytes"] > 100000, "what was sent")
        sender.process.stdin.close()
        self.assert_sent(sender)
        wait_for(lambda: receiving.stats()["associations"] == [], "the association to go")
        self.assertEqual(receiving.stats()["total"]["opened"], 1)
        metrics = parse_metrics(receiving.get("/metrics")[2].decode())
        self.assertGreater(metrics["cmt_received_bytes_total"][1][None], 100000)

    def test_a_client_of_streamd_has_the_name_of_what_it_asked_for(self):
        self.file("target/film.mp4", 5000)
        program, server = self.watched(os.environ["CMT_STREAMD"], "--bind", RECEIVER, "-d", self.target, "--admin", "0")
        client = Client(self)
        client.fetch(2, "/film.mp4")
        wait_for(lambda: [a["name"] for a in server.stats()["associations"]] == ["/film.mp4"], "its name")
        self.assertGreater(server.stats()["associations"][0]["sent_bytes"], 5000)
        self.assertIsNone(program.process.poll())

    def test_a_gateway_is_watched(self):
        self.watched(os.environ["CMT_STREAMD"], "--bind", RECEIVER, "-d", self.target, "--admin", "0")
        program, server = self.watched(os.environ["CMT_GATEWAY"], "--connect", RECEIVER, "--bind", SENDER,
                                       "--listen", "127.0.0.1:0", "--admin", "0")
        wait_for(lambda: server.stats()["total"]["paths"] == 2, "both paths")
        self.assertEqual(server.stats()["program"], "cmt-gateway")
        self.assertIsNone(program.process.poll())

    def test_both_ends_of_a_live_stream_are_watched(self):
        live = os.environ["CMT_LIVE"]
        _, receiving = self.watched(live, "cmt://", "-", "--bind", RECEIVER, "--admin", "0")
        sender, sending = self.watched(live, "-", f"cmt://{RECEIVER}", "--bind", SENDER, "--admin", "0",
                                       stdin=subprocess.PIPE)
        for server in (receiving, sending):
            wait_for(lambda server=server: server.stats()["total"]["paths"] == 2, "both paths")
            self.assertEqual(server.stats()["program"], "cmt-live")
        sender.process.stdin.close()
        wait_for(lambda: sender.process.poll() is not None, "the end of the stream")
        self.assertEqual(sender.process.returncode, 0)
        wait_for(lambda: receiving.stats()["associations"] == [], "the association to go")

    def test_wrong_options(self):
        for value, message, status in (("x", r'--admin: "x" is not \[ADDR:\]PORT; write 9090', 2),
                                       ("192.0.2.1:1", r"--admin: cannot listen on 192.0.2.1:1: .*choose", 1)):
            program = Program(self, [PERF, "-s", "--bind", RECEIVER, "--admin", value])
            self.assert_failed(program, message, status=status)
        _, server = self.watched(PERF, "-s", "--bind", RECEIVER, "--admin", "0")
        program = Program(self, [PERF, "-s", "--bind", SENDER, "--admin", str(server.port)])
        self.assert_failed(program, f"cannot listen on 127.0.0.1:{server.port}: Address already in use; choose")

    def test_another_address_than_loopback_is_told(self):
        program, _ = self.watched(PERF, "-s", "--bind", RECEIVER, "--admin", "0.0.0.0:0")
        self.assertIn("anyone who can reach this address can watch", program.stderr)


class Refuses(MonitorTest):
    def setUp(self):
        super().setUp()
        self.program, self.server = self.watched(PERF, "-s", "--bind", RECEIVER, "--admin", "0")

    def assert_well(self):
        self.assertEqual(self.server.stats()["program"], "cmt-perf")
        self.assertIsNone(self.program.process.poll(), self.program.stderr)

    def test_other_paths_and_methods(self):
        for path in ("/x", "/stats.json/", "//", "/../etc/passwd", "/%2e%2e/", "/page.html", "/favicon.ico"):
            self.assertEqual(self.server.get(path)[0], 404, path)
        self.assertEqual(self.server.get("/stats.json?x=1")[0], 200)
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"):
            status, headers, _ = self.server.get("/", method)
            self.assertEqual((status, headers["Allow"]), (405, "GET, HEAD"), method)
        for path in ("/", "/stats.json", "/metrics", "/events", "/x"):
            status, _, body = self.server.get(path, "HEAD")
            self.assertEqual((status, body), (404 if path == "/x" else 200, b""), path)

    def test_headers(self):
        for path in ("/", "/stats.json", "/metrics", "/x"):
            _, headers, _ = self.server.get(path)
            self.assertTrue(headers["Content-Security-Policy"].startswith("default-src 'none';"))
            self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
            self.assertEqual(headers["Cache-Control"], "no-store")
            self.assertIsNone(headers["Access-Control-Allow-Origin"])

    def test_pages_from_elsewhere(self):
        for host in ("evil.example", f"evil.example:{self.server.port}", "10.0.0.1", "", "localhost.evil.example"):
            self.assertEqual(self.server.get("/stats.json", Host=host)[0], 403, host)
        for host in ("localhost", "127.0.0.1", "[::1]", f"LocalHost:{self.server.port}"):
            self.assertEqual(self.server.get("/stats.json", Host=host)[0], 200, host)
        self.assertIn(b" 403 ", self.server.say(b"GET /stats.json HTTP/1.0\r\n\r\n", silence_s=PATIENCE_S))

    def test_nonsense(self):
        for data in (b"", b"\r\n", b"\0" * 100, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET  HTTP/1.1\r\n\r\n",
                     b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 5000 + b"\r\n", b"G" * 100000,
                     b"GET /" + b"x" * 100000 + b" HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\x00\x01",
                     b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n" + b"x" * 100000,
                     b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
                     b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
                     b"CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
                     b"GET http://[::1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
                     b"GET * HTTP/1.1\r\nHost: localhost\r\n\r\n", b"GET ? HTTP/1.1\r\nHost: localhost\r\n\r\n",
                     b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20):
            with self.subTest(data[:60]):
                self.assertNotIn(b"HTTP/1.1 200 OK\r\nContent-Type: application/json", self.server.say(data))
                self.assert_well()

    def test_connections_that_are_cut_off(self):
        for path in ("/", "/events", "/stats.json"):
            for _ in range(20):
                connection = self.server.connect()
                connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                if path == "/events":
                    connection.recv(1)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                connection.close()
        self.assert_well()

    def test_readers_are_bounded_and_make_room_when_they_leave(self):
        def watch():
            connection = self.server.connect()
            connection.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return connection, connection.recv(100)
        streams = [watch() for _ in range(16)]
        self.assertEqual({answer[:15] for _, answer in streams}, {b"HTTP/1.1 200 OK"})
        connection, answer = watch()
        self.assertIn(b" 503 ", answer)
        connection.close()
        for connection, _ in streams:
            connection.close()
        wait_for(lambda: self.stream_is_accepted(watch), "a place")

    @staticmethod
    def stream_is_accepted(watch):
        connection, answer = watch()
        connection.close()
        return b" 200 " in answer

    def test_connections_are_bounded_and_the_silent_ones_go(self):
        def descriptors():
            return len(os.listdir(f"/proc/{self.program.process.pid}/fd"))
        silent = [self.server.connect() for _ in range(100)]
        wait_for(lambda: descriptors() > 64, "the connections")
        wait_for(lambda: descriptors() < 64 + 30, "the silent ones to go")
        for connection in silent:
            connection.close()
        self.assert_well()

    def test_what_a_reader_sends_fills_no_memory(self):
        connection = self.server.connect()
        connection.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        before_kib = self.program.resident_kib
        connection.setblocking(False)
        sent, until = 0, time.monotonic() + 1
        while time.monotonic() < until and sent < 50 << 20:
            try:
                sent += connection.send(b"x" * 65536)
            except BlockingIOError:
                time.sleep(0.01)
            except OSError:
                break
        connection.close()
        self.assertLess(self.program.resident_kib - before_kib, 5000)
        self.assert_well()


if __name__ == "__main__":
    unittest.main()
