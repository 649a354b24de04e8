# SPDX-License-Identifier: BSD-3-Clause
# cost: 3 s
"""cmt-top: as text, as JSON, and on a terminal."""
import json
import os
import re
import signal
import unittest

from http_client import Server
from terminal import Terminal
from transfer_programs import RECEIVER, SENDER, Program, TransferTest, wait_for

TOP = os.environ["CMT_TOP"]
PERF = os.environ["CMT_PERF"]
DEAD_PORT = "1"  # of loopback, where nobody listens


class TopTest(TransferTest):
    def watched(self):
        """The port of a sending cmt-perf."""
        sink = Program(self, [PERF, "-s", "--bind", RECEIVER])
        wait_for(lambda: "listening" in sink.stderr, "cmt-perf to listen")
        self.program = Program(self, [PERF, "-c", RECEIVER, "--bind", SENDER, "-t", "600", "-b", "8Mbit", "-P", "2",
                                      "--admin", "0"])
        wait_for(lambda: "watch at" in self.program.stderr, "the admin page")
        server = Server(self.program)
        wait_for(lambda: len(re.findall(r"'active'", str(server.stats()))) == 4, "four paths")
        return str(server.port)

    def top(self, *arguments, status=0, **options):
        program = Program(self, [TOP, *arguments], **options)
        self.assertEqual(program.wait(), status, program.stderr)
        return program


class Prints(TopTest):
    def test_once(self):
        def count(text):
            return len(re.findall(r"active +[0-9.]+ [kM]bit/s", text))
        port = self.watched()
        wait_for(lambda: count(self.top("--once", port).stdout) == 4, "a rate on every path")
        out = self.top("--once", port).stdout
        self.assertIn(f"cmt-perf at {port}, up ", out)
        self.assertIn("2 associations, 4 paths, sends ", out)
        for word in ("#1 auto", "#2 auto", "SHARE", "DELAY", "CWND", "LOST/SPUR", *RECEIVER.split(",")):
            self.assertIn(word, out)
        self.assertEqual(len(re.findall(r"active +[0-9.]+ [kM]?bit/s", out)), 4)
        self.assertNotIn("\x1b", out)
        narrow = self.top("--once", f"127.0.0.1:{port}", env={**os.environ, "COLUMNS": "80"}).stdout
        self.assertNotIn("LOST/SPUR", narrow)
        self.assertIn("active", narrow)

    def test_json(self):
        port = self.watched()
        lines = self.top("--json", port, f"localhost:{port}").stdout.splitlines()
        self.assertEqual([json.loads(line)["program"] for line in lines], ["cmt-perf", "cmt-perf"])

    def test_who_does_not_answer(self):
        port = self.watched()
        program = self.top("--once", DEAD_PORT, port, status=1)
        self.assertRegex(program.stderr, f"cmt-top: {DEAD_PORT}: nothing answers there; .*--admin")
        self.assertIn("cmt-perf at", program.stdout)
        program = self.top("--json", DEAD_PORT, port, status=1)
        self.assertEqual(len(program.stdout.splitlines()), 1)

    def test_somebody_else_answers(self):
        impostor = Program(self, ["python3", "-u", "-m", "http.server", "--bind", "127.0.0.1", "0"])
        wait_for(lambda: "port" in impostor.stdout + impostor.stderr or impostor.process.poll() is not None, "a server")
        port = re.search(r"port (\d+)", impostor.stdout + impostor.stderr)[1]
        self.assertRegex(self.top("--once", port, status=1).stderr, "what answers there is not a program .* --admin")

    def test_wrong_arguments(self):
        for arguments, message in (([], "nothing to watch; start a program with --admin 9090"),
                                   (["x"], r'program to watch: "x" is not \[ADDR:\]PORT; write 9090'),
                                   (["0"], '"0" has no port'),
                                   (["-i", "1ms", "1"], '--interval: "1ms" is out of range; write 250ms to 3600s'),
                                   (["--sort", "size", "1"], '--sort: "size" is not an order; write id, rate'),
                                   (["--what", "1"], '"--what": unknown option'),
                                   (["1"] * 17, "one program too many; at most 16")):
            with self.subTest(arguments):
                self.assertRegex(self.top(*arguments, status=2).stderr, message)
        self.assertRegex(self.top("1", status=1).stderr, "not a terminal; write --once")
        self.assertIn("EXIT STATUS", self.top("--help").stdout)
        self.assertIn("cmt-top ", self.top("--version").stdout)


class OnATerminal(TopTest):
    def test_keys_sizes_and_the_end(self):
        port = self.watched()
        terminal = Terminal(self, [TOP, "-i", "250ms", port, DEAD_PORT])
        terminal.wait_for("#2 auto")
        terminal.wait_for("active")
        terminal.wait_for("nothing answers there")
        terminal.wait_for("sort: id")
        terminal.press(b"r")
        terminal.wait_for("rate (i r f n)")
        terminal.press(b"p")
        terminal.wait_for("only failed")
        terminal.press(b"p")
        terminal.wait_for("active")
        terminal.press(b" ")
        terminal.wait_for("stopped")
        terminal.press(b"h")
        terminal.wait_for("SYNOPSIS")
        terminal.press(b"h")
        terminal.wait_for("active")
        terminal.resize(7, 70)
        terminal.wait_for("RECEIVE")
        terminal.press(b"\x1b[6~" * 2)  # page down
        terminal.wait_for("nothing")
        terminal.press(b"q")
        self.assertEqual(terminal.wait(), 0)
        self.assertIn(b"\x1b[?1049l", terminal.raw)  # the screen from before is back

    def test_a_program_that_goes(self):
        port = self.watched()
        terminal = Terminal(self, [TOP, "-i", "250ms", port])
        terminal.wait_for("active")
        self.program.signal(signal.SIGKILL)
        terminal.wait_for("nothing answers there")
        os.kill(terminal.child, signal.SIGTERM)
        self.assertEqual(terminal.wait(), 0)

    def test_terminals_without_colour(self):
        port = self.watched()
        for term, environment in (("vt100", {}), ("xterm", {"NO_COLOR": "1"})):
            terminal = Terminal(self, [TOP, port], term=term, **environment)
            terminal.wait_for("active")
            terminal.read(0.3)
            self.assertNotRegex(terminal.raw, rb"\x1b\[[0-9;]*3[0-7]m")
            terminal.press(b"q")
            self.assertEqual(terminal.wait(), 0)

    def test_an_unknown_terminal(self):
        terminal = Terminal(self, [TOP, "1"], term="no-such-terminal")
        self.assertEqual(terminal.wait(), 1)
        self.assertIn('TERM: "no-such-terminal" is not a terminal', terminal.text)


if __name__ == "__main__":
    unittest.main()
