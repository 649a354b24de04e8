# SPDX-License-Identifier: BSD-3-Clause
"""The pure parts of tests/netem: SACKs in a capture made by hand, commands for a network, verdicts on rows."""

import os
import struct
import sys
import tempfile
import threading
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.environ["CMT_SOURCE_DIR"], "tests", "netem"))
import bench_sample
import capture
import comparison
import experiment
import network
import parallel
import player

A, B = 0, 1
ADDRESSES = {A: "10.%d.1.2", B: "10.%d.3.2"}
OUT, IN = 4, 0


def frame(interface, direction, source, destination, sctp):
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 28 + len(sctp), 0, 0, 62, 17, 0,
                     bytes(map(int, source.split("."))), bytes(map(int, destination.split("."))))
    sll2 = struct.pack(">HHIHBB8s", 0x0800, 0, interface, 1, direction, 6, b"")
    return sll2 + ip + struct.pack(">HHHH", 9899, 9899, 8 + len(sctp), 0) + sctp


def pcap(frames, link_type=276):
    out = struct.pack("<IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, link_type)
    for i, data in enumerate(frames):
        out += struct.pack("<IIII", 0, i, len(data), len(data)) + data
    return out


HEADER = bytes(12)


def data(path, tsn, path_id=None, number=0, return_path_id=0):
    sctp = HEADER
    if path_id is not None:
        sctp += struct.pack(">BBHIIHH", 0x9E, 0, 16, 0, number, path_id, return_path_id)
    sctp += struct.pack(">BBHIHHI", 0, 3, 20, tsn, 0, 0, 0) + bytes(4)
    return frame(path, IN, ADDRESSES[A] % path, ADDRESSES[B] % path, sctp)


def sack(path, cumulative_tsn, gaps=(), duplicates=(), echo=(), interface=None, source=None):
    sctp = HEADER + struct.pack(">BBHIIHH", 3, 0, 16 + 4 * len(gaps) + 4 * len(duplicates), cumulative_tsn, 0,
                                len(gaps), len(duplicates))
    sctp += b"".join(struct.pack(">HH", *gap) for gap in gaps) + b"".join(struct.pack(">I", d) for d in duplicates)
    if echo:
        sctp += struct.pack(">BBHI", 0x9F, 0, 8 + 16 * len(echo), 0)
        for elapsed_us, path_id, number in echo:
            sctp += struct.pack(">HHIII", path_id, 1, 0, elapsed_us, number)
    return frame(interface or path, OUT, ADDRESSES[B] % (source or path), ADDRESSES[A] % path, sctp)


def count(*frames):
    return capture.count_sacks(pcap(frames), {1: 1, 2: 2, 3: 3}.get, network.path_of_address).counts


class SacksInACapture(unittest.TestCase):
    def verdict(self, expected, *frames):
        counts = count(*frames)
        self.assertEqual((counts["sacks"], counts[expected]), (1, 1), counts)

    def test_a_sack_on_the_path_of_the_last_data_is_right(self):
        self.verdict("on_data_path", data(1, 10), data(2, 11), sack(2, 11))

    def test_a_sack_on_another_path_is_astray(self):
        self.verdict("astray", data(1, 10), data(2, 11), sack(1, 11))

    def test_data_that_the_sack_does_not_report_was_not_processed_yet(self):
        self.verdict("on_data_path", data(1, 10), data(2, 11), sack(1, 10))

    def test_data_that_a_full_buffer_refused_is_answered_too_unless_an_echo_names_another(self):
        self.verdict("on_data_path", data(1, 10), data(2, 11), sack(2, 10))
        self.verdict("astray", data(3, 9), data(1, 10), data(2, 11), sack(3, 10))
        stamped = [data(1, 10, path_id=1, number=1), data(2, 11, path_id=2, number=1)]
        self.verdict("astray", *stamped, sack(2, 10, echo=[(3, 1, 1)]))

    def test_gap_blocks_report_data_too(self):
        self.verdict("on_data_path", data(1, 10), data(2, 12), sack(2, 10, gaps=[(2, 2)]))
        self.verdict("on_data_path", data(1, 10), data(2, 12), sack(1, 10, gaps=[(3, 3)]))

    def test_tsns_wrap_around(self):
        self.verdict("on_data_path", data(1, 0xFFFFFFFF), data(2, 1), sack(2, 0xFFFFFFFF, gaps=[(2, 2)]))

    def test_the_wished_path_is_right_and_it_alone_when_data_came_elsewhere(self):
        first = data(1, 10, path_id=7, number=1, return_path_id=0)
        second = data(2, 11, path_id=8, number=1, return_path_id=7)
        self.verdict("on_wished_path", first, second, sack(1, 11, echo=[(5, 8, 1)]))
        self.verdict("on_data_path", first, second, sack(2, 11, echo=[(5, 8, 1)]))
        self.verdict("astray", first, second, sack(3, 11, echo=[(5, 8, 1)]))

    def test_the_echo_with_the_smallest_elapsed_time_names_the_data(self):
        frames = [data(1, 10, path_id=1, number=1), data(2, 11, path_id=2, number=1)]
        self.verdict("on_data_path", *frames, sack(1, 11, echo=[(3, 1, 1), (9000, 2, 1)]))
        self.verdict("astray", *frames, sack(2, 11, echo=[(3, 1, 1), (9000, 2, 1)]))

    def test_interface_and_addresses_must_be_of_one_path(self):
        self.verdict("astray", data(1, 10), sack(1, 10, interface=2))
        self.verdict("astray", data(1, 10), sack(1, 10, source=2))

    def test_a_sack_with_duplicates_may_go_anywhere_but_not_with_the_wrong_source(self):
        self.verdict("with_duplicates", data(1, 10), data(1, 10), sack(2, 10, duplicates=[10]))
        self.verdict("astray", data(1, 10), data(1, 10), sack(2, 10, duplicates=[10], source=1))

    def test_nr_sacks_count(self):
        nr_sack = HEADER + struct.pack(">BBHIIHHHH", 16, 0, 24, 10, 0, 1, 0, 0, 0) + struct.pack(">HH", 2, 2)
        out = frame(2, OUT, ADDRESSES[B] % 2, ADDRESSES[A] % 2, nr_sack)
        self.verdict("on_data_path", data(1, 10), data(2, 12), out)

    def test_sacks_are_counted_by_path(self):
        result = capture.count_sacks(pcap([data(1, 1), sack(1, 1), data(2, 2), sack(2, 2), data(2, 3), sack(2, 3)]),
                                     {1: 1, 2: 2}.get, network.path_of_address)
        self.assertEqual(dict(result.leaving), {1: 1, 2: 2})

    def test_other_traffic_and_cut_packets_are_no_sacks(self):
        arp = struct.pack(">HHIHBB8s", 0x0806, 0, 1, 1, OUT, 6, b"") + bytes(40)
        self.assertEqual(count(arp, sack(1, 1)[:60], sack(1, 1)[:40])["sacks"], 0)

    def test_another_kind_of_file_is_refused(self):
        with self.assertRaisesRegex(capture.Malformed, "no pcap"):
            list(capture.packets(b"\n\r\r\n" + bytes(40)))
        with self.assertRaisesRegex(capture.Malformed, "link type 1;"):
            list(capture.packets(pcap([], link_type=1)))


def link(**changes):
    return {"rate_bps": 1_600_000, "delay_us": 10_000, "jitter": None, "queue_pkts": 100, "queue_bytes": None,
            "loss": 0.0, "ge_enter": 0.0, "ge_leave": 0.0, "ge_loss": 0.0, "bit_error": 0.0, "duplicate": 0.0,
            "reorder": 0.0, "reorder_us": 0, "corrupt": 0.0, "mtu_bytes": None, "black_hole_bytes": None, "down": False, "cross": None,
            **changes}


def scenario(forward=None, back=None, changes=(), **more):
    return {"family": "ipv4", "source": "bulk", "changes": list(changes),
            "paths": [{"id": 1, "forward": forward or link(), "back": back or link()}], **more}


class Networks(unittest.TestCase):
    def qdisc(self, scenario_, host, interface):
        start = f"tc -n {host} qdisc add dev {interface} root "
        found = [line[len(start):] for line in network.setup(scenario_) if line.startswith(start)]
        self.assertEqual(len(found), 1, start)
        return found[0]

    def test_queue_and_rate_come_before_the_delay_each_in_a_qdisc_of_its_own(self):
        plain = scenario(back=link(rate_bps=400_000, delay_us=30_000))
        self.assertEqual(self.qdisc(plain, "r", "d1"), "netem limit 101 rate 1600000bit -14 loss 0%")
        self.assertEqual(self.qdisc(plain, "d", "b1"), "netem limit 1000000 delay 10000us")
        self.assertEqual(self.qdisc(plain, "d", "r1"), "netem limit 101 rate 400000bit -14 loss 0%")
        self.assertEqual(self.qdisc(plain, "r", "a1"), "netem limit 1000000 delay 30000us")

    def test_the_hosts_shape_nothing(self):
        self.assertFalse([line for line in network.setup(scenario()) if line.startswith(("tc -n a ", "tc -n b "))])

    def test_loss_and_gilbert_elliott(self):
        self.assertIn("loss 0.500000%", network.bottleneck(link(loss=0.005)))
        self.assertIn("loss gemodel 1.000000% 20.000000% 50.000000% 0%",
                      network.bottleneck(link(ge_enter=0.01, ge_leave=0.2, ge_loss=0.5)))

    def test_an_outage_drops_what_comes_and_keeps_what_waits(self):
        changes = [{"at_us": 3_000_000, "path": 1, "direction": "forward", "link": link(down=True)}]
        self.assertEqual(network.timeline(scenario(changes=changes)),
                         [(3_000_000, "tc -n r qdisc change dev d1 root netem limit 101 rate 1600000bit -14 loss 100%"),
                          (3_000_000, "tc -n d qdisc change dev b1 root netem limit 1000000 delay 10000us")])

    def test_jitter_keeps_the_order_unless_the_scenario_says_otherwise(self):
        jitter = {"kind": "exp", "us": 5000, "reorder": False}
        self.assertEqual(network.propagation(link(jitter=jitter)),
                         "netem limit 1000000 delay 15000us 5000us distribution cmt-exp rate 100gbit")
        self.assertNotIn("rate", network.propagation(link(jitter={**jitter, "reorder": True})))

    def test_distributions_have_mean_zero_and_the_right_spread(self):
        for kind, deviation in (("normal", 1.0), ("exp", 1.0)):
            values = [int(v) / network.DISTRIBUTION_SCALE for v in network.distribution(kind).split()]
            mean = sum(values) / len(values)
            self.assertAlmostEqual(mean, 0, delta=0.03, msg=kind)
            self.assertAlmostEqual((sum(v * v for v in values) / len(values)) ** 0.5, deviation, delta=0.06, msg=kind)

    def test_cross_traffic_has_the_length_of_its_ip_packets(self):
        cross = {"kind": "cbr", "packet_bytes": 1024, "interval_us": 10_000, "on_us": 0, "off_us": 0,
                 "from_us": 20_000_000, "until_us": 40_000_000}
        self.assertEqual(network.cross_traffic(scenario(forward=link(cross=cross)))[0]["payload_bytes"], 996)

    def test_what_tc_cannot_do_is_refused_by_its_key(self):
        for change, key in (({"bit_error": 1e-5}, "path.1.bit_error"), ({"queue_bytes": 50_000}, "path.1.queue"),
                            ({"mtu_bytes": 1400}, "path.1.mtu"), ({"lte": {"interval_us": 1000}}, "path.1.lte"), ({"aqm": "pie"}, "path.1.aqm"),
                            ({"black_hole_bytes": 1400}, "path.1.black_hole"), ({"loss": 0.1, "ge_enter": 0.1}, "path.1.loss")):
            with self.assertRaisesRegex(network.Unsupported, key):
                network.check(scenario(forward=link(**change)))
        with self.assertRaisesRegex(network.Unsupported, "family"):
            network.check(scenario() | {"family": "ipv6"})
        with self.assertRaisesRegex(network.Unsupported, "encrypt"):
            network.check(scenario() | {"encrypted": True})
        for key, name in (("shared_links", "link.NAME"), ("competitors", "competitor")):
            network.check(scenario() | {key: []})
            with self.assertRaisesRegex(network.Unsupported, name):
                network.check(scenario() | {key: [{}]})


class Samples(unittest.TestCase):
    COMMAND = ("cmt-lab compare '1Mbit/10ms/q=30kB,2Mbit/30ms,msg=1400,duration=100s' -s auto --set path.1.forward.trace=A "
               "--set path.2.back.queue=3000kB --set duration=20s")

    def test_a_sample_is_spread_and_no_network_comes_twice(self):
        self.assertEqual(bench_sample.choose(list(range(8)), 3), [0, 4, 5])
        self.assertEqual(bench_sample.choose(list(range(3)), 9), [0, 1, 2])

    def test_a_network_of_a_benchmark_becomes_one_that_tc_has(self):
        inline, settings = bench_sample.read_command(self.COMMAND)
        text = bench_sample.scenario_file(inline, settings, {"A": "# second,bit/s\n0,4e6\n1.5,0\n2,1e6\n"}.get)
        self.assertEqual(text, "[scenario]\nmsg = 1400\nduration = 20s\n\n"
                         "[path.1]\nrate = 1Mbit\ndelay = 10ms\nqueue = 20p\nforward.rate = 4000.000kbit\n"
                         "at.1.5s.forward.rate = 8.000kbit\nat.2s.forward.rate = 1000.000kbit\n\n"
                         "[path.2]\nrate = 2Mbit\ndelay = 30ms\nback.queue = 2000p\n")

    def test_what_tc_has_not_is_refused(self):
        with self.assertRaisesRegex(bench_sample.Unsupported, "single packets"):
            bench_sample.trace_changes("forward", "1\n5\n")
        with self.assertRaisesRegex(bench_sample.Unsupported, "competitor"):
            bench_sample.scenario_file("1Mbit/1ms,bytes=1MB,competitor=cubic@1", {}, None)

    def test_a_table_compares_where_both_are_known(self):
        rows = [{"benchmark": "b", "ceiling": 10, "auto": 8, "plain": 4, "tcp": 5, "mptcp": mptcp} for mptcp in (4, 10, None)]
        self.assertEqual(bench_sample.table(rows).splitlines()[-1],
                         "| `b` | 3 | 0.800 | 0.400 | 0.500 | 0.700 | 1.400 | 0.800 | 0.800 | 1.600 | 1.600 |")
        self.assertIn("| - | - | - | - |", bench_sample.table(rows[2:]))

    def test_a_section_is_replaced_where_it_stands(self):
        page = bench_sample.put_section("# Benchmarks\n\n## A\na\n", "old\n")
        page = bench_sample.put_section(page + "\n## Z\nz\n", "new\n")
        self.assertEqual(page, f"# Benchmarks\n\n## A\na\n\n## {bench_sample.TITLE}\nnew\n\n## Z\nz\n")


def row(scheduler, measured, *predicted, **more):
    result = {"integrity": "ok", "goodput_bps": measured, "goodput_ratio": 0.5, "drops": 0,
              "sacks": {"sacks": 100, "astray": 0}, **more}
    return {"scenario": "s", "scheduler": scheduler, "measured": result,
            "predicted": [{"integrity": "ok", "goodput_bps": p} for p in predicted]}


class Verdicts(unittest.TestCase):
    def violated(self, pattern, *rows):
        found = comparison.violations(list(rows))
        self.assertEqual(len(found), 1, found)
        self.assertRegex(found[0], pattern)

    def test_within_ten_percent_of_the_prediction_is_well(self):
        self.assertEqual(comparison.violations([row("rr", 0.91e6, 1e6), row("arrival", 1.9e6, 1.8e6)]), [])

    def test_more_than_ten_percent_off_is_not(self):
        self.violated(r"s rr: 0\.890 Mbit/s is -11\.0 %", row("rr", 0.89e6, 1e6))
        self.violated(r"\+10\.1 %", row("rr", 1.101e6, 1e6))

    def test_a_range_is_left_by_ten_percent_of_its_nearest_end(self):
        self.assertEqual(comparison.violations([row("rr", 1.21e6, 1.0e6, 1.2e6, 0.9e6)]), [])
        self.assertEqual(comparison.violations([row("rr", 0.82e6, 1.0e6, 1.2e6, 0.9e6)]), [])
        self.violated("off the prediction", row("rr", 1.33e6, 1.0e6, 1.2e6, 0.9e6))
        self.violated("off the prediction", row("rr", 0.80e6, 1.0e6, 1.2e6, 0.9e6))

    def test_a_damaged_transfer_is_told_by_its_failure(self):
        self.violated("s rr: too short", row("rr", None, 1e6, integrity="corrupt", failure="too short"))

    def test_a_transfer_without_goodput_or_prediction_is_not_well(self):
        self.violated("no goodput to compare", row("rr", None, 1e6))
        self.violated("no goodput to compare", row("rr", 1e6))

    def test_more_than_one_sack_in_a_thousand_astray_is_too_much_and_no_sack_is_too_few(self):
        self.assertEqual(comparison.sack_violations(row("rr", 1e6, 1e6, sacks={"sacks": 2000, "astray": 2})), [])
        self.violated("3 of 2000 SACKs", row("rr", 1e6, 1e6, sacks={"sacks": 2000, "astray": 3}))
        self.violated("1 of 100 SACKs", row("rr", 1e6, 1e6, sacks={"sacks": 100, "astray": 1}))
        self.violated("no SACK", row("rr", 1e6, 1e6, sacks={"sacks": 0, "astray": 0}))
        self.violated("no SACK", row("rr", 1e6, 1e6, sacks=None))

    def test_a_clear_order_must_be_the_same(self):
        self.violated("arrival is faster than rr in virtual time and not here",
                      row("rr", 1.09e6, 1e6), row("arrival", 1.08e6, 1.15e6))

    def test_an_unclear_order_may_differ(self):
        self.assertEqual(comparison.violations([row("rr", 1.03e6, 1e6), row("arrival", 1.01e6, 1.05e6)]), [])

    def test_nothing_measured_is_not_well(self):
        self.violated("nothing was measured")

    def test_what_is_off_on_a_late_machine_is_measured_anew(self):
        late, astray = {"lateness_p99_us": 9000}, {"sacks": 100, "astray": 1}
        self.assertTrue(comparison.is_disturbed(row("rr", 0.8e6, 1e6, **late)))
        self.assertTrue(comparison.is_disturbed(row("rr", 0.95e6, 1e6, sacks=astray, **late)))
        self.assertTrue(comparison.is_disturbed(row("rr", 0.8e6, 1e6, lateness_p99_us=500, lateness_max_us=600_000)))
        self.assertFalse(comparison.is_disturbed(row("rr", 0.95e6, 1e6, **late)))
        self.assertFalse(comparison.is_disturbed(row("rr", 0.8e6, 1e6, sacks=astray, lateness_p99_us=500)))
        self.assertFalse(comparison.is_disturbed(row("rr", 0.8e6, 1e6, integrity="corrupt", **late)))

    def test_a_table_shows_what_failed(self):
        text = comparison.table([row("rr", 1e6, 1e6), row("arrival", None, integrity="corrupt", failure="x")])
        self.assertIn("FAILED", text)
        self.assertIn("100 of 100", text)


class Experiments(unittest.TestCase):
    def refused(self, pattern, function, *arguments):
        with self.assertRaisesRegex(experiment.Refused, pattern):
            function(*arguments)

    def test_a_path_for_tcp_that_is_not_there_is_refused(self):
        two_paths = {"scenario": "s", "paths": [{"id": 1}, {"id": 2}]}
        for protocol in ("tcp:1", "tcp:2", "mptcp", "arrival"):
            experiment.check_protocol(two_paths, protocol)
        for protocol in ("tcp", "tcp:", "tcp:0", "tcp:3", "tcp:12"):
            self.refused("s has 2: write tcp:1 or tcp:2", experiment.check_protocol, two_paths, protocol)

    def test_a_file_is_sent_whole_or_its_beginning(self):
        with tempfile.NamedTemporaryFile() as file:
            self.refused("is empty", experiment.send_file, {"bytes": 3}, file.name, False)
            file.write(b"abcdef")
            file.flush()
            for only_beginning, content in ((False, b"abcdef"), (True, b"abc")):
                description = {"bytes": 3}
                experiment.send_file(description, file.name, only_beginning)
                self.assertEqual(description, {"bytes": len(content), "content": content})
            self.refused("has only 6", experiment.send_file, {"bytes": 7}, file.name, True)
        self.refused("No such file", experiment.send_file, {"bytes": 3}, file.name, False)

    def test_other_content_of_the_same_length_is_damage(self):
        outcome = {"problems": [], "received_bytes": 3, "received_sha256": "x", "sent_sha256": "x"}
        self.assertIsNone(experiment.failure_of(outcome, {}, {"bytes": 3}))
        self.assertIn("SHA-256", experiment.failure_of({**outcome, "received_sha256": "y"}, {}, {"bytes": 3}))
        self.assertIn("2 bytes were", experiment.failure_of({**outcome, "received_bytes": 2}, {}, {"bytes": 3}))


class Players(unittest.TestCase):
    def test_a_player_stalls_when_it_has_played_what_came(self):
        growth = [[50000, 60], [80000, 120], [150000, 170], [300000, 240], [310000, 270], [500000, 280]]
        shifted = [[7 + now_us, have] for now_us, have in growth]
        self.assertEqual(player.watch(shifted, 7, 8000, 100000),
                         {"play_wait_us": 230000, "play_startup_us": 80000, "play_stalls": 2,
                          "play_stalled_us": 150000})

    def test_without_data_it_never_starts(self):
        self.assertIsNone(player.watch([], 0, 8000, 100000)["play_startup_us"])


class SideBySide(unittest.TestCase):
    def test_weights_keep_to_what_a_core_holds_and_results_to_their_order(self):
        lock, held, most = threading.Lock(), {0: [], 1: []}, [0]

        def task(name, weight):
            def body(core):
                with lock:
                    held[core].append(weight)
                    most[0] = max(most[0], sum(held[core]))
                time.sleep(0.01)
                with lock:
                    held[core].remove(weight)
                return name

            return body

        tasks = [(weight, task(i, min(weight, 5))) for i, weight in enumerate([3, 9, 4, 2, 1, 5])]
        self.assertEqual(parallel.run(tasks, 5, [0, 1]), [0, 1, 2, 3, 4, 5])
        self.assertEqual(most[0], 5)

    def test_a_failing_task_fails_the_whole(self):
        with self.assertRaises(ZeroDivisionError):
            parallel.run([(1, lambda _: 1 / 0), (1, lambda _: 1)], 1, [0, 1])

    def test_the_failure_is_told_not_that_others_were_left_out(self):
        def fails(_):
            time.sleep(0.02)
            raise ZeroDivisionError

        with self.assertRaises(ZeroDivisionError):
            parallel.run([(1, lambda _: time.sleep(0.05)), (1, lambda _: 1), (1, fails), (1, lambda _: 1)], 1, [0])
        with self.assertRaises(ZeroDivisionError):
            parallel.run([(2, fails)] * 3 + [(1, fails)], 2, [0])

    def test_after_a_failure_nothing_starts(self):
        started = []

        def fails(_):
            time.sleep(0.02)
            raise ZeroDivisionError

        with self.assertRaises(ZeroDivisionError):
            parallel.run([(1, fails)] + [(1, started.append)] * 3, 1, [0])
        self.assertEqual(started, [])


if __name__ == "__main__":
    unittest.main()
