# SPDX-License-Identifier: BSD-3-Clause
# cost: 3 s
"""cmt-live: what arrives, when, in which order, and what is counted."""
import json
import os
import select
import signal
import socket
import struct
import subprocess
import threading
import time
import unittest

from transfer_programs import RECEIVER, SENDER, Program, TransferTest, sha256, wait_for, without_quarantine
from undisturbed import undisturbed

LIVE = os.environ["CMT_LIVE"]
PEER = os.environ["SCRIPTED_PEER"]
SOURCE = SENDER.split(",", maxsplit=1)[0]  # of UDP; the ports are those of CMT's nobody
LATE_MS = 250  # a busy machine; the budget is longer than that where it matters


class LiveTest(TransferTest):
    port = 6000

    @classmethod
    def next_port(cls):
        cls.port += 1
        return cls.port

    def output(self):
        """A UDP socket that a receiver writes to, and its endpoint."""
        sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.addCleanup(sock.close)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        sock.bind((SOURCE, 0))
        sock.settimeout(60)
        return sock, f"udp://{SOURCE}:{sock.getsockname()[1]}"

    def live(self, *arguments, ready=None, **options):
        program = Program(self, [LIVE, *arguments], **options)
        if ready:
            wait_for(lambda: ready in program.stderr or program.process.poll() is not None, f"cmt-live: {ready}")
            self.assertIn(ready, program.stderr)
        return program

    def live_receiver(self, to, *arguments, endpoint="cmt://", **options):
        return self.live(endpoint, to, "--bind", RECEIVER, "--stats", "json", *arguments, ready="listening", **options)

    def live_sender(self, source, *arguments, **options):
        return self.live(source, f"cmt://{RECEIVER}", "--bind", SENDER, "--stats", "json", *arguments, **options)

    def udp_sender(self, *arguments):
        port = self.next_port()
        program = self.live_sender(f"udp://{SOURCE}:{port}", *arguments, ready="connected")
        sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.addCleanup(sock.close)
        sock.connect((SOURCE, port))
        return program, sock

    def assert_ends(self, program, status=0):
        self.assertEqual(program.wait(), status, program.stderr)


def numbered(number, size=1316):
    return struct.pack("!Id", number, time.monotonic()).ljust(size, bytes([number % 251]))


class Feed(threading.Thread):
    """Sends datagrams that tell their number and time."""

    def __init__(self, sock, count, interval_s=0.001):
        super().__init__()
        self.sock, self.count, self.interval_s = sock, count, interval_s
        self.sent = []
        self.start()

    def run(self):
        while len(self.sent) < self.count:
            self.sent.append(numbered(len(self.sent)))
            self.sock.send(self.sent[-1])
            time.sleep(self.interval_s)


def collect(sock, count):
    """[(datagram, ms it took)]."""
    out = []
    while len(out) < count:
        data = sock.recv(1 << 16)
        out.append((data, 1000 * (time.monotonic() - struct.unpack("!Id", data[:12])[1])))
    return out


class Datagrams(LiveTest):
    def run_stream(self, *arguments):
        out, endpoint = self.output()
        receiver = self.live_receiver(endpoint, "--once", *arguments)
        sender, source = self.udp_sender("--latency", "600ms")
        feed = Feed(source, 800)
        got = collect(out, 800)
        feed.join()
        sender.signal(signal.SIGTERM)
        self.assert_ends(sender)
        self.assert_ends(receiver)
        self.assertEqual([data for data, _ in got], feed.sent)
        for stats in (sender.stats, receiver.stats):
            self.assertEqual(stats["latency_ms"], 600)
            self.assertEqual(stats["connections"], 1)
            self.assertEqual(len(stats["paths"]), 2)
        self.assertEqual({k: sender.stats[k] for k in ("datagrams", "sent", "expired", "abandoned")},
                         {"datagrams": 800, "sent": 800, "expired": 0, "abandoned": 0})
        self.assertEqual({k: receiver.stats[k] for k in ("delivered", "lost", "late", "twice", "overflow")},
                         {"delivered": 800, "lost": 0, "late": 0, "twice": 0, "overflow": 0})
        self.assertEqual(receiver.stats["delivered_bytes"], 800 * 1316)
        self.assertEqual((sender.stats["repair"]["messages"], receiver.stats["repair"]["messages"]), (0, 0))
        return [ms for _, ms in got]

    @undisturbed
    def test_deadline_is_a_constant_delay(self):
        """The larger budget counts, whoever has it."""
        took = self.run_stream("--latency", "100ms")
        self.assertGreater(min(took), 595)
        self.assertLess(sorted(took)[len(took) // 2], 600 + LATE_MS)

    @undisturbed
    def test_early_is_early(self):
        took = self.run_stream("--release", "early")
        self.assertLess(sorted(took)[len(took) // 2], LATE_MS)

    def test_an_encoder_is_told_its_bitrate(self):
        """Whoever looks finds a whole line: nothing is known, then more and more; nothing again behind the end."""
        path = os.path.join(self.folder, "bitrate")
        seen = []

        def look():
            with open(path, encoding="utf-8") as file:
                line = json.loads(file.read())
            if not seen or line != seen[-1]:
                seen.append(line)
            return line

        out, endpoint = self.output()
        receiver = self.live_receiver(endpoint, "--once")
        sender, source = self.udp_sender("--target-bitrate-file", path)
        self.assertEqual(look(), {"target_bps": 0, "direction": "same", "certainty": "unknown", "carried_bps": 0,
                                  "limit_bps": None, "latency_ms": 300})
        feed = Feed(source, 3000)
        wait_for(lambda: look()["target_bps"] > 2000000, "a bit rate")
        self.assertIn(look()["certainty"], ("probing", "measured"))
        collect(out, 3000)
        feed.join()
        sender.signal(signal.SIGTERM)
        self.assert_ends(sender)
        self.assert_ends(receiver)
        self.assertIn("up", [line["direction"] for line in seen])
        self.assertEqual({k: look()[k] for k in ("target_bps", "direction", "certainty")},
                         {"target_bps": 0, "direction": "down", "certainty": "unknown"})
        self.assertEqual([name for name in os.listdir(os.path.dirname(path)) if name.startswith("bitrate")], ["bitrate"])

    def test_the_sender_listens(self):
        """Sizes from 1 byte to the largest of UDP."""
        out, endpoint = self.output()
        port = self.next_port()
        sender = self.live(f"udp://{SOURCE}:{port}", "cmt://:5100", "--bind", RECEIVER, ready="listening")
        receiver = self.live(f"cmt://{RECEIVER}:5100", endpoint, "--bind", SENDER, "--stats", "json",
                             ready="connected")
        sizes = [1, 188, 1472, 9000, 65507]
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as source:
            for size in sizes:
                source.sendto(b"x" * size, (SOURCE, port))
        self.assertEqual([len(out.recv(1 << 16)) for _ in sizes], sizes)
        receiver.signal(signal.SIGINT)
        self.assert_ends(receiver)
        self.assertEqual(receiver.stats["delivered"], len(sizes))
        sender.signal(signal.SIGTERM)
        self.assert_ends(sender)

    def test_somebody_is_connected_already(self):
        out, endpoint = self.output()
        self.live_receiver(endpoint)
        _, source = self.udp_sender()
        second = self.live_sender(f"udp://{SOURCE}:{self.next_port()}", "--timeout", "1s")
        self.assert_failed(second, "no connection within")
        source.send(numbered(1))
        self.assertEqual(len(out.recv(1 << 16)), 1316)


class Connections(LiveTest):
    def collect_from(self, out, number):
        """Until a datagram of that number or a later one comes."""
        numbers = []
        while not numbers or numbers[-1] < number:
            numbers.append(struct.unpack("!I", out.recv(1 << 16)[:4])[0])
        return numbers

    @undisturbed
    def test_the_receiver_restarts(self):
        out, endpoint = self.output()
        receiver = self.live_receiver(endpoint, "--latency", "100ms")
        sender, source = self.udp_sender("--latency", "100ms")
        feed = Feed(source, 6000, 0.002)
        self.collect_from(out, 200)
        receiver.process.kill()
        receiver.wait()
        receiver = self.live_receiver(endpoint, "--latency", "100ms")
        wait_for(lambda: "connected" in receiver.stderr, "the sender to come back")
        before = len(feed.sent)
        numbers = self.collect_from(out, before + 200)
        self.assertEqual(numbers, sorted(set(numbers)))
        self.assertGreater(sum(n > before for n in numbers), 190)
        feed.count = 0
        feed.join()
        sender.signal(signal.SIGTERM)
        self.assert_ends(sender)
        self.assertEqual(sender.stats["connections"], 2)
        self.assertGreater(sender.stats["expired"], 0)

    @undisturbed
    def test_the_sender_restarts(self):
        out, endpoint = self.output()
        receiver = self.live_receiver(endpoint, "--latency", "100ms")
        for _ in range(2):
            sender, source = self.udp_sender("--latency", "100ms")
            feed = Feed(source, 100)
            self.assertEqual([data for data, _ in collect(out, 100)], feed.sent)
            feed.join()
            sender.signal(signal.SIGTERM)
            self.assert_ends(sender)
        receiver.signal(signal.SIGTERM)
        self.assert_ends(receiver)
        self.assertEqual(receiver.stats["delivered"], 200)
        self.assertEqual(receiver.stats["lost"], 0)
        self.assertEqual(receiver.stats["connections"], 2)

    def test_nobody_there(self):
        one = RECEIVER.split(",", maxsplit=1)[0]
        sender = self.live("-", f"cmt://{one}", "--bind", SENDER, "--timeout", "2s", stdin=subprocess.PIPE)
        self.assert_failed(sender, "no connection within")
        self.assertIn("cannot connect", sender.stderr)

    def test_the_stream_ends_before_a_connection(self):
        sender = self.live_sender("-", stdin=subprocess.PIPE)
        sender.process.stdin.close()
        self.assert_failed(sender, "the stream is over, and there is no connection")

    def test_both_send(self):
        listening = self.live("-", "cmt://", "--bind", RECEIVER, stdin=subprocess.PIPE, ready="listening")
        sender = self.live_sender("-", "--timeout", "1s", stdin=subprocess.PIPE)
        self.assert_failed(sender, "no connection within")
        self.assertIn("both sides send", listening.stderr + sender.stderr)

    def test_the_source_is_faster_than_anything(self):
        """A pipe that never waits: what does not fit into the budget is dropped, all else is in order."""
        out = os.path.join(self.folder, "out")
        with open(out, "wb") as file:
            receiver = self.live_receiver("-", "--once", "--latency", "100ms", stdout=file)
        with subprocess.Popen(["cat", "/dev/zero"], stdout=subprocess.PIPE) as zero:
            try:
                sender = self.live_sender("-", "--latency", "100ms", stdin=zero.stdout, ready="connected",
                                          env=without_quarantine())
                time.sleep(1)
                resident_kib = sender.resident_kib
            finally:
                zero.kill()
            sender.wait()
        self.assertLess(resident_kib, 100_000)
        self.assertGreater(sender.stats["expired"] + sender.stats["sent"], 0)
        receiver.signal(signal.SIGTERM)
        receiver.wait()
        self.assertNotIn("Sanitizer", sender.stderr + receiver.stderr)


class Bytes(LiveTest):
    def ts_file(self):
        path = os.path.join(self.folder, "in.ts")
        subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=duration=2:size=320x180:rate=25",
                        "-f", "lavfi", "-i", "sine=frequency=440:duration=2", "-c:v", "mpeg2video", "-b:v", "1M",
                        "-c:a", "mp2", "-f", "mpegts", path], check=True, timeout=60)
        return path

    def frames(self, path):
        done = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
                               "stream=nb_read_frames", "-of", "csv=p=0", path], capture_output=True, text=True,
                              check=True, timeout=60)
        self.assertEqual(done.stderr, "")
        return int(done.stdout.split()[0].strip(","))

    def test_a_transport_stream_plays(self):
        """From a file through pipes; what comes out is the same, and decodes without a complaint."""
        path, out = self.ts_file(), os.path.join(self.folder, "out.ts")
        with open(out, "wb") as file:
            receiver = self.live_receiver("-", "--once", "--latency", "500ms", stdout=file)
        with open(path, "rb") as file:
            sender = self.live_sender("-", "--rate", "4Mbit", stdin=file)
            self.assert_ends(sender)
        self.assert_ends(receiver)
        self.assertEqual(sha256(out), sha256(path))
        self.assertEqual(self.frames(out), 50)
        datagrams = -(-os.path.getsize(path) // 1316)
        self.assertEqual(sender.stats["datagrams"], datagrams)
        self.assertIn(f'"delivered":{datagrams}', receiver.stderr)

    def test_a_transport_stream_leaves_in_whole_packets(self):
        path = self.ts_file()
        out, endpoint = self.output()
        self.live_receiver(endpoint, "--release", "early")
        with open(path, "rb") as file:
            data = file.read()[:188 * 40 + 100]
        sender = self.live_sender("-", stdin=subprocess.PIPE, ready="connected")
        sender.process.stdin.write(data[:5000])
        sender.process.stdin.flush()
        time.sleep(0.1)
        sender.process.stdin.write(data[5000:])
        sender.process.stdin.close()
        self.assert_ends(sender)
        parts = []
        while sum(map(len, parts)) < len(data):
            parts.append(out.recv(1 << 16))
        self.assertEqual(b"".join(parts), data)
        self.assertTrue(all(len(part) <= 1316 and len(part) % 188 == 0 and part[0] == 0x47 for part in parts[:-1]))
        self.assertEqual(len(parts[-1]), 100)


def hello(seq=0, latency_ms=400, stream=7, repair=False):
    return "l:" + struct.pack("!BBBBIIQ", 2, 1, int(repair), 0, seq, latency_ms, stream).hex()


def datagram(seq, time_ms, text=None):
    payload = (text or f"{seq}").encode()
    return "n:" + (struct.pack("!BBHIQ", 1, 1, 0, seq, 10**9 + 1000 * time_ms) + payload).hex()


def repair(seq, time_ms, text):
    """Of a block of one datagram: its symbol."""
    time_us = 10**9 + 1000 * time_ms
    symbol = struct.pack("!HI", len(text), 0) + text.encode()
    return "n:" + (struct.pack("!BBHIQBBH", 7, 1, 0, seq, time_us, 1, 0, 0) + symbol).hex()


def end(seq):
    return "l:" + struct.pack("!BBHI", 5, 1, 0, seq).hex()


class Playout(LiveTest):
    """Against a sender that says exactly what the test wants."""

    def run_peer(self, *steps, arguments=(), status=0):
        out, endpoint = self.output()
        receiver = self.live_receiver(endpoint, "--latency", "400ms", "--udp-port", "9899", *arguments, endpoint="cmt://:5001")
        peer = Program(self, [PEER, "send", SENDER, RECEIVER, *steps])
        return out, receiver, peer

    def stop(self, receiver):
        receiver.signal(signal.SIGTERM)
        self.assert_ends(receiver)
        return receiver.stats

    def times(self, out, count):
        got = []
        for _ in range(count):
            data = out.recv(1 << 16)
            got.append((data.decode(), time.monotonic()))
        return got

    @undisturbed
    def test_a_gap_waits_until_the_deadline_and_no_longer(self):
        out, receiver, peer = self.run_peer(
            hello(), "t:300", datagram(0, 0), datagram(2, 0), datagram(3, 0), "t:700", datagram(1, 0),
            datagram(3, 0), "t:100", end(4), "t:100", "close", arguments=("--release", "early", "--once"))
        got = self.times(out, 3)
        self.assertEqual([text for text, _ in got], ["0", "2", "3"])
        waited_ms = 1000 * (got[1][1] - got[0][1])
        self.assertGreater(waited_ms, 395)
        self.assertLess(waited_ms, 420 + LATE_MS)
        peer.wait()
        self.assert_ends(receiver)
        stats = receiver.stats
        self.assertEqual({k: stats[k] for k in ("delivered", "lost", "late", "twice")},
                         {"delivered": 3, "lost": 1, "late": 1, "twice": 1})

    @undisturbed
    def test_disorder_is_put_right(self):
        for release in ("early", "deadline"):
            out, receiver, peer = self.run_peer(
                hello(seq=2**32 - 2), "t:300", datagram(0, 2), datagram(2**32 - 1, 1), datagram(1, 3),
                datagram(2**32 - 2, 0), end(2), "close", arguments=("--release", release, "--once"))
            self.assertEqual([text for text, _ in self.times(out, 4)], [str(2**32 - 2), str(2**32 - 1), "0", "1"])
            peer.wait()
            self.assert_ends(receiver)
            self.assertEqual(receiver.stats["lost"], 0)

    def test_repair_takes_the_place_of_what_is_missing(self):
        out, receiver, peer = self.run_peer(hello(repair=True), "t:300", datagram(0, 0), repair(1, 1, "restored"), datagram(2, 2),
                                            repair(2, 2, "2"), end(3), "close", arguments=("--once",))
        self.assertEqual([text for text, _ in self.times(out, 3)], ["0", "restored", "2"])
        peer.wait()
        self.assert_ends(receiver)
        stats = receiver.stats
        self.assertEqual({k: stats[k] for k in ("delivered", "lost", "twice")}, {"delivered": 3, "lost": 0, "twice": 0})
        self.assertEqual(stats["repair"], {"messages": 2, "restored": 1, "needless": 0, "unusable": 0})

    def test_repair_that_is_switched_off_is_refused(self):
        _, receiver, peer = self.run_peer(hello(repair=True), "t:300", repair(0, 0, "x"), "stay", arguments=("--repair", "off"))
        peer.wait()
        self.assertIn("repair came that was not agreed on", receiver.stderr)
        self.stop(receiver)

    @undisturbed
    def test_spacing_is_kept(self):
        """What was read 250 ms apart and came 100 ms apart leaves 250 ms apart."""
        out, receiver, peer = self.run_peer(hello(), "t:300", datagram(0, 150), "t:250", datagram(1, 400), "t:100",
                                            datagram(2, 650), "t:300", end(3), "close", arguments=("--once",))
        times = [at for _, at in self.times(out, 3)]
        self.assertAlmostEqual(1000 * (times[2] - times[1]), 250, delta=LATE_MS)
        self.assertGreater(1000 * (times[2] - times[0]), 300)
        peer.wait()
        self.assert_ends(receiver)

    @undisturbed
    def test_a_stream_goes_on_over_a_new_connection(self):
        """What was not sent meanwhile is missing; another stream begins anew."""
        out, receiver, peer = self.run_peer(hello(), "t:300", datagram(0, 0), datagram(1, 0), "t:600", "close",
                                            arguments=("--release", "early"))
        peer.wait()
        for stream, number in ((7, 5), (8, 90)):
            peer = Program(self, [PEER, "send", SENDER, RECEIVER, hello(seq=number, stream=stream), "t:300",
                                  datagram(number, 0), "t:600", "close"])
            peer.wait()
        self.assertEqual([text for text, _ in self.times(out, 4)], ["0", "1", "5", "90"])
        stats = self.stop(receiver)
        self.assertEqual({k: stats[k] for k in ("delivered", "lost", "connections")},
                         {"delivered": 4, "lost": 3, "connections": 3})

    HOSTILE = [
        ([datagram(0, 0)], "data came before HELLO"),
        ([hello(), hello()], "a second HELLO came"),
        ([hello(), "t:300", repair(0, 0, "x")], "repair came that was not agreed on"),
        ([hello(repair=True), "t:300", "l:" + struct.pack("!BBHIQBBH7s", 7, 1, 0, 0, 0, 161, 0, 0, b"x").hex()], "an invalid message came"),
        (["l:0201"], "an invalid (message|WELCOME) came"),
        (["l:" + "00" * 1500], "an invalid (message|WELCOME) came"),
        (["p:7:x"], "an invalid (message|WELCOME) came"),
        ([hello(), "l:" + struct.pack("!BBHI", 3, 1, 0, 100).hex()], "an invalid (message|WELCOME) came"),
        ([hello(latency_ms=60001)], "an invalid (message|WELCOME) came"),
        ([hello(), "n:" + (struct.pack("!BBHIQ", 1, 1, 0, 0, 2**63) + b"x").hex()], "an invalid (message|WELCOME) came"),
        (["l:" + (struct.pack("!BBH", 6, 1, 0) + b"\x1b[2Jbad").hex()], r"the other side says: \\x1b\[2Jbad"),
        (["t:4500"], "does not send"),
    ]

    def test_hostile_peers_are_refused_and_the_next_is_served(self):
        out, receiver, peer = self.run_peer(hello(), "stay")
        wait_for(lambda: "connected" in receiver.stderr, "the first peer")
        peer.process.kill()
        peer.wait()
        for steps, message in self.HOSTILE:
            with self.subTest(message, steps=steps):
                said = len(receiver.stderr)
                while True:  # the one before may count as present for a moment
                    peer = Program(self, [PEER, "send", SENDER, RECEIVER, *steps, "stay"])
                    peer.wait()
                    if len(receiver.stderr) > said:
                        break
                self.assertRegex(receiver.stderr[said:], message)
        jumps = [datagram(n, 0, "jump") for n in (70000, 2**31 - 1, 5)]
        while True:  # as above
            peer = Program(self, [PEER, "send", SENDER, RECEIVER, hello(stream=8), "t:300", *jumps, end(2**31), "close"])
            peer.wait()
            if select.select([out], [], [], 3)[0]:
                break
        self.assertEqual([text for text, _ in self.times(out, 2)], ["jump", "jump"])
        stats = self.stop(receiver)
        self.assertEqual(stats["delivered"], 2)
        self.assertEqual(stats["late"], 1)


class Refuses(LiveTest):
    WRONG = [
        ([], "two endpoints are needed"),
        (["-"], "two endpoints are needed, FROM and TO; 1 given"),
        (["-", "-"], "exactly one of the two must be cmt://"),
        (["cmt://:1", "cmt://:2"], "one of the two"),
        (["rtp://:5", "-"], '"rtp://:5" is not an endpoint; write -, udp://'),
        (["udp://:0", "cmt://"], '"0" is not a port'),
        (["udp://127.0.0.1", "cmt://"], "has no port"),
        (["-", "cmt://fd00::1:5003"], "write IPv6 addresses in brackets"),
        (["cmt://", "udp://:5000"], "names no address to send to"),
        (["-", "cmt://127.0.0.1?latency=3"], "nothing may follow the port"),
        (["-", "cmt://", "--latency", "0"], '--latency: "0" is out of range; write 1ms to 60s'),
        (["-", "cmt://", "--latency", "61s"], "--latency"),
        (["cmt://", "-", "--release", "late"], '--release: "late" is not deadline or early'),
        (["-", "cmt://", "--repair", "on"], '--repair: "on" is not auto or off'),
        (["-", "cmt://", "--release", "early"], "--release: is for the side that receives"),
        (["udp://:5", "cmt://", "--rate", "8Mbit"], "--rate: is for standard input"),
        (["-", "cmt://", "--rate", "8x"], '--rate: "8x" is not a rate; write 400kbit, 1.6Mbit or 5M'),
        (["-", "cmt://", "--rate", "0"], '--rate: "0" is too small; write 1bit or more'),
        (["-", "cmt://10.1.0.1:1,10.2.0.1:2"], "ports 1 and 2 differ"),
        (["-", "cmt://", "--interval", "1ms"], '--interval: "1ms" is neither 0 \\(none\\) nor a time from 100ms to a day'),
        (["cmt://", "-", "--target-bitrate-file", "x"], "--target-bitrate-file: is for the side that sends; leave it out"),
        (["-", "cmt://", "--stats", "xml"], '--stats: "xml"'),
        (["-", "cmt://", "--frobnicate"], '"--frobnicate": unknown option'),
    ]

    def test_arguments(self):
        for arguments, message in self.WRONG:
            with self.subTest(arguments):
                self.assert_failed(Program(self, [LIVE, *arguments]), message, status=2)

    def test_what_cannot_start(self):
        path = self.file("film", 5000)
        with open(path, "rb") as file:
            self.assert_failed(self.live_sender("-", stdin=file), "standard input is a file.* --rate RATE")
        self.assert_failed(self.live("cmt://", "-", "--bind", "192.0.2.1"), "cannot bind 192.0.2.1: address not on")
        self.assert_failed(self.live("udp://192.0.2.1:5", f"cmt://{RECEIVER}"), "udp://192.0.2.1:5: cannot receive there")
        self.assert_failed(self.live("-", "cmt://192.0.2.x:7", stdin=subprocess.PIPE), "cmt://192.0.2.x:7: .*cannot be resolved")
        self.assert_failed(self.live("-", f"cmt://{RECEIVER}", "--target-bitrate-file", os.path.join(self.folder, "no", "such"),
                                     stdin=subprocess.PIPE), "--target-bitrate-file: cannot write .*no/such: No such file")
        self.assert_failed(self.live("-", f"cmt://{RECEIVER}", "--sched", "arrival:x=1", stdin=subprocess.PIPE),
                           "--sched: arrival has no option \"x\"; it has queue_us, queue_pkts", status=2)

    def test_help_and_version(self):
        for option, word in (("--help", "EXIT STATUS"), ("--version", "cmt-live ")):
            program = Program(self, [LIVE, option])
            self.assertEqual(program.wait(), 0)
            self.assertIn(word, program.stdout)


if __name__ == "__main__":
    unittest.main()
