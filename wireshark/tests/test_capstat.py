# SPDX-License-Identifier: BSD-3-Clause
# cost: 3 s
"""cmt-capstat as a process."""

import json
import os
import re
import unittest

import dtls
import shark

CAPSTAT = os.path.join(os.path.dirname(shark.HERE), "cmt-capstat")


class Capstat(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sh = shark.Shark()
        cls.addClassCleanup(cls.sh.close)
        cls.program = cls.sh.put(CAPSTAT)
        cls.capture = cls.sh.put(os.path.join(shark.CAPTURES, "loss.pcap"))

    def capstat(self, *arguments, **environment):
        return self.sh.run("python3", "-B", self.program, *arguments, **environment)

    def test_the_report_has_what_the_statistic_has(self):
        done = self.capstat(self.capture, "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        report = json.loads(done.stdout)
        self.assertEqual([a["association"] for a in report["associations"]], [1])
        paths = report["associations"][0]["paths"]
        by_column = {(row["From"], row["Path"]): row for row in self.sh.statistic(self.capture)}
        self.assertEqual(len(paths), 4)
        for path in paths:
            row = by_column[path["from"], str(path["path"])]
            for key, column in (("packets", "Packets"), ("lost", "Lost"), ("retransmitted", "Retransmitted"),
                                ("spurious", "Spurious"), ("reordered", "Out of order"), ("reorder_extent_max", "Extent max")):
                self.assertEqual(path[key], int(row[column]))
            if path["delay"]:
                self.assertEqual(path["delay"]["kind"], "transit")
                for key, column in (("min_us", "Delay min ms"), ("mean_us", "Delay mean ms"), ("p95_us", "Delay p95 ms")):
                    self.assertAlmostEqual(path["delay"][key] / 1e3, float(row[column]), delta=6e-4)
        self.assertEqual(sum(path["delay"] is not None for path in paths), 2)

    def test_one_host_knows_delays_above_the_least(self):
        report = json.loads(self.capstat(self.sh.put(os.path.join(shark.CAPTURES, "loss-sent.pcap")), "--json").stdout)
        delays = [path["delay"] for path in report["associations"][0]["paths"] if path["delay"]]
        self.assertEqual({delay["kind"] for delay in delays}, {"above_minimum"})
        self.assertEqual(min(delay["min_us"] for delay in delays), 0)

    def test_captures_of_joined_packets_show_no_losses(self):
        for name in ("offload-sent", "offload-received"):
            with self.subTest(name):
                capture = self.sh.put(os.path.join(shark.CAPTURES, name + ".pcap"))
                report = json.loads(self.capstat(capture, "--json").stdout)
                paths = report["associations"][0]["paths"]
                self.assertEqual({path["lost"] for path in paths}, {0})
                sent = [path for path in paths if ".1:" in path["from"]]
                self.assertGreater(sum(path["packets"] for path in sent), 60)
                self.assertGreater(sum(path["delay"]["samples"] for path in sent if path["delay"]), 30)

    def test_encrypted_packets_are_counted_and_with_keys_read(self):
        encryption = dtls.Encryption()
        encrypted = encryption.capture(os.path.join(shark.CAPTURES, "loss.pcap"), os.path.join(self.sh.folder, "encrypted.pcap"))
        keys = os.path.join(self.sh.folder, "keys.log")
        with open(keys, "w", encoding="ascii") as file:
            file.write(encryption.log)
        os.chmod(encrypted, 0o644)
        os.chmod(keys, 0o644)
        plain = json.loads(self.capstat(self.capture, "--json").stdout)["associations"]
        without = json.loads(self.capstat(encrypted, "--json").stdout)["associations"]
        decrypted = json.loads(self.capstat(encrypted, "--keylog", keys, "--json").stdout)["associations"]
        sealed = sum(p["encrypted"]["packets"] for p in without[0]["paths"])
        # INIT and INIT-ACK are in the clear.
        self.assertEqual(sealed, sum(p["packets"] for p in plain[0]["paths"]) - 2)
        self.assertEqual([p["packets"] for p in without[0]["paths"]], [p["packets"] for p in plain[0]["paths"]])
        for path, packets in zip(without[0]["paths"], plain[0]["paths"]):
            self.assertGreater(path["encrypted"]["bytes"], packets["bytes"] - 2 * 500)
            self.assertLessEqual(path["encrypted"]["bytes"], path["bytes"])
        for path in decrypted[0]["paths"] + plain[0]["paths"]:
            del path["bytes"]
        self.assertEqual(decrypted, plain)
        text = self.capstat(encrypted).stdout
        size = sum(p["encrypted"]["bytes"] for p in without[0]["paths"])
        self.assertIn(f"{sealed} of {sealed + 2} packets are encrypted ({size} bytes) and no key opens them", text)
        self.assertNotIn("encrypted", self.capstat(encrypted, "--keylog", keys).stdout)
        done = self.capstat(encrypted, "--png", "x.png")
        self.assertEqual((done.returncode, done.stderr), (1, "cmt-capstat: no such association with data to draw\n"))

    def test_paths_with_the_same_addresses_have_delays_of_their_own(self):
        """As the same transfer has with addresses of its own for each path."""
        plain = json.loads(self.capstat(self.sh.put(os.path.join(shark.CAPTURES, "loss.pcap")), "--json").stdout)
        report = json.loads(self.capstat(shark.behind_one_address(self.sh.folder), "--json").stdout)
        paths = report["associations"][0]["paths"]
        self.assertEqual({(p["from"], p["to"]) for p in paths if p["delay"]},
                         {("10.1.0.1:40001", "10.1.0.2:9899"), ("10.1.0.1:40002", "10.1.0.2:9899")})
        self.assertEqual([p["delay"] for p in paths if p["delay"]],
                         [p["delay"] for p in plain["associations"][0]["paths"] if p["delay"]])

    def drawn(self, capture):
        """What the picture shows: (seconds, TSN) from the first packet on."""
        gnuplot = os.path.join(self.sh.folder, "gnuplot")
        script = os.path.join(self.sh.home, "script")
        with open(gnuplot, "w", encoding="ascii") as program:
            program.write(f"#!/bin/sh\ncat > {script}\n")
        os.chmod(gnuplot, 0o755)
        done = self.capstat(capture, "--png", "x.png", PATH=self.sh.folder + ":" + self.sh.environment["PATH"])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with open(script, encoding="utf-8") as text:
            return [tuple(map(float, line.split())) for line in text if re.fullmatch(r"-?[0-9.]+ -?[0-9]+\n", line)]

    def test_the_picture_of_joined_packets_goes_no_further_than_their_data(self):
        for name in ("offload-sent", "offload-received"):
            with self.subTest(name):
                capture = self.sh.put(os.path.join(shark.CAPTURES, name + ".pcap"))
                points = self.drawn(capture)
                tsns = [tsn for _, tsn in points]
                self.assertGreater(len(tsns), 60)
                # Each TSN that was sent has a place, and there is no other.
                self.assertEqual((min(tsns), max(tsns)), (0, len(set(tsns)) - 1))
                self.assertLess(max(seconds for seconds, _ in points), 5)

    def test_text_and_picture(self):
        picture = os.path.join(self.sh.home, "loss.png")
        done = self.capstat(self.capture, "--png", picture)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"(?m)^ +1  10\.1\.0\.1 -> 10\.1\.0\.2 +53 +915 kbit/s +2 +17 +8 +9 +57 ")
        self.assertRegex(done.stdout, r"(?m)^ +2  delay, ms: min 53\.063, mean 76\.738, ")
        with open(picture, "rb") as file:
            self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")

    def test_what_is_wrong_is_said(self):
        for arguments, environment, text in (
                ([self.capture], {"WIRESHARK_PLUGIN_DIR": self.sh.home}, "tshark does not load the plugin sctp-cmt"),
                (["/nonexistent.pcap"], {}, "The file \"/nonexistent.pcap\" doesn't exist"),
                ([self.capture, "--png", "x.png", "--association", "9"], {}, "no such association"),
                ([self.capture, "--keylog", "/nonexistent.log"], {}, "--keylog /nonexistent.log: no such file"),
                ([self.capture], {"PATH": None}, "there is no tshark")):
            with self.subTest(text):
                if environment.get("PATH", "") is None:
                    done = self.sh.run("env", "PATH=/nonexistent", "/usr/bin/python3", "-B", self.program, *arguments)
                else:
                    done = self.capstat(*arguments, **environment)
                self.assertEqual(done.returncode, 1)
                self.assertIn(text, done.stderr)
                self.assertNotIn("Traceback", done.stderr)

if __name__ == "__main__":
    unittest.main()
