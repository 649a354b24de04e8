# SPDX-License-Identifier: BSD-3-Clause
"""Turns the difference between a pristine and an edited tree back into manifest entries.

An edited tree may be one that `apply` wrote: its SCTP_CMT_FIXES blocks are read as fixes, its bare insertions as
hooks, and what given manifests already say is left out.
"""

import difflib
from dataclasses import dataclass

from .manifest import FIXES, HOOKS, Entry
from .patch import FIXES_MACRO, place
from .source import WHOLE_FILE, find_scopes, find_sequence, line_hash, normalise, scope_at


@dataclass
class Change:
    """Lines [start, end) of the pristine file become `added`."""

    start: int
    end: int
    added: list
    kind: str


def _block(lines, start):
    """(added, original, index behind) of the SCTP_CMT_FIXES block that opens on `start`, or None."""
    words = lines[start].split()
    if words not in (["#ifdef", FIXES_MACRO], ["#ifndef", FIXES_MACRO]):
        return None
    branches, depth = [[]], 0
    for i in range(start + 1, len(lines)):
        text = lines[i].strip()
        if text.startswith("#if"):
            depth += 1
        elif text.startswith("#endif"):
            if depth == 0:
                branches.append([])
                added, original = branches[0], branches[1]
                return (original, added, i + 1) if words[0] == "#ifndef" else (added, original, i + 1)
            depth -= 1
        elif text == "#else" and depth == 0:
            branches.append([])
            continue
        branches[-1].append(lines[i])
    return None


def _without_fixes(lines):
    """(lines as the preprocessor sees them with fixes off, [(index in those, count, added)])."""
    plain, fixes, i = [], [], 0
    while i < len(lines):
        block = _block(lines, i)
        if block:
            added, original, i = block
            fixes.append((len(plain), len(original), added))
            plain += original
        else:
            plain.append(lines[i])
            i += 1
    return plain, fixes


def changes(pristine, edited):
    """Raises ValueError when a fix replaces lines that are not upstream's."""
    plain, fixes = _without_fixes(edited)
    head = 0
    while head < min(len(pristine), len(plain)) and pristine[head] == plain[head]:
        head += 1
    tail = 0
    while tail < min(len(pristine), len(plain)) - head and pristine[-1 - tail] == plain[-1 - tail]:
        tail += 1
    matcher = difflib.SequenceMatcher(None, pristine[head : len(pristine) - tail], plain[head : len(plain) - tail])
    origin = list(range(head)) + [None] * (len(plain) - head - tail)
    origin += range(len(pristine) - tail, len(pristine) + 1)
    result = []
    for tag, a, a_end, b, b_end in matcher.get_opcodes():
        a, a_end, b, b_end = a + head, a_end + head, b + head, b_end + head
        if tag == "equal":
            origin[b:b_end] = range(a, a_end)
        else:
            kind = HOOKS if a == a_end else FIXES
            result.append(Change(a, a_end, plain[b:b_end], kind))
    for at, count, added in fixes:
        span = origin[at : at + max(count, 1)]
        if count == 0 and span[0] is None:
            span = [origin[at - 1] + 1] if at and origin[at - 1] is not None else span
        if None in span or span != list(range(span[0], span[0] + len(span))):
            raise ValueError(f"a {FIXES_MACRO} block replaces lines that are not upstream's: {added[:1]}")
        result.append(Change(span[0], span[0] + count, added, FIXES))
    return sorted(result, key=lambda c: (c.start, c.end))


def _anchored(pristine, change, file, action, hashes, index):
    """The entry with its anchor's first line at `index`, or None when that place does not exist."""
    if not 0 <= index or index + len(hashes) > len(pristine):
        return None
    scope = scope_at(pristine, index)
    starts = find_sequence(pristine, find_scopes(pristine, scope), hashes)
    nth = starts.index(index) + 1
    return Entry("", 0, change.kind, file, scope, action, hashes, nth, len(starts), change.added)


def to_entry(pristine, change, file):
    """Prefers the anchor that is rarer in its scope, then the line before the change."""
    i = change.start
    if change.end > i:
        return _anchored(pristine, change, file, "replace", [line_hash(x) for x in pristine[i : change.end]], i)
    choices = []
    if i > 0:
        choices.append(_anchored(pristine, change, file, "after", [line_hash(pristine[i - 1])], i - 1))
    if i < len(pristine):
        choices.append(_anchored(pristine, change, file, "before", [line_hash(pristine[i])], i))

    def cost(entry):
        line = pristine[i - 1 if entry.action == "after" else i]
        return entry.scope == WHOLE_FILE, normalise(line) == "", entry.total

    return min(choices, key=cost)


def _take_out(lines, part):
    """`lines` without the first occurrence of the consecutive `part`; None when it is not in there."""
    for i in range(len(lines) - len(part) + 1):
        if lines[i : i + len(part)] == part:
            return lines[:i] + lines[i + len(part) :]
    return None


def _unknown_part(change, known):
    """What `known` (lists of added lines for the same place) does not say of `change`; None when nothing is left."""
    rest, replaced = change.added, change.end > change.start
    for lines in known:
        left = _take_out(rest, lines)
        if left is not None:
            rest, replaced = left, False
    return Change(change.start, change.end, rest, change.kind) if rest or replaced else None


def capture(pristine, edited, file, known=()):
    """Entries for `file`; `known` are entries of manifests whose content is left out."""
    placed = {}
    for entry in known:
        p = place(pristine, entry)
        placed.setdefault((p.start, p.end, entry.kind), []).append(entry.added)
    found = []
    for change in changes(pristine, edited):
        change = _unknown_part(change, placed.get((change.start, change.end, change.kind), []))
        if change:
            found.append(to_entry(pristine, change, file))
    return found
