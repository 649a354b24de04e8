# SPDX-License-Identifier: BSD-3-Clause
# cost: 4 s
"""cmt-live between SRT peers that are not ours: ffmpeg and srt-live-transmit."""
import os
import re
import signal
import socket
import subprocess
import time
import unittest

from film import make_film
from test_live import LIVE, LiveTest, numbered
from transfer_programs import RECEIVER, SENDER, Program, wait_for

HOST = SENDER.split(",", maxsplit=1)[0]
PASSPHRASE = "a passphrase of SRT"
FAST = "latency=60"  # loopback, and a busy machine


def video(path):
    """A hash of each decoded frame of the picture."""
    done = subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-i", path, "-map", "0:v", "-f", "framemd5", "-"], check=True,
                          capture_output=True, text=True, timeout=60)
    return [line.split(",")[-1].strip() for line in done.stdout.splitlines() if not line.startswith("#")]


class SrtTest(LiveTest):
    """A chain: what the test sends by UDP -> srt-live-transmit -> cmt-live -> cmt-live -> srt-live-transmit -> UDP."""
    port = 7000

    def at(self):
        return f"{HOST}:{self.next_port()}"

    def transmit(self, source, target):
        return Program(self, ["srt-live-transmit", "-loglevel:fatal", source, target])

    def feeder(self, where, settings=FAST):
        """A socket whose datagrams go by SRT to where cmt-live listens."""
        at = self.at()
        program = self.transmit(f"udp://{at}", f"srt://{where}?{settings}")
        sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.addCleanup(sock.close)
        host, port = at.split(":")
        sock.connect((host, int(port)))
        return program, sock

    def drain(self, where, settings=FAST):
        """A socket that gets what cmt-live, listening there, sends by SRT."""
        sock, endpoint = self.output()
        return self.transmit(f"srt://{where}?{settings}", endpoint), sock

    def until_it_comes(self, source, out, number=0):
        """Sends until something comes out; the number of the datagram after."""
        out.settimeout(0.05)
        while True:
            try:
                source.send(numbered(number))
                number += 1
                out.recv(1 << 16)
                break
            except (TimeoutError, ConnectionRefusedError):  # the latter as long as srt-live-transmit begins
                self.assertLess(number, 1000)
        out.settimeout(60)
        return number

    def assert_carries(self, source, out, first, count=100):
        """Datagrams keep their boundaries and order, and none is missing."""
        sent = [numbered(first + n, size=1 + 13 * n) for n in range(count)]
        for datagram in sent:
            source.send(datagram)
            time.sleep(0.001)
        got = []
        while not got or got[-1] != sent[-1]:
            got.append(out.recv(1 << 16))
        self.assertEqual(got[-count:], sent)

    def chain(self, source_settings=FAST, sink_settings=FAST, peer_settings=FAST):
        here, there = self.at(), self.at()
        self.receiver_ = self.live_receiver(f"srt://{there}?mode=listener&{sink_settings}", "--latency", "100ms")
        self.sender_ = self.live_sender(f"srt://{here}?mode=listener&{source_settings}", "--latency", "100ms",
                                        ready="waiting for SRT")
        wait_for(lambda: "connected to" in self.sender_.stderr, "CMT to connect")
        self.feeder_, source = self.feeder(here, peer_settings)
        self.drain_, out = self.drain(there, peer_settings)
        return source, out, here, there

    def stop(self):
        """Both ends in order. Their statistics."""
        for program in self.sender_, self.receiver_:
            program.signal(signal.SIGTERM)
            self.assert_ends(program)
        return self.sender_.stats, self.receiver_.stats


class Chains(SrtTest):
    def test_datagrams(self):
        source, out, _, _ = self.chain()
        self.assert_carries(source, out, self.until_it_comes(source, out))
        sender, receiver = self.stop()
        self.assertEqual(sender["srt"]["connections"], 1)
        self.assertTrue(sender["srt"]["connected"])
        self.assertEqual(sender["srt"]["datagrams"], sender["datagrams"])
        self.assertEqual(receiver["srt"]["datagrams"] + receiver["srt"]["dropped"], receiver["delivered"])
        for stats in sender, receiver:
            self.assertEqual(stats["srt"]["lost"], 0)
            self.assertGreater(stats["srt"]["rtt_ms"], 0)

    def test_a_film_from_ffmpeg_to_ffmpeg(self):
        film, out = os.path.join(self.folder, "film.mp4"), os.path.join(self.folder, "out.ts")
        make_film(film, ["mpeg2video", "-b:v", "1M"], seconds=3)
        here, there = self.at(), self.at()
        self.receiver_ = self.live_receiver(f"srt://{there}?mode=listener&{FAST}")
        self.sender_ = self.live_sender(f"srt://{here}?mode=listener&{FAST}", ready="connected to")
        viewer = Program(self, ["ffmpeg", "-v", "error", "-nostdin", "-i", f"srt://{there}?latency=60000", "-c", "copy", "-f",
                                "mpegts", out])
        wait_for(lambda: "connected by SRT" in self.receiver_.stderr, "the viewer")
        subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-re", "-i", film, "-c", "copy", "-f", "mpegts",
                        f"srt://{here}?latency=60000&pkt_size=1316&linger=1"], check=True, timeout=60)
        wait_for(lambda: "the SRT peer is gone" in self.sender_.stderr, "the end")
        sender, receiver = self.stop()
        viewer.wait()
        self.assertEqual(receiver["lost"] + receiver["output_dropped"] + receiver["srt"]["dropped"], 0)
        self.assertEqual(receiver["delivered"], sender["srt"]["datagrams"])
        original, came = video(film), video(out)
        # ffmpeg, reading live, leaves the last frame or so.
        self.assertGreater(len(came), 0.9 * len(original))
        self.assertEqual(came, original[:len(came)])

    def test_cmt_live_calls_and_both_sides_are_encrypted(self):
        secret = os.path.join(self.folder, "secret")
        with open(secret, "w", encoding="ascii", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write(PASSPHRASE + "\n")
        here, there, settings = self.at(), self.at(), f"mode=listener&{FAST}&passphrase={PASSPHRASE}&pbkeylen=32"
        _, source = self.feeder(here, settings)
        _, out = self.drain(there, settings)
        self.receiver_ = self.live_receiver(f"srt://{there}?{FAST}&pbkeylen=32&passphrase={PASSPHRASE.replace(' ', '%20')}")
        self.sender_ = self.live_sender(f"srt://{here}?{FAST}&passphrase_file={secret}", ready="connected to")
        for program in self.sender_, self.receiver_:
            wait_for(lambda p=program: "connected by SRT" in p.stderr, "SRT to connect")
        self.assert_carries(source, out, self.until_it_comes(source, out))
        self.stop()
        for program in self.sender_, self.receiver_:
            self.assertNotIn("passphrase", program.stderr)

    def test_datagrams_larger_than_those_of_srt_are_cut(self):
        there, port = self.at(), self.next_port()
        self.receiver_ = self.live_receiver(f"srt://{there}?mode=listener&{FAST}")
        self.sender_ = self.live_sender(f"udp://{HOST}:{port}", ready="connected to")
        _, out = self.drain(there)
        wait_for(lambda: "connected by SRT" in self.receiver_.stderr, "the viewer")
        packets = [b"\x47" + bytes([n]) * 187 for n in range(20)]
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as source:
            source.sendto(b"".join(packets), (HOST, port))
        parts = [out.recv(1 << 16) for _ in range(3)]
        self.assertEqual(b"".join(parts), b"".join(packets))
        self.assertEqual([len(part) for part in parts], [1316, 1316, 6 * 188])
        self.stop()


class Breaks(SrtTest):
    def test_srt_peers_come_and_go(self):
        """The connection between the two cmt-live stays."""
        source, out, here, there = self.chain()
        self.assert_carries(source, out, self.until_it_comes(source, out))
        for peer in self.feeder_, self.drain_:
            peer.process.kill()
            peer.wait()
        for program in self.sender_, self.receiver_:
            wait_for(lambda p=program: "the SRT peer is gone" in p.stderr, "SRT to notice")
        self.feeder_, source = self.feeder(here)
        self.drain_, out = self.drain(there)
        self.assert_carries(source, out, self.until_it_comes(source, out))
        sender, receiver = self.stop()
        for stats in sender, receiver:
            self.assertEqual((stats["connections"], stats["srt"]["connections"]), (1, 2))

    def test_what_a_peer_sent_before_it_went_arrives(self):
        """SRT holds it until it is due."""
        source, out, _, _ = self.chain(peer_settings="latency=1000")
        number = self.until_it_comes(source, out)
        sent = [numbered(number + n) for n in range(20)]
        for datagram in sent:
            source.send(datagram)
        time.sleep(0.3)
        self.feeder_.signal(signal.SIGTERM)
        got = []
        while not got or got[-1] != sent[-1]:
            got.append(out.recv(1 << 16))
        self.assertEqual(got[-20:], sent)

    def test_cmt_comes_and_goes(self):
        """The SRT connection stays."""
        source, out, _, there = self.chain()
        self.assert_carries(source, out, self.until_it_comes(source, out))
        self.receiver_.process.kill()
        self.receiver_.wait()
        self.drain_.process.kill()
        self.drain_.wait()
        self.receiver_ = self.live_receiver(f"srt://{there}?mode=listener&{FAST}", "--latency", "100ms")
        self.drain_, out = self.drain(there)
        self.assert_carries(source, out, self.until_it_comes(source, out))
        sender, _ = self.stop()
        self.assertEqual((sender["connections"], sender["srt"]["connections"]), (2, 1))

    def test_nobody_is_there_to_take_it(self):
        port = self.next_port()
        self.receiver_ = self.live_receiver(f"srt://{self.at()}?mode=listener", "--release", "early")
        self.sender_ = self.live_sender(f"udp://{HOST}:{port}", ready="connected to")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as source:
            for number in range(10):
                source.sendto(numbered(number), (HOST, port))
        time.sleep(0.3)
        _, receiver = self.stop()
        self.assertEqual((receiver["delivered"], receiver["srt"]["datagrams"], receiver["srt"]["dropped"]), (10, 0, 10))

    def test_nobody_answers(self):
        self.live_receiver("-", stdout=subprocess.DEVNULL)
        sender = self.live_sender(f"srt://{self.at()}", ready="cannot connect by SRT")
        sender.signal(signal.SIGTERM)
        self.assert_ends(sender)
        self.assertEqual(sender.stats["srt"]["connections"], 0)


class Admission(SrtTest):
    def refused(self, where, *settings):
        """The caller gives up."""
        done = subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-i", f"srt://{where}?{'&'.join(settings)}", "-f", "null", "-"],
                              check=False, capture_output=True, text=True, timeout=60)
        self.assertRegex(done.stderr, "Connection to .* failed")

    def test_wrong_callers(self):
        there, passphrase, film = self.at(), f"passphrase={PASSPHRASE}", "streamid=film"
        receiver = self.live_receiver(f"srt://{there}?mode=listener&{passphrase}&streamid=f%69lm")
        self.refused(there, f"{passphrase}!", film)
        self.refused(there, passphrase, "streamid=radio")
        self.refused(there, passphrase)
        self.refused(there, film)
        self.assertNotIn("connected by SRT", receiver.stderr)
        self.drain(there, f"{FAST}&{passphrase}&{film}")
        wait_for(lambda: "connected by SRT" in receiver.stderr, "the right one")
        self.refused(there, passphrase, film)  # a second one

    def test_a_wrong_passphrase_is_named(self):
        here = self.at()
        self.transmit(f"srt://{here}?mode=listener&passphrase={PASSPHRASE}", "file://con")
        receiver = self.live_receiver(f"srt://{here}?passphrase=another passphrase")
        wait_for(lambda: re.search("cannot connect by SRT: .*passphrase", receiver.stderr), "the reason")

    def test_noise(self):
        """What is no SRT, and handshakes that are broken, change nothing."""
        there = self.at()
        receiver = self.live_receiver(f"srt://{there}?mode=listener&{FAST}")
        host, port = there.split(":")
        handshake = bytes.fromhex("80000000000000000000000000000000") + bytes(range(48))
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as noise:
            for number in range(2000):
                junk = os.urandom(number % 1500) if number % 2 else handshake[:16 + number % 60] + os.urandom(number % 7)
                noise.sendto(junk, (host, int(port)))
        self.drain(there)
        wait_for(lambda: "connected by SRT" in receiver.stderr, "a peer")


class Refuses(SrtTest):
    WRONG = [
        ("srt://", "has no port; write srt://127.0.0.1:9000"),
        ("srt://127.0.0.1", "has no port"),
        ("srt://127.0.0.1:x", '"x" is not a port'),
        ("srt://10.1.0.1:1,10.2.0.1:1", "SRT has one"),
        ("srt://:9000?mode=caller", "srt://:9000: names no address to call"),
        ("srt://:9000?mode=rendezvous", 'mode: "rendezvous" is not caller or listener'),
        ("srt://:9000?latency=200000", r'latency: "200000" is not a number of milliseconds, .*\(ffmpeg and OBS'),
        ("srt://:9000?passphrase=short", "passphrase: has 5 characters; SRT takes 10 to 79"),
        ("srt://:9000?passphrase=%zz12345678", "passphrase: a % is written %25"),
        ("srt://:9000?passphrase=0123456789&passphrase_file=x", "write one of the two"),
        ("srt://:9000?pbkeylen=17", 'pbkeylen: "17" is not 16, 24 or 32'),
        ("srt://:9000?rcvbuf=5", '"rcvbuf" is not a setting; it has mode, latency'),
        ("srt://:9000?streamid=" + "x" * 513, "streamid: is longer than 512 characters"),
    ]

    def test_arguments(self):
        for endpoint, message in self.WRONG:
            with self.subTest(endpoint):
                self.assert_failed(Program(self, [LIVE, endpoint, "cmt://"]), message, status=2)
        secret = Program(self, [LIVE, "srt://:1?passphrase=very%20secret&x=1", "cmt://"])
        self.assert_failed(secret, '"x" is not a setting', status=2)
        self.assertNotIn("secret", secret.stderr)

    def test_what_cannot_start(self):
        at = self.at()
        self.live_receiver(f"srt://{at}?mode=listener")
        self.assert_failed(self.live("cmt://:6999", f"srt://{at}?mode=listener", "--bind", RECEIVER), "cannot listen there")
        self.assert_failed(self.live("cmt://:6999", "srt://nowhere.invalid:1", "--bind", RECEIVER), "cannot be resolved")
        self.assert_failed(self.live("cmt://:6999", "srt://127.0.0.1:1?passphrase_file=/none", "--bind", RECEIVER), "/none")


if __name__ == "__main__":
    unittest.main()
