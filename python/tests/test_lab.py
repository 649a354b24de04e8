# SPDX-License-Identifier: BSD-3-Clause
"""Simulated networks by cmt-lab."""
import os
import unittest
from unittest import mock

from usrsctp_cmt import lab

NETWORK = "10Mbit/5ms,10Mbit/20ms"


class Lab(unittest.TestCase):
    def test_a_run_is_a_dictionary(self):
        result = lab.run(NETWORK, scheduler="arrival", bytes="200kB", seed=7)
        self.assertEqual(("arrival", 7, 200000, "ok"),
                         tuple(result[key] for key in ("scheduler", "seed", "bytes_delivered", "integrity")))
        self.assertGreater(result["goodput_bps"], 1e6)

    def test_the_same_seed_is_the_same_run(self):
        options = {"scheduler": "rr", "bytes": "200kB", "set": ["path.1.loss=1%", "path.2.loss=2%"], "encrypt": True}
        self.assertEqual(lab.run(NETWORK, **options), lab.run(NETWORK, **options))

    def test_a_comparison_has_a_row_each(self):
        result = lab.compare(NETWORK, ["rr", "arrival"], bytes="200kB")
        self.assertLessEqual({"rr", "arrival", "stock"}, {row["scheduler"] for row in result["rows"]})

    def test_what_is_wrong_is_said(self):
        with self.assertRaisesRegex(lab.LabError, "fastest"):
            lab.run(NETWORK, scheduler="fastest")
        with mock.patch.dict(os.environ, CMT_LAB="/nonexistent/cmt-lab"):
            with self.assertRaisesRegex(lab.LabError, "cmt-tools"):
                lab.run(NETWORK)


if __name__ == "__main__":
    unittest.main()
