# SPDX-License-Identifier: BSD-3-Clause
"""The manifest format: one concern per file, as entries that name their place by hash.

    # why this is needed (mandatory, before the first entry)
    file netinet/sctp_output.c       relative to usrsctplib/
    in sctp_med_chunk_output         function, `struct NAME`, or `*` for the whole file
    # what the anchored line does    mandatory directly above every entry, one line, in our own words
    after 3f2a91c4d0aa 1/2           several hashes name consecutive lines; 1/1 may be left out
    +	OUR_LINE;
    # the address is there, the time is taken for its HEARTBEAT
    before 77aa01c2d3e4
    +	OUR_LINE;
    # room for AUTH was kept when DATA need it
    replace 77aa01c2d3e4 88bb01c2d3e4
    +	OUR_LINE;                    none at all: the lines are taken out

A manifest in a folder `hooks` only inserts, and its lines expand to nothing when CMT is off. One in `fixes` is
wrapped in SCTP_CMT_FIXES by the tool.
"""

import os
import re
from dataclasses import dataclass, field

from .source import HASH_DIGITS

HOOKS, FIXES = "hooks", "fixes"
UNSAID = "say here what the anchored lines do"  # what capture writes; refused until somebody has looked
MEANING_WORDS = range(3, 13)
MEANING_LINE_LENGTH = 140


class ManifestError(Exception):
    """Text is complete: it names the manifest, the line and the way out."""


@dataclass
class Entry:
    manifest: str
    line_number: int
    kind: str  # HOOKS or FIXES
    file: str
    scope: str
    action: str  # after, before, replace
    hashes: list
    nth: int = 1
    total: int = 1
    added: list = field(default_factory=list)
    meaning: str = ""  # what the anchored lines do; of a replacement: did

    def where(self):
        return f"{self.manifest}:{self.line_number}"


def kind_of(path):
    kind = os.path.basename(os.path.dirname(os.path.abspath(path)))
    if kind not in (HOOKS, FIXES):
        raise ManifestError(f"{path}: a manifest lives in a folder named hooks or fixes, not {kind}")
    return kind


def _anchor(where, words):
    nth = total = 1
    if words and "/" in words[-1]:
        match = re.fullmatch(r"([0-9]+)/([0-9]+)", words[-1])
        if not match or not 1 <= int(match.group(1)) <= int(match.group(2)):
            raise ManifestError(f'{where}: "{words[-1]}" is no occurrence; write 1/2 for the first of two')
        nth, total = int(match.group(1)), int(match.group(2))
        words = words[:-1]
    if not words:
        raise ManifestError(f"{where}: the anchor's hash is missing; hooks.py show prints it")
    for word in words:
        if not re.fullmatch(r"[0-9a-f]{%d}" % HASH_DIGITS, word):
            raise ManifestError(f'{where}: "{word}" is no hash of {HASH_DIGITS} lower-case hex digits')
    return words, nth, total


def _fault(above):
    """What is wrong with an entry's meaning, from the two lines above it; empty when nothing is."""
    next_one, nearest = above
    text = nearest[2:]
    if not nearest.startswith("# "):
        return "there is none"
    if next_one.startswith("#"):
        return "there are several"
    if text == UNSAID:
        return "nobody has written it yet"
    if len(text.split()) not in MEANING_WORDS:
        return f"it has {len(text.split())} words"
    if len(nearest) > MEANING_LINE_LENGTH:
        return f"the line has {len(nearest)} characters, {MEANING_LINE_LENGTH} are allowed"
    if text != text.strip() or text.endswith(".") or re.match(r"[A-Z][a-z]", text):
        return "it is written like a sentence"
    return ""


class _Parser:
    def __init__(self, path, kind):
        self.path, self.kind = path, kind
        self.above = ["", ""]
        self.explained = False
        self.file = self.scope = self.entry = None
        self.entries = []

    def line(self, number, line):
        where = f"{self.path}:{number}"
        if line.startswith("+"):
            if not self.entry:
                raise ManifestError(f"{where}: a line to insert needs after, before or replace above it")
            self.entry.added.append(line[1:])
        elif line.startswith("#"):
            self.explained = self.explained or len(line.strip("# \t")) > 0
        elif line.strip():
            self.command(where, number, line.split())
        self.above = [self.above[-1], line]

    def meaning(self, where, action):
        fault = _fault(self.above)
        if fault:
            raise ManifestError(
                f"{where}: one comment line directly above {action} must say what the anchored lines do; {fault}. "
                f"Look with hooks.py show, and write {MEANING_WORDS[0]} to {MEANING_WORDS[-1]} words of your own, "
                'lower case, no full stop, as "# the acknowledged chunk leaves the queue of sent chunks"; of a '
                "replacement, what the lines did"
            )
        return self.above[-1][2:]

    def command(self, where, number, words):
        if not self.explained:
            raise ManifestError(f"{where}: a manifest starts with # lines that say why it is needed")
        self.entry = None
        name, rest = words[0], words[1:]
        if name == "file" and len(rest) == 1:
            self.file, self.scope = rest[0], None
        elif name == "in" and self.file and 1 <= len(rest) <= 2:
            self.scope = " ".join(rest)
        elif name in ("after", "before", "replace") and self.scope:
            if name == "replace" and self.kind == HOOKS:
                raise ManifestError(f"{where}: hooks only insert; a replacement belongs into fixes/")
            hashes, nth, total = _anchor(where, rest)
            meaning = self.meaning(where, name)
            self.entry = Entry(
                self.path, number, self.kind, self.file, self.scope, name, hashes, nth, total, meaning=meaning
            )
            self.entries.append(self.entry)
        else:
            raise ManifestError(
                f'{where}: cannot read "{" ".join(words)}"; expected "file NAME", then "in FUNCTION", then '
                '"after|before|replace HASH... [N/M]", then "+" lines'
            )


def parse(path, text=None):
    """Entries of one manifest in file order. Raises ManifestError."""
    if text is None:
        try:
            with open(path, encoding="latin-1", newline="\n") as f:
                text = f.read()
        except OSError as error:
            raise ManifestError(f"{path}: {error.strerror}") from error
    parser = _Parser(path, kind_of(path))
    for number, line in enumerate(text.split("\n"), 1):
        parser.line(number, line)
    for entry in parser.entries:
        if not entry.added and entry.action != "replace":
            raise ManifestError(f"{entry.where()}: nothing to insert; add lines that start with +")
    if not parser.entries:
        raise ManifestError(f"{path}: no entry in it")
    return parser.entries


def write_entry(entry):
    """The entry as manifest text, without its file and scope lines. An entry without meaning gets a line that `parse`
    refuses."""
    count = "" if entry.total == 1 else f" {entry.nth}/{entry.total}"
    head = [f"# {entry.meaning or UNSAID}", f"{entry.action} {' '.join(entry.hashes)}{count}"]
    return "\n".join(head + ["+" + line for line in entry.added])
