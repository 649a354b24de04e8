#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""map_documented.py ROOT: docs/architecture.md names every room of the tree, and nothing that is not there; files that pages,
sources, manifests and build files name by their room exist."""

import glob
import os
import re
import sys
import unittest

ROOT = sys.argv.pop(1)
FORK = os.path.join(ROOT, "usrsctp-cmt")
STACK = os.path.join(FORK, "stack")
# What a name may be relative to.
BASES = (ROOT, FORK, STACK, os.path.join(FORK, "core"), os.path.join(FORK, "upstream"), os.path.join(ROOT, "apps/cmt-lab"),
         os.path.join(ROOT, "apps/cmt-lab/figures"), os.path.join(ROOT, "apps"), os.path.join(ROOT, "apps/common"))
NAMED = re.compile(r"(?<![\w./-])(?:usrsctp-cmt/)?(?:core|stack|io|" + "|".join(sorted(os.listdir(STACK))) +
                   r")/[\w/]+\.[ch]\b(?!\w)")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def exists(name):
    return any(os.path.exists(os.path.join(base, name)) for base in BASES)


def rooms():
    """Folders of the tree that say what is where."""
    for folder in "usrsctp-cmt/core", "usrsctp-cmt/stack", "usrsctp-cmt/io", "apps", "apps/cmt-lab":
        for entry in os.scandir(os.path.join(ROOT, folder)):
            if entry.is_dir():
                yield folder, entry.name


def texts():
    for pattern in "*.md", "docs/**/*.md", "usrsctp-cmt/**/*", "tests/**/*", "apps/**/*", "viewer/**/*", "wireshark/**/*", "cmake/*":
        for path in glob.glob(pattern, root_dir=ROOT, recursive=True):
            if re.search(r"(\.(md|[ch]|py|cmake|manifest)|CMakeLists\.txt)$", path) and not path.startswith("docs/lab-notes/"):
                yield path


class Map(unittest.TestCase):
    def setUp(self):
        self.map = read(os.path.join(ROOT, "docs/architecture.md"))

    def test_what_the_map_names_is_there(self):
        names = [name for name in re.findall(r"`([\w./*-]+)`", self.map) if "/" in name and "*" not in name]
        self.assertGreater(len(names), 50)
        for name in names:
            with self.subTest(name):
                self.assertTrue(exists(name))

    def test_the_map_has_every_room(self):
        for folder, name in rooms():
            with self.subTest(f"{folder}/{name}"):
                self.assertIsNotNone(re.search(rf"(?<![\w-]){re.escape(name)}(/|`)", self.map))

    def test_files_are_where_they_are_said_to_be(self):
        for path in texts():
            for name in set(NAMED.findall(read(os.path.join(ROOT, path)))) - {"stack/seams/NAME.c"}:
                with self.subTest(path=path, name=name):
                    self.assertTrue(exists(name))


if __name__ == "__main__":
    unittest.main()
