# SPDX-License-Identifier: BSD-3-Clause
# cost: 10 s
"""An encoder that makes what SCTP_CMT_CAPACITY says, through cmt-lab: how soon it is told of a link's new rate, how close
it gets to what the links carry, and for how long it was told too much. Seeds 1 to 3."""

import json
import os
import subprocess
import unittest

LAB = os.environ["CMT_LAB"]
SEEDS = range(1, 4)
LOAD = "msg=1316,rcvbuf=4MB,duration=16s,source=encoder:300kbit-60Mbit"


def run(paths, seed):
    done = subprocess.run([LAB, "run", f"{paths},{LOAD}", "-s", "auto", "--json", "--seed", str(seed)],
                          capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise AssertionError(f"{paths}: exit status {done.returncode}: {done.stderr}")
    result = json.loads(done.stdout)
    print(f"{paths} seed {seed}: {result['hint_of_ceiling']:.2f} of the ceiling, above it for "
          f"{result['hint_above_us']} us, settled after {result['hint_settled_us']} us, latency "
          f"{result['latency_p95_us']} us", flush=True)
    return result


class Capacity(unittest.TestCase):
    def runs(self, paths, least):
        for seed in SEEDS:
            with self.subTest(paths=paths, seed=seed):
                result = run(paths, seed)
                self.assertEqual(result["integrity"], "ok")
                self.assertGreaterEqual(result["hint_of_ceiling"], least)
                self.assertLessEqual(result["hint_of_ceiling"], 1.02)
                self.assertLessEqual(result["hint_above_us"], 1000000)
                self.assertLessEqual(result["latency_p95_us"], 300000)
                yield result

    def assert_settled(self, paths, least=0.86):
        """Within a tenth of what the links carry, a second after the step at the latest."""
        for result in self.runs(paths, least):
            self.assertEqual(result["hints_not_settled"], 0)
            self.assertLessEqual(result["hint_settled_us"], 1000000)

    def test_a_link_becomes_slower(self):
        self.assert_settled("8Mbit/20ms/q=100p/at.6s.rate=4Mbit,4Mbit/40ms/q=100p")
        self.assert_settled("8Mbit/20ms/q=100p,6Mbit/40ms/q=100p/at.6s.rate=2Mbit")

    def test_a_link_becomes_faster(self):
        self.assert_settled("4Mbit/20ms/q=100p/at.6s.rate=8Mbit,4Mbit/40ms/q=100p")
        self.assert_settled("8Mbit/20ms/q=100p,2Mbit/40ms/q=100p/at.6s.rate=6Mbit")

    def test_down_and_up_with_little_beside(self):
        self.assert_settled("50Mbit/10ms/q=100p/at.6s.rate=20Mbit/at.10s.rate=50Mbit,10Mbit/40ms/q=100p", 0.88)

    def test_an_outage(self):
        self.assert_settled("8Mbit/20ms/q=100p/at.6s.down=yes/at.9s.down=no,4Mbit/40ms/q=100p")

    def test_jitter_losses_and_radio(self):
        for paths in ("8Mbit/20ms/q=100p/jitter=normal:4ms,4Mbit/40ms/q=100p/jitter=exp:3ms",
                      "8Mbit/20ms/q=100p/loss=1%,4Mbit/40ms/q=100p/loss=0.5%",
                      "20Mbit/20ms/q=100p/lte=1ms:10%,10Mbit/40ms/q=100p",
                      "20Mbit/10ms/q=100p/wifi=32p:4ms:200us,10Mbit/40ms/q=100p"):
            for _ in self.runs(paths, 0.75):
                pass


if __name__ == "__main__":
    unittest.main()
