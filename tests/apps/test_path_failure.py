# SPDX-License-Identifier: BSD-3-Clause
# cost: 14 s
"""What people and machines are told of paths that fail: which one, since when, and that nothing moves."""
import os
import re
import signal
import subprocess
import time
import unittest

import two_networks
from http_client import Server
from terminal import Terminal
from transfer_programs import PATIENCE_S, RECV, SEND, Program, TransferTest, wait_for
from two_networks import FAR, NEAR

LIVE, TOP, WATCHED = os.environ["CMT_LIVE"], os.environ["CMT_TOP"], os.environ["WATCHED_PROGRAM"]
WATCHED_S = 4  # upstream chooses other sources for the path's packets at each timeout


class PathFailure(TransferTest):
    def setUp(self):
        super().setUp()
        self.networks = two_networks.TwoNetworks(self)

    def there(self, *arguments, ready="listening", **options):
        program = Program(self, [*self.networks.there_prefix(), *arguments], **options)
        wait_for(lambda: ready in program.stderr + program.stdout or program.process.poll() is not None, ready)
        self.assertIn(ready, program.stderr + program.stdout)
        return program

    def unplug(self, path):
        two_networks.run("ip", "link", "set", f"near{path}", "down")

    def sink(self):
        return self.there(RECV, "--bind", FAR, "-o", "-", stdout=subprocess.DEVNULL)

    def endless_file(self):
        """More than is sent while a test lasts, and no room on the disk."""
        path = os.path.join(self.folder, "endless")
        with open(path, "wb") as file:
            file.truncate(1 << 40)
        return path


class OnTheTerminal(PathFailure):
    def lines(self, terminal):
        """What was drawn since last asked; each line begins with a carriage return and clears what is behind it."""
        *drawn, terminal.raw = terminal.raw.split(b"\x1b[K")
        return [line.rpartition("\r")[2] for line in map(bytes.decode, drawn)]

    def line_with(self, terminal, *words):
        """The first line drawn from now on that has all of them."""
        until = time.monotonic() + PATIENCE_S
        seen = []
        while time.monotonic() < until:
            terminal.read()
            for line in self.lines(terminal):
                self.assertLess(len(line), self.columns, "it would wrap")
                seen.append(line)
                if all(re.search(word, line) for word in words):
                    return line
        raise AssertionError(f"no line with {words}: {seen[-10:]}")

    def send(self, columns):
        self.columns = columns
        self.sink()
        return Terminal(self, [SEND, "--bind", NEAR, "--connect", FAR, self.endless_file()], columns=columns)

    def test_the_bar_of_cmt_send_tells_which_path_is_down_and_that_nothing_moves(self):
        terminal = self.send(140)
        self.line_with(terminal, r"\[#* *\]", r"[1-9]\d*/[1-9]\d* %", r"ETA \d")
        self.unplug(2)
        line = self.line_with(terminal, r"path 2 \(near2\) down for [2-9] s", "100/0 %")
        self.assertNotIn("path 1", line)
        self.assertRegex(line, r"ETA \d")
        self.unplug(1)
        line = self.line_with(terminal, r"stalled for [3-9] s")
        self.assertRegex(line, r"path 1 \(near1\) down for \d+ s  path 2 \(near2\) down for \d+ s")
        self.assertNotIn("ETA", line)
        self.assertNotIn("bit/s", line)

    def test_the_bar_of_cmt_send_fits_into_a_narrow_terminal(self):
        terminal = self.send(40)
        self.assertNotIn("[", self.line_with(terminal, r"^sending +\d+ %  [\d.]+ MB"))
        self.unplug(1)
        self.unplug(2)
        self.line_with(terminal, r"stalled for \d")

    def test_a_failed_path_finds_room_in_80_columns(self):
        terminal = self.send(80)
        self.unplug(2)
        self.line_with(terminal, r"100/0 %  path 2 \(near2\) down for [2-9] s")


class ForMachines(PathFailure):
    def test_the_statistics_of_cmt_send_tell_state_interface_and_stall(self):
        self.sink()
        sender = Program(self, [SEND, "--bind", NEAR, "--connect", FAR, "--stats", "json", self.endless_file()])
        time.sleep(1)
        self.unplug(1)
        self.unplug(2)
        time.sleep(4)
        sender.signal(signal.SIGINT)
        self.assertEqual(sender.wait(), 1)
        self.assertGreater(sender.stats["stalled_us"], 2e6)
        self.assertEqual([(p["state"], p["local"], p["interface"]) for p in sender.stats["paths"]],
                         [("failed", "10.1.0.1", "near1"), ("failed", "10.2.0.1", "near2")])

    def test_a_failed_path_is_that_from_which_it_worked(self):
        self.there(WATCHED, "listen", FAR)
        program = Program(self, [WATCHED, "connect", "0", "1", "50000", NEAR, FAR])
        wait_for(lambda: "all up" in program.stdout, "the connection")
        server = Server(program)

        def paths():
            associations = server.stats()["associations"]
            return associations[0]["paths"] if associations else []
        wait_for(lambda: [p["state"] for p in paths() if p["sent_bytes"] > 0] == ["active"] * 2, "both paths in use")
        self.unplug(2)
        wait_for(lambda: "failed" in [p["state"] for p in paths()], "the failure")
        # A loaded machine may keep the other path waiting for longer than its timeout: it is named rightly as well.
        paths_there = [("10.1.0.1", "near1", "10.1.0.2"), ("10.2.0.1", "near2", "10.2.0.2")]

        def assert_failed(found):
            ends = [(p["local"], p["interface"], p["remote"]) for p in found]
            self.assertIn(paths_there[1], ends)
            self.assertLessEqual(set(ends), set(paths_there))
        until = time.monotonic() + WATCHED_S
        while time.monotonic() < until:
            assert_failed(p for p in paths() if p["state"] == "failed")
        assert_failed(e for e in server.stats()["events"] if e["event"] == "failed")
        top = Program(self, [TOP, "--once", str(server.port)])
        self.assertEqual(top.wait(), 0, top.stderr)
        self.assertRegex(top.stdout, r"path failed: 10\.2\.0\.1:\d+ \(near2\) to 10\.2\.0\.2:\d+")
        self.unplug(1)
        wait_for(lambda: server.stats()["associations"][0]["stalled_s"] > 2, "the stall")


class LiveStatus(PathFailure):
    def test_both_sides_of_cmt_live_tell_of_paths_and_stalls(self):
        receiver = self.there(LIVE, "cmt://", "-", "--bind", FAR, "--interval", "200ms", stdout=subprocess.DEVNULL)
        feed = subprocess.Popen(["yes"], stdout=subprocess.PIPE)
        self.addCleanup(feed.wait)
        self.addCleanup(feed.stdout.close)
        self.addCleanup(feed.kill)
        sender = Program(self, [LIVE, "-", "cmt://" + FAR, "--bind", NEAR, "--rate", "4Mbit", "--interval", "200ms",
                                "--stats", "json"], stdin=feed.stdout)
        wait_for(lambda: re.search(r"up  sent .*  [1-9]\d*/[1-9]\d* %\n", sender.stderr), "both paths in use")
        self.unplug(2)
        wait_for(lambda: re.search(r"up  sent .*path 2 \(near2\) down for 2 s", sender.stderr), "the failed path")
        self.unplug(1)
        wait_for(lambda: re.search(r"stalled for [23] s  sent ", sender.stderr), "the sender's stall")
        wait_for(lambda: re.search(r"stalled for [23] s  delivered ", receiver.stderr), "the receiver's stall")


if __name__ == "__main__":
    two_networks.enter()
    unittest.main(verbosity=2)
