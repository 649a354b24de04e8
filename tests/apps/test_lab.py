# SPDX-License-Identifier: BSD-3-Clause
# cost: 12 s
"""cmt-lab as a process: its command line and what it prints."""

import csv
import json
import os
import re
import tempfile
import unittest

from lab_program import lab


class Arguments(unittest.TestCase):
    def test_what_is_wrong_is_named_with_what_is_accepted(self):
        for arguments, message in [
            (["--cc", "cubic"], "--cc: \"cubic\" is not a congestion control; write one of default, "),
            (["--cc", "linked:"], "--cc: \"linked:\" is not NAME[:KEY=VALUE,..]"),
            (["-s", "auto,,rr"], "-s: \"\" is not a scheduler; write one of stock, "),
            (["-s", ""], "-s: \"\" is not a scheduler; write one of stock, "),
            (["--recovery", "rack"], "--recovery: \"rack\" is not a recovery; write one of default, "),
        ]:
            for command in ["run", "compare"]:
                with self.subTest(command=command, message=message):
                    done = lab(command, "sarwar1", *arguments)
                    self.assertEqual((done.returncode, done.stdout), (2, ""))
                    self.assertTrue(done.stderr.startswith("cmt-lab: " + message), done.stderr)

    def test_groups_of_targets_are_named(self):
        for arguments, message in [
            (["--group", "speed"], "cmt-lab targets: --group: \"speed\" is not a group; write one of "
             "scheduling, recovery, schedulers, film, paths, links"),
            (["recovery"], "cmt-lab targets: takes no name; write --group recovery for one group"),
        ]:
            done = lab("targets", *arguments)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", message + "\n"))

    def test_the_result_says_what_was_asked_for(self):
        for cc, recovery in [("default", "default"), ("linked:hystart=0", "dsack"), ("stock", "none")]:
            done = lab("run", "sarwar1", "--bytes", "20kB", "--cc", cc, "--recovery", recovery, "--json")
            result = json.loads(done.stdout)
            self.assertEqual((result["cc"], result["recovery"], result["integrity"]), (cc, recovery, "ok"))

    def test_list_names_every_policy(self):
        text = lab("list").stdout
        for name in ["arrival", "uncoupled", "linked", "olia", "eifel", "frto", "sarwar1"]:
            self.assertRegex(text, rf"(?m)^  {name}\b")


class WhatNumbersMean(unittest.TestCase):
    def run_lab(self, *arguments, status=0):
        done = lab("run", *arguments, "--json")
        self.assertEqual(done.returncode, status, done.stderr)
        return json.loads(done.stdout)

    def test_a_rate_that_changes_counts_for_as_long_as_it_holds(self):
        for change, mean_bps in (("path.1.at.5s.rate=3Mbit", 2e6), ("path.1.at.5s.rate=500kbit", 0.75e6)):
            r = self.run_lab("1Mbit/5ms/q=20p,duration=10s", "-s", "arrival", "--set", change)
            self.assertAlmostEqual(r["ceiling_bps"], mean_bps * 1000 / 1064, delta=0.005 * mean_bps)
            self.assertGreater(r["goodput_ratio"], 0.95)
            self.assertLess(r["goodput_ratio"], 1.01)  # what was queued at the change left at the old rate

    def test_a_trace_counts_with_what_it_could_carry(self):
        traces = {"steps.csv": ["0,4e6", "2,1e6", "5,2e6"],  # 17 Mbit in 8 s
                  "lte.down": [str(t) for t in range(0, 1001, 4) if not 500 < t < 700]}  # 200 packets in 1 s
        with tempfile.TemporaryDirectory() as folder:
            for name, lines in traces.items():
                with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                    file.write("\n".join(lines) + "\n")
            scenario = os.path.join(folder, "my.ini")
            for name, mean_bps in (("steps.csv", 17e6 / 8), ("lte.down", 200 * 1500 * 8)):
                with open(scenario, "w", encoding="ascii") as file:
                    file.write(f"[scenario]\nduration = 16s\n[path.1]\ndelay = 10ms\nqueue = 40p\n"
                               f"forward.trace = {name}\nback.rate = 5Mbit\n")
                for scheduler in ("auto", "rr"):
                    with self.subTest(name, scheduler=scheduler):
                        r = self.run_lab(scenario, "-s", scheduler)
                        self.assertEqual(r["integrity"], "ok")
                        self.assertAlmostEqual(r["ceiling_bps"], mean_bps * 1000 / 1064, delta=0.02 * mean_bps)
                        self.assertGreater(r["goodput_ratio"], 0.85)
                        self.assertLess(r["goodput_ratio"], 1.0)

    def test_waves_of_a_page_wait_for_what_was_read_and_for_the_request(self):
        # 1, 2 and 4 messages; each wave needs 50 ms, each request the shortest return path: 20 ms, or 50 ms.
        for network, request_ms in (("1Gbit/50ms", 50), ("1Gbit/50ms,1Gbit/50ms/back.delay=20ms", 20)):
            r = self.run_lab(network + ",msg=1000,bytes=7kB,source=page:3", "-s", "cwnd")
            self.assertAlmostEqual(r["duration_us"] / 1e3, 3 * 50 + 2 * request_ms, delta=1)
            self.assertEqual((r["integrity"], r["bytes_delivered"]), ("ok", 7000))
        done = lab("run", "1Gbit/50ms,duration=1s,source=page:3")
        self.assertEqual(done.returncode, 2)
        self.assertIn("source: a page has bytes, not a duration; write bytes = 2MB", done.stderr)
        done = lab("run", "1Gbit/50ms,bytes=1MB,source=page:0")
        self.assertEqual(done.returncode, 2)
        self.assertIn("a number of waves, 1 to 16", done.stderr)

    def test_goodput_of_a_duration_leaves_out_how_the_send_buffer_drains(self):
        network = "4Mbit/10ms,200kbit/10ms,duration=10s"
        for scheduler in ("arrival", "rr"):
            r = self.run_lab(network, "-s", scheduler)
            self.assertEqual(r["goodput_span_us"], 10_000_000)
            self.assertGreater(r["duration_us"], 15_000_000)
            in_time_bps = sum(r["goodput_windows_bps"][:10]) / 10
            self.assertAlmostEqual(r["goodput_bps"], in_time_bps, delta=0.01 * in_time_bps)
        r = self.run_lab("4Mbit/10ms,200kbit/10ms,bytes=500kB", "-s", "arrival")
        self.assertEqual(r["goodput_span_us"], r["duration_us"])
        self.assertAlmostEqual(r["goodput_bps"], 8e6 * 500_000 / r["duration_us"], delta=1)
        r = self.run_lab("4Mbit/10ms,duration=4s,source=cbr:400kbit", "-s", "arrival")
        self.assertAlmostEqual(r["goodput_bps"], 400_000, delta=4000)

    def test_a_run_that_the_time_limit_cuts_is_incomplete_not_corrupt(self):
        r = self.run_lab("1Mbit/5ms,bytes=1MB", "-s", "rr", "--set", "path.1.at.1s.rate=1kbit", status=1)
        self.assertEqual(r["integrity"], "incomplete")
        self.assertRegex(r["failure"], "^not finished within the time limit of [0-9]+ s$")


class SharedLinks(unittest.TestCase):
    def run_lab(self, *arguments):
        done = lab("run", *arguments, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_recovery_counts_from_changes_and_metered_bytes_on_paths_that_cost(self):
        network = "8Mbit/10ms,8Mbit/30ms/cost=2,q=50p,msg=1400,duration=12s"
        r = self.run_lab(network, "--set", "path.1.down=4s-6s")
        self.assertEqual(r["recoveries_missed"], 0)
        self.assertGreater(r["recovery_us"], 20e3)  # a round trip must pass
        self.assertLess(r["recovery_us"], 1e6)
        self.assertEqual(r["metered_bytes"], r["paths"][1]["tx_bytes"])
        self.assertAlmostEqual(r["best_path_ceiling_bps"], 8e6 * 1400 / 1464, delta=1e4)  # of path 2
        r = self.run_lab(network, "--set", "path.2.cost=0", "--only-path", "1", "--set", "path.1.at.4s.rate=16Mbit",
                         "--set", "path.1.loss=3%", "-s", "stock")
        self.assertEqual((r["recoveries_missed"], r["metered_bytes"]), (1, None))
        self.assertGreater(r["recovery_us"], 7.9e6)  # until the end
        self.assertGreater(r["best_path_ceiling_bps"], 12e6 * 1400 / 1500)

    def test_two_paths_share_what_one_link_carries(self):
        r = self.run_lab("20Mbit/10ms,20Mbit/10ms,via=core,link.core=10Mbit/10ms/q=100p,duration=10s", "-s", "rr")
        self.assertAlmostEqual(r["ceiling_bps"], 10e6 * 1000 / 1064, delta=1)
        self.assertGreater(r["goodput_ratio"], 0.97)
        self.assertLess(r["goodput_ratio"], 1.0)
        self.assertEqual(r["drops"], r["shared_links"][0]["drops"])
        for path in r["paths"]:
            self.assertGreater(path["queue_settled_mean_us"], 5000)

    def test_marks_are_counted_and_cut_the_window(self):
        network = "10Mbit/20ms,q=1000p,aqm=codel,duration=5s"
        r = self.run_lab(network + ",ecn=yes", "-s", "stock")
        self.assertGreater(r["ce_marks"], 3)
        self.assertEqual(r["ce_marks"], r["paths"][0]["ce_marks"])
        self.assertGreaterEqual(r["ecn_echoes"], r["ecn_reductions"])
        self.assertGreater(r["ecn_reductions"], 0)
        self.assertEqual(r["retransmits"], 0)
        r = self.run_lab(network, "-s", "stock")
        self.assertEqual((r["ce_marks"], r["ecn_echoes"], r["ecn_reductions"]), (0, 0, 0))
        self.assertGreater(r["retransmits"], 3)
        # In the link that two paths share it is of both.
        r = self.run_lab("20Mbit/10ms,20Mbit/10ms,via=core,link.core=10Mbit/10ms/aqm=codel/ecn=yes/q=1000p,duration=5s",
                         "-s", "rr", "--competitor", "uncoupled@1")
        self.assertGreater(r["shared_links"][0]["ce_marks"], r["ce_marks"] / 2)
        self.assertIsNone(r["ecn_echoes"])

    def test_bursts_and_policers_are_in_the_ceiling(self):
        r = self.run_lab("12Mbit/10ms/wifi=4p:9ms:1ms,20Mbit/10ms/policer=4Mbit:50kB,msg=1000,duration=10s", "-s", "auto")
        data_us = 4 * 1064 * 8 / 12
        self.assertAlmostEqual(r["capacity_bps"], 12e6 * data_us / (data_us + 1000) + 4e6, delta=10)
        self.assertGreater(r["goodput_ratio"], 0.9)
        self.assertLess(r["goodput_ratio"], 1.01)

    def test_the_smaller_mtu_holds(self):
        r = self.run_lab("20Mbit/1ms/via=core,link.core=20Mbit/1ms/mtu=1000,bytes=200kB", "-s", "rr")
        self.assertEqual((r["drops"], r["integrity"]), (0, "ok"))

    def test_a_competitor_takes_its_part_and_is_not_measured_as_ours(self):
        network = "20Mbit/10ms,20Mbit/20ms,link.core=10Mbit/10ms/q=100p,via=core,duration=20s"
        alone = self.run_lab(network, "-s", "rr", "--only-path", "1", "--cc", "uncoupled")
        r = self.run_lab(network, "-s", "rr", "--only-path", "1", "--cc", "uncoupled", "--competitor",
                         "uncoupled@1")
        competitor = r["competitors"][0]
        self.assertEqual((competitor["path"], competitor["cc"], competitor["scheduler"]), (1, "uncoupled", "rr"))
        self.assertEqual(r["competitor_goodput_bps"], competitor["goodput_bps"])
        self.assertAlmostEqual(r["competitor_ratio"], r["goodput_bps"] / r["competitor_goodput_bps"], delta=1e-6)
        # Equal rivals: the same stack over the same path.
        self.assertGreater(r["competitor_ratio"], 0.6)
        self.assertLess(r["competitor_ratio"], 1.7)
        both = r["goodput_bps"] + r["competitor_goodput_bps"]
        self.assertGreater(both, 0.95 * alone["goodput_bps"])
        self.assertLess(both, alone["ceiling_bps"])
        # What is ours: about 1064 bytes on the wire for 1000 delivered, whatever the rival sent.
        self.assertLess(r["paths"][0]["tx_bytes"], 1.1 * r["bytes_delivered"])
        self.assertLess(r["paths"][0]["tx_packets"], 0.8 * r["shared_links"][0]["tx_packets"])
        self.assertIsNone(r["fast_retransmits"])
        self.assertEqual(r["timeouts"], 0)

    def test_a_competitor_counts_from_its_start_and_on_its_path(self):
        network = "5Mbit/10ms,5Mbit/10ms,q=50p,duration=10s,competitor.path=2,competitor.start=5s"
        r = self.run_lab(network, "-s", "rr", "--only-path", "1")
        self.assertGreater(r["competitor_goodput_bps"], 0.9 * 5e6 * 1000 / 1064)
        self.assertGreater(r["goodput_ratio"], 0.97)

    def test_a_competitor_whose_start_comes_after_the_end_does_nothing(self):
        network = "5Mbit/10ms,5Mbit/10ms,q=50p,bytes=100kB,competitor.path=2,competitor.start=3s"
        r = self.run_lab(network, "-s", "rr", "--only-path", "1")
        self.assertEqual(r["integrity"], "ok")
        self.assertEqual(r["competitor_goodput_bps"], 0)

    def test_a_law_fills_a_link_and_shares_it_with_its_like(self):
        network = "10Mbit/20ms/q=50p,10Mbit/20ms/q=50p,msg=1400,source=cbr:100kbit,duration=10s"
        payload_bps = 10e6 * 1448 / 1500
        alone = {law: self.run_lab(network, "--competitor", f"{law}@2")["competitors"][0] for law in ("cubic", "bbr")}
        for law, competitor in alone.items():
            self.assertEqual((competitor["law"], competitor["path"]), (law, 2))
            self.assertGreater(competitor["goodput_bps"], 0.9 * payload_bps, law)
            self.assertLess(competitor["goodput_bps"], 1.01 * payload_bps, law)
        two = self.run_lab(network, "--competitor", "newreno@2", "--competitor", "newreno@2", "--duration", "30")["competitors"]
        self.assertGreater(sum(c["goodput_bps"] for c in two), 0.9 * payload_bps)
        self.assertGreater(min(c["goodput_bps"] for c in two), 0.25 * payload_bps)

    def test_none_takes_the_scenarios_competitors_away(self):
        r = self.run_lab("shared-partial", "--competitor", "none", "--duration", "2")
        self.assertEqual(r["competitors"], [])
        self.assertIsNone(r["competitor_goodput_bps"])

    def test_compare_has_a_row_for_the_competitors_beside_each_scheduler(self):
        done = lab("compare", "20Mbit/10ms,5Mbit/20ms,competitor=linked@1", "-s", "rr", "--bytes", "500kB")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.strip() for line in done.stdout.splitlines()]
        beside = [rows[i - 1].split()[0] for i, row in enumerate(rows) if row.startswith("- its competitor")]
        self.assertEqual(beside, ["stock", "rr", "best"])

    def test_compare_says_what_paths_bring_together(self):
        done = lab("compare", "8Mbit/10ms,4Mbit/30ms,q=50p,bytes=1MB", "-s", "auto", "--json")
        rows = json.loads(done.stdout)["rows"]
        together = rows[1]["goodput_bps"]["median"]
        best, other = (row["goodput_bps"]["median"] for row in rows[2:])
        self.assertAlmostEqual(rows[1]["aggregation_benefit"], (together - best) / other, delta=1e-3)
        self.assertEqual(rows[2]["aggregation_benefit"], 0)
        self.assertAlmostEqual(rows[3]["aggregation_benefit"], other / best - 1, delta=1e-3)

    def test_baselines_stay_upstreams_whatever_control_is_asked_for(self):
        done = lab("compare", "5Mbit/10ms,5Mbit/20ms", "-s", "rr", "--cc", "linked", "--recovery", "none", "--bytes",
                   "200kB", "--json")
        chosen = {(row["scheduler"], run["cc"], run["recovery"])
                  for row in json.loads(done.stdout)["rows"] for run in row["runs"]}
        self.assertEqual(chosen, {("stock", "default", "default"), ("rr", "linked", "none")})

    def test_an_option_that_the_control_has_not_is_refused(self):
        done = lab("run", "sarwar1", "--cc", "linked:speed=1")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--cc: linked has no option \"speed\"; it has hystart, pacing, queue_us", done.stderr)

    def test_an_option_that_the_scheduler_has_not_is_refused(self):
        for option, message in (("speed=1", "-o: lcm has no option \"speed\"; it has quantum_us, queue_us, queue_pkts"),
                                ("quantum_us=1", "-o: quantum_us of lcm must be a whole number from 100 to 1000000, not \"1\"")):
            done = lab("run", "sarwar1", "-s", "lcm", "-o", option)
            self.assertEqual(done.returncode, 2)
            self.assertIn(message, done.stderr)

    def test_bulk_sends_other_packets_than_arrival_over_unequal_paths(self):
        for scenario in ("sarwar1", "sarwar2", "yabandeh", "osia-base"):
            hashes = {json.loads(lab("run", scenario, "--json", "--duration", "2", *form).stdout)["trace_hash"]
                      for form in (["-s", "arrival"], ["-s", "bulk"], ["-s", "bulk", "-o", "bulk_pkts=0"])}
            self.assertEqual(len(hashes), 3, scenario)


class Windows(unittest.TestCase):
    def test_goodput_by_the_second_and_reuse_of_a_path(self):
        done = lab("run", "fail", "-s", "arrival", "--json")
        r = json.loads(done.stdout)
        windows = r["goodput_windows_bps"]
        self.assertEqual(len(windows), r["duration_us"] // 1000000)
        self.assertAlmostEqual(sum(windows) / len(windows), r["goodput_bps"], delta=0.03 * r["goodput_bps"])
        self.assertLess(sum(windows[5:8]) / 3, 10.1e6)
        self.assertGreater(max(windows[:3]), 15e6)
        self.assertIsNone(r["paths"][1]["reuse_delay_us"])
        self.assertGreater(r["paths"][0]["reuse_delay_us"], 0)
        after = int((8e6 + r["paths"][0]["reuse_delay_us"]) / 1e6)
        self.assertGreater(windows[after + 2], 15e6)

    def test_what_is_late_is_copied_not_all_that_is_out_beside_it(self):
        # Jitter closes the window of this network again and again: 200 copies, not 3000.
        r = json.loads(lab("run", "random:18", "-s", "arrival", "--json").stdout)
        self.assertEqual(r["drops"], 0)
        self.assertLess(r["retransmits"], 600)

    def test_the_settled_queue_leaves_the_start_out(self):
        # Slow start overfills the queue; ever since a slow source leaves it empty.
        r = json.loads(lab("run", "4Mbit/10ms/at.1s.rate=40Mbit,q=100p", "-s", "rr", "--duration", "10",
                           "--source", "cbr:5Mbit", "--json").stdout)
        path = r["paths"][0]
        self.assertGreater(path["queue_mean_us"], 1000)
        self.assertLess(path["queue_settled_mean_us"], 500)


class ShownRuns(unittest.TestCase):
    def show(self, folder, *arguments):
        done = lab("show-run", *arguments, "-d", folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(folder, "run.png"), "rb") as picture:
            self.assertEqual(picture.read(4), b"\x89PNG")
        with open(os.path.join(folder, "run.qlog"), encoding="utf-8") as log:
            self.assertIn("qlog", log.readline())
        with open(os.path.join(folder, "run.csv"), encoding="ascii", newline="") as data:
            return [{key: float(value) if value else None for key, value in row.items()} for row in csv.DictReader(data)]

    def test_rates_follow_the_links_and_arrivals_are_as_predicted(self):
        with tempfile.TemporaryDirectory() as folder:
            rows = self.show(folder, "12Mbit/15ms/q=100p/at.4s.rate=3Mbit,8Mbit/40ms/q=100p,msg=1400,duration=8s")
        for begin, end, could in ((2, 3.8, 12), (5.5, 7.8, 3)):
            part = [row for row in rows if begin <= row["time_s"] < end]
            mean = {key: sum(row[key] for row in part) / len(part)
                    for key in part[0] if key.startswith("path_1")}
            self.assertAlmostEqual(mean["path_1_could_mbps"], could, places=2)
            self.assertAlmostEqual(mean["path_1_ours_mbps"], could, delta=0.03 * could)
            self.assertEqual(mean["path_1_theirs_mbps"], 0)
            self.assertAlmostEqual(mean["path_1_way_ms"], 15, delta=0.01)
            self.assertAlmostEqual(mean["path_1_predicted_ms"], mean["path_1_delay_ms"], delta=0.5)
            # What is beyond way and transmission has waited: Little's law.
            waited_ms = mean["path_1_delay_ms"] - 15 - 1500 * 8 / could / 1e3
            self.assertAlmostEqual(mean["path_1_queue_ours_kb"], waited_ms * could / 8, delta=0.4)

    def test_the_queue_of_others_is_theirs(self):
        with tempfile.TemporaryDirectory() as folder:
            rows = self.show(folder, "10Mbit/10ms/q=50p,10Mbit/20ms/q=50p,msg=1400,duration=6s,competitor=cubic@1")
        part = [row for row in rows if 1 <= row["time_s"] < 5.5]
        for row in part:
            self.assertEqual((row["path_2_theirs_mbps"], row["path_2_queue_theirs_kb"]), (0, 0))
            self.assertLess(row["path_1_queue_theirs_kb"] + row["path_1_queue_ours_kb"], 50 * 1.5 + 0.1)
        self.assertGreater(sum(row["path_1_theirs_mbps"] for row in part) / len(part), 3)
        self.assertGreater(sum(row["path_1_queue_theirs_kb"] for row in part) / len(part), 5)


# What the figures of Arabi et al. begin with, on each of three paths.
LATE_BY_60_MS = [word for path in "123" for word in ("--set", f"path.{path}.reorder=0.2%:60ms")]


class Figures(unittest.TestCase):
    def test_unknown_figures_are_refused_with_the_known_ones(self):
        known = ("arabi-fig8, arabi-fig9, arabi-matrix, sarwar-table1, sarwar-table2, sarwar-fig1, sarwar-fig2, "
                 "sarwar-fig5, sarwar-fig6, sarwar-fig7, sarwar-fig8, osia-fig7, osia-fig8, osia-fig9, osia-cross, "
                 "ocps-fig5, ocps-fig6, ocps-fig7, ocps-fig8, yabandeh-table1, yabandeh-fig4, yabandeh-fig5, yabandeh-fig6, "
                 "yabandeh-fig7, video-wifi-lte, video-sarwar2, home")
        for name in [["arabi-fig7"], []]:
            done = lab("figure", *name)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(done.stderr, f"cmt-lab: \"{''.join(name)}\" is not a figure; write one of {known}\n")
        self.assertEqual(lab("figures", "arabi-fig8").returncode, 2)
        for command in ["figure", "figures"]:
            text = lab(command, "--help").stdout
            for name in known.split(", "):
                self.assertRegex(text, rf"(?m)^  {name} ")

    def test_a_figure_has_data_picture_and_claims(self):
        with tempfile.TemporaryDirectory() as folder:
            done = lab("figure", "arabi-fig9", "--seeds", "2", "--duration", "3", "-d", folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            # Two seeds decide nothing.
            self.assertRegex(done.stdout, r"(?m)^not decided  \"it reaches about 10 Mbps\"\n +DSACK: .*: \d+\.\d\d against 10\.00$")
            rows = self.read(f"{folder}/arabi-fig9.csv")
            self.assertEqual({(row["x"], row["series"]) for row in rows},
                             {(s, r) for s in ["rr", "arrival"]
                              for r in ["none", "dsack", "eifel", "frto", "all", "dsack, paper's response", "frto, paper's response"]})
            for scheduler in ["rr", "arrival"]:
                one = json.loads(lab("run", "arabi2", "-s", scheduler, "--cc", "uncoupled", "--recovery", "none",
                                     "--duration", "3", "--seed", "2", "--json", *LATE_BY_60_MS).stdout)
                row = next(r for r in rows if (r["x"], r["series"]) == (scheduler, "none"))
                ends = [float(row["goodput (Mbit/s), least"]), float(row["goodput (Mbit/s), most"])]
                self.assertLess(min(abs(end - one["goodput_bps"] / 1e6) for end in ends), 1e-4)
            seconds = [r for r in self.read(f"{folder}/arabi-fig9-time.csv") if (r["x"], r["series"]) == ("arrival", "eifel")]
            self.assertEqual([float(row["time_s"]) for row in seconds[:3]], [0.5, 1.5, 2.5])
            self.assertGreater(float(seconds[2]["median"]), 8)
            with open(f"{folder}/arabi-fig9.png", "rb") as file:
                self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")

    def test_the_matrix_has_every_cell(self):
        with tempfile.TemporaryDirectory() as folder:
            rows, page = self.make(folder, "arabi-matrix", "--duration", "0.3")
            self.assertEqual((len(rows), len({(r["x"], r["y"], r["series"]) for r in rows})), (80, 80))
            self.assertRegex(page, r"(?m)^\| \"which is about 10Mbps\" \| .* \| 10 Mbit/s \| rr, detector dsack, .* \|$")

    def read(self, path):
        with open(path, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file)) if path.endswith(".csv") else file.read()

    def make(self, folder, name, *arguments):
        done = lab("figure", name, "--seeds", "1", "-d", folder, *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(os.path.getsize(f"{folder}/{name}.png") > 10000)
        self.assertEqual([f for f in os.listdir(folder) if f.endswith(".trace")], [])
        page = self.read(f"{folder}/{name}.md")
        self.assertTrue(page.startswith(f"### {name}\n"), page)
        self.assertIn(f"![{name}]({name}.png)", page)
        self.assertIn("\n| the sentence | holds when | the paper's number | here | holds |\n", page)
        # One seed says nothing about chance.
        self.assertEqual(set(re.findall(r"(?m)\| \*\*(.+)\*\* \|$", page)), {"not decided"})
        return self.read(f"{folder}/{name}.csv"), page

    def test_a_level_over_time_is_what_the_trace_says(self):
        with tempfile.TemporaryDirectory() as folder:
            rows, page = self.make(folder, "sarwar-table1")
            self.assertEqual([r["series"] for r in rows], ["rr", "lcm", "arrival", "auto"])
            curves = self.read(f"{folder}/sarwar-table1-time.csv")
            trace = f"{folder}/one.csv"
            lab("run", "sarwar1", "-s", "rr", "--duration", "10", "--sndbuf", "200kB", "--rcvbuf", "10kB", "--trace", trace)
            arrived = [r for r in self.read(trace) if int(r["time_us"]) < 200000]
            last = [r for r in curves if r["series"] == "rr" and r["quantity"] == "delivered in order (packets)"][-1]
            self.assertEqual((last["time_s"], float(last["median"])), ("0.2000", int(arrived[-1]["delivered_bytes"]) / 1000))
            self.assertIn("| 0.070 | 10.0 |", page)
            waits = [float(r["median"]) for r in curves
                     if r["series"] == "rr" and r["quantity"] == "in the receive buffer (packets)"]
            self.assertAlmostEqual(float(rows[0]["wait from 60 to 100 ms (packets)"]), sum(waits[6:10]) / 4, delta=0.01)
            for row in arrived:
                self.assertEqual(int(row["path_1_bytes"]) + int(row["path_2_bytes"]),
                                 int(row["delivered_bytes"]) + int(row["rcvbuf_bytes"]))

    def test_a_grid_has_every_cell(self):
        with tempfile.TemporaryDirectory() as folder:
            rows, _ = self.make(folder, "osia-fig7")
            self.assertEqual(len({(r["x"], r["y"], r["series"]) for r in rows}), 5 * 5 * 7)
            one = json.loads(lab("run", "osia-base", "-s", "rr", "--set", "path.2.delay=200ms", "--set",
                                 "path.2.rate=3Mbit", "--json").stdout)
            cell = next(r for r in rows if (r["x"], r["y"], r["series"]) == ("4", "3", "rr"))
            self.assertEqual(float(cell["3-dupACK events"]), one["three_dupack_events"])

    def test_lines_have_every_series_at_every_x(self):
        with tempfile.TemporaryDirectory() as folder:
            rows, page = self.make(folder, "yabandeh-fig7")
            self.assertEqual([r["x"] for r in rows[::6]], ["2", "2.5", "3", "3.5", "4"])
            self.assertEqual({r["y"] for r in rows}, {"0.86"})
            alone = [r for r in rows if r["series"] == "one path of B1+B2"]
            self.assertEqual({float(r["most in the receive buffer (packets)"]) for r in alone}, {0})
            self.assertIn("| mean in the receive buffer (packets): 2.5 |", page)


class Sweeps(unittest.TestCase):
    def test_unknown_sweeps_are_refused_with_the_known_ones(self):
        known = "rcvbuf, jitter, delay-error, loss, latency, paths, random, random-lossy"
        for name in [["speed"], []]:
            done = lab("sweep", *name)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(done.stderr, f"cmt-lab: \"{''.join(name)}\" is not a sweep; write one of {known}\n")
        for command in ["sweeps", "results"]:
            self.assertEqual(lab(command, "rcvbuf").returncode, 2)

    def test_a_sweep_has_data_picture_and_its_section_of_a_page_that_people_may_write_on(self):
        with tempfile.TemporaryDirectory() as folder:
            page = f"{folder}/results.md"
            with open(page, "w", encoding="utf-8") as file:
                file.write("# Mine\n\nWritten by hand.\n\n## Also by hand\n\nStays.\n")
            done = lab("sweep", "latency", "--quick", "-d", folder)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            with open(f"{folder}/sweeps/latency.csv", encoding="ascii") as file:
                rows = list(csv.DictReader(file))
            schedulers = list(dict.fromkeys(row["scheduler"] for row in rows))
            self.assertEqual((schedulers[0], schedulers[-1]), ("stock", "best path"))
            self.assertTrue({"rr", "lcm", "arrival"} < set(schedulers))
            self.assertEqual(len(rows), 2 * len(schedulers) * 4)
            one = json.loads(lab("run", "sarwar1", "-s", "arrival", "--source", "cbr:1409774bit", "--duration", "7.5",
                                 "--json").stdout)
            row = next(r for r in rows if (r["metric"], r["scheduler"], r["x"]) == ("latency_p99_us", "arrival", "75"))
            self.assertAlmostEqual(float(row["median"]), one["latency_p99_us"] / 1e3, delta=0.5)
            with open(f"{folder}/sweeps/latency.png", "rb") as file:
                self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")
            with open(page, encoding="utf-8") as file:
                text = file.read()
            self.assertTrue(text.startswith("# Mine\n\nWritten by hand.\n\n## Also by hand\n\nStays.\n"))
            headings = [line for line in text.splitlines() if line.startswith("## ")]
            self.assertEqual(headings, ["## Also by hand", "## Which scheduler to use"])
            with open(f"{folder}/sweeps.md", encoding="utf-8") as file:
                sweeps = file.read()
            headings = [line for line in sweeps.splitlines() if line.startswith("## ")]
            self.assertEqual(headings, ["## Sweep: latency of a constant-rate source"])
            self.assertIn("\n`cmt-lab sweep latency --seeds 1 --quick`\n", sweeps)
            self.assertIn("![Sweep: latency of a constant-rate source](sweeps/latency.png)", sweeps)
            self.assertRegex(text, r"(?m)^\| constant rate, a quarter of the capacity: latency p99 \|[^|]*arrival")

            # From the data alone the same pages come again.
            os.remove(f"{folder}/sweeps/latency.png")
            os.remove(f"{folder}/sweeps.md")
            self.assertEqual(lab("results", "-d", folder).returncode, 0)
            with open(page, encoding="utf-8") as file:
                self.assertEqual(file.read(), text)
            with open(f"{folder}/sweeps.md", encoding="utf-8") as file:
                self.assertEqual(file.read(), sweeps)
            self.assertTrue(os.path.exists(f"{folder}/sweeps/latency.png"))

    def test_a_page_needs_a_sweep(self):
        with tempfile.TemporaryDirectory() as folder:
            done = lab("results", "-d", folder)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(done.stderr, f"cmt-lab results: there is no sweep in {folder}/sweeps; "
                             f"`cmt-lab sweeps -d {folder}` makes them\n")
            self.assertEqual(os.listdir(folder), [])

    def test_a_sentence_needs_its_numbers(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(f"{folder}/sweeps")
            for ours, theirs, claims, loses in [(0.9, 0.3, 1, 0), (0.3, 0.9, 0, 1)]:
                with open(f"{folder}/sweeps/paths.csv", "w", encoding="ascii") as file:
                    file.write("metric,scheduler,x,median,min,max,seeds,quick\n")
                    for scheduler, value in [("stock", theirs), ("arrival", ours), ("best path", 0.2)]:
                        file.write(f"goodput_bps,{scheduler},8,{value},{value},{value},3,0\n")
                self.assertEqual(lab("results", "-d", folder).returncode, 0)
                with open(f"{folder}/results.md", encoding="utf-8") as file:
                    text = file.read()
                self.assertEqual(text.count("`arrival` reaches 0.9 of the ceiling, stock CMT 0.3."), claims)
                self.assertEqual(text.count("most at paths 8: 0.3 against 0.9 of stock."), loses)
                self.assertEqual(text.count("`arrival` is nowhere in the sweeps more than 3 % behind"), 1 - loses)


class Targets(unittest.TestCase):
    def test_a_row_runs_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            what = "predicted against true arrival, p95, path 1, us"
            done = lab("targets", "--only", what, "--seeds", "1", "-d", folder, "--json")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual([row["what"] for row in json.loads(done.stdout)], [what])
            done = lab("targets", "--only", "no such row", "--group", "recovery", "-d", folder)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("no target's name contains \"no such row\"; there are\n  reordering 10 %", done.stderr)

    def test_a_journal_is_gone_on_with(self):
        with tempfile.TemporaryDirectory() as folder:
            journal = f"{folder}/journal"

            def measure():
                return lab("targets", "--only", "predicted against true arrival, p95, path 1, us", "--seeds", "1", "-d", folder,
                           "--journal", journal, "--json")

            done = measure()
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            with open(journal, encoding="utf-8") as file:
                lines = file.readlines()
            self.assertEqual(len(lines), 2)
            # What it has is believed, with or without the end of a line that was cut off.
            values = json.loads(lines[1])
            values["values"] = [[1, 7, 9, 7, 0] if column else None for column in values["values"]]
            for cut in "", '{"point":':
                with open(journal, "w", encoding="utf-8") as file:
                    file.write(lines[0] + json.dumps(values) + "\n" + cut)
                self.assertEqual(json.loads(measure().stdout)[0]["arrival"]["measured"], 7)
            with open(journal, encoding="utf-8") as file:
                self.assertTrue(file.read().endswith(cut + "\n"))
            with open(journal, "w", encoding="utf-8") as file:
                file.write(lines[0] + lines[1][:20])
            self.assertEqual(measure().stdout, done.stdout)
            with open(journal, encoding="utf-8") as file:
                self.assertEqual(file.readlines(), [lines[0], lines[1][:20] + "\n", lines[1]])
            with open(journal, "w", encoding="utf-8") as file:
                file.write('{"program_sha256":"0"}\n')
            done = measure()
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(done.stderr, f"cmt-lab: --journal: {journal}: not a journal of this build; name another "
                                          "file, or remove it\n")
            done = lab("targets", "--journal", f"{folder}/none/journal", "-d", folder)
            self.assertEqual((done.returncode, done.stderr),
                             (2, f"cmt-lab: --journal: {folder}/none/journal: No such file or directory\n"))


if __name__ == "__main__":
    unittest.main()
