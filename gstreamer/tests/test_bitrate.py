# SPDX-License-Identifier: BSD-3-Clause
# cost: 6 s
"""An encoder that follows cmtsink's bit rate: the program of docs/gstreamer.md, over a link whose rate changes."""
import os
import queue
import re
import threading
import time
import unittest

from relay import Relay
from test_live import LiveTest
from transfer_programs import RECEIVER, SENDER, Program, wait_for

PAGE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "docs", "gstreamer.md")
PYTHON = "/usr/bin/python3"  # Debian's, for which its bindings of GStreamer are
SERVER, CLIENT = (addresses.split(",", maxsplit=1)[0] for addresses in (RECEIVER, SENDER))
DELAY_S, QUEUE_S = 0.01, 0.2
FAST_BPS, SLOW_BPS = 3000000, 800000


class Link(Relay):
    """Has a rate towards the server, a delay, and a queue that drops what does not fit."""

    def __init__(self, *arguments):
        self.rate_bps, self.free_at, self.bytes = FAST_BPS, 0.0, 0
        self.waiting = queue.SimpleQueue()
        self.sending = threading.Thread(target=self.send, daemon=True)
        self.sending.start()
        super().__init__(*arguments)

    def passes(self, packet, to_server):
        if to_server:
            now = time.monotonic()
            if self.free_at < now + QUEUE_S:
                self.free_at = max(now, self.free_at) + 8 * len(packet) / self.rate_bps
                self.waiting.put((self.free_at + DELAY_S, packet))
        return not to_server

    def send(self):
        while packet := self.waiting.get():
            time.sleep(max(0, packet[0] - time.monotonic()))
            try:
                self.to_server.send(packet[1])
            except ConnectionRefusedError:
                continue
            self.bytes += len(packet[1])

    def end(self):
        self.waiting.put(None)
        self.sending.join()
        super().end()

    def carries_bps(self, seconds):
        before, since = self.bytes, time.monotonic()
        time.sleep(seconds)
        return 8 * (self.bytes - before) / (time.monotonic() - since)


def program():
    with open(PAGE, encoding="utf-8") as page:
        return re.search(r"^```python\n(.*?)^```$", page.read(), re.M | re.S)[1]


class Bitrate(LiveTest):
    def hints(self, encoder):
        """[(bits per second, direction, certainty)]."""
        return [(int(bps), direction, certainty) for bps, direction, certainty in
                re.findall(r"target-bps=\(guint64\)(\d+), direction=\(string\)(\w+), certainty=\(string\)(\w+)", encoder.stdout)]

    def test_an_encoder_follows_the_link(self):
        self.live("cmt://:5003", "-", "--bind", SERVER, "--udp-port", "5003", ready="listening")
        link = Link(self, CLIENT, SERVER, 5003, 5004)
        encoder = Program(self, [PYTHON, "-c", program(), f"cmt://{SERVER}:5004?localaddress={CLIENT}"])

        def last():
            self.assertIsNone(encoder.process.poll(), encoder.stderr)
            return (self.hints(encoder) or [(0, "", "")])[-1]

        wait_for(lambda: 0.75 * FAST_BPS < last()[0] < FAST_BPS and last()[2] == "measured", "the link's rate to be told")
        self.assertIn("up", [hint[1] for hint in self.hints(encoder)])
        wait_for(lambda: link.carries_bps(0.5) > 0.5 * FAST_BPS, "the encoder to follow")
        seen, link.rate_bps = len(self.hints(encoder)), SLOW_BPS
        wait_for(lambda: 0 < last()[0] < SLOW_BPS, "the link's new rate to be told")
        self.assertIn("down", [hint[1] for hint in self.hints(encoder)[seen:]])
        wait_for(lambda: 0.5 * SLOW_BPS < last()[0] < SLOW_BPS, "it to settle")
        seen, link.rate_bps = len(self.hints(encoder)), FAST_BPS
        wait_for(lambda: last()[0] > 2 * SLOW_BPS, "the link's first rate to be told")
        self.assertIn("up", [hint[1] for hint in self.hints(encoder)[seen:]])


if __name__ == "__main__":
    unittest.main()
