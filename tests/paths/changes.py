#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""changes.py BUILD: uplinks behind NATs are pulled, brought back and rebound while the programs run, in real time: everything
arrives, and an uplink that is back is used."""

import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "package"))
from clean_root import enter_namespaces, run  # noqa: E402
from network import Uplinks, in_namespace  # noqa: E402

BUILD = os.path.realpath(sys.argv[1])
# What 16 and 8 Mbit/s carry in 6 s. One uplink is away for 1.5 s of them.
FILE_BYTES = 17_000_000
LIVE_BYTES = 5_000_000
LIVE_LATENCY = "3s"
LIVE_RATE = "6Mbit"  # what the narrower uplink carries alone
PATIENCE_S = 60


def program(name):
    return os.path.join(BUILD, "apps", name, name)


class ChangesTest(unittest.TestCase):
    def setUp(self):
        self.network = Uplinks()
        self.addCleanup(self.network.close)
        folder = tempfile.TemporaryDirectory(prefix="cmt-paths-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.back = []

    def path(self, name):
        return os.path.join(self.folder, name)

    def make_file(self, name, size):
        with open(self.path(name), "wb") as out:
            out.write(os.urandom(size))

    def read(self, name):
        with open(self.path(name), "rb") as content:
            return content.read()

    def start(self, namespace, *command, **options):
        process = subprocess.Popen(in_namespace(namespace, *command), stderr=subprocess.PIPE, text=True, **options)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def start_server(self, *command, **options):
        """Returns when it listens."""
        process = self.start("server", *command, **{"stdout": subprocess.DEVNULL, **options})
        self.assertIn("listening", process.stderr.readline())
        threading.Thread(target=process.stderr.read, daemon=True).start()
        return process

    def change_uplinks(self, count):
        """Uplink 1 is pulled and brought back; then both get other ports. `count`: of bytes on an uplink."""
        time.sleep(1)
        self.network.pull(1)
        time.sleep(1.5)
        self.network.bring_back(1)
        at_return = count(1)
        time.sleep(1)
        self.back.append(count(1) - at_return)
        for i in (1, 2):
            self.network.rebind(i)
        at_rebinding = [count(i) for i in (1, 2)]
        time.sleep(1)
        self.back += [count(i) - before for i, before in zip((1, 2), at_rebinding)]

    def assert_used(self, least_bytes):
        """After each change, in a second."""
        print(f"{self.id().split('.')[-1]}: bytes in the second after the return of uplink 1, and after rebinding of both: "
              f"{self.back}", flush=True)
        self.assertEqual(len(self.back), 3)
        for count in self.back:
            self.assertGreater(count, least_bytes)

    def test_cmt_send(self):
        self.make_file("film", FILE_BYTES)
        self.start_server(program("cmt-recv"), "--bind", self.network.servers[0], "-d", self.path("in"))
        sender = self.start("client", program("cmt-send"), "--connect", self.network.servers[0], self.path("film"))
        self.change_uplinks(self.network.sent_bytes)
        _, said = sender.communicate(timeout=PATIENCE_S)
        self.assertEqual(sender.returncode, 0, said)
        self.assertEqual(self.read("in/film"), self.read("film"))
        self.assert_used(200_000)

    def test_cmt_live(self):
        # What is later than the budget is left out: it lasts longer than a change does on a machine with other work.
        self.make_file("live", LIVE_BYTES)
        with open(self.path("live"), "rb") as source, open(self.path("arrived"), "wb") as sink:
            receiver = self.start_server(program("cmt-live"), "--bind", self.network.servers[0], "--once", "--latency", LIVE_LATENCY,
                                         "cmt://", "-", stdout=sink)
            sender = self.start("client", program("cmt-live"), "--rate", LIVE_RATE, "--latency", LIVE_LATENCY, "-",
                                f"cmt://{self.network.servers[0]}", stdin=source)
            self.change_uplinks(self.network.sent_bytes)
            _, said = sender.communicate(timeout=PATIENCE_S)
            self.assertEqual(sender.returncode, 0, said)
            self.assertEqual(receiver.wait(timeout=PATIENCE_S), 0)
        self.assertEqual(self.read("arrived"), self.read("live"))

    def test_cmt_gateway(self):
        os.mkdir(self.path("media"))
        self.make_file("media/film.mp4", FILE_BYTES)
        self.start_server(program("cmt-streamd"), "--bind", self.network.servers[0], "-d", self.path("media"))
        gateway = self.start("client", program("cmt-gateway"), "--connect", self.network.servers[0], "--listen", "127.0.0.1:0", "-v")
        said = ""
        while "connected to" not in said or "listening on" not in said:
            line = gateway.stderr.readline()
            self.assertNotEqual(line, "", said)
            said += line
        threading.Thread(target=gateway.stderr.read, daemon=True).start()
        url = re.search(r"listening on (http://[^/]*/)", said)[1] + "film.mp4"
        code = "import sys, urllib.request; sys.stdout.buffer.write(urllib.request.urlopen(sys.argv[1]).read())"
        with open(self.path("arrived"), "wb") as sink:
            player = self.start("client", sys.executable, "-c", code, url, stdout=sink)
            self.change_uplinks(self.network.received_bytes)
            _, said = player.communicate(timeout=PATIENCE_S)
        self.assertEqual(player.returncode, 0, said)
        self.assertEqual(self.read("arrived"), self.read("media/film.mp4"))
        self.assert_used(200_000)


if __name__ == "__main__":
    enter_namespaces()
    run("mount", "-t", "tmpfs", "none", "/run")
    unittest.main(argv=sys.argv[:1])
