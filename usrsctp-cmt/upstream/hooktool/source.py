# SPDX-License-Identifier: BSD-3-Clause
"""An upstream source file as lines, the hash that names a line, and the scopes in which lines are looked up.

Upstream is written in BSD style: a definition's name stands in column 0 (with or without its type before it)
and its body ends with a brace in column 0. That is all that is relied on; no C is parsed.
"""

import hashlib
import os
import re

HASH_DIGITS = 12
WHOLE_FILE = "*"
LIBRARY_FOLDER = "usrsctplib"


def normalise(line):
    return re.sub(r"[ \t]+", " ", line.strip(" \t\r\n"))


def line_hash(line):
    return hashlib.sha256(normalise(line).encode("latin-1")).hexdigest()[:HASH_DIGITS]


def split_lines(text):
    """Lines without their end; a final newline yields no extra line. Only \\n ends a line."""
    lines = text.split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    return lines


def read_text(path):
    """Every byte survives the round trip through latin-1."""
    with open(path, "rb") as f:
        return f.read().decode("latin-1")


def library_folder(tree):
    """The usrsctplib/ of an unpacked release; `tree` may be that folder itself. Raises FileNotFoundError."""
    for folder in (os.path.join(tree, LIBRARY_FOLDER), tree):
        if os.path.isfile(os.path.join(folder, "usrsctp.h")):
            return folder
    raise FileNotFoundError(f"{tree}: no {LIBRARY_FOLDER}/usrsctp.h in it; give an unpacked usrsctp source tree")


def list_files(folder):
    """Sorted relative names, '/' as separator."""
    names = []
    for base, _, files in os.walk(folder):
        for name in files:
            names.append(os.path.relpath(os.path.join(base, name), folder).replace(os.sep, "/"))
    return sorted(names)


def tree_hash(tree):
    """SHA-256 over name, NUL, SHA-256 of the content, newline, of every file below usrsctplib/, sorted by name."""
    folder = library_folder(tree)
    total = hashlib.sha256()
    for name in list_files(folder):
        with open(os.path.join(folder, name), "rb") as f:
            content = hashlib.sha256(f.read()).hexdigest()
        total.update(name.encode() + b"\0" + content.encode() + b"\n")
    return total.hexdigest()


def _definition_end(lines, start):
    """Index of the last line of the definition whose name stands on `start`; None for a mere declaration."""
    opened = False
    for i in range(start, len(lines)):
        text = re.sub(r"/\*.*?\*/", "", lines[i]).rstrip()
        if text.startswith("#"):
            continue
        if not opened:
            if text.startswith("{") or text.endswith("{"):
                opened = True
            elif text.endswith(";") or text.startswith("}"):
                return None
            elif "{" in text and text.endswith("}"):
                return i
        elif text.startswith("}"):
            return i
    return None


def find_scopes(lines, scope):
    """(first, last) index pairs, inclusive, of every definition of `scope`: a function name, `struct NAME`, or
    `*`. A function that exists once per preprocessor branch has several."""
    if scope == WHOLE_FILE:
        return [(0, len(lines) - 1)] if lines else []
    words = scope.split()
    if len(words) == 2:
        pattern = re.compile(r"(?:typedef\s+)?%s\s+%s\s*(?:\{.*)?$" % (re.escape(words[0]), re.escape(words[1])))
    else:
        pattern = re.compile(r"(?:[A-Za-z_][\w \t\*]*[ \t\*])?%s\s*\(" % re.escape(scope))
    found = []
    for i, line in enumerate(lines):
        if found and i <= found[-1][1]:
            continue
        if pattern.match(line):
            end = _definition_end(lines, i)
            if end is not None:
                found.append((i, end))
    return found


def scope_at(lines, index):
    """Name of the scope that holds line `index`, or `*`. Looks upwards for the line that opens a definition."""
    for i in range(index, -1, -1):
        line = lines[i]
        if i < index and line.startswith("}"):
            break
        match = re.match(r"(?:typedef\s+)?((?:struct|union|enum)\s+\w+)\s*\{", line)
        match = match or re.match(r"(?:[A-Za-z_][\w \t\*]*[ \t\*])?([A-Za-z_]\w*)\s*\(", line)
        if not match or line.startswith("#"):
            continue
        name = " ".join(match.group(1).split())
        for first, last in find_scopes(lines, name):
            if first <= index <= last:
                return name
    return WHOLE_FILE


def find_sequence(lines, scopes, hashes):
    """Indices at which the consecutive `hashes` start, over all scopes in file order."""
    starts = []
    for first, last in scopes:
        named = [line_hash(line) for line in lines[first : last + 1]]
        for i in range(len(named) - len(hashes) + 1):
            if named[i : i + len(hashes)] == hashes:
                starts.append(first + i)
    return starts
