# SPDX-License-Identifier: BSD-3-Clause
"""Text as roff, for pages in the man(7) language."""

import gzip
import os
import re
import time


def escape(text):
    """Plain text: nothing in it is a request or an escape, and a hyphen is the character of command lines."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("~", "\\(ti").replace("^", "\\(ha")
    text = text.replace("`", "\\(ga").replace("'", "\\(aq")
    return re.sub(r"(?m)^\.", r"\\&.", text)


def inline(text):
    """Text with `code`, and with options, in bold."""
    parts = re.split(r"`([^`]+)`|(?<![\w-])(--?[a-zA-Z][\w-]*)", text)
    out = ""
    for i in range(0, len(parts), 3):
        out += escape(parts[i])
        strong = (parts[i + 1] or parts[i + 2]) if i + 1 < len(parts) else None
        if strong:
            out += f"\\fB{escape(strong)}\\fR"
    return out


def term(text):
    """An entry's term: options in bold, what stands for a value in italics."""
    out = ""
    for word in re.split(r"(--?[a-zA-Z0-9][\w-]*|\b[A-Z][A-Z_]*\b)", text):
        if re.fullmatch(r"--?[a-zA-Z0-9][\w-]*", word):
            out += f"\\fB{escape(word)}\\fR"
        elif re.fullmatch(r"[A-Z][A-Z_]*", word):
            out += f"\\fI{escape(word)}\\fR"
        else:
            out += escape(word)
    return out


def literal(text):
    return ".PP\n.in +4n\n.EX\n" + escape(text) + "\n.EE\n.in\n"


def heading(name, section, version, title):
    now = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    date = time.strftime("%Y-%m-%d", time.gmtime(now))
    # Ragged lines: terms and values are too long to be spread over a line.
    return f".TH {name.upper()} {section} \"{date}\" \"usrsctp\\-cmt {version}\" \"{title}\"\n.ad l\n"


def tidy(page):
    """A heading begins a paragraph already."""
    return re.sub(r"(?m)^(\.S[HS] .*\n)(?:\.[PL]P\n)+", r"\1", page)


def write(path, page):
    """Compressed, the same bytes for the same page."""
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, 0) as file:
        file.write(page.encode())
