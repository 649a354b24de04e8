# SPDX-License-Identifier: BSD-3-Clause
"""What the viewer says of qlog files and captures against the lab, which knows."""
import os
import statistics
import struct
import unittest

import capture
from viewing import ViewerTest

RUNS = {
    "losses": ("4Mbit/10ms/loss=3%,2Mbit/60ms/loss=3%", "-s", "rr", "--bytes", "800kB", "--seed", "4"),
    "failing": ("2Mbit/20ms/down=1s-4s,2Mbit/20ms", "-s", "auto", "--duration", "5"),
    "jitter": ("4Mbit/10ms/jitter=exp:20ms:reorder,1Mbit/40ms/loss=2%", "-s", "rr", "--bytes", "800kB", "--seed", "6"),
    "ipv6": ("4Mbit/10ms/loss=2%,2Mbit/50ms/loss=2%", "-s", "auto", "--family", "ipv6", "--bytes", "500kB"),
}
# Handshake and shutdown, which the lab does not count: so many packets of a path, of so many bytes.
CONTROL_PACKETS, CONTROL_BYTES = 8, 2500


class Truth(ViewerTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.runs = {}
        for name, arguments in RUNS.items():
            files = [os.path.join(cls.folder, f"{name}.{kind}") for kind in ("qlog", "pcap")]
            cls.runs[name] = (cls.run_lab(*arguments, "--qlog", files[0], "--pcap", files[1]), *files)

    def test_counts(self):
        for name, (result, qlog, pcap) in self.runs.items():
            with self.subTest(name):
                told, captured = self.shown(qlog), self.shown(pcap)
                self.assertEqual([p["path"] for p in told["paths"]], [1, 2])
                self.assertEqual([p["path"] for p in captured["paths"]], [1, 2])
                for truth, q, c in zip(result["paths"], told["paths"], captured["paths"]):
                    # The same packets, whoever tells of them.
                    self.assertEqual((q["chunks"], q["retransmitted"]), (c["chunks"], c["retransmitted"]))
                    self.assertTrue(0 <= c["packets"] - q["packets"] <= 120, "SACKs and heartbeats")
                    self.assertLessEqual(abs(c["packets"] - truth["tx_packets"]), CONTROL_PACKETS)
                    self.assertLessEqual(abs(c["bytes"] - truth["tx_bytes"]), CONTROL_BYTES)
                    self.assertAlmostEqual(c["share"], truth["share"], delta=0.002)
                for paths in (told["paths"], captured["paths"]):
                    self.assertEqual(sum(p["chunks"] for p in paths), -(-result["bytes_delivered"] // result["msg_bytes"]))
                    self.assertEqual(sum(p["retransmitted"] for p in paths), result["retransmits"] + result["planned_copies"])

    def test_delays(self):
        for name, (result, qlog, pcap) in self.runs.items():
            with self.subTest(name):
                frames = capture.read(pcap)[1]
                true_us = self.true_delays(frames)
                for summary in (self.shown(qlog), self.shown(pcap)):
                    for p in summary["paths"]:
                        delays = sorted(true_us[p["path"]])
                        self.assertEqual(p["delay"]["kind"], "true")
                        self.assertEqual(p["delay"]["samples"], len(delays))
                        self.assertLessEqual(abs(p["delay"]["min_us"] - delays[0]), 1)
                        self.assertLessEqual(abs(p["delay"]["median_us"] - statistics.median_low(delays)), 1)
                        self.assertLessEqual(abs(p["delay"]["p99_us"] - delays[-(-len(delays) * 99 // 100) - 1]), 1)

    @staticmethod
    def true_delays(frames):
        """Of packets with DATA, by Path ID; the observer is another reader of captures."""
        sent, delays = {}, {}
        for frame in frames:
            stamp = capture.stamp(capture.split(frame.ip)[1])
            if stamp is not None and capture.ttl(frame.ip) == 64:
                sent[stamp] = frame.at_us
            elif stamp is not None and stamp in sent:
                delays.setdefault(stamp[0], []).append(frame.at_us - sent.pop(stamp))
        return delays

    def test_losses(self):
        for name in ("losses", "failing", "ipv6"):
            result, _, pcap = self.runs[name]
            with self.subTest(name):
                frames = capture.read(pcap)[1]
                sent, arrived = ([f for f in frames if capture.ttl(f.ip) == ttl and capture.has_data(capture.split(f.ip)[1])]
                                 for ttl in (64, 63))
                lost = sum(p["lost"] for p in self.shown(pcap)["paths"])
                self.assertEqual(self.browser.run("return page.view.flow.lost.n"), lost, "rings")
                self.assertGreater(self.pixels("Sequence", "bad"), 3)
                # Heartbeats and SACKs are lost too, and are not counted.
                self.assertLessEqual(abs(lost - (len(sent) - len(arrived))), 6)
                self.assertGreater(lost, 5)
                self.assertLessEqual(len(sent) - len(arrived), result["drops"])

    def test_failures(self):
        result, qlog, pcap = self.runs["failing"]
        told, captured = self.shown(qlog)["paths"], self.shown(pcap)["paths"]
        self.assertEqual([p["failures"] for p in told], [1, 0])
        self.assertEqual([p["silences"] for p in told], [1, 0])
        self.assertEqual([p["silences"] for p in captured], [1, 0])
        self.assertAlmostEqual(told[0]["longest_gap_us"] / 1e6, 3, delta=0.6)
        self.assertIsNone(captured[0]["failures"])
        self.assertGreater(self.pixels("Failures"), 1000)
        self.assertIsNotNone(result["paths"][0]["reuse_delay_us"])

    def test_behind_nats(self):
        """A packet arrives on another four-tuple than it was sent on: the path is the same, encrypted or not."""
        for more in ((), ("--encrypt",)):
            with self.subTest(more):
                path = self.file("nat.pcap")
                result = self.run_lab("camera-van", "--duration", "2", *more, "--pcap", path)
                paths = self.shown(path)["paths"]
                self.assertEqual(len(paths), 3)
                # Those without data have no number of their own when they are encrypted: by what they carried.
                wanted = sorted(p["tx_bytes"] for p in result["paths"])
                for told, truth in zip(sorted(p["bytes"] for p in paths), wanted):
                    self.assertLessEqual(abs(told - truth), CONTROL_BYTES)
                self.assertTrue(all(p["delay"]["kind"] == "true" for p in paths))

    def test_one_host_alone(self):
        """As a host captures: delays come of echoes, above the least of all paths; losses of the receiver's count."""
        result, _, pcap = self.runs["losses"]
        link, frames = capture.read(pcap)
        true_us = self.true_delays(frames)
        least = min(min(delays) for delays in true_us.values())
        for port in (capture.LAB_SENDER_PORT, capture.LAB_RECEIVER_PORT):
            seen = [f for f in frames if capture.ttl(f.ip) == (64 if capture.split(f.ip)[1][:2] == struct.pack(">H", port) else 63)]
            path = self.file("one.pcap")
            capture.write(path, seen, link)
            summary = self.shown(path)
            for p in summary["paths"]:
                self.assertEqual(p["delay"]["kind"], "relative")
                self.assertLessEqual(abs(p["delay"]["min_us"] - (min(true_us[p["path"]]) - least)), 1500)
            self.assertLessEqual(abs(sum(p["lost"] for p in summary["paths"]) - sum(p["drops"] for p in result["paths"])), 6)


if __name__ == "__main__":
    unittest.main()
