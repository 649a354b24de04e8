#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""fork_documented.py ROOT: docs/fork.md names every fix, and every hook with its places; what docs/upstream-audit.md names as a
cure or a test exists, and no cure is without; the audit has every commit that docs/fork.md knows, and counts right those that it
names."""

import glob
import os
import re
import sys
import unittest

ROOT = sys.argv.pop(1)
HOOK_ROW = re.compile(r"\| `(\w+)` \| `(\w+)` \| (.*) \| .+ \| `([\w/.]+)` \|$", re.M)
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


def hooks():
    """Of every manifest of hooks: (manifest, hook) -> {(file, function)}."""
    places = {}
    for path in glob.glob(os.path.join(ROOT, "usrsctp-cmt/upstream/hooks/*.manifest")):
        manifest = os.path.basename(path).removesuffix(".manifest")
        source = function = ""
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.startswith("file "):
                    source = os.path.basename(line.split()[1])
                elif line.startswith("in "):
                    function = line[3:].strip()
                elif line.startswith("+"):
                    for hook in re.findall(r"SCTP_CMT_(\w+)", line):
                        places.setdefault((manifest, hook), set()).add((source, function))
    return places


def hooks_table():
    """The rows of docs/fork.md: the same, and (manifest, hook) -> file of ours."""
    text = read("fork.md")
    places, ours = {}, {}
    for manifest, hook, where, file in HOOK_ROW.findall(text[text.index("## Hooks"):text.index("## Upstream defects")]):
        places[manifest, hook] = {(source, function) for source, functions in re.findall(r"`([\w.]+)`: ([^;|]+)", where)
                                  for function in re.findall(r"`([\w ]+)`", functions)}
        ours[manifest, hook] = file
    return places, ours


class ForkDocumented(unittest.TestCase):
    def test_every_fix_is_named(self):
        text = read("fork.md")
        for path in glob.glob(os.path.join(ROOT, "usrsctp-cmt/upstream/fixes/*.manifest")):
            self.assertRegex(text, rf"[`/]{re.escape(os.path.basename(path).removesuffix('.manifest'))}`")

    def test_the_table_of_hooks_is_that_of_the_manifests(self):
        places, ours = hooks_table()
        self.assertEqual(places, hooks())
        with open(os.path.join(ROOT, "usrsctp-cmt/stack/cmt_hooks.h"), encoding="utf-8") as file:
            # Continued lines are one.
            macros = dict(re.findall(r"#define SCTP_CMT_(\w+)(.*)", file.read().replace("\\\n", " ").split("#else")[0]))
        for (_, hook), name in ours.items():
            with self.subTest(hook), open(os.path.join(ROOT, "usrsctp-cmt/stack", name), encoding="utf-8") as file:
                called = re.findall(r"\b(cmt_\w+)\(", macros[hook])
                if name == "cmt_hooks.h":
                    self.assertEqual(called, [])
                else:
                    self.assertRegex(file.read(), rf"(?m)^\w.*\b{called[0]}\(")

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
