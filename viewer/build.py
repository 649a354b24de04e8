#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes viewer.html of page.html, style.css and js/: build.py TARGET. The page's policy allows its own script and style, known
by their hashes, and nothing else."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "apps", "monitor"))
import embed  # noqa: E402

# In an order in which each finds what it needs when it is read.
MODULES = ("table", "model", "bytes", "qlog", "capture", "link", "tuples", "packets", "copies", "load", "words", "summary",
           "plot", "plots", "view", "controls", "report", "page")


def read(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


def build():
    scripts = [read(f"js/{name}.js").replace("// SPDX-License-Identifier: BSD-3-Clause\n", "", 1) for name in MODULES]
    script = '\n"use strict";\n' + "\n".join(scripts)
    page = read("page.html").replace("@STYLE@", "\n" + read("style.css")).replace("@SCRIPT@", script)
    return page.replace("@POLICY@", embed.policy_of(page.encode(), ["img-src data:"], framed=True)).encode()


def main():
    page = build()
    with open(sys.argv[1], "wb") as file:
        file.write(page)


if __name__ == "__main__":
    main()
