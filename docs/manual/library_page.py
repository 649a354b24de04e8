#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""library_page.py OUT VERSION HEADER...: the manual page of a public header, section 3, from the header alone.

Of several headers the first one's head is the description, and all their declarations follow. Every function gets a link
to the page beside it."""

import os
import re
import sys

import c_header
import roff


def paragraphs(text):
    """A comment: paragraphs, and list items that begin with a dash."""
    out = ""
    for part in re.split(r"\n\n|\n(?= *- )", text):
        flat = " ".join(part.split())
        if flat.startswith("- "):
            out += f".IP \\(bu 2\n{roff.inline(flat[2:])}\n"
        elif flat:
            out += f".PP\n{roff.inline(flat)}\n"
    return out


def _code(text):
    return "\\fB" + roff.escape(" ".join(text.split())) + "\\fR"


def show_members(body, end):
    """What stands between the braces of a structure (`end` ";") or enumeration (","): a member and its comment each."""
    out = ""
    member = (rf"(?P<code>(?:[^{end}/]|/(?!\*))*(?:{end}|(?=/\*)|$))[ \t]*"
              r"(?:/\*(?P<comment>.*?)\*/)?")
    for match in re.finditer(member, body, re.S):
        code, comment = match.group("code").strip(), match.group("comment")
        text = roff.inline(" ".join(c_header.text_of(f"/*{comment}*/").split())) if comment else "\\&"
        if code:
            out += f".TP\n{_code(code)}\n{text}\n"
        elif comment:
            out += f".PP\n{text}\n"
    return out


def show_macros(code):
    """#define lines: name and value, and the comment behind them."""
    out = ""
    joined = re.sub(r"[ \t]*\\\n[ \t]*", " ", code)
    for match in re.finditer(r"(?m)^#define (\w+(?:\([^)]*\))?)[ \t]*(.*(?:\n[ \t]+\S.*)*)", joined):
        value, _, comment = match.group(2).partition("/*")
        comment = " ".join(re.sub(r"\*/", "", comment).split())
        text = f"{value.strip()}{': ' if value.strip() and comment else ''}{comment}"
        out += f".TP\n{_code(match.group(1))}\n{roff.inline(text) if text else roff.escape('-')}\n"
    return out


def show_code(code):
    match = re.match(r"\s*((?:typedef )?(?:struct|enum) ?\w*)\s*\{(.*)\}\s*\w*;(.*)$", code, re.S)
    if match:
        members = match.group(2)
        heading = c_header.COMMENT.match(members.strip())
        out = f".PP\n\\fB{roff.escape(match.group(1))}\\fR\n"
        if heading and members.lstrip().startswith("/*") and "\n" not in members[:members.find("/*")]:
            out += paragraphs(c_header.text_of(heading.group(0)))
            members = members.strip()[heading.end():]
        return out + ".RS 4\n" + show_members(members, "," if "enum" in match.group(1) else ";") + ".RE\n" + (show_code(match.group(3)) if match.group(3).strip() else "")
    if "#define" in code:
        return show_macros(code)
    flat = re.sub(r"\n\{.*?\n\}", ";", c_header.without_comments(code), flags=re.S)  # inline functions
    lines = [" ".join(part.split()) + ";" for part in flat.split(";") if part.strip() and not part.strip().startswith("#")]
    return "".join(f".PP\n.nh\n.in +8n\n.ti -8n\n{_code(line)}\n.in\n.hy\n" for line in lines)


def show_item(item):
    title = re.fullmatch(r"--- (.*) ---", item.comment)
    if title:
        return f".SH {roff.escape(title.group(1).upper())}\n" + (show_code(item.code) if item.code else "")
    out = show_code(item.code) if item.code else ""
    comment = paragraphs(item.comment)
    return out + (f".RS 4\n{comment}.RE\n" if out and comment else comment)


def show(version, name, headers):
    texts = []
    for header in headers:
        with open(header, encoding="utf-8") as file:
            texts.append(c_header.parse(file.read()))
    file_name = os.path.basename(headers[0])
    head = texts[0][0].removeprefix(f"{file_name} - ")
    summary, _, description = head.partition("\n\n")
    summary = " ".join(summary.split())
    functions = [function for _, items in texts for item in items for function in c_header.functions(item.code)]
    out = f".\\\" Made from {file_name} by docs/manual/library_page.py.\n"
    out += roff.heading(name, 3, version, "Library Functions Manual")
    short = re.split(r"[.:,;](?: |$)", summary)[0]
    out += ".SH NAME\n" + roff.escape(", ".join([name] + functions)) + " \\- " + roff.escape(short) + "\n"
    out += f".SH SYNOPSIS\n.nf\n\\fB#include <{roff.escape(file_name)}>\\fR\n\n"
    package = name.replace("_", "-") if name in ("usrsctp_cmt_event", "usrsctp_cmt_blocking", "usrsctp_cmt_sim") else "usrsctp-cmt"
    out += f"cc app.c $(pkg\\-config \\-\\-cflags \\-\\-libs {roff.escape(package)})\n.fi\n"
    out += ".SH DESCRIPTION\n" + paragraphs(summary[:1].upper() + summary[1:]) + paragraphs(description)
    for index, (_, items) in enumerate(texts):
        first = next((item for item in items if item.comment), None)
        if index or not (first and first.comment.startswith("---")):
            out += f".SH {roff.escape(os.path.basename(headers[index]).upper() if index else 'DECLARATIONS')}\n"
        out += "".join(show_item(item) for item in items)
    pages = [page for page in ("usrsctp_cmt", "usrsctp_cmt_event", "usrsctp_cmt_blocking", "usrsctp_cmt_packets", "usrsctp_cmt_sched", "usrsctp_cmt_sim") if page != name]
    out += ".SH SEE ALSO\n" + ",\n".join(f"\\fB{page}\\fR(3)" for page in pages) + ",\n\\fBcmt\\-lab\\fR(1)\n"
    return roff.tidy(out), functions


def main():
    out, version, *pages = sys.argv[1:]
    for headers in (page.split(":") for page in pages):
        name = os.path.basename(headers[0]).removesuffix(".h")
        text, functions = show(version, name, headers)
        roff.write(os.path.join(out, name + ".3.gz"), text)
        for function in functions:
            link = os.path.join(out, function + ".3.gz")
            if not os.path.lexists(link):
                os.symlink(name + ".3.gz", link)


if __name__ == "__main__":
    main()
