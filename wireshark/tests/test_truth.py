# SPDX-License-Identifier: BSD-3-Clause
# cost: 12 s
"""The plugin against the lab, which knows: delays to a microsecond, losses, spurious retransmissions and reordering
exactly. The lab's capture has both views; here it is also cut into what each host would have captured."""

import collections
import ipaddress
import json
import math
import os
import statistics
import struct
import subprocess
import unittest

import capture
import shark

LAB = os.environ["CMT_LAB"]
RUNS = {
    "sarwar1": ["sarwar1", "-s", "arrival", "--bytes", "600kB"],
    "losses": ["4Mbit/10ms/loss=3%,2Mbit/60ms/loss=3%", "-s", "rr", "--bytes", "800kB", "--seed", "4"],
    "jitter": ["4Mbit/10ms/jitter=exp:20ms:reorder,1Mbit/40ms/loss=2%", "-s", "rr", "--bytes", "2400kB", "--seed", "8"],
    # The INIT-ACK that answers the second INIT overtakes the other one.
    "raced": ["4Mbit/10ms/jitter=exp:20ms:reorder,1Mbit/40ms/loss=2%", "-s", "rr", "--bytes", "500kB", "--seed", "7"],
    "overflow": ["4Mbit/10ms/queue=10p,1Mbit/50ms/queue=10p", "-s", "rr", "--bytes", "1500kB"],
    "failing": ["2Mbit/20ms/down=1s-4s,2Mbit/20ms", "-s", "auto", "--duration", "5"],
    "ipv6": ["4Mbit/10ms/loss=2%,2Mbit/50ms/loss=2%", "-s", "auto", "--family", "ipv6", "--bytes", "500kB", "--rcvbuf", "4MB"],
    "damage": ["4Mbit/10ms/corrupt=2%,1Mbit/40ms/corrupt=2%", "-s", "rr", "--bytes", "500kB"],
}


def at_host(frames, own_port):
    """What one host sees: its own packets when they leave, the other's when they arrive."""
    def is_own(frame):
        return capture.split(frame.ip)[1][:2] == struct.pack(">H", own_port)
    return [f for f in frames if capture.ttl(f.ip) == (64 if is_own(f) else 63)]


class Run:
    """One run of the lab: its capture, what it counted, and the delay of every packet by (path id, number)."""

    def __init__(self, sh, name):
        path = os.path.join(sh.folder, name + ".pcap")
        done = subprocess.run([LAB, "run", *RUNS[name], "--pcap", path, "--json"], check=True, capture_output=True)
        self.result = json.loads(done.stdout)
        frames = capture.read(path)[1]
        self.both = path
        self.sender = os.path.join(sh.folder, name + "-sender.pcap")
        self.receiver = os.path.join(sh.folder, name + "-receiver.pcap")
        capture.write(self.sender, at_host(frames, capture.LAB_SENDER_PORT))
        capture.write(self.receiver, at_host(frames, capture.LAB_RECEIVER_PORT))
        for file in (self.both, self.sender, self.receiver):
            os.chmod(file, 0o644)
        self.arrived_us, self.delays_us = self.true_arrivals(frames)
        self.new_us, self.duplicates_us = self.true_duplicates(frames)
        self.again_us, self.sacked_us = self.true_answers(frames)
        self.data_lost = {self.sender: self.lost_with_data(frames, self.echoed(frames)),
                          self.receiver: self.lost_with_data(frames, dict.fromkeys(self.arrived_us, frames[-1].at_us))}

    @staticmethod
    def true_arrivals(frames):
        sent, arrivals, delays = {}, {}, {}
        for frame in frames:
            stamp = capture.stamp(capture.split(frame.ip)[1])
            if stamp is not None and capture.ttl(frame.ip) == 64:
                sent[stamp] = frame.at_us
            elif stamp is not None and stamp in sent:
                arrivals.setdefault(stamp[:2], frame.at_us)
                delays.setdefault(stamp[:2], frame.at_us - sent[stamp])
        return arrivals, delays

    @staticmethod
    def true_duplicates(frames):
        """When the last new TSN arrived, and when each that had arrived before did."""
        arrived, new_us, duplicates_us = set(), 0, []
        for frame in frames:
            for chunk in capture.chunks(capture.split(frame.ip)[1]) if capture.ttl(frame.ip) == 63 else ():
                if chunk.kind == capture.DATA and chunk.body[:4] in arrived:
                    duplicates_us.append(frame.at_us)
                elif chunk.kind == capture.DATA:
                    arrived.add(chunk.body[:4])
                    new_us = frame.at_us
        return new_us, duplicates_us

    @staticmethod
    def true_answers(frames):
        """When each TSN left that had left before, and when the receiver's last SACK did."""
        left, again_us, sacked_us = set(), [], 0
        for frame in (f for f in frames if capture.ttl(f.ip) == 64):
            for chunk in capture.chunks(capture.split(frame.ip)[1]):
                if chunk.kind == capture.DATA and chunk.body[:4] in left:
                    again_us.append(frame.at_us)
                elif chunk.kind == capture.DATA:
                    left.add(chunk.body[:4])
                elif chunk.kind == capture.SACK:
                    sacked_us = frame.at_us
        return again_us, sacked_us

    @staticmethod
    def echoed(frames):
        """Packets that the sender heard of, and when what it heard was said."""
        said_us, heard_us = {}, {}
        for frame in frames:
            for chunk in capture.chunks(capture.split(frame.ip)[1]):
                if chunk.kind == capture.ECHO:
                    for path, _, _, _, number in struct.iter_unpack(">HHIII", chunk.body[4:]):
                        if capture.ttl(frame.ip) == 64:
                            said_us[path, number] = frame.at_us
                        else:
                            heard_us[path, number] = said_us[path, number]
        return heard_us

    def lost_with_data(self, frames, known_us):
        """Packets with DATA that are missing, by destination address, as the last known one of each path tells."""
        lost, last = {}, {}
        for (path, number), at_us in known_us.items():
            last[path] = max(last.get(path, (0, 0)), (number, at_us))
        for frame in frames:
            stamp = capture.stamp(capture.split(frame.ip)[1])
            if stamp is not None:
                number, at_us = last[stamp[0]]
                if stamp[1] < number and self.arrived_us.get(stamp[:2], math.inf) > at_us:
                    lost[stamp[:2]] = capture.addresses(frame.ip)[1]
        return collections.Counter(lost.values())


def path_of(row):
    """The lab's number of the path, from its addresses."""
    return int(row["To"].split(".")[1] if "." in row["To"] else row["To"].split(":")[1])


class Truth(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sh = shark.Shark()
        cls.addClassCleanup(cls.sh.close)
        cls.statistics = {}
        cls.runs = {name: Run(cls.sh, name) for name in RUNS}

    def forward(self, file):
        """Rows of the direction that the lab measures, by path."""
        if file not in self.statistics:
            self.statistics[file] = self.sh.statistic(file)
        rows = self.statistics[file]
        return {path_of(row): row for row in rows if row["To"].endswith(".2") or row["To"].endswith("::2")}

    def each(self, check):
        """check(run) for every run in which nothing is damaged: the lab counts that as lost, the plugin as there."""
        for name, run in self.runs.items():
            if name != "damage":
                with self.subTest(name):
                    check(run)

    def assert_lost(self, file, run):
        rows = self.forward(file).values()
        self.assertEqual([int(row["Lost"]) for row in rows],
                         [run.data_lost[file][ipaddress.ip_address(row["To"]).packed] for row in rows])

    def test_forward_delays_are_true_to_a_microsecond(self):
        names = ["sctp.cmt.path_id", "sctp.cmt.path_packet", "sctp.cmt.analysis.data.forward_delay"]

        def check(run):
            for file in (run.sender, run.receiver, run.both):
                rows = self.sh.fields(file, names, "-2", "-Y", names[2])
                offsets = sorted(int(row[names[2]][0]) - run.delays_us[int(row[names[0]][0]), int(row[names[1]][0])]
                                 for row in rows)
                self.assertGreater(len(offsets), 100)
                self.assertLessEqual(offsets[-1] - offsets[0], 1, file)

        self.each(check)

    def test_times_between_two_views_are_exact(self):
        names = ["sctp.cmt.path_id", "sctp.cmt.path_packet", "sctp.cmt.analysis.transit_time"]

        def check(run):
            rows = self.sh.fields(run.both, names, "-Y", f"{names[2]} && {names[0]}")
            for row in rows:
                key = int(row[names[0]][0]), int(row[names[1]][0])
                self.assertEqual(int(row[names[2]][0]), run.delays_us[key])
            self.assertEqual(len(rows), len(run.delays_us))
            # The lab's own mean ends with the transfer; a spurious retransmission may arrive after that.
            for path, row in self.forward(run.both).items():
                delays_us = [us for (path_id, _), us in run.delays_us.items() if path_id == path]
                if delays_us:
                    self.assertAlmostEqual(float(row["Delay mean ms"]), statistics.mean(delays_us) / 1e3, delta=0.001)

        self.each(check)

    def test_losses_are_the_labs(self):
        def check(run):
            for path, row in self.forward(run.both).items():
                self.assertEqual(int(row["Lost"]), run.result["paths"][path - 1]["drops"], path)

        self.each(check)

    def test_losses_are_known_at_the_receiver_too(self):
        self.each(lambda run: self.assert_lost(run.receiver, run))

    def test_losses_are_known_at_the_sender_too_whatever_echoes_are_lost(self):
        self.each(lambda run: self.assert_lost(run.sender, run))
        self.assertGreater(sum(sum(run.data_lost[run.sender].values()) for run in self.runs.values()), 100)
        self.assertGreater(sum(path["back_drops"] for run in self.runs.values() for path in run.result["paths"]), 10)

    def test_spurious_retransmissions_are_the_labs(self):
        seen = []

        def check(run):
            rows = self.forward(run.both).values()
            # A capture does not tell redundant transmissions (arrival) from spurious retransmissions.
            copies = run.result["planned_copies"]
            # The lab's count ends with the transfer.
            late = sum(us > run.new_us for us in run.again_us)
            self.assertEqual(sum(int(row["Retransmitted"]) for row in rows), run.result["retransmits"] + copies + late)
            self.assertEqual(sum(int(row["Spurious"]) for row in rows), run.result["spurious_retransmits"] + copies + late)
            seen.append(run.result["spurious_retransmits"])
            # SACKs report what arrived twice, until the receiver answers with SHUTDOWN.
            reported = sum(int(row["Spurious"]) for row in self.forward(run.receiver).values())
            self.assertEqual(reported, sum(us <= run.sacked_us for us in run.duplicates_us))
            self.assertEqual(run.result["dup_tsns"], sum(us < run.new_us for us in run.duplicates_us))

        self.each(check)
        self.assertGreater(sum(seen), 20)

    def test_reordering_is_the_labs(self):
        def check(run):
            rows = list(self.forward(run.both).values())
            chunks = run.result["bytes_delivered"] / run.result["msg_bytes"]
            reordered = sum(int(row["Out of order"]) for row in rows)
            self.assertAlmostEqual(reordered / chunks, run.result["reordered_ratio"], delta=1 / chunks)
            self.assertEqual(max(int(row["Extent max"]) for row in rows), run.result["reorder_extent_max"])

        self.each(check)

    def test_tsns_that_receivers_track_are_those_of_their_buffers(self):
        """4096 * 2^scale chunks of 256 bytes, the least that one takes: 50 kB, and 4 MB."""
        for name, scale in (("sarwar1", "0"), ("ipv6", "2")):
            rows = self.sh.fields(self.runs[name].both, ["sctp.cmt.tsn_scale"], "-Y", "sctp.cmt.tsn_scale")
            self.assertGreater(len(rows), 100)
            self.assertEqual({value for row in rows for value in row["sctp.cmt.tsn_scale"]}, {scale})

    def test_encrypted_transfers_are_told_as_the_lab_measured_them(self):
        path = os.path.join(self.sh.folder, "encrypted.pcap")
        done = subprocess.run([LAB, "run", *RUNS["losses"], "--encrypt", "--pcap", path, "--json"], check=True,
                              capture_output=True)
        result = json.loads(done.stdout)
        os.chmod(path, 0o644)
        os.chmod(path + ".keys", 0o644)
        keys = ("-o", f"sctp_cmt.keylog_file:{path}.keys")
        rows = {path_of(row): row for row in self.sh.statistic(path, *keys) if row["To"].endswith(".2")}
        self.assertEqual([int(row["Lost"]) for _, row in sorted(rows.items())], [path["drops"] for path in result["paths"]])
        self.assertGreater(sum(int(row["Lost"]) for row in rows.values()), 10)
        self.assertEqual(sum(int(row["Retransmitted"]) for row in rows.values()),
                         result["retransmits"] + result["planned_copies"])
        self.assertEqual(max(int(row["Extent max"]) for row in rows.values()), result["reorder_extent_max"])
        # What came before the keys is in the clear; nothing is left that they do not open.
        self.assertEqual(self.sh.tshark("-r", path, *keys, "-Y", "sctp.cmt.analysis.encrypted"), "")
        self.assertGreater(len(self.sh.tshark("-r", path, *keys, "-Y", "sctp.cmt.dtls.number").splitlines()), 1000)

    def test_damaged_packets_do_not_count(self):
        run = self.runs["damage"]
        # An ABORT with a reflected tag is of neither direction.
        damaged, aborts = (len(self.sh.tshark("-r", run.receiver, "-Y", expression).splitlines())
                           for expression in ("sctp.cmt.damaged", "sctp.abort_t_bit == 1 && !sctp.cmt.damaged"))
        self.assertGreater(damaged, 10)
        rows = self.sh.statistic(run.receiver)
        frames = len(capture.read(run.receiver)[1])
        self.assertEqual(sum(int(row["Packets"]) for row in rows), frames - damaged - aborts)


if __name__ == "__main__":
    unittest.main()
