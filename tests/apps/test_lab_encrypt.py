# SPDX-License-Identifier: BSD-3-Clause
"""cmt-lab run --encrypt: what is on the wire, what it costs, what is measured."""

import json
import os
import re
import struct
import tempfile
import unittest

from lab_program import lab

INIT, DTLS = 1, 0x41
HANDSHAKE_S = 0.5
GOODPUT_LEAST = 0.97  # 28 bytes of a packet with a message of 1000 are 2.6 %


def run(*arguments):
    done = lab("run", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def packets(path):
    """Seconds since the first, and the SCTP packet without its IP header, of each in a capture."""
    with open(path, "rb") as file:
        data = file.read()
    at, found = 24, []
    while at < len(data):
        second, us, length = struct.unpack_from("<III", data, at)
        found.append((second + us / 1e6, data[at + 16 + 20:at + 16 + length]))
        at += 16 + length
    return [(t - found[0][0], packet) for t, packet in found]


def encryption(result):
    return result["encrypted"], result["protected_packets"], result["clear_packets"]


class Encrypted(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def test_same_seed_same_packets(self):
        def trace(*arguments):
            return run("sarwar1", "--bytes", "200kB", *arguments)["trace_hash"]

        first = trace("--encrypt")
        self.assertEqual(first, trace("--set", "encrypt=yes"))
        self.assertNotEqual(first, trace())
        self.assertNotEqual(first, trace("--encrypt", "--seed", "2"))
        self.assertEqual(trace(), trace("--encrypt", "--set", "encrypt=no"))

    def test_goodput_loses_what_the_chunk_takes_and_no_more(self):
        for scenario, *arguments in [["sarwar1", "--bytes", "2MB"], ["arabi2", "--duration", "10"],
                                     ["road-warrior", "--duration", "5"]]:
            plain, encrypted = run(scenario, *arguments), run(scenario, *arguments, "--encrypt")
            with self.subTest(scenario=scenario):
                self.assertEqual((plain["integrity"], encrypted["integrity"]), ("ok", "ok"))
                self.assertEqual(encryption(plain), (False, None, None))
                self.assertGreaterEqual(encrypted["goodput_bps"] / plain["goodput_bps"], GOODPUT_LEAST)
                self.assertAlmostEqual(encrypted["goodput_ratio"], plain["goodput_ratio"], delta=0.01)
                self.assertTrue(encrypted["encrypted"])
                self.assertLess(encrypted["clear_packets"], 20)
                self.assertGreater(encrypted["protected_packets"], sum(p["tx_packets"] for p in encrypted["paths"]))

    def test_upstreams_own_multipath_and_a_single_path_are_encrypted_too(self):
        for form in [], ["--only-path", "1"], ["--family", "ipv6"]:
            r = run("sarwar1", "--bytes", "200kB", "-s", "stock", "--encrypt", *form)
            self.assertEqual((r["integrity"], r["encrypted"], r["extension"]), ("ok", True, False))

    def test_chunks_are_measured_as_in_the_clear(self):
        network = "8Mbit/10ms/loss=1%,4Mbit/40ms/corrupt=1%,q=100p,duplicate=1%,bytes=2MB"
        r = run(network, "-s", "rr", "--encrypt")
        self.assertEqual((r["integrity"], r["extension"], r["illegal_decisions"]), ("ok", True, 0))
        # Of 2000 chunks about 13 in a thousand are lost, and each is sent again, once more at most.
        self.assertTrue(15 <= r["retransmits"] <= 60, r["retransmits"])
        self.assertTrue(10 <= r["dup_tsns"] <= 60, r["dup_tsns"])
        self.assertGreater(r["reordered_ratio"], 0.1)
        self.assertGreater(r["rcvbuf_max_bytes"], 1000)
        self.assertAlmostEqual(r["paths"][0]["fwd_delay_mean_us"], 40000, delta=30000)

    def test_competitors_with_and_without_a_stack(self):
        for competitor in ["uncoupled@1", "cubic@1"]:
            r = run("4Mbit/10ms,4Mbit/20ms,q=100p,duration=4s", "--competitor", competitor, "--encrypt")
            self.assertEqual((r["integrity"], "failure" in r["competitors"][0]), ("ok", False), r)
            self.assertGreater(r["competitor_goodput_bps"], 2e5)

    def test_who_comes_while_another_is_protected(self):
        """Its INIT is answered without an association, of which upstream holds locks."""
        r = run("4Mbit/10ms,4Mbit/20ms,q=100p,duration=4s,competitor.path=1,competitor.start=1s", "--encrypt")
        self.assertEqual((r["integrity"], "failure" in r["competitors"][0]), ("ok", False), r)

    def test_nothing_that_was_sent_is_on_the_wire(self):
        text = b"what nobody else shall read, "
        with open(self.path("text"), "wb") as file:
            file.write(text * 5000)
        for form in [], ["--encrypt"]:
            capture = self.path(f"{len(form)}.pcap")
            r = run("sarwar1", "--source", "file:" + self.path("text"), "--pcap", capture, *form)
            seen = packets(capture)
            self.assertEqual((r["integrity"], seen[0][1][12]), ("ok", INIT))
            self.assertEqual(any(text in packet for _, packet in seen), not form)
            if form:
                protected = [packet for _, packet in seen if packet[12] == DTLS]
                # Some of the handshake comes over the slow path, after 0.1 s.
                self.assertEqual({packet[12] for t, packet in seen if t > HANDSHAKE_S}, {DTLS})
                self.assertEqual({len(p) - (struct.unpack_from(">H", p, 14)[0] + 3 & ~3) for p in protected}, {12})
                self.check_keys(capture + ".keys", protected)
            else:
                self.assertFalse(os.path.exists(capture + ".keys"))

    def check_keys(self, path, protected):
        with open(path, encoding="ascii") as file:
            lines = file.read().splitlines()
        form = r"SCTP_DTLS ([0-9a-f]{8}) 0 3 1301 [0-9a-f]{32} [0-9a-f]{24} [0-9a-f]{32}"
        tags = [re.fullmatch(form, line) for line in lines]
        self.assertNotIn(None, tags, lines)
        self.assertEqual(len(tags), 2)
        self.assertEqual({m[1] for m in tags}, {packet[4:8].hex() for packet in protected})

    def test_what_cannot_be_is_named(self):
        for arguments, message in [
            (["run", "sarwar1", "--set", "encrypt=1301"], "cmt-lab: --set encrypt: \"1301\" is not a choice; write yes or no\n"),
            (["sweeps", "--encrypt"], "cmt-lab sweeps: takes no --encrypt; try `cmt-lab sweeps --help`\n"),
            (["run", "sarwar1", "--bytes", "1kB", "--encrypt", "--pcap", self.path("no/a")],
             f"cmt-lab: --pcap {self.path('no/a')}.keys: No such file or directory\n"),
        ]:
            done = lab(*arguments)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", message))

    def test_all_runs_of_a_command_are(self):
        done = lab("compare", "4Mbit/10ms,4Mbit/20ms,bytes=200kB", "-s", "rr", "--encrypt", "--json")
        runs = [run for row in json.loads(done.stdout)["rows"] for run in row["runs"]]
        self.assertGreaterEqual(len(runs), 3)
        self.assertEqual({run["encrypted"] for run in runs}, {True})
        self.assertTrue(json.loads(lab("show", "sarwar1", "--encrypt").stdout)["encrypted"])


if __name__ == "__main__":
    unittest.main()
