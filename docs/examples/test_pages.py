#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""test_pages.py ROOT: links of all pages lead somewhere, files and functions that they name exist, indexes have every page, and
pages that are to be read at once stay short."""

import glob
import os
import re
import subprocess
import sys
import unittest

ROOT = sys.argv.pop(1)
CODE = re.compile(r"^```.*?^```", re.M | re.S)
LINK = re.compile(r"\]\(([^)\s]+)\)")
FOLDERS = ("apps", "cmake", "docs", "tests", "usrsctp-cmt", "viewer", "wireshark")
FILE = re.compile(r"`([\w-]+/[\w./-]+\.(?:c|h|py|ini|md|manifest))`")
FUNCTION = re.compile(r"`((?:usrsctp_)?cmt_\w+)\(\)`")
# Names that stand for many, and a header of the system.
NO_FILE = re.compile(r"[A-Z]{3}|^sys/")


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def pages():
    found = glob.glob("*.md", root_dir=ROOT) + glob.glob("docs/**/*.md", root_dir=ROOT, recursive=True)
    return [path for path in found if path != "docs/manual/main_page.md"]


def anchors(text):
    """Of the headings, as a browser of Markdown makes them."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", CODE.sub("", text), re.M):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        found.add(name if name not in found else f"{name}-1")
    return found


def links(page):
    """Path from the root and anchor, "" where there is none, of every link to a file."""
    for link in LINK.findall(CODE.sub("", read(page))):
        if not re.match(r"https?:", link):
            path, _, anchor = link.partition("#")
            yield os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page, anchor


def tree():
    return [path for folder in FOLDERS for path in glob.glob(f"{folder}/**/*.*", root_dir=ROOT, recursive=True)]


class Pages(unittest.TestCase):
    def test_links_lead_somewhere(self):
        for page in pages():
            for path, anchor in links(page):
                with self.subTest(page=page, path=path, anchor=anchor):
                    self.assertTrue(os.path.exists(os.path.join(ROOT, path)))
                    if anchor:
                        self.assertIn(anchor, anchors(read(path)))

    def test_files_that_are_named_exist(self):
        files = "".join(f"/{path}\n" for path in tree())
        for page in pages():
            for name in FILE.findall(read(page)):
                with self.subTest(page=page, name=name):
                    self.assertTrue(NO_FILE.search(name) or f"/{name}\n" in files)

    def test_functions_that_are_named_exist(self):
        source = "".join(read(path) for path in tree() if path.endswith((".c", ".h", ".cmake")))
        words = set(re.findall(r"\w+", source))
        for page in pages():
            for name in FUNCTION.findall(read(page)):
                with self.subTest(page=page, name=name):
                    self.assertIn(name, words)

    def test_indexes_have_every_page(self):
        for index, folder in ("docs/README.md", "docs"), ("docs/adr/README.md", "docs/adr"), \
                             ("docs/lab-notes/README.md", "docs/lab-notes"):
            there = {f"{folder}/{name}" for name in glob.glob("*.md", root_dir=os.path.join(ROOT, folder))} - {index}
            self.assertEqual(there - {path for path, _ in links(index)}, set())

    def test_decisions_have_a_status_and_the_index_knows_it(self):
        rows = dict(re.findall(r"^\| \[(\d+)\]\(\S+\) \| .* \| (\w+)[^|]*\|$", read("docs/adr/README.md"), re.M))
        for path in glob.glob("docs/adr/0*.md", root_dir=ROOT):
            number = os.path.basename(path)[:4].lstrip("0")
            status = re.match(rf"# {number}\. [^\n]+\n\n\*\*Status\.\*\* (accepted|superseded)\b", read(path))
            self.assertIsNotNone(status, path)
            self.assertEqual(rows[number], status[1], path)

    def test_tuned_numbers_are_in_the_table_with_their_values(self):
        listed = subprocess.run([os.path.join(ROOT, "tests", "flatness", "measure"), "--list"], stdout=subprocess.PIPE, text=True,
                                check=True).stdout.split("\n")[:-1]
        rows = re.findall(r"^\| `(CMT_\w+)` \| (\d+) \|", read("docs/lab-notes/ablation.md"), re.M)
        self.assertEqual([" ".join(row) for row in rows], listed)
        self.assertLessEqual(len(listed), 25)

    def test_what_is_read_at_once_is_short(self):
        for page, words in ("README.md", 900), ("docs/results.md", 4000):
            self.assertLessEqual(len(read(page).split()), words, page)


if __name__ == "__main__":
    unittest.main()
