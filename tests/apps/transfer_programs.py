# SPDX-License-Identifier: BSD-3-Clause
"""cmt-send and cmt-recv as processes, for the tests of this folder.

Every test process has loopback addresses of its own, so tests may run side by side."""
import ctypes
import hashlib
import json
import os
import re
import select
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

SEND = os.environ["CMT_SEND"]
RECV = os.environ["CMT_RECV"]
PATIENCE_S = 120  # sanitizers on a busy machine; nothing waits that long when it works

_net = f"127.{64 + os.getpid() // 200 % 128}.{1 + os.getpid() % 200}"
SENDER = f"{_net}.1,{_net}.3"
RECEIVER = f"{_net}.2,{_net}.4"


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def wait_for(condition, what):
    """Polls without sleeping long: what is awaited may be over soon."""
    until = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > until:
            raise AssertionError(f"waited in vain for {what}")
        time.sleep(0.001)


def without_quarantine():
    """An environment for a process whose `resident_kib` is judged: AddressSanitizer would keep what it has freed, 256 MiB
    of it, which looks like a pile."""
    sanitizer = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1:thread_local_quarantine_size_kb=64"
    return {**os.environ, "ASAN_OPTIONS": sanitizer}


_libc = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1


def _die_with_parent(first):
    """What runs in the child: a test that is killed leaves no process behind. `first` may change the user,
    which would take the arrangement back."""
    def prepare():
        if first:
            first()
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    return prepare


class Program:
    """A process with its output in files, so that no pipe can fill up."""

    def __init__(self, test, arguments, **options):
        self.out = tempfile.TemporaryFile("w+b", dir=test.folder)
        self.err = tempfile.TemporaryFile("w+b", dir=test.folder)
        options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("stdout", self.out)
        prepare = _die_with_parent(options.pop("preexec_fn", None))
        self.process = subprocess.Popen(arguments, stderr=self.err, preexec_fn=prepare, **options)
        test.addCleanup(self.end)

    def end(self):
        """May be called again."""
        if self.out.closed:
            return
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.process.stdin:
            self.process.stdin.close()
        if self.process.stdout:
            self.process.stdout.close()
        self.out.close()
        self.err.close()

    def wait(self):
        return self.process.wait(PATIENCE_S)

    def signal(self, number):
        self.process.send_signal(number)

    def _text(self, file):
        return os.pread(file.fileno(), 1 << 24, 0).decode(errors="replace")

    @property
    def stdout(self):
        return self._text(self.out)

    @property
    def stderr(self):
        return self._text(self.err)

    @property
    def resident_kib(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return int(re.search(r"VmRSS:\s+(\d+) kB", status.read())[1])

    @property
    def stats(self):
        """The last line of --stats json."""
        return json.loads(self.stdout.strip().splitlines()[-1])


def be_another_user(test):
    """The programs' key and the peers that they know are the test's own, in a folder that everybody can look into."""
    folder = tempfile.mkdtemp(prefix="cmt-user-")
    test.addCleanup(shutil.rmtree, folder, ignore_errors=True)
    os.chmod(folder, 0o755)
    for variable in "XDG_CONFIG_HOME", "XDG_STATE_HOME":
        os.environ[variable] = os.path.join(folder, variable)


class TransferTest(unittest.TestCase):
    sender_addresses, receiver_addresses = SENDER, RECEIVER

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="cmt-transfer-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.target = os.path.join(self.folder, "target")
        os.mkdir(self.target)
        be_another_user(self)

    def file(self, name, size, seed=1):
        """A file of `size` bytes that no two seeds share."""
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        block = hashlib.shake_256(f"{seed} {name}".encode()).digest(min(size, 1 << 16)) or b""
        with open(path, "wb") as file:
            left = size
            while left > 0:
                left -= file.write(block[:left])
        return path

    def receiver(self, *arguments, where=None, **options):
        """Returns when it listens."""
        where = ["-d", self.target] if where is None else where
        program = Program(self, [RECV, "--bind", self.receiver_addresses, *where, *arguments], **options)
        wait_for(lambda: "listening" in program.stderr or program.process.poll() is not None, "cmt-recv to listen")
        self.assertIn("listening", program.stderr)
        return program

    def start_send(self, *arguments, **options):
        return Program(self, [SEND, "--bind", self.sender_addresses, "--connect", self.receiver_addresses, *arguments],
                       **options)

    def send(self, *arguments, **options):
        """Runs to its end."""
        program = self.start_send(*arguments, **options)
        program.wait()
        return program

    def assert_sent(self, program):
        self.assertEqual(program.wait(), 0, program.stderr)

    def assert_failed(self, program, message, status=1):
        """`message` is a regular expression."""
        self.assertEqual(program.wait(), status, program.stderr)
        self.assertRegex(program.stderr, message)

    def in_target(self, name):
        return os.path.join(self.target, name)

    def assert_same(self, source, name):
        self.assertEqual(sha256(source), sha256(self.in_target(name)))
        self.assertFalse(os.path.exists(self.in_target(name) + ".cmt-part"))

    def stop_in_the_middle(self, receiver, name, at_least=1 << 20):
        """Halts the receiver when that much of `name` has arrived: the sender soon can send no more."""
        part = self.in_target(name) + ".cmt-part"
        wait_for(lambda: os.path.exists(part) and os.path.getsize(part) >= at_least, f"part of {name}")
        receiver.signal(signal.SIGSTOP)
        self.assertTrue(os.path.exists(part), "the transfer was over before it could be stopped")
        return part
