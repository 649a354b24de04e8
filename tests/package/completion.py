#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""completion.py FILE NAME COMMAND [NAME COMMAND]..: what bash would offer when the tab key is pressed, asked of the
completion's own function in a shell that is not interactive."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

FILE = sys.argv[1]
PROGRAMS = dict(zip(sys.argv[2::2], sys.argv[3::2]))
# As readline does it: = and : are words of their own.
WORDS = re.compile(r"[=:]|[^\s=:]+")
SCRIPT = """
. "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
complete -p "$1" | grep -q -- "-F _cmt" || exit 3
_cmt "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


class Completion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        for name, command in PROGRAMS.items():
            os.symlink(command, f"{cls.folder.name}/{name}")
        os.makedirs(cls.folder.name + "/files/photos")
        with open(cls.folder.name + "/files/film.mkv", "w", encoding="ascii"):
            pass

    def offer(self, line, with_lab=True):
        words = WORDS.findall(line) + ([""] if line.endswith(" ") else [])
        path = self.folder.name + ":/usr/bin:/bin"
        if not with_lab:
            with tempfile.TemporaryDirectory() as folder:
                os.symlink(PROGRAMS[words[0]], f"{folder}/{words[0]}")
                return self._ask(words, folder + ":/usr/bin:/bin")
        return self._ask(words, path)

    def _ask(self, words, path):
        done = subprocess.run(["bash", "--norc", "--noprofile", "-c", SCRIPT, "bash", FILE, *words], capture_output=True,
                              text=True, check=True, cwd=self.folder.name + "/files", env={"PATH": path})
        self.assertEqual("", done.stderr)
        offered = done.stdout.split()
        self.assertEqual(sorted(set(offered)), sorted(offered), "offered twice")
        return set(offered)

    def test_every_program_offers_every_option_of_its_help(self):
        for name, command in PROGRAMS.items():
            if name == "cmt-lab":
                continue
            with self.subTest(name):
                text = subprocess.run([command, "--help"], capture_output=True, text=True, check=True).stdout
                options = set(re.findall(r"(?m)^  (?:-\w, )?(--[a-z0-9][\w-]*)", text))
                self.assertTrue(options)
                self.assertEqual(set(), options - self.offer(name + " --"))

    def test_options_that_begin_so(self):
        self.assertEqual({"--sched", "--sndbuf", "--stats"}, self.offer("cmt-send --s"))

    def test_names_of_schedulers_and_controls(self):
        for line in ("cmt-send --sched ", "cmt-perf -s --sched ", "cmt-lab run sarwar1 -s ", "cmt-lab run x --scheduler ",
                     "cmt-send --sched=", "cmt-send --sched=a"):
            with self.subTest(line):
                self.assertIn("arrival", self.offer(line))
        self.assertLessEqual({"stock", "single", "rr"}, self.offer("cmt-recv --sched "))
        self.assertLessEqual({"veno", "olia", "stock"}, self.offer("cmt-send --cc "))
        self.assertLessEqual({"none", "dsack", "all"}, self.offer("cmt-lab run sarwar1 --recovery "))

    def test_the_last_of_a_list(self):
        self.assertEqual({"rr,lcm,arrival"}, self.offer("cmt-lab compare sarwar1 -s rr,lcm,arr"))

    def test_commands_of_the_lab_and_their_options(self):
        self.assertLessEqual({"list", "run", "compare", "figure"}, self.offer("cmt-lab "))
        self.assertEqual({"compare"}, self.offer("cmt-lab co"))
        self.assertIn("--grid", self.offer("cmt-lab compare sarwar1 --"))
        self.assertNotIn("--grid", self.offer("cmt-lab run sarwar1 --"))
        self.assertEqual({""} - {""}, self.offer("cmt-lab nonsense "))

    def test_scenarios_and_figures(self):
        self.assertEqual({"sarwar1", "sarwar2"}, self.offer("cmt-lab run sarwar"))
        self.assertIn("film.mkv", self.offer("cmt-lab run "))
        self.assertIn("arabi-fig8", self.offer("cmt-lab figure arabi"))

    def test_files_and_folders(self):
        self.assertEqual({"film.mkv", "photos"}, self.offer("cmt-send --connect 10.1.0.1 "))
        self.assertEqual({"photos"}, self.offer("cmt-recv -d "))
        self.assertEqual({"photos"}, self.offer("cmt-recv --directory "))
        self.assertEqual({"film.mkv", "photos"}, self.offer("cmt-capstat --png "))

    def test_words_that_the_help_writes_out(self):
        self.assertEqual({"json"}, self.offer("cmt-send --stats "))
        self.assertEqual({"ipv4", "ipv6"}, self.offer("cmt-lab run sarwar1 --family "))

    def test_values_that_nobody_knows_are_left_alone(self):
        for line in ("cmt-send --port ", "cmt-send --connect ", "cmt-perf -t ", "cmt-send --sched arrival:"):
            with self.subTest(line):
                self.assertEqual(set(), self.offer(line))

    def test_without_the_lab_there_are_no_names_and_no_errors(self):
        self.assertEqual(set(), self.offer("cmt-send --sched ", with_lab=False))
        self.assertIn("--sched", self.offer("cmt-send --", with_lab=False))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
