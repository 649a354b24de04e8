# SPDX-License-Identifier: BSD-3-Clause
"""A public C header as data: the comment at its head, then items, each a comment and the declarations that it is about.

Relies on the form that the headers of usrsctp-cmt have: a comment at the margin belongs to what follows it without an
empty line between; a comment behind a member or a macro belongs to that."""

import collections
import re

# code is "" for a comment that stands alone.
Item = collections.namedtuple("Item", "comment code")
COMMENT = re.compile(r"/\*(.*?)\*/", re.S)
NOISE = re.compile(r"(?m)^(#ifdef __cplusplus\n\}\n#endif|#if.*|#endif.*|#include.*|extern \"C\" \{|#define \w+_H)(\n|$)")


def text_of(comment):
    """The text between the marks, with its line breaks."""
    inner = comment.strip()[2:-2]
    return "\n".join(re.sub(r"^\s*\*? ?", "", line).rstrip() for line in inner.strip().split("\n")).strip()


def without_comments(code):
    return COMMENT.sub("", code)


def _blocks(text):
    """Runs of lines without an empty line outside of braces, cut in front of comments at the margin."""
    block, depth, in_comment = [], 0, False
    for line in text.split("\n"):
        begins = not in_comment and line.startswith("/*")
        if block and depth == 0 and not in_comment and (not line or (begins and not _only_comment(block))):
            yield "\n".join(block)
            block = []
        if line:
            block.append(line)
        in_comment = "/*" in line and "*/" not in line.rpartition("/*")[2] or in_comment and "*/" not in line
        if not in_comment:
            bare = without_comments(line)
            depth += 0 if "extern \"C\"" in bare else bare.count("{") - bare.count("}")
            depth = max(depth, 0)
    if block:
        yield "\n".join(block)


def _only_comment(block):
    return not without_comments("\n".join(block)).strip()


def parse(text):
    """(text at the head, items)."""
    head, items = "", []
    for block in _blocks(text):
        match = re.match(r"/\*.*?\*/", block, re.S)
        comment = text_of(match.group(0)) if match else ""
        code = NOISE.sub("", block[match.end():] if match else block).strip("\n")
        if comment.startswith("SPDX"):
            head = comment.partition("\n")[2].strip()
        elif comment or code.strip():
            items.append(Item(comment, code))
    return head, items


def functions(code):
    """Names of the functions that code declares or defines; typedefs and pointers to functions are none."""
    flat = re.sub(r"\{.*?\}", ";", without_comments(code), flags=re.S)
    flat = re.sub(r"(?m)^#(?:.*\\\n)*.*$", "", flat)
    names = []
    for statement in flat.split(";"):
        match = re.search(r"\b(\w+)\s*\(", statement)
        if match and not statement.strip().startswith("typedef") and "(*" not in statement.split(match.group(1))[0]:
            names.append(match.group(1))
    return names


def declarations(code):
    """How many declarations code has."""
    flat = re.sub(r"\{[^{}]*\}", "", re.sub(r"\{[^{}]*\}", "", without_comments(code)))
    return flat.count(";")
