# SPDX-License-Identifier: BSD-3-Clause
# cost: 3 s
"""cmt-lab bench as a process: networks that others recorded, what is written of them."""

import csv
import json
import os
import shlex
import tempfile
import unittest

from lab_program import lab


class Benchmarks(unittest.TestCase):
    def networks(self, folder):
        """A folder of recorded networks as others have them, with one or two of each kind."""
        for name in "conext17", "wifi-cellular":
            os.mkdir(f"{folder}/{name}")
        for rate, name in enumerate(("low-bdp", "low-bdp-loss", "high-bdp", "high-bdp-loss"), 8):
            with open(f"{folder}/conext17/{name}.csv", "w", encoding="ascii") as file:
                file.write("rate1_mbit,delay1_ms,queue1_s,loss1_pct,rate2_mbit,delay2_ms,queue2_s,loss2_pct\n"
                           f"{rate}.00,10.5,0.048,0.00,4.00,20.0,0.1,0.50\n")
        for name, bps in ("a-wifi", "8e6"), ("a-cellular", "4e6"):
            with open(f"{folder}/wifi-cellular/{name}.csv", "w", encoding="ascii") as file:
                file.write("".join(f"{second},{bps}\n" for second in range(4)))

    def test_unknown_benchmarks_are_refused_with_the_known_ones(self):
        done = lab("bench", "speed")
        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (2, "", "cmt-lab: \"speed\" is not a benchmark; write one of conext17, wifi-cellular, "
                          "starlink-cellular, mahimahi, steps, shared, aqm, radio, fct, pages, video, encoder, metered\n"))

    def test_a_network_is_found_again_by_its_command(self):
        with tempfile.TemporaryDirectory() as folder:
            self.networks(folder)
            out = f"{folder}/out"
            done = lab("bench", "wifi-cellular", "--networks", folder, "-d", out, "-s", "rr", "--json", "--seed", "2")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            bench, = json.loads(done.stdout)
            point, = bench["points"]
            self.assertEqual((bench["score"], point["name"]), (point["values"][0], "a wifi cellular"))
            self.assertEqual(shlex.split(point["command"])[:2], ["cmt-lab", "compare"])
            self.assertIn("duration=4s", point["command"])
            again = json.loads(lab(*shlex.split(point["command"])[1:], "--json").stdout)
            together = next(row for row in again["rows"] if row["scheduler"] == "rr")
            self.assertAlmostEqual(together["goodput_bps"]["median"] / again["ceiling_bps"], bench["score"], delta=1e-6)
            best = next(row for row in again["rows"] if row["best_single_path"])
            self.assertAlmostEqual(together["goodput_bps"]["median"] / best["goodput_bps"]["median"], point["values"][2],
                                   delta=1e-6)
            with open(f"{out}/bench/wifi-cellular.csv", encoding="ascii") as file:
                row, = csv.DictReader(file)
            self.assertEqual((row["name"], row["command"]), (point["name"], point["command"]))
            self.assertAlmostEqual(float(row["of the ceiling"]), bench["score"], delta=1e-6)
            with open(f"{out}/bench.md", encoding="ascii") as file:
                page = file.read()
            self.assertIn(point["command"], page)
            self.assertIn("(bench/wifi-cellular.png)", page)
            self.assertTrue(os.path.exists(f"{out}/bench/wifi-cellular.png"))

    def test_a_class_has_every_order_and_size(self):
        with tempfile.TemporaryDirectory() as folder:
            self.networks(folder)
            journal = f"{folder}/journal"
            arguments = ["bench", "conext17", "--networks", folder, "-d", folder, "--only", "256kB", "--journal", journal, "--json"]
            done = lab(*arguments)
            points = json.loads(done.stdout)[0]["points"]
            self.assertEqual([p["name"] for p in points], [f"{name} 1 {order} 256kB" for name in (
                "low-bdp", "low-bdp-loss", "high-bdp", "high-bdp-loss") for order in ("1-2", "2-1")])
            self.assertIn("'4.00Mbit/20.0ms/q=50kB/loss=0.50%,8.00Mbit/10.5ms/q=48kB/loss=0.00%,rcvbuf=6MB,msg=1400,"
                          "bytes=256kB'", points[1]["command"])
            with open(journal, encoding="utf-8") as file:
                self.assertEqual(len(file.readlines()), 1 + 8)
            self.assertEqual(lab(*arguments).stdout, done.stdout)

    def test_without_recordings_what_needs_none_is_measured_and_the_whole_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            done = lab("bench", "--networks", f"{folder}/none", "-d", folder, "--json", "--quick", "--only", "equal 1-2 10kB")
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"cmt-lab bench conext17: {folder}/none/conext17/low-bdp.csv: No such file or directory "
                          "(--networks DIR, or CMT_NETWORKS_DIR, names the folder of recorded networks)\n", done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 6)
            self.assertLessEqual({bench["name"] for bench in json.loads(done.stdout)}, {"fct"})

    def test_several_are_summed_up_on_a_page(self):
        with tempfile.TemporaryDirectory() as folder:
            done = lab("bench", "-d", folder, "--json", "--guard", "--only", "slow 1-2")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            benches = json.loads(done.stdout)
            self.assertEqual([bench["name"] for bench in benches], ["fct", "pages"])
            with open(f"{folder}/bench-summary.md", encoding="ascii") as file:
                page = file.read()
            for bench in benches:
                worst, = (bench["points"][i] for i in bench["worst"])
                self.assertIn(f"| `{bench['name']}` | 1 | {bench['measures'][0]['name']} | {bench['score']:.3f} |", page)
                self.assertIn(f"# {bench['name']}, {worst['name']}: {bench['measures'][0]['name']} {bench['score']:.3f}\n"
                              f"{worst['command']}\n", page)

    def test_what_damages_a_transfer_is_the_worst(self):
        with tempfile.TemporaryDirectory() as folder:
            done = lab("bench", "fct", "-d", folder, "--json", "--only", "equal 1-2 10kB", "--set", "path.1.down=yes",
                       "--set", "path.2.down=yes")
            self.assertEqual(done.returncode, 1)
            bench, = json.loads(done.stdout)
            self.assertEqual((bench["failed"], bench["score"]), (1, 0))


if __name__ == "__main__":
    unittest.main()
