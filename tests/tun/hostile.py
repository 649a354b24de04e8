#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""hostile.py BUILD: clients and a server that break the rules, against the real cmt-tun: what is wrong is dropped and counted, others
are served meanwhile, and memory has a bound."""

import itertools
import json
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.request

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "package")]
from clean_root import enter_namespaces, run  # noqa: E402
from tun_peer import (CONTROL, ICMPV6, JOINED, LOOSE, ORDERED, PADDING, UDP, UNORDERED, Gone, Listener, Peer,  # noqa: E402
                      echo, echo_number, ipv4, ipv6, load)

BUILD = os.path.realpath(sys.argv[1])
PROGRAM = os.path.join(BUILD, "apps", "cmt-tun", "cmt-tun")
LIB = load(BUILD)
HERE4 = "127.0.0.1"
PATIENCE_S = 20
ANSWER_S = 10     # of a server that is busy, on a machine that is
GROWTH_KIB = 48 << 10
SEED = 30


def wait_for(condition, what):
    until = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > until:
            raise AssertionError(f"waited for {what}")
        time.sleep(0.02)


class Program:
    """cmt-tun; what it says."""

    def __init__(self, *arguments):
        """It knows nobody yet."""
        self.process = subprocess.Popen([PROGRAM, *arguments, "--stats", "json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env={**os.environ, "XDG_STATE_HOME": tempfile.mkdtemp(dir=os.environ["CMT_NAMESPACES"])})
        self.said = b""
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stderr:
            self.said += line

    def wait_for(self, words):
        wait_for(lambda: words.encode() in self.said or self.process.poll() is not None, f"\"{words}\"; it said: {self.said}")
        assert words.encode() in self.said, self.said

    def kib(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

    def end(self):
        """Its statistics."""
        self.process.send_signal(signal.SIGTERM)
        out, _ = self.process.communicate(timeout=PATIENCE_S)
        assert self.process.returncode == 0, (self.process.returncode, self.said)
        return json.loads(out)

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()


class Client(Peer):
    """One that has said HELLO, and may be honest."""

    def begin(self, token=None, **more):
        self.say("hello", version=1, token=random.getrandbits(60) if token is None else token, **more)
        welcome = self.hear("welcome", "error")
        assert welcome["type"] == "welcome", welcome
        self.address4, self.address6 = (welcome[key].split("/")[0] for key in ("address4", "address6"))
        return self

    def is_served(self, number=1):
        """Whether the server's host answers its ping."""
        until = time.monotonic() + ANSWER_S
        self.say("keep", mtu=1280)
        self.send(LOOSE, struct.pack("!HH", 0, number) + echo(self.address4, "10.8.0.1", number), flags=UNORDERED)
        while time.monotonic() < until:
            got = self.receive(200)
            if got and got[0] == LOOSE and echo_number(got[1][4:]) == number:
                return True
        return False


class HostileTest(unittest.TestCase):
    def setUp(self):
        random.seed(SEED)

    def start(self, *arguments):
        program = Program(*arguments)
        self.addCleanup(program.kill)
        return program


class HostileClients(HostileTest):
    def setUp(self):
        super().setUp()
        self.serve()

    def serve(self, *options, pool="10.8.0.0/24"):
        self.server = self.start("serve", "--bind", HERE4, "--pool", pool, "--pool", "fd00:8::/64", "--dev", "cmt0",
                                 "--admin", "127.0.0.1:9095", *options)
        self.server.wait_for("listening")
        self.insecure = "--insecure" in options
        self.honest = self.client()
        self.assertEqual(self.honest.address4, "10.8.0.2")

    def peer(self):
        client = Client.connect(LIB, HERE4, self.insecure)
        self.addCleanup(client.close)
        return client

    def client(self, **more):
        return self.peer().begin(**more)

    def assert_served(self, number):
        self.assertTrue(self.honest.is_served(number), "the honest client is not served")

    def taken_in(self):
        return json.loads(run("ip", "-j", "-s", "link", "show", "cmt0"))[0]["stats64"]["rx"]["packets"]

    def figures(self, name):
        """Of the client with that address."""
        with urllib.request.urlopen("http://127.0.0.1:9095/stats.json", timeout=PATIENCE_S) as answer:
            return next((a["figures"] for a in json.load(answer)["associations"] if a["name"].startswith(name + "/")), None)

    def test_addresses_of_others(self):
        bad, before = self.client(), self.taken_in()
        data = struct.pack("!HHHH", 1, 2, 8, 0)
        foreign = [ipv4(source, "10.8.0.1", UDP, data) for source in
                   ("10.8.0.2", "10.8.0.1", "10.8.0.0", "10.8.0.255", "224.0.0.1", "127.0.0.1", "0.0.0.0", "255.255.255.255",
                    "192.0.2.1", "10.9.0.3")]
        foreign += [ipv6(source, "fd00:8::1", UDP, data) for source in
                    ("fd00:8::2", "fd00:8::1", "fd00:8::", "ff02::1", "::1", "::", "fe80::3", "::ffff:10.8.0.3",
                     "fd00:8::1:0:0:3", "2001:db8::1")]
        for packet in foreign:
            bad.send(ORDERED, packet)
            bad.send(LOOSE, struct.pack("!HH", 5, 0) + packet, flags=UNORDERED)
        bad.send(JOINED, struct.pack("!H", 500) + ipv4("10.8.0.2", "10.8.0.1", 6, bytes(12) + b"\x50" + bytes(3007)))
        self.assertTrue(bad.is_served())
        self.assert_served(1)
        self.assertEqual(self.taken_in() - before, 2)  # the pings
        stats = self.server.end()
        self.assertEqual((stats["foreign"], stats["malformed"]), (2 * len(foreign) + 1, 0))

    def test_packets_that_are_none(self):
        bad, before = self.client(), self.taken_in()
        mine, server, data = bad.address4, "10.8.0.1", struct.pack("!HHHH", 1, 2, 8, 0)
        mine6, server6 = bad.address6, "fd00:8::1"
        tcp = bytes(12) + b"\x50\x02" + bytes(6)
        malformed = [b"\0", b"\x45", b"\x60", b"\x45" + bytes(18), b"\x60" + bytes(38), bytes(100), b"\x55" + bytes(99), b"\xff" * 2000]
        malformed += [ipv4(mine, server, UDP, data, header_words=n) for n in (0, 4, 8, 15)]
        malformed += [ipv4(mine, server, UDP, data, total=n) for n in (0, 20, 27, 29, 65535)]
        malformed += [ipv6(mine6, server6, UDP, data, length=n) for n in (0, 7, 9, 65535)]
        malformed += [ipv6(mine6, server6, header, bytes((header, length)) + bytes(6)) for header in (0, 43, 60) for length in (1, 255)]
        malformed += [ipv6(mine6, server6, header, bytes(7)) for header in (0, 43, 44, 60)]
        malformed += [ipv6(mine6, server6, 0, (b"\0\0" + bytes(6)) * 7 + b"\0\x01" + bytes(6))]
        for packet in malformed:
            bad.send(ORDERED, packet)
            bad.send(LOOSE, struct.pack("!HH", 5, 0) + packet, flags=UNORDERED)
        n = 2 * len(malformed)
        joined = [(0, tcp + bytes(3000)), (47, tcp + bytes(3000)), (3000, tcp + bytes(3000)), (65535, tcp + bytes(3000)),
                  (500, tcp[:12] + b"\x40\x02" + bytes(3000)), (500, tcp[:12] + b"\xf0\x02" + bytes(500)), (500, tcp[:12])]
        for segment, payload in joined:
            bad.send(JOINED, struct.pack("!H", segment) + ipv4(mine, server, 6, payload))
        bad.send(JOINED, struct.pack("!H", 500) + ipv4(mine, server, UDP, bytes(3000)))
        bad.send(JOINED, b"\x01")
        bad.send(LOOSE, b"\0\0\0", flags=UNORDERED)
        bad.send(LOOSE, struct.pack("!HH", 1024, 0) + echo(mine, server, 9), flags=UNORDERED)
        n += len(joined) + 4
        self.assertTrue(bad.is_served())
        self.assertEqual(self.taken_in() - before, 1)
        # The kernel's business: options, headers without end, fragments, SYNs, all as large as it gets.
        for packet in [ipv4(mine, server, UDP, data, options=bytes((kind, length)) + bytes(38)) for kind in (7, 68, 131, 148, 255)
                       for length in (0, 1, 3, 40, 255)] + \
                      [ipv6(mine6, server6, 60, (b"\x3c\0" + bytes(6)) * 12 + b"\x3b\0" + bytes(6)),
                       ipv6(mine6, server6, 44, struct.pack("!BBHI", 0, 0, 0xFFF9, 1)),
                       ipv6(mine6, server6, ICMPV6, bytes(65495)), ipv4(mine, server, UDP, bytes(65515)),
                       ipv4(mine, server, 6, bytes(12) + b"\xf0\x02" + bytes(6) + b"\x02\x04\xff\xff" + b"\x02\0" * 18),
                       ipv4(mine, server, 6, tcp), ipv4(mine, "127.0.0.1", UDP, data), ipv4(mine, "224.0.0.1", UDP, data),
                       ipv4(mine, "255.255.255.255", UDP, data), ipv6(mine6, "::1", UDP, data), ipv6(mine6, "ff02::1", UDP, data)]:
            bad.send(ORDERED, packet)
            bad.send(LOOSE, struct.pack("!HH", 7, 0) + packet, flags=UNORDERED)
        self.assertTrue(bad.is_served(2))
        self.assert_served(1)
        stats = self.server.end()
        self.assertEqual((stats["malformed"], stats["foreign"]), (n, 0))

    def test_messages_that_are_none(self):
        """Each ends its connection, with a reason and without an address that stays taken."""
        hello = b'{"type":"hello","version":1,"token":7}'
        first = [b"\0", b"{", b"[]", b"null", b"{}", b"[" * 4000, b'{"a":' * 800, b'{"type":"hello"}', b'{"type":"none"}', b"\xff\xfe",
                 b'{"type":"hello","version":1,"token":-1}', b'{"type":"hello","version":1,"token":1e3}',
                 b'{"type":"hello","version":2,"token":1}', b'{"type":"hello","version":1,"token":7,"more":1}',
                 b'{"type":"hello","version":1,"token":99999999999999999999}', hello[:-1] + b',"address4":"10.8.0.300"}',
                 hello[:-1] + b',"address4":"%s"}' % (b"1" * 3000), hello[:-1] + b',"address6":"10.8.0.3"}',
                 b'{"type":"welcome","version":1,"address4":"10.8.0.1/24"}', b'{"type":"keep","mtu":0}', b'{"type":"keep","mtu":70000}',
                 b" " * 5000, b"x" * 60000]
        for text in first + [hello + hello]:
            with self.subTest(text=text[:60]):
                bad = self.peer()
                bad.send(CONTROL, text, stream=0)
                self.assertEqual(bad.hear("error", "welcome")["type"], "error")
        for ppid, data in ((CONTROL, hello), (CONTROL, b"{}"), (CONTROL, b'{"type":"welcome","version":1,"address4":"10.8.0.9/24"}'),
                           (0, b"x"), (LOOSE + 1, b"x"), (ORDERED, bytes(1 << 17))):
            with self.subTest(ppid=ppid, data=data[:60]):
                bad = self.client(token=7)
                self.assertEqual(bad.address4, "10.8.0.3")
                bad.send(ppid, data, stream=0)
                bad.hear("error")
        self.assertEqual(self.client(address4="10.8.0.1/24", address6="fd00:8::2/64").address4, "10.8.0.3")
        self.assert_served(1)
        self.assertEqual(self.server.end()["malformed"], 0)

    def test_addresses_again_and_again(self):
        """As one that has lost its connection: it has one address, and nobody else's. As many: until there are no more."""
        self.server.end()
        self.serve("--insecure", pool="10.8.0.0/28")
        taken = []
        self.assertEqual({self.client(token=8, address4="10.8.0.2/24").address4 for _ in range(10)}, {"10.8.0.3"})
        with self.assertRaisesRegex(AssertionError, "all addresses of the pool are taken"):
            for _ in range(20):
                taken.append(self.client().address4)
        self.assertEqual(len(set(taken)), 11)
        self.assertNotIn("10.8.0.2", taken)
        self.assert_served(1)

    def test_who_does_not_say_hello_keeps_nobody_out(self):
        silent = [self.peer() for _ in range(80)]
        for peer in silent[-40:]:
            peer.say("keep", mtu=1280)
        self.assertTrue(self.client().is_served())
        self.assert_served(1)

    def test_a_flood_of_small_messages(self):
        before = self.server.kib()
        flood = subprocess.Popen([sys.executable, "-B", __file__, BUILD, "flood"])
        self.addCleanup(flood.wait)
        self.addCleanup(flood.kill)
        self.server.wait_for("10.8.0.3/24: connected")
        for number in range(1, 5):
            self.assert_served(number)
            time.sleep(0.2)
        self.assertIsNone(flood.poll())
        self.assertLess(self.server.kib() - before, GROWTH_KIB)
        flood.kill()
        self.server.wait_for("10.8.0.3/24: gone")
        self.assertGreater(self.server.end()["malformed"], 2000)

    def test_who_does_not_read(self):
        """What the host sends to him waits, up to a bound; large packets and small ones."""
        bad = self.client()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
            wait_for(lambda: self.figures(bad.address4), "figures")
            for size in (1200, 0):
                before, dropped = self.server.kib(), self.figures(bad.address4)["queue_dropped"]
                until = time.monotonic() + PATIENCE_S
                while self.figures(bad.address4)["queue_dropped"] < dropped + 1000:
                    self.assertLess(time.monotonic(), until, f"{self.figures(bad.address4)}, {self.server.kib() - before} KiB")
                    for burst in range(10):
                        for i in range(300):
                            sock.sendto(bytes(size), (bad.address4, 1 + (300 * burst + i) % 60000))
                        time.sleep(0.002)
                    bad.say("keep", mtu=1280)
                self.assertLess(self.server.kib() - before, GROWTH_KIB)
                self.assert_served(size)
        bad.close()
        self.server.wait_for(f"{bad.address4}/24: gone")


class HostileServer(HostileTest):
    def setUp(self):
        super().setUp()
        self.listener = Listener(LIB, HERE4)
        self.addCleanup(self.listener.close)
        self.before = self.routes()
        self.client = self.start("connect", "--connect", HERE4, "--dev", "cmt0", "--accept-routes")

    @staticmethod
    def routes():
        text = "".join(run("ip", family, *what) for family in ("-4", "-6") for what in (("rule",), ("route", "show", "table", "all")))
        return sorted(line.strip() for line in text.splitlines() if "fe80:" not in line and "multicast" not in line)

    def accept(self):
        peer = self.listener.accept()
        self.addCleanup(peer.close)
        peer.hear("hello")
        return peer

    def welcome(self, **more):
        peer = self.accept()
        peer.say("welcome", version=1, **{"address4": "10.8.0.2/24", "address6": "fd00:8::2/64", **more})
        return peer

    def assert_usable(self):
        """And ends it: what it had is as before."""
        peer = self.welcome()
        peer.send(ORDERED, echo("10.8.0.1", "10.8.0.2", 77))
        while echo_number(peer.receive()[1][4:]) != 77:
            pass
        self.client.wait_for("the tunnel is up: cmt0 has 10.8.0.2/24, fd00:8::2/64")
        peer.say("bye", text="\x1b[2J\x07that was all\u009b")
        self.client.wait_for("that was all")
        stats = self.client.end()
        self.assertEqual(self.routes(), self.before)
        self.assertNotRegex(self.client.said, rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2\x9b")
        return stats

    def test_addresses_that_no_server_may_give(self):
        for address in ("200.0.0.1/1", "127.0.0.1/32"):
            with self.subTest(address):
                self.welcome(address4=address).hear("error")
        self.assertEqual(self.routes(), self.before)
        self.assertEqual(self.assert_usable()["tunnels"], 1)

    def test_what_no_server_says(self):
        for ppid, data in ((CONTROL, b'{"type":"welcome","version":1,"address4":"10.8.0.9/24"}'), (7, b"x"), (ORDERED, bytes(1 << 17))):
            with self.subTest(ppid=ppid, data=data[:40]):
                peer = self.welcome()
                peer.send(ppid, data, stream=0)
                peer.hear("error")
        self.assertEqual(self.assert_usable()["tunnels"], 4)

    def test_packets_that_are_not_the_clients(self):
        peer = self.welcome()
        for destination in ("10.8.0.3", "10.8.0.1", "127.0.0.1", "224.0.0.1", "255.255.255.255", "192.0.2.1"):
            peer.send(ORDERED, echo("10.8.0.1", destination, 1), stream=0)
        for destination in ("fd00:8::3", "::1", "ff02::1", "fe80::1"):
            peer.send(LOOSE, bytes(4) + ipv6("fd00:8::1", destination, UDP, bytes(8)), stream=0)
        peer.send(ORDERED, b"E", stream=0)
        peer.say("bye", text="bye")
        stats = self.assert_usable()
        self.assertEqual((stats["foreign"], stats["malformed"]), (10, 1))

    def test_a_server_that_does_not_read(self):
        """And one that comes and goes: what the client's programs send waits, up to a bound."""
        peer = self.welcome()
        self.client.wait_for("the tunnel is up")
        before, until = self.client.kib(), time.monotonic() + 1
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
            while time.monotonic() < until:
                for i in range(300):
                    sock.sendto(bytes(1200), ("10.8.0.1", 1 + i))
                time.sleep(0.002)
                peer.say("keep", mtu=1280)
        self.assertLess(self.client.kib() - before, GROWTH_KIB)
        peer.close()
        self.assertGreater(self.assert_usable()["queue_dropped"], 0)


def flood():
    """Sends small messages, of all kinds, until it is killed."""
    bad = Client.connect(LIB, HERE4).begin()
    data = ipv4(bad.address4, "10.8.0.9", UDP, struct.pack("!HHHH", 1, 2, 8, 0))
    for number in itertools.cycle(range(0, 1 << 16, 7)):
        for ppid, message in ((PADDING, b"x"), (ORDERED, b"x"), (LOOSE, b"\0\0\0\0E"),
                              (LOOSE, struct.pack("!HH", number % 1024, number) + data)):
            bad.send(ppid, message, stream=number % 256, flags=UNORDERED * (number & 1))


if __name__ == "__main__":
    if sys.argv[2:] == ["flood"]:
        flood()
    enter_namespaces()
    run("mount", "-t", "tmpfs", "none", "/run")
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
