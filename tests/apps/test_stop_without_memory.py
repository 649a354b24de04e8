# SPDX-License-Identifier: BSD-3-Clause
# cost: 4 s
"""SIGINT and SIGTERM end every program that has no memory left, and cmt-recv where the address space is small."""
import os
import resource
import signal
import subprocess
import unittest

from terminal import Terminal
from transfer_programs import RECEIVER, RECV, SEND, SENDER, Program, TransferTest, wait_for

LIVE, PERF, TOP = os.environ["CMT_LIVE"], os.environ["CMT_PERF"], os.environ["CMT_TOP"]
STREAMD, GATEWAY = os.environ["CMT_STREAMD"], os.environ["CMT_GATEWAY"]
STOPS_S = 15  # what has a grace of its own takes a few
HOST = RECEIVER.split(",", maxsplit=1)[0]


class WithoutMemory(TransferTest):
    def setUp(self):
        super().setUp()
        self.switch = os.path.join(self.folder, "no memory from now on")

    def start(self, *arguments, ready="", short=False, **options):
        """`short`: this one will have no memory."""
        more = {"LD_PRELOAD": os.environ["NO_MEMORY"], "NO_MEMORY_FROM": self.switch} if short else {}
        program = Program(self, arguments, env={**os.environ, **more}, **options)
        wait_for(lambda: ready in program.stderr + program.stdout or program.process.poll() is not None, ready)
        self.assertIn(ready, program.stderr + program.stdout)
        return program

    def assert_stops(self, program, number=signal.SIGTERM):
        """With an exit status of its own, not by a crash."""
        with open(self.switch, "wb"):
            pass
        program.signal(number)
        try:
            status = program.process.wait(STOPS_S)
        except subprocess.TimeoutExpired:
            self.fail(f"it goes on: {program.stderr}")
        self.assertIn(status, (0, 1), program.stderr)

    def endless(self):
        """A pipe that always has something."""
        feed = subprocess.Popen(["yes"], stdout=subprocess.PIPE)
        self.addCleanup(feed.wait)
        self.addCleanup(feed.stdout.close)
        self.addCleanup(feed.kill)
        return feed.stdout

    def transfer(self, **which):
        receiver = self.start(RECV, "--bind", RECEIVER, "-d", self.target, ready="listening",
                              short="receiver" in which)
        sender = self.start(SEND, "--bind", SENDER, "--connect", RECEIVER, "--name", "endless", "-",
                            stdin=self.endless(), short="sender" in which)
        part = self.in_target("endless.cmt-part")
        wait_for(lambda: os.path.exists(part) and os.path.getsize(part) > 1 << 20, "data to arrive")
        return receiver, sender

    def test_cmt_recv_that_waits(self):
        self.assert_stops(self.start(RECV, "--bind", RECEIVER, "-d", self.target, ready="listening", short=True))

    def test_cmt_recv_in_a_transfer(self):
        receiver, _ = self.transfer(receiver=True)
        self.assert_stops(receiver)

    def test_cmt_send_in_a_transfer(self):
        _, sender = self.transfer(sender=True)
        self.assert_stops(sender, signal.SIGINT)

    def live(self, **which):
        receiver = self.start(LIVE, "cmt://", "-", "--bind", RECEIVER, ready="listening",
                              short="receiver" in which)
        sender = self.start(LIVE, "-", f"cmt://{RECEIVER}", "--bind", SENDER, ready="connected",
                            stdin=self.endless(), short="sender" in which)
        return receiver, sender

    def test_the_receiver_of_cmt_live(self):
        receiver, _ = self.live(receiver=True)
        self.assert_stops(receiver)

    def test_the_sender_of_cmt_live(self):
        _, sender = self.live(sender=True)
        self.assert_stops(sender)

    def perf(self, **which):
        server = self.start(PERF, "-s", "--bind", RECEIVER, ready="listening", short="server" in which)
        client = self.start(PERF, "-c", RECEIVER, "--bind", SENDER, "-t", "600", "-i", "200ms", ready="bit/s",
                            short="client" in which)
        return server, client

    def test_the_server_of_cmt_perf(self):
        server, _ = self.perf(server=True)
        self.assert_stops(server)

    def test_the_client_of_cmt_perf(self):
        _, client = self.perf(client=True)
        self.assert_stops(client, signal.SIGINT)

    def stream(self, **which):
        self.file("target/film.bin", 50_000_000)
        server = self.start(STREAMD, "--bind", SENDER, "-d", self.target, "--grace", "2s", ready="listening",
                            short="server" in which)
        gateway = self.start(GATEWAY, "--connect", SENDER, "--bind", RECEIVER, "--listen", f"{HOST}:0",
                             ready="connected", short="gateway" in which)
        url = next(word for word in gateway.stderr.split() if word.startswith("http://"))
        player = subprocess.Popen(["curl", "-s", "--limit-rate", "1M", url + "film.bin"], stdout=subprocess.PIPE)
        self.addCleanup(player.wait)
        self.addCleanup(player.stdout.close)
        self.addCleanup(player.kill)
        player.stdout.read(100_000)
        return server, gateway

    def test_cmt_streamd_with_a_viewer(self):
        server, _ = self.stream(server=True)
        self.assert_stops(server)

    def test_cmt_gateway_with_a_player(self):
        _, gateway = self.stream(gateway=True)
        self.assert_stops(gateway)

    def test_cmt_top_on_a_terminal(self):
        terminal = Terminal(self, [TOP, "1"], LD_PRELOAD=os.environ["NO_MEMORY"], NO_MEMORY_FROM=self.switch)
        terminal.wait_for("q end")
        with open(self.switch, "wb"):
            pass
        os.kill(terminal.child, signal.SIGTERM)
        terminal.wait()
        self.assertEqual(terminal.status, 0)

    def test_cmt_recv_in_a_small_address_space(self):
        """As much as it takes to listen, and little more."""
        receiver = self.start(RECV, "--bind", RECEIVER, "-d", self.target, ready="listening")
        with open(f"/proc/{receiver.process.pid}/statm", encoding="ascii") as statm:
            used = int(statm.read().split()[0]) * resource.getpagesize()
        resource.prlimit(receiver.process.pid, resource.RLIMIT_AS, (used, used))
        sender = self.start(SEND, "--bind", SENDER, "--connect", RECEIVER, "--timeout", "3s",
                            self.file("big", 30_000_000))
        self.assertEqual(sender.wait(), 1)
        self.assert_stops(receiver)


if __name__ == "__main__":
    unittest.main(verbosity=2)
