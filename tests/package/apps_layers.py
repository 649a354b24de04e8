#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""apps_layers.py NM ROOT OBJECTS...: files of an application call each other one way only, and so do its folders; those of
cmt-lab use those above them in the table of docs/architecture.md. OBJECTS: the object files of one library, separated by
semicolons."""

import glob
import os
import re
import subprocess
import sys
import unittest

NM, ROOT, LIBRARIES = sys.argv[1], sys.argv[2], sys.argv[3:]
LAB = os.path.join(ROOT, "apps", "cmt-lab")


def calls(objects):
    """Of each object file, those that define what it uses."""
    where, used = {}, {path: set() for path in objects}
    text = subprocess.run([NM, "-gA", *objects], check=True, capture_output=True, text=True).stdout
    for line in text.splitlines():
        path, (kind, name) = line.split(":")[0], line.split()[-2:]
        if kind == "U":
            used[path].add(name)
        else:
            where[name] = path
    return {path: {where[name] for name in names if name in where} for path, names in used.items()}


def ring(graph):
    """Files in a circle, or []."""
    done, way = set(), []

    def visit(node):
        if node in way:
            return way[way.index(node):] + [node]
        if node in done:
            return []
        way.append(node)
        for other in sorted(graph[node]):
            found = visit(other)
            if found:
                return found
        done.add(way.pop())
        return []

    return next((found for found in map(visit, sorted(graph)) if found), [])


def includes(folder):
    """The first component of every path that a file below the folder includes."""
    found = set()
    for path in glob.glob(os.path.join(folder, "**", "*.[ch]"), recursive=True):
        with open(path, encoding="utf-8") as file:
            found.update(re.findall(r'#include "([\w-]+)/', file.read()))
    return found


def rooms():
    """Folders of cmt-lab in the order of the table, those of one row together."""
    with open(os.path.join(ROOT, "docs", "architecture.md"), encoding="utf-8") as file:
        table = file.read().split("## Rooms of cmt-lab\n")[1].split("\n## ")[0]
    return [re.findall(r"`(\w+)/`", line.split("|")[1]) for line in table.splitlines() if line.startswith("| `")]


class Layers(unittest.TestCase):
    def test_files_call_each_other_one_way(self):
        for objects in LIBRARIES:
            graph = calls(objects.split(";"))
            names = [os.path.basename(path).removesuffix(".o") for path in ring(graph)]
            self.assertGreater(sum(map(len, graph.values())), 0, objects)
            self.assertEqual(names, [], "these files call each other in a circle")

    def test_rooms_use_each_other_one_way(self):
        for application in glob.glob(os.path.join(ROOT, "apps", "*", "")):
            graph = {name: set() for name in os.listdir(application) if os.path.isdir(os.path.join(application, name))}
            for room, used in graph.items():
                used.update(other for other in includes(os.path.join(application, room)) if other in graph and other != room)
            self.assertEqual(ring(graph), [], f"these folders of {application} use each other in a circle")

    def test_rooms_of_the_lab_use_those_above_them(self):
        table = rooms()
        self.assertEqual(sorted(sum(table, [])), sorted(name for name in os.listdir(LAB) if glob.glob(f"{LAB}/{name}/*.[ch]")))
        for number, row in enumerate(table):
            for room in row:
                allowed = [room] + sum(table[:number], [])
                wrong = [other for other in includes(os.path.join(LAB, room)) if os.path.isdir(os.path.join(LAB, other))
                         and other not in allowed]
                self.assertEqual(wrong, [], f"{room} uses what it must not")


if __name__ == "__main__":
    sys.argv = sys.argv[:1]
    unittest.main()
