#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Turns a page into C source: its bytes, and a Content-Security-Policy that allows its own scripts and styles by their
hashes and little else.

Arguments: the page, the C file, the header that declares what is in it, the name before _bytes and _policy, more rules."""

import base64
import hashlib
import re
import sys


def hashes(page, tag):
    """'sha256-...' of the content of every element of that name, as a policy lists them."""
    contents = re.findall(rf"<{tag}>(.*?)</{tag}>".encode(), page, re.S)
    if len(contents) != page.count(f"<{tag}".encode()):
        sys.exit(f"embed.py: every <{tag}> must be without attributes")
    return " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(c).digest()).decode()}'" for c in contents)


def policy_of(page, more, framed=False):
    """Allows the page's own scripts and styles, `more`, and nothing else. `framed`: a page cannot forbid frames in its own head."""
    own = [f"{rule} {allowed}" for rule, allowed in (("script-src", hashes(page, "script")),
                                                     ("style-src", hashes(page, "style"))) if allowed]
    return "; ".join(["default-src 'none'", *own, *more, "base-uri 'none'", "form-action 'none'",
                      *([] if framed else ["frame-ancestors 'none'"])])


def main():
    source, target, header, symbol, *more = sys.argv[1:]
    with open(source, "rb") as file:
        page = file.read()
    lines = [",".join(str(byte) for byte in page[i:i + 40]) for i in range(0, len(page), 40)]
    with open(target, "w", encoding="ascii") as file:
        file.write(f'/* Made by embed.py. */\n#include "{header}"\n\nconst unsigned char {symbol}[] = {{\n'
                   + ",\n".join(lines)
                   + f"}};\nconst size_t {symbol}_bytes = sizeof({symbol});\n"
                   f'const char {symbol}_policy[] = "{policy_of(page, more)}";\n')


if __name__ == "__main__":
    main()
