#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""doxygen_filter.py HEADER: the header with its plain comments as Doxygen wants them, line by line at the same place.

A comment at the margin belongs to all declarations up to the next empty line, one behind code to that code; the one at
the head is about the file."""

import re
import sys

import c_header


def plain(comment):
    """What is a command to Doxygen and a word to us."""
    return re.sub(r"([@\\<>#%])", r"\\\1", comment)


def mark(block):
    """A block of lines without an empty one: its comments as documentation."""
    declarations = c_header.declarations(block)
    first = True

    def rewrite(match):
        nonlocal first
        comment, at = match.group(0), match.start()
        if re.match(r"/\* (SPDX|---)", comment):
            return comment
        line = block[block.rfind("\n", 0, at) + 1:at]
        inner = plain(comment[2:-2])
        if line.strip() and not line.strip() == "\\":
            return f"/**<{inner}*/"
        group = " @{ " if first and not line and declarations > 1 else ""
        first = False
        return f"/**{inner}{group}*/"

    marked = c_header.COMMENT.sub(rewrite, block)
    return marked + (" /** @} */" if "@{ */" in marked else "")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    head, rest = re.match(r"(/\*.*?\*/)(.*)", text, re.S).groups()
    about = re.sub(r"^/\* SPDX[^\n]*\n", "/** @file\n", plain(head))
    about = re.sub(r"\n \* ?\n \* \w+\.h - ", "\n *\n * ", about, count=1)
    sys.stdout.write(about + "\n\n".join(mark(block) for block in rest.split("\n\n")))


if __name__ == "__main__":
    main()
