# SPDX-License-Identifier: BSD-3-Clause
"""What a program's --help says, as data. The form that all programs of apps/ have:

NAME
  cmt-recv - receives files
                                        sections in capitals at the margin, their text indented by two
WHERE
  -d, --directory DIR     folder         an entry: a term, two spaces or more (or the column of its neighbours), its
                          to write to    meaning, and more of that on lines that are indented further
EXAMPLES
  cmt-recv -d incoming                   anything else is text; lines indented further than the text are literal
"""

import collections
import re
import subprocess

# Of a section: kind is "entry" (term, text), "text" (text) or "literal" (text, its line breaks kept).
Block = collections.namedtuple("Block", "kind term text")
OPTION = re.compile(r"(?<![\w-])(--?[A-Za-z0-9][\w-]*)")


def ask(command, *arguments):
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False, timeout=60,
                          stdin=subprocess.DEVNULL)
    if done.returncode != 0 or not done.stdout:
        raise SystemExit(f"{' '.join([*command, *arguments])}: exit status {done.returncode}, {done.stderr.strip()}")
    return done.stdout


def sections(text):
    """Name of section -> its lines, without the two spaces in front."""
    found, name = {}, None
    for line in text.splitlines():
        if line and not line[0].isspace():
            name = line.strip()
            found[name] = []
        elif name is None:
            raise SystemExit(f"\"{line}\": text in front of the first section")
        else:
            found[name].append(line[2:] if line.startswith("  ") else line.strip())
    return found


def _column(lines):
    """Where the meanings of most entries begin; 0 = there are none."""
    starts = [match.end() for match in (re.match(r"\S.*? {2,}(?=\S)", line) for line in lines) if match]
    return collections.Counter(starts).most_common(1)[0][0] if starts else 0


def _entry(line, column, before):
    """(term, meaning) or None. `before`: the block in front of the line."""
    match = re.match(r"(\S.*?) {2,}(\S.*)", line)
    if match:
        return match.groups()
    alike = before is not None and before.kind == "entry" and before.term.split()[0] == line.split(" ")[0]
    if column and (line.startswith("-") or alike) and len(line) > column and line[column - 1] == " ":
        return line[:column].rstrip(), line[column:]
    return (line, "") if line.startswith("-") else None


def blocks(lines, literal=False):
    """`literal`: lines that are no entries keep their line breaks."""
    found, column = [], _column(lines)

    def more(kind, text):
        if found and found[-1].kind == kind and text:
            joint = "\n" if kind == "literal" else " "
            found[-1] = Block(kind, found[-1].term, (found[-1].text + joint + text).strip())
        elif text:
            found.append(Block(kind, "", text))

    for line in lines:
        deeper = line.startswith(" ")
        entry = None if deeper else _entry(line, column, found[-1] if found else None)
        if not line:
            found.append(Block("end", "", ""))
        elif entry:
            found.append(Block("entry", *entry))
        elif deeper and found and found[-1].kind == "entry":
            more("entry", line.strip())
        else:
            more("literal" if literal or deeper else "text", line.rstrip() if literal or deeper else line)
    return [block for block in found if block.kind != "end"]


def commands(name, text):
    """Names of commands that have a --help of their own: those of the synopsis of a program that says so."""
    synopsis = sections(text).get("SYNOPSIS", [])
    if not any(line.startswith(f"{name} COMMAND --help") for line in synopsis):
        return []
    words = (re.match(rf"{re.escape(name)} ([a-z][\w-]*)", line) for line in synopsis)
    return [match.group(1) for match in words if match]


def options(text):
    """Every option that a help text has an entry for."""
    found = set()
    for name, lines in sections(text).items():
        if name in ("SYNOPSIS", "EXAMPLES", "DESCRIPTION"):
            continue
        for block in blocks(lines):
            if block.kind == "entry" and block.term.startswith("-"):
                found.update(OPTION.findall(block.term))
    return found
