# SPDX-License-Identifier: BSD-3-Clause
# cost: 10 s
"""The lossy scenarios and `fail` through cmt-lab: goodput, gaps and return to use, in bands, seeds 1 to 5."""

import json
import os
import statistics
import subprocess
import unittest

LAB = os.environ["CMT_LAB"]
SEEDS = range(1, 6)


def run(*arguments):
    done = subprocess.run([LAB, "run", *arguments, "-s", "arrival", "--json"], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(arguments)}: exit status {done.returncode}: {done.stderr}")
    result = json.loads(done.stdout)
    if result["integrity"] != "ok" or result["illegal_decisions"] != 0:
        raise AssertionError(f"{' '.join(arguments)}: {result}")
    print(f"{' '.join(arguments)}: {result['goodput_bps'] / 1e6:.3f} Mbit/s, gap {result['max_delivery_gap_us']} us, "
          f"{result['timeouts']} timeouts", flush=True)
    return result


class Lossy(unittest.TestCase):
    def assert_goodput(self, scenario, low_mbps, high_mbps, *arguments):
        """The results of all seeds: their median within the band, none a tenth outside it."""
        results = [run(scenario, "--seed", str(seed), *arguments) for seed in SEEDS]
        median = statistics.median(r["goodput_bps"] for r in results)
        self.assertGreaterEqual(median, low_mbps * 1e6)
        self.assertLessEqual(median, high_mbps * 1e6)
        for r in results:
            with self.subTest(scenario=scenario, seed=r["seed"]):
                self.assertGreaterEqual(r["goodput_bps"], low_mbps * 0.9e6)
                self.assertLessEqual(r["goodput_bps"], high_mbps * 1.1e6)
        return results

    def test_ocps(self):
        self.assert_goodput("ocps", 1.95, 2.25)

    def test_wifi_lte(self):
        for r in self.assert_goodput("wifi-lte", 36, 40):
            self.assertEqual(r["timeouts"], 0)

    def test_dsl_sat(self):
        self.assert_goodput("dsl-sat", 19.2, 21)

    def test_fail(self):
        for r in self.assert_goodput("fail", 15.9, 17):
            with self.subTest(seed=r["seed"]):
                self.assertLessEqual(r["max_delivery_gap_us"], 1000000)
                self.assertLessEqual(r["paths"][0]["reuse_delay_us"], 2000000)
                self.assertIsNone(r["paths"][1]["reuse_delay_us"])

    def test_bursts(self):
        # Gilbert-Elliott: five packets in a row every two hundred, and longer bursts that lose half.
        self.assert_goodput("10Mbit/20ms/q=100p,10Mbit/30ms/q=100p,ge=0.005:0.2:1,duration=10s", 16, 18.5)
        self.assert_goodput("10Mbit/20ms/q=100p,10Mbit/30ms/q=100p,ge=0.002:0.05:0.5,duration=10s", 15, 18.5)


if __name__ == "__main__":
    unittest.main()
