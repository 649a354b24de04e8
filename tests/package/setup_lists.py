#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""setup_lists.py ROOT: the lists of packages in cmake/apt-packages: ./check installs all of them, ./demo few, and nothing stands
twice."""

import collections
import os
import re
import sys
import unittest

ROOT = sys.argv.pop(1) if len(sys.argv) > 1 else "."
FOLDER = os.path.join(ROOT, "cmake", "apt-packages")


def packages(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return [line.strip() for line in file if line.strip() and not line.startswith("#")]


def asked_by(script):
    """Lists that a script installs, in its order."""
    with open(os.path.join(ROOT, script), encoding="utf-8") as file:
        text = file.read()
    named = re.findall(r"^lists=\((.*)\)$|\binstall_packages ([a-z][a-z ]*)", text, re.M)
    return [name for groups in named for group in groups for name in group.split()]


class SetupLists(unittest.TestCase):
    def test_no_package_stands_twice(self):
        counts = collections.Counter(package for name in os.listdir(FOLDER) for package in packages(name))
        self.assertEqual([], [package for package, n in counts.items() if n > 1])
        self.assertGreater(len(counts), 50)

    def test_check_installs_every_list(self):
        self.assertEqual(sorted(os.listdir(FOLDER)), sorted(asked_by("check")))

    def test_demo_installs_what_it_needs(self):
        self.assertEqual(["library", "programs", "plots", "netem", "uml", "paths"], asked_by("demo"))

    def test_every_list_says_what_it_is_for(self):
        for name in os.listdir(FOLDER):
            with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
                self.assertRegex(file.readline(), r"^# [A-Z].*\.$|^# tests/", name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
