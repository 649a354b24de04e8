# SPDX-License-Identifier: BSD-3-Clause
"""--qlog: every record is JSON with the fields of docs/qlog.md, and what they say adds up. USDT probes are there."""
import collections
import json
import os
import re
import subprocess
import unittest

from transfer_programs import RECEIVER, SENDER, Program, TransferTest, wait_for

LAB = os.environ["CMT_LAB"]
PERF = os.environ["CMT_PERF"]
FIELDS = {
    "association_started": {"local_port", "remote_port"},
    "association_ended": set(),
    "path_state_updated": {"new"},
    "packet_sent": {"header", "raw", "chunks", "frames", "retransmission", "ahead_tsns"},
    "packet_received": {"header", "arrival_us"},
    "chunk_acked": {"tsn", "length", "packet_number"},
    "chunk_lost": {"tsn", "length", "packet_number"},
    "chunk_spurious": {"tsn", "length", "packet_number"},
    "metrics_updated": {"smoothed_rtt", "congestion_window", "bytes_in_flight", "ssthresh", "delivery_rate_bps",
                        "chunks_lost"},
    "mtu_updated": {"old", "new", "done"},
}


def records(path):
    """Of a JSON text sequence (RFC 7464)."""
    with open(path, "rb") as file:
        parts = file.read().split(b"\x1e")
    assert parts[0] == b"", "something stands before the first record"
    assert all(part.endswith(b"\n") for part in parts[1:]), "a record does not end in a line feed"
    return [json.loads(part) for part in parts[1:]]


class QlogTest(TransferTest):
    def events(self, path):
        """Of the file, checked one by one."""
        head, *events = records(path)
        self.assertEqual(head["file_schema"], "urn:ietf:params:qlog:file:sequential")
        self.assertEqual(head["serialization_format"], "application/qlog+json-seq")
        self.assertEqual(head["trace"]["common_fields"]["reference_time"]["clock_type"], "monotonic")
        self.assertEqual(len(head["trace"]["event_schemas"]), 1)
        before_ms, started, ended = 0, set(), set()
        for event in events:
            schema, name = event["name"].split(":")
            self.assertEqual(schema, "sctp")
            self.assertLessEqual(FIELDS[name], set(event["data"]), event)
            self.assertGreaterEqual(event["time"], before_ms)
            before_ms = event["time"]
            if name == "association_started":
                self.assertNotIn(event["group_id"], started)
                started.add(event["group_id"])
            self.assertIn(event["group_id"], started - ended)
            if name == "association_ended":
                ended.add(event["group_id"])
            self.assertEqual("path" in event, not name.startswith("association"))
            if name == "packet_sent":
                tsns = sum(f["last_tsn"] - f["tsn"] + 1 for f in event["data"]["frames"])
                self.assertEqual(tsns, event["data"]["chunks"])
        return events

    def of(self, events, name, group):
        return [e for e in events if e["name"] == f"sctp:{name}" and e["group_id"] == group]


class Lab(QlogTest):
    def run_lab(self, *arguments):
        done = subprocess.run([LAB, "run", *arguments, "--json"], capture_output=True, text=True, check=True, timeout=100)
        return json.loads(done.stdout)

    def test_both_hosts_tell_the_same_story(self):
        path = os.path.join(self.folder, "lab.qlog")
        arguments = ("wifi-lte", "--bytes", "10MB", "--set", "path.2.at.1s.down=yes", "--set", "path.2.at.2s.down=no")
        result = self.run_lab(*arguments, "--qlog", path)
        self.assertEqual(result["trace_hash"], self.run_lab(*arguments)["trace_hash"])
        events = self.events(path)
        groups = {e["data"]["local_port"]: e["group_id"] for e in events if e["name"] == "sctp:association_started"}
        sender, receiver = groups[5000], groups[5001]
        sent = self.of(events, "packet_sent", sender)
        numbers = collections.defaultdict(list)
        for event in sent:
            numbers[event["path"]].append(event["data"]["header"]["packet_number"])
        for path_id, list_ in numbers.items():
            self.assertEqual(list_, list(range(1, len(list_) + 1)), f"path {path_id}")
        # What was received was sent before, on the same path under the same number.
        times = {(e["path"], e["data"]["header"]["packet_number"]): e["time"] for e in sent}
        received = self.of(events, "packet_received", receiver)
        self.assertGreater(len(received), 1000)
        for event in received:
            self.assertGreater(event["time"], times[event["path"], event["data"]["header"]["packet_number"]])
        # Every chunk is acknowledged once.
        tsns = {t for e in sent for f in e["data"]["frames"] for t in range(f["tsn"], f["last_tsn"] + 1)}
        acked = [e["data"]["tsn"] for e in self.of(events, "chunk_acked", sender)]
        self.assertEqual(sorted(acked), sorted(tsns))
        retransmitted = sum(e["data"]["chunks"] for e in sent if e["data"]["retransmission"])
        self.assertEqual(retransmitted, sum(p["retransmits"] for p in result["paths"]))
        self.assertGreaterEqual(len(self.of(events, "chunk_lost", sender)), 1)
        self.assertGreater(sum(e["data"]["ahead_tsns"] > 0 for e in sent), 0)
        states = [e["data"]["new"] for e in self.of(events, "path_state_updated", sender) if e["path"] == "2"]
        self.assertEqual(states[0], "active")
        self.assertIn("failed", states)
        self.assertEqual(states[-1], "gone")
        self.assertTrue(any("forward_delay_us" in e["data"] for e in self.of(events, "metrics_updated", sender)))

    def test_without_a_scheduler(self):
        path = os.path.join(self.folder, "stock.qlog")
        self.run_lab("sarwar1", "-s", "stock", "--bytes", "200kB", "--qlog", path)
        names = collections.Counter(e["name"] for e in self.events(path))
        self.assertGreater(names["sctp:packet_sent"], 100)
        self.assertEqual(names["sctp:chunk_acked"], 0)

    def test_no_such_folder(self):
        self.assert_failed(Program(self, [LAB, "run", "sarwar1", "--bytes", "10kB", "--qlog", "/no/such/x"]),
                           "--qlog /no/such/x: No such file", status=2)


class Programs(QlogTest):
    def test_sums_are_those_of_the_statistics(self):
        """cmt-perf reads its statistics when the result has come: only acknowledgements may be younger. Copies, which
        events call retransmissions and statistics do not: bulk makes none."""
        files = [os.path.join(self.folder, f"{side}.qlog") for side in ("server", "client")]
        server = Program(self, [PERF, "-s", "-1", "--bind", RECEIVER, "--qlog", files[0]])
        wait_for(lambda: "listening" in server.stderr, "cmt-perf to listen")
        client = Program(self, [PERF, "-c", RECEIVER, "--bind", SENDER, "-n", "2MB", "-P", "2", "-J", "--sched", "bulk",
                                "--qlog", files[1]])
        self.assertEqual(client.wait(), 0, client.stderr)
        self.assertEqual(server.wait(), 0, server.stderr)
        self.events(files[0])
        events = self.events(files[1])
        streams = json.loads(client.stdout)["end"]["streams"]
        groups = {e["group_id"] for e in events}
        self.assertEqual(len(groups), 2)
        counted = sorted(tuple(sorted(self.sums(events, group).items())) for group in groups)
        stated = sorted(tuple(sorted((p["id"], (p["sent_packets"], p["sent_bytes"], p["retransmits"]))
                                     for p in stream["paths"])) for stream in streams)
        self.assertEqual(counted, stated)

    def sums(self, events, group):
        """{path: (packets, bytes, retransmitted chunks)}."""
        out = {int(e["path"]): (0, 0, 0) for e in self.of(events, "path_state_updated", group)}
        for event in self.of(events, "packet_sent", group):
            packets, length, again = out[int(event["path"])]
            data = event["data"]
            out[int(event["path"])] = (packets + 1, length + data["raw"]["payload_length"],
                                       again + (data["chunks"] if data["retransmission"] else 0))
        return out

    def test_what_cannot_be_written(self):
        arguments = [PERF, "-c", RECEIVER, "--bind", SENDER, "-n", "1kB"]
        self.assert_failed(Program(self, [*arguments, "--qlog", "/no/such/x"]), "--qlog /no/such/x: No such file")
        self.assert_failed(Program(self, [*arguments, "--qlog", "/dev/full"]), "--qlog: the file is incomplete: No space")


class Probes(unittest.TestCase):
    def test_they_are_there(self):
        notes = subprocess.run(["readelf", "-n", LAB], capture_output=True, text=True, check=True).stdout
        probes = re.findall(r"Provider: usrsctp_cmt\s+Name: (\w+)\s+Location: \w+, Base: \w+, Semaphore: (\w+)\s+"
                            r"Arguments: (.*)", notes)
        arguments = {name: len(text.split()) for name, _, text in probes}
        self.assertEqual(arguments, {"association_started": 3, "association_ended": 1, "path_state": 3,
                                     "packet_sent": 7, "packet_received": 3, "chunk_acked": 5, "chunk_lost": 5,
                                     "chunk_spurious": 5, "metrics": 8, "mtu": 4})
        semaphores = [int(semaphore, 16) for _, semaphore, _ in probes]
        self.assertEqual(len(set(semaphores)), len(probes))
        self.assertNotIn(0, semaphores)


if __name__ == "__main__":
    unittest.main()
