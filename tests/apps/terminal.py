# SPDX-License-Identifier: BSD-3-Clause
"""A program on a pseudo-terminal."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

from transfer_programs import PATIENCE_S


class Terminal:
    def __init__(self, test, arguments, columns=150, term="xterm", **environment):
        self.child, self.fd = pty.fork()
        if self.child == 0:
            os.environ.update(environment, TERM=term)
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 30, columns, 0, 0))
            os.execv(arguments[0], arguments)
        self.raw = b""
        self.status = None
        test.addCleanup(self.end)

    def read(self, seconds=0.05):
        while select.select([self.fd], [], [], seconds)[0]:
            try:
                block = os.read(self.fd, 65536)
            except OSError:
                return
            if not block:
                return
            self.raw += block

    @property
    def text(self):
        """What was written, without sequences that move and colour; what stayed on screen is not written again."""
        return re.sub(r"\x1b(\[[0-9;?]*[a-zA-Z]|[()][A-Z0-9]|[=>])", "", self.raw.decode(errors="replace"))

    def wait_for(self, word, what=None):
        until = time.monotonic() + PATIENCE_S
        while word not in self.text:
            self.read()
            if time.monotonic() > until:
                raise AssertionError(f"no {what or word!r} on the terminal:\n{self.text[-3000:]}")

    def press(self, keys):
        self.raw = b""
        os.write(self.fd, keys)

    def resize(self, rows, columns):
        self.raw = b""
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def wait(self):
        until = time.monotonic() + PATIENCE_S
        while self.status is None and time.monotonic() < until:
            self.read()
            pid, status = os.waitpid(self.child, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
        return self.status

    def end(self):
        if self.status is None:
            os.kill(self.child, signal.SIGKILL)
            os.waitpid(self.child, 0)
        os.close(self.fd)
