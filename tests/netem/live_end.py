# SPDX-License-Identifier: BSD-3-Clause
"""One end of a live stream, for check_live; the times of both are of the same monotonic clock.

    python3 live_end.py send CMT_LIVE RATE_BPS SECONDS ARGUMENT...
    python3 live_end.py recv CMT_LIVE ARGUMENT...

send feeds cmt-live by UDP with datagrams that tell their number and time; recv takes what cmt-live gives out. Each
prints one JSON object: cmt-live's own statistics and, recv, [number, us since it was fed] of every datagram.
"""

import json
import socket
import struct
import subprocess
import sys
import tempfile
import time

from lateness import Lateness

IN_PORT, OUT_PORT = 5004, 5005
DATAGRAM_BYTES = 1316
TIMEOUT_S = 30
LOOK_EVERY_S = 0.005


class CmtLive:
    def __init__(self, program, arguments):
        self.err = tempfile.TemporaryFile("w+b")
        self.process = subprocess.Popen([program, *arguments, "--stats", "json"], stdout=subprocess.PIPE,
                                        stderr=self.err)

    def wait_until_said(self, word):
        end = time.monotonic() + TIMEOUT_S
        while word not in self.said() and time.monotonic() < end and self.process.poll() is None:
            time.sleep(0.01)

    def said(self):
        self.err.seek(0)
        return self.err.read().decode(errors="replace")

    def statistics(self):
        out, _ = self.process.communicate(timeout=TIMEOUT_S)
        sys.stderr.write(self.said())
        return {**json.loads(out), "exit": self.process.returncode}


def send(program, rate_bps, seconds, *arguments):
    live = CmtLive(program, [f"udp://:{IN_PORT}", *arguments])
    live.wait_until_said("connected")
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    interval_s = 8 * DATAGRAM_BYTES / float(rate_bps)
    count = int(float(seconds) / interval_s)
    started = time.monotonic()
    with Lateness(LOOK_EVERY_S) as lateness:
        for number in range(count):
            time.sleep(max(0, started + number * interval_s - time.monotonic()))
            stamp = struct.pack("!IQ", number, time.monotonic_ns() // 1000)
            sock.sendto(stamp.ljust(DATAGRAM_BYTES, b"x"), ("127.0.0.1", IN_PORT))
        time.sleep(0.1)
    live.process.terminate()
    return {"fed": count, "stall_us": lateness.max_us, **live.statistics()}


def recv(program, *arguments):
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.bind(("127.0.0.1", OUT_PORT))
    sock.settimeout(0.2)
    live = CmtLive(program, [*arguments, f"udp://127.0.0.1:{OUT_PORT}", "--once"])
    took = []
    while True:
        try:
            data = sock.recv(65536)
        except TimeoutError:
            if live.process.poll() is not None:
                break
            continue
        number, fed_us = struct.unpack("!IQ", data[:12])
        took.append([number, time.monotonic_ns() // 1000 - fed_us])
    return {"took_us": took, **live.statistics()}


print(json.dumps((send if sys.argv[1] == "send" else recv)(*sys.argv[2:])))
