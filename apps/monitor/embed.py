#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Turns a page into C source: its bytes, and a Content-Security-Policy that allows its own scripts and styles by their
hashes and nothing else but its own server."""

import base64
import hashlib
import re
import sys


def hashes(page, tag):
    """'sha256-...' of the content of every element of that name, as a policy lists them."""
    contents = re.findall(rf"<{tag}>(.*?)</{tag}>".encode(), page, re.S)
    if len(contents) != page.count(f"<{tag}".encode()) or not contents:
        sys.exit(f"embed.py: every <{tag}> must be without attributes, and there must be one")
    return " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(c).digest()).decode()}'" for c in contents)


def main():
    source, target = sys.argv[1:]
    with open(source, "rb") as file:
        page = file.read()
    policy = (f"default-src 'none'; script-src {hashes(page, 'script')}; style-src {hashes(page, 'style')}; "
              "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
    lines = [",".join(str(byte) for byte in page[i:i + 40]) for i in range(0, len(page), 40)]
    with open(target, "w", encoding="ascii") as file:
        file.write('/* Made by embed.py. */\n#include "page.h"\n\nconst unsigned char monitor_page[] = {\n'
                   + ",\n".join(lines)
                   + "};\nconst size_t monitor_page_bytes = sizeof(monitor_page);\n"
                   f'const char monitor_page_policy[] = "{policy}";\n')


main()
