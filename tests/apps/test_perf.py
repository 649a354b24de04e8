# SPDX-License-Identifier: BSD-3-Clause
# cost: 5 s
"""cmt-perf: what it measures adds up, and what is wrong is refused."""
import json
import os
import re
import signal
import unittest

from transfer_programs import RECEIVER, SENDER, Program, TransferTest, wait_for
from undisturbed import undisturbed

PERF = os.environ["CMT_PERF"]
SCTP_US = ("min_us", "p50_us", "p95_us", "p99_us", "max_us")


class PerfTest(TransferTest):
    def server(self, *arguments):
        program = Program(self, [PERF, "-s", "--bind", RECEIVER, *arguments])
        wait_for(lambda: "listening" in program.stderr or program.process.poll() is not None, "cmt-perf to listen")
        self.assertIn("listening", program.stderr)
        return program

    def start_client(self, *arguments):
        return Program(self, [PERF, "-c", RECEIVER, "--bind", SENDER, *arguments])

    def client(self, *arguments, status=0):
        program = self.start_client(*arguments)
        self.assertEqual(program.wait(), status, program.stderr)
        return program

    def measure(self, *arguments):
        return json.loads(self.client("-J", *arguments).stdout)


class Measures(PerfTest):
    def assert_sums(self, report, connections=1):
        """Everything sent was received, and intervals and streams make up the sums."""
        end = report["end"]
        self.assertEqual(end["sum_sent"]["bytes"], end["sum_received"]["bytes"])
        self.assertEqual(end["sum_sent"]["messages"], end["sum_received"]["messages"])
        self.assertEqual(len(end["streams"]), connections)
        self.assertEqual(sum(s["sent_bytes"] for s in end["streams"]), end["sum_sent"]["bytes"])
        self.assertEqual(sum(s["received_bytes"] for s in end["receiver_streams"]), end["sum_received"]["bytes"])
        self.assertEqual(end["latency"]["count"], end["sum_received"]["messages"])
        values = [end["latency"][key] for key in SCTP_US]
        self.assertEqual(values, sorted(values))
        for interval in report["intervals"]:
            self.assertGreater(interval["sum"]["end_s"], interval["sum"]["start_s"])
        return end

    def test_a_number_of_bytes(self):
        self.server()
        report = self.measure("-n", "3000001", "-l", "1000")
        end = self.assert_sums(report)
        # The last message is never shorter than its time stamp.
        self.assertEqual(end["sum_sent"]["bytes"], 3000008)
        self.assertEqual(end["sum_sent"]["messages"], 3001)
        self.assertEqual(report["start"]["test_start"]["msg_bytes"], 1000)
        self.assertEqual(report["start"]["port"], 5201)
        self.assertEqual(end["latency_clock"], "common")
        self.assertTrue(report["start"]["same_host"])
        for side in ("sender", "receiver"):
            self.assertGreater(end["cpu"][side]["user_us"] + end["cpu"][side]["system_us"], 0)
            self.assertGreater(end["cpu"][side]["ns_per_byte"], 0)

    def test_one_message_and_two(self):
        self.server()
        self.assertRegex(self.client("-n", "1000", "-l", "1000").stdout, r"(?m)^latency .* \(1 message, one way")
        self.assertRegex(self.client("-n", "2000", "-l", "1000").stdout, r"(?m)^latency .* \(2 messages, one way")

    @undisturbed
    def test_intervals_and_their_paths(self):
        self.server()
        report = self.measure("-t", "1.2s", "-i", "200ms", "-b", "40Mbit")
        self.assert_sums(report)
        self.assertGreaterEqual(len(report["intervals"]), 3)
        for interval in report["intervals"]:
            self.assertEqual({p["remote"] for p in interval["paths"]}, set(RECEIVER.split(",")))
            self.assertAlmostEqual(sum(p["share"] for p in interval["paths"]), 1, delta=0.01)
        total = sum(i["sum"]["bytes"] for i in report["intervals"])
        self.assertLessEqual(total, report["end"]["sum_sent"]["bytes"])
        self.assertGreater(total, 0.4 * report["end"]["sum_sent"]["bytes"])

    def test_the_server_sends(self):
        self.server()
        report = self.measure("-n", "2MB", "-R")
        end = self.assert_sums(report)
        self.assertEqual(end["sum_received"]["bytes"], 2000000)
        self.assertEqual(end["receiver_streams"][0]["sent_bytes"], 0)
        self.assertGreater(end["streams"][0]["paths"][0]["sent_bytes"], 0)
        self.assertGreater(end["rtt"]["count"], 0)

    @undisturbed
    def test_a_rate_is_kept(self):
        self.server()
        for direction in ([], ["-R"]):
            end = self.assert_sums(self.measure("-t", "2", "-b", "16Mbit", "-l", "1000", *direction))
            self.assertAlmostEqual(end["sum_sent"]["bytes"], 4000000, delta=80000)
            self.assertAlmostEqual(end["sum_sent"]["rate_bps"], 16e6, delta=0.02 * 16e6)

    def test_associations_side_by_side(self):
        self.server()
        report = self.measure("-P", "4", "-n", "500kB")
        end = self.assert_sums(report, connections=4)
        self.assertEqual(end["sum_sent"]["bytes"], 2000000)
        self.assertEqual([s["sent_bytes"] for s in end["streams"]], [500000] * 4)

    def test_large_messages(self):
        self.server()
        end = self.assert_sums(self.measure("-n", "4MB", "-l", "200000"))
        self.assertEqual(end["sum_sent"]["messages"], 20)

    def test_what_iperf3_takes(self):
        server = self.server("-p", "5300")
        self.assertIn("UDP port 5300", server.stderr)
        for where in ([RECEIVER, "-p", "5300"], [RECEIVER + ":5300"], [RECEIVER, "--peer-udp-port", "5300"]):
            client = Program(self, [PERF, "-c", *where, "-B", SENDER, "-J", "-n", "1M", "-l", "16K", "-b", "80M", "-i", "1"])
            self.assertEqual(client.wait(), 0, client.stderr)
            report = json.loads(client.stdout)
            self.assertEqual(report["end"]["sum_received"]["bytes"], 1 << 20)
            self.assertEqual(report["start"]["test_start"]["msg_bytes"], 16384)
            self.assertEqual(report["start"]["test_start"]["rate_bps"], 80_000_000)

    def test_text(self):
        self.server()
        out = self.client("-t", "1", "-i", "300ms", "-b", "8Mbit").stdout
        for word in ("sender", "receiver", "latency", "echo", "p50", "ns a byte", *RECEIVER.split(",")):
            self.assertIn(word, out)

    def test_one_off(self):
        server = self.server("--one-off")
        self.client("-n", "100kB")
        self.assertEqual(server.wait(), 0)
        self.assertIn("test over", server.stderr)


class Stops(PerfTest):
    def running_client(self, *arguments):
        """Returns when it has reported an interval."""
        client = self.start_client("-t", "600", "-b", "8Mbit", "-i", "50ms", *arguments)
        wait_for(lambda: "bit/s" in client.stdout or client.process.poll() is not None, "an interval")
        return client

    def test_a_signal_ends_with_the_summary(self):
        self.server()
        for arguments in ([], ["-R"]):
            client = self.running_client(*arguments)
            client.signal(signal.SIGINT)
            self.assertEqual(client.wait(), 0, client.stderr)
            sent = re.search(r"^sender +([0-9.]+ \w+) +in", client.stdout, re.M)
            received = re.search(r"^receiver +([0-9.]+ \w+) +in", client.stdout, re.M)
            self.assertEqual(sent[1], received[1])
            self.assertNotEqual(sent[1], "0 B")

    def test_the_server_goes_away(self):
        server = self.server()
        client = self.running_client()
        server.signal(signal.SIGTERM)
        self.assert_failed(client, "connection to .* was lost")
        self.assertIn("sender", client.stdout)

    def test_the_client_goes_away(self):
        server = self.server("-1")
        client = self.running_client("-R")
        # The result cannot come, and the second signal does not wait for it.
        server.signal(signal.SIGSTOP)
        client.signal(signal.SIGTERM)
        client.signal(signal.SIGINT)
        self.assert_failed(client, "stopped by a signal")
        server.signal(signal.SIGCONT)
        self.assertEqual(server.wait(), 1)
        self.assertIn("aborted", server.stderr)

    def test_busy(self):
        self.server()
        client = self.running_client()
        self.assert_failed(self.start_client("-t", "1"), "the server says: .* busy")
        client.signal(signal.SIGINT)
        self.assertEqual(client.wait(), 0, client.stderr)
        self.client("-n", "1000")

    def test_nobody_answers(self):
        # Loopback tells that no socket has the port.
        self.assert_failed(self.start_client("-t", "1"), f"cannot connect to {RECEIVER.replace(',', ', ')}, UDP port 5201: "
                           "Connection refused; is cmt-perf -s running there, and with --bind\\? Without --bind a server "
                           "listens on 127.0.0.1 only")


class Refuses(PerfTest):
    WRONG = [
        ([], "either -s .* or -c"),
        (["-s", "-c", "127.0.0.1"], "either -s .* or -c"),
        (["-c", "127.0.0.1", "-t", "x"], '--time: "x" is not a time'),
        (["-c", "127.0.0.1", "-t", "0"], '--time: "0" is out of range; write 1us to 86400s'),
        (["-c", "127.0.0.1", "-t", "1", "-n", "5"], "exclude each other"),
        (["-c", "127.0.0.1", "-n", "-5"], '--bytes: "-5" is not a size'),
        (["-c", "127.0.0.1", "-b", "fast"], '--rate: "fast" is not a rate; write 400kbit'),
        (["-c", "127.0.0.1", "-b", "0bit"], "--rate"),
        (["-c", "127.0.0.1", "-l", "7"], '--msg: "7" is out of range; write 8 to 262144'),
        (["-c", "127.0.0.1", "-l", "1MB"], "--msg"),
        (["-c", "127.0.0.1", "-l", "5000", "--sndbuf", "8000"], "at most half of --sndbuf"),
        (["-c", "127.0.0.1", "-P", "65"], '--parallel: "65" is not a number from 1 to 64'),
        (["-c", "127.0.0.1", "-i", "1us"], '--interval: "1us" is neither 0 \\(none\\) nor a time from 10ms to a day'),
        (["-c", "127.0.0.1", "--port", "0"], "--port"),
        (["-c", "127.0.0.1", "-p", "65536"], '--server-port: "65536" is not a port; write 1 to 65535'),
        (["-c", "127.0.0.1:5300", "-p", "5301"], "-p 5301: the server's addresses have port 5300; write only one of them"),
        (["-s", "-B", "127.0.0.1:5300", "-p", "5301"], "-p 5301: the server's addresses have port 5300"),
        (["-c", "127.0.0.1", "--sched", "fastest"], "--sched"),
        (["-c", "127.0.0.1", "-1"], "--one-off: is for servers"),
        (["-s", "-R"], "are for clients"),
        (["-s", "--frobnicate"], '"--frobnicate": unknown option'),
        (["-s", "more"], '"more": one argument too many'),
    ]

    def test_arguments(self):
        for arguments, message in self.WRONG:
            with self.subTest(arguments):
                self.assert_failed(Program(self, [PERF, *arguments]), message, status=2)

    def test_a_foreign_address(self):
        self.assert_failed(Program(self, [PERF, "-s", "--bind", "192.0.2.1"]), "cannot bind 192.0.2.1: address not on")

    def test_help_and_version(self):
        for option, word in (("--help", "EXIT STATUS"), ("-h", "SYNOPSIS"), ("--version", "cmt-perf "), ("-v", "cmt-perf ")):
            program = Program(self, [PERF, option])
            self.assertEqual(program.wait(), 0)
            self.assertIn(word, program.stdout)


if __name__ == "__main__":
    unittest.main()
