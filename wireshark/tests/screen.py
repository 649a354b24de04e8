# SPDX-License-Identifier: BSD-3-Clause
"""A Wireshark on a virtual screen: windows are found and keys are sent by xdotool, pictures come from Xvfb's own
memory (the format of xwd), so that nothing else needs to be installed."""

import os
import re
import shutil
import struct
import subprocess
import time
import zlib

import shark

SIZE = (1400, 860)
TIME_LIMIT_S = 60


def png_of_xwd(data):
    """(width, height, PNG) of a true-colour xwd dump."""
    head = struct.unpack_from(">25I", data)
    size, width, height, lsb_first, bits, stride, colours = head[0], head[4], head[5], head[7], head[11], head[12], head[19]
    if bits != 32 or lsb_first != 0:
        raise ValueError("not a dump of 32 bits per pixel, least significant byte first")
    start = size + 12 * colours
    rows = []
    for y in range(height):
        row = data[start + y * stride:start + y * stride + 4 * width]
        rgb = bytearray(3 * width)
        rgb[0::3], rgb[1::3], rgb[2::3] = row[2::4], row[1::4], row[0::4]
        rows.append(b"\0" + bytes(rgb))

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    return width, height, (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
                           + chunk(b"IDAT", zlib.compress(b"".join(rows), 9)) + chunk(b"IEND", b""))


class Screen:
    """Xvfb and one Wireshark, both as the ordinary user of a shark.Shark."""

    def __init__(self, sh, profile):
        self.sh = sh
        self.folder = os.path.join(sh.home, "screen")
        shutil.copytree(profile, os.path.join(sh.home, "profiles", os.path.basename(profile)))
        os.mkdir(self.folder)
        if os.geteuid() == 0:
            for path, _, files in os.walk(sh.home):
                for name in [path, *(os.path.join(path, file) for file in files)]:
                    os.chown(name, shark.NOBODY, shark.NOBODY)
        self.xvfb = subprocess.Popen(
            [*sh.as_user, "Xvfb", "-displayfd", "1", "-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24", "-fbdir", self.folder,
             "-nolisten", "tcp"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=sh.environment)
        self.display = ":" + self.xvfb.stdout.readline().decode().strip()
        self.wireshark = None
        self.log = open(os.path.join(sh.folder, "wireshark.log"), "w+", encoding="utf-8")

    def start(self, *arguments):
        self.wireshark = subprocess.Popen(
            [*self.sh.as_user, "wireshark", *arguments], stdout=self.log, stderr=self.log, cwd=self.sh.home,
            stdin=subprocess.DEVNULL, env={**self.sh.environment, "DISPLAY": self.display, "QT_STYLE_OVERRIDE": "Fusion"})

    def close(self):
        for process in (self.wireshark, self.xvfb):
            if process is not None:
                process.terminate()
                try:
                    process.wait(20)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
        self.xvfb.stdout.close()
        self.log.close()

    def xdotool(self, *arguments):
        return self.sh.run("xdotool", *arguments, DISPLAY=self.display).stdout

    def windows(self):
        """Visible windows: {title: id}."""
        found = {}
        for window in self.xdotool("search", "--onlyvisible", "--name", ".").split():
            found[self.xdotool("getwindowname", window).strip()] = window
        return found

    def wait_for(self, title):
        """The window whose title matches; waits for it."""
        end = time.monotonic() + TIME_LIMIT_S
        while True:
            windows = self.windows()
            for name, window in windows.items():
                if re.search(title, name):
                    return window
            if time.monotonic() > end or self.wireshark.poll() is not None:
                self.log.seek(0)
                raise AssertionError(f"no window {title!r} among {list(windows)}; {self.log.read()[-2000:]}")
            time.sleep(0.3)

    def place(self, window, x, y, width, height):
        self.xdotool("windowsize", window, str(width), str(height))
        self.xdotool("windowmove", window, str(x), str(y))
        time.sleep(1)

    def keys(self, window, *keys):
        self.xdotool("windowfocus", window)
        for key in keys:
            self.xdotool("key", key)
            time.sleep(0.4)

    def click(self, x, y):
        self.xdotool("mousemove", str(x), str(y), "click", "1")
        time.sleep(0.5)

    def settled_picture(self):
        """The screen, once it has not changed for a second: (width, height, PNG)."""
        path = os.path.join(self.folder, "Xvfb_screen0")
        last, end = None, time.monotonic() + TIME_LIMIT_S
        while True:
            with open(path, "rb") as file:
                data = file.read()
            if data == last or time.monotonic() > end:
                return png_of_xwd(data)
            last = data
            time.sleep(1)
