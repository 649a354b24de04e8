# SPDX-License-Identifier: BSD-3-Clause
"""What users and peers of cmt-streamd get wrong: the sentence that they read, and that nobody else suffers."""
import os
import re
import subprocess
import unittest

from media_programs import Client, MediaTest, SERVER, STREAMD
from transfer_programs import wait_for

GET = '{"type":"request","method":"get","window_bytes":0,"path":"/x"'
HELLO = 'send 0 {"type":"hello","version":1}'


class Peers(MediaTest):
    def test_a_client_that_breaks_the_rules_hurts_itself_alone(self):
        content = self.media("x", 300_000)
        server = self.server()
        good = Client(self)
        good.get(1, "/x", window_bytes=1000)
        for commands, sentence in [
                (['send 0 {"type":"bye"}'], "the first message must be hello"),
                (["send 1 " + GET + "}"], "the first message must be hello"),
                ([HELLO, HELLO], "only the first message may be hello"),
                (['send 0 {"type":"hello","version":7}'], "the peer speaks version 7 of the media protocol, this program "
                 "version 1; install the same release on both sides"),
                (['send 1 {"type":"hello","version":1}'], '"hello" came on stream 1'),
                ([HELLO, "send 0 " + GET + "}"], '"request" came on stream 0'),
                ([HELLO, 'send 2 {"type":"bye"}'], '"bye" came on stream 2'),
                ([HELLO, "send 1 " + GET + "}", "send 1 " + GET + "}"],
                 "a request came on stream 1 before the answer to the last one had ended"),
                ([HELLO, 'send 1 {"type":"window"}'], 'a control message "window" lacks "window_bytes"'),
                ([HELLO, "send 1 " + GET + ',"first":-1}'],
                 '"first" of a control message "request" has the wrong type or is out of range'),
                ([HELLO, 'send 1 {"type":"request","method":"delete","window_bytes":0,"path":"/x"}'],
                 '"method" of a control message "request" has the wrong type or is out of range'),
                ([HELLO, "send 0 {" + "[" * 5000], "a control message is not a JSON object"),
                ([HELLO, 'send 0 {"type":"welcome","version":1,"requests_max":1}'], '"welcome" is not a message for a server'),
                ([HELLO, "blanks 0 16385"], "a control message is longer than 16384 bytes"),
                ([HELLO, "blanks 0 900000"], "a control message is too long"),
                ([HELLO, "ppid 1 7 x"], "a message is neither control nor data of this protocol"),
                ([HELLO, f"ppid 1 {0x434d5456} x"], "clients must not send body data"),
                ([HELLO, "unordered 0 {}"], "a message is unordered")]:
            with self.subTest(sentence):
                client = Client(self, hello=False)
                for command in commands:
                    client.command(command)
                self.assertEqual(client.message(0, "error")["text"], sentence)
                client.wait_end()
                client.end()
        good.send(1, type="window", window_bytes=1 << 30)
        self.assert_body(good.answered(1)[2], content)
        self.assertIn("clients must not send body data", server.stderr)

    def test_a_request_that_could_not_be_answered(self):
        content = self.media("x", 1000)
        self.server()
        client = Client(self, streams=4)
        self.assert_body(client.fetch(3, "/x")[2], content)
        client.get(4, "/x")
        self.assertEqual(client.message(0, "error")["text"], "a request came on a stream that the server does not have")
        client.wait_end()

    def test_what_a_client_says_does_not_steer_the_log(self):
        server = self.server()
        client = Client(self, hello=False)
        client.send(0, type="hello", version=1, agent="a\nb\u009b\" 200")
        client.get(1, "/\"\n\u001b[2J")
        client.answered(1)
        self.assertRegex(self.log(server, 1)[0], r'"GET /\\x22\\x0a\\x1b\[2J CMT/1" 400 0 - [0-9.]+ \S+ '
                         r'"a\\x5cx0ab\\x5cxc2\\x5cx9b\\x22 200" -$')
        self.assertEqual(server.stdout.count("\n"), 1)
        client.send(0, type="error", text="\u001b[2J")
        wait_for(lambda: r"the client says: \x1b[2J" in server.stderr, "the client's reason")

    def test_a_client_that_vanishes_leaves_nothing(self):
        self.media("x", 5_000_000)
        server = self.server()
        descriptors = f"/proc/{server.process.pid}/fd"
        before = len(os.listdir(descriptors))
        for command in ("abort", "close"):
            client = Client(self)
            for stream in range(1, 20):
                client.get(stream, "/x", window_bytes=100)
            client.wait_count(19, 100)
            client.command(command)
            wait_for(lambda: len(os.listdir(descriptors)) == before, "its files to be closed")
        self.assertEqual(len([line for line in self.log(server, 38) if " 200 100 " in line]), 38)
        self.assertRegex(server.stdout, '"the connection was lost"')
        self.assertRegex(server.stdout, '"the client has gone away"')


class Users(MediaTest):
    def assert_usage(self, arguments, message, status=2):
        done = subprocess.run([STREAMD, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.assertEqual((done.returncode, done.stderr), (status, f"cmt-streamd: {message}\n"))

    def test_wrong_arguments(self):
        for arguments, message in [
                (["films"], '"films": one argument too many; name the folder with -d'),
                (["--max-clients", "0"], '--max-clients: "0" is not a number from 1 to 100000'),
                (["--max-requests", "64"], '--max-requests: "64" is not a number from 1 to 63'),
                (["--memory", "much"], '--memory: "much" is not a size; write 1400, 50kB, 64KiB or 5M'),
                (["--memory", "1kB"], '--memory: "1kB" is too small; write 1MiB or more'),
                (["--grace", "5m"], '--grace: "5m" is not a time; write 500us, 10ms or 1.5s'),
                (["--idle-timeout", "10ms"], '--idle-timeout: "10ms" is too small; write 1s or more'),
                (["-d", ""], "--directory: the name is empty"),
                (["--wrong"], '"--wrong": unknown option, or its value is missing; try `cmt-streamd --help`'),
                (["--port", "99999"], '--port: "99999" is not a port; write 1 to 65535')]:
            with self.subTest(arguments):
                self.assert_usage(arguments, message)

    def test_a_wrong_start(self):
        self.assert_usage(["-d", self.in_target("no")], f"cannot open the folder {self.in_target('no')}: No such file or "
                          "directory; choose another with -d", 1)
        self.assert_usage(["-d", self.target, "--access-log", self.target],
                          f"cannot open the access log {self.target}: Is a directory", 1)
        server = self.server()
        self.assert_usage(["-d", self.target, "--bind", SERVER], f"cannot bind {SERVER.split(',')[0]}: UDP port 5002 is in "
                          f"use there, by cmt-streamd (process {server.process.pid}); choose another with --udp-port", 1)

    def config(self, text):
        path = os.path.join(self.folder, "config")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def test_wrong_lines_of_the_configuration(self):
        for text, message in [
                ("port = 5\n\nport = 6\n", ":3: port: given twice, or its value continues on the next line"),
                ("# a\nfolder = x\n", ':2: "folder" is not an option; --help lists them'),
                ("help = yes", ":1: help: only on the command line"),
                ("quiet = maybe", ':1: quiet: "maybe" is not a choice; write yes or no'),
                ("[server]\nport = 5", ":2: [server]: this file has no sections"),
                ("just words\n", ":1: not of the form NAME = VALUE"),
                ("idle-timeout = soon\n", ':1: --idle-timeout: "soon" is not a time; write 500us, 10ms or 1.5s'),
                ("directory = " + "x" * 5000, ":1: the line is longer than ")]:
            with self.subTest(text[:40]):
                path = self.config(text)
                done = subprocess.run([STREAMD, "--config", path], capture_output=True, text=True)
                self.assertEqual(done.returncode, 2)
                self.assertTrue(done.stderr.startswith(f"cmt-streamd: {path}{message}"), done.stderr)
        self.assert_usage(["--config", "/nowhere"], "cannot read the configuration /nowhere: No such file or directory")

    def test_the_example_of_a_configuration_is_one(self):
        source = os.path.join(os.path.dirname(__file__), "../../apps/cmt-streamd/cmt-streamd.conf")
        with open(source, encoding="utf-8") as file:
            text = re.sub(r"^#(?=[a-z-]+ = )", "", file.read(), flags=re.M)
        self.assertIn("\ngrace = 30s\n", text)
        self.server("--config", self.config(text))

    def test_the_configuration_fills_in_what_the_command_line_does_not_say(self):
        content = self.media("x", 1000)
        path = self.config(f"; of a test\nbind = {SERVER}\nport = 5002\ndirectory = /nowhere ; not this one\nquiet = no\n"
                           "max-requests = 7\naccess-log = none\n")
        server = self.server("--config", path, bind=())
        client = Client(self)
        self.assertEqual(client.message(0, "welcome")["requests_max"], 7)
        self.assert_body(client.fetch(1, "/x")[2], content)
        self.assertEqual(server.stdout, "")


if __name__ == "__main__":
    unittest.main()
