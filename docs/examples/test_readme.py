#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""test_readme.py README CMT-LAB: the tables of the README are what its commands print. Time is virtual, so the numbers are exact;
a change of the stack may move them by 2 % before the README has to follow."""

import json
import re
import subprocess
import sys
import unittest

README, LAB = sys.argv[1:3]
del sys.argv[1:3]
with open(README, encoding="utf-8") as page:
    TEXT = page.read()


def compare(command):
    """What `cmt-lab compare`, a command that the README shows, prints; a table for each combination of a grid."""
    arguments = re.search(rf"cmt-lab (compare {command})", TEXT)[1].split()
    done = subprocess.run([LAB, *arguments, "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def row(table, who):
    """`who`: a scheduler, or None for the best single path."""
    return next(r for r in table["rows"] if (r["best_single_path"] if who is None else
                                             not r["best_single_path"] and r["scheduler"] == who))


def cells(name):
    """Numbers of the line of a table that begins with `name`."""
    line = re.search(rf"^\| \**{re.escape(name)}\** \|(.*)\|$", TEXT, re.M)[1]
    return [float(cell.strip(" *")) for cell in line.split("|") if cell.strip()]


class Readme(unittest.TestCase):
    def assert_cells(self, name, values):
        shown = cells(name)
        self.assertEqual(len(shown), len(values))
        for cell, value in zip(shown, values):
            self.assertLessEqual(abs(cell - value), 0.02 * abs(value) + 0.05, f"{name}: {cell}, measured {value}")

    def test_two_lines_of_a_house(self):
        tables = {table["rcvbuf_bytes"]: table for table in compare("home .*")}
        shown = [tables[bytes_] for bytes_ in (250000, 500000, 1000000, 4000000)]
        for name, who in ("stock usrsctp, CMT on", "stock"), ("plain SCTP on the fast line alone", None), \
                         ("this fork, `auto`", "auto"):
            self.assert_cells(name, [row(table, who)["goodput_bps"]["median"] / 1e6 for table in shown])
        self.assert_cells("what both can carry", [table["ceiling_bps"] / 1e6 for table in shown])

    def test_the_network_of_the_first_paper(self):
        table = compare("sarwar1 [^`]*")
        second = TEXT[TEXT.index("## The network of the first paper"):]
        for name, who in ("stock usrsctp, CMT on", "stock"), ("the better path alone", None), ("this fork, `arrival`", "arrival"):
            goodput, waits = re.search(rf"^\| {re.escape(name)} \| ([\d.]+) \| ([\d.]+) \|$", second, re.M).groups()
            one = row(table, who)
            self.assertAlmostEqual(float(goodput), one["goodput_bps"]["median"] / 1e6, delta=0.02)
            self.assertAlmostEqual(float(waits), one["runs"][0]["rcvbuf_mean_bytes"] / 1e3, delta=0.5)


if __name__ == "__main__":
    unittest.main()
