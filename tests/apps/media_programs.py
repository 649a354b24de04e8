# SPDX-License-Identifier: BSD-3-Clause
"""cmt-streamd and a client that does what a test says, as processes."""
import hashlib
import json
import os
import signal
import subprocess

from transfer_programs import RECEIVER, SENDER, Program, TransferTest, wait_for

STREAMD = os.environ["CMT_STREAMD"]
CLIENT = os.environ["MEDIA_CLIENT"]
SERVER = RECEIVER
VIEWER = SENDER
WIDE = 1 << 40  # a window that never ends


class Client(Program):
    def __init__(self, test, local=VIEWER, hello=True, streams=64):
        super().__init__(test, [CLIENT, local, SERVER, str(streams)], stdin=subprocess.PIPE)
        if hello:
            self.send(0, type="hello", version=1, agent="test \"1\"")
            self.message(0, "welcome")

    def command(self, text):
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()

    def send(self, stream, **message):
        self.command(f"send {stream} {json.dumps(message)}")

    def get(self, stream, path, window_bytes=WIDE, method="get", **more):
        self.send(stream, type="request", method=method, path=path, window_bytes=window_bytes, **more)

    def lines(self, start):
        text = self.stdout
        return [line[len(start):] for line in text[:text.rfind("\n") + 1].splitlines() if line.startswith(start)]

    def messages(self, stream, kind):
        found = [json.loads("{" + line) for line in self.lines(f"{stream} {{")]
        return [message for message in found if message["type"] == kind]

    def message(self, stream, kind, nth=0):
        """Waits for it."""
        wait_for(lambda: len(self.messages(stream, kind)) > nth or self.process.poll() is not None,
                 f"{kind} on stream {stream}")
        found = self.messages(stream, kind)
        if len(found) <= nth:
            raise AssertionError(f"no {kind} on stream {stream}: {self.stdout} {self.stderr}")
        return found[nth]

    def answered(self, stream, nth=0):
        """The answer, the end, and (bytes, SHA-256) of the body."""
        end = self.message(stream, "end", nth)
        count, digest = self.lines(f"{stream} body ")[nth].split()
        return self.message(stream, "answer", nth), end, (int(count), digest)

    def fetch(self, stream, path, nth=0, **more):
        self.get(stream, path, **more)
        return self.answered(stream, nth)

    def count(self, stream):
        """Bytes of body so far."""
        before = len(self.lines(f"{stream} count "))
        self.command(f"count {stream}")
        wait_for(lambda: len(self.lines(f"{stream} count ")) > before, "count")
        return int(self.lines(f"{stream} count ")[-1])

    def wait_count(self, stream, count):
        wait_for(lambda: self.count(stream) >= count, f"{count} bytes on stream {stream}")

    def wait_end(self):
        """Of the association."""
        wait_for(lambda: "end" in self.stdout.splitlines(), "the end of the association")


class MediaTest(TransferTest):
    def media(self, name, size):
        """A file that the server has; its content."""
        path = self.file("target/" + name, size)
        with open(path, "rb") as file:
            return file.read()

    def server(self, *arguments, bind=("--bind", SERVER)):
        """Returns when it listens."""
        program = Program(self, [STREAMD, *bind, "-d", self.target, *arguments])
        self.addCleanup(self.stop, program)
        wait_for(lambda: "listening" in program.stderr or program.process.poll() is not None, "cmt-streamd to listen")
        self.assertIn("listening", program.stderr)
        return program

    def stop(self, program):
        """Its exit status also tells what a sanitizer found."""
        for number in (signal.SIGTERM, signal.SIGINT):
            if program.process.poll() is None:
                program.signal(number)
        self.assertEqual(program.wait(), 0, program.stderr)

    def assert_body(self, body, content):
        self.assertEqual(body, (len(content), hashlib.sha256(content).hexdigest()))

    def assert_refused(self, got, status, text):
        """By an answer with this status."""
        answer, end, body = got
        self.assertEqual((answer["status"], answer["text"], end["bytes"], body[0]), (status, text, 0, 0))

    def log(self, server, count):
        """The lines of the access log on standard output."""
        wait_for(lambda: server.stdout.count("\n") >= count, "the access log")
        return server.stdout.splitlines()
