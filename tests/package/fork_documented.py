#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""fork_documented.py ROOT: docs/fork.md names every fix; what docs/upstream-audit.md names as a cure or a test exists, and no
cure is without; the audit has every commit that docs/fork.md knows, and counts right those that it names."""

import glob
import os
import re
import sys
import unittest

ROOT = sys.argv.pop(1)
COMMIT = re.compile(r"\b[0-9a-f]{8}\b")
# Where what is named may be: a fix, a hook, a file of the fork, a test.
PLACES = ("usrsctp-cmt/upstream/fixes/{}.manifest", "usrsctp-cmt/upstream/{}.manifest", "usrsctp-cmt/{}",
          "usrsctp-cmt/stack/{}", "tests/{}.c", "tests/sim/{}.c")


def read(name):
    with open(os.path.join(ROOT, "docs", name), encoding="utf-8") as file:
        return file.read()


def changes():
    """Rows of the audit: commit, when, what, verdict, by and test."""
    audit = read("upstream-audit.md")
    lines = audit[audit.index("## Setting up"):].splitlines()
    return [line.split("|")[1:-1] for line in lines if line.startswith("| ") and not line.startswith("| commit")]


class ForkDocumented(unittest.TestCase):
    def test_every_fix_is_named(self):
        text = read("fork.md")
        for path in glob.glob(os.path.join(ROOT, "usrsctp-cmt/upstream/fixes/*.manifest")):
            self.assertRegex(text, rf"[`/]{re.escape(os.path.basename(path).removesuffix('.manifest'))}`")

    def test_every_change_has_a_verdict_and_every_cure_exists(self):
        for commit, _, what, verdict, cure in changes():
            with self.subTest(commit + what):
                self.assertRegex(verdict, r"^ (cured|n/a|no:)")
                names = re.findall(r"`([^`]+)`", cure)
                self.assertTrue(names or "cured" not in verdict)
                for name in names:
                    self.assertTrue(any(os.path.exists(os.path.join(ROOT, place.format(name))) for place in PLACES), name)

    def test_the_audit_has_every_commit_and_counts_them(self):
        audit = read("upstream-audit.md")
        named = set(COMMIT.findall(audit))
        self.assertLessEqual(set(COMMIT.findall(read("fork.md"))), named)
        self.assertIn(f"**{len(named)} of the ", audit)


if __name__ == "__main__":
    unittest.main()
