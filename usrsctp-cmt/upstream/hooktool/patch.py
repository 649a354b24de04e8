# SPDX-License-Identifier: BSD-3-Clause
"""Places entries in a pristine file. Every anchor is looked up in the pristine text, never in the result of an
earlier entry, so manifests do not depend on each other's order; lines for one place keep the order given."""

from dataclasses import dataclass

from .manifest import FIXES
from .source import find_scopes, find_sequence

FIXES_MACRO = "SCTP_CMT_FIXES"


class PlacementError(Exception):
    pass


@dataclass
class Placed:
    """Lines [start, end) of the pristine file give way to entry.added; start == end inserts before `start`."""

    start: int
    end: int
    entry: object


def place(lines, entry):
    """Raises PlacementError with a text that names everything one needs to look."""
    look = f'look with: hooks.py show --src DIR {entry.file} "{entry.scope}"'
    scopes = find_scopes(lines, entry.scope)
    if not scopes:
        raise PlacementError(f"{entry.where()}: {entry.file}: there is no {entry.scope} in it")
    starts = find_sequence(lines, scopes, entry.hashes)
    if len(starts) != entry.total:
        raise PlacementError(
            f"{entry.where()}: {entry.file}: {entry.scope}: {' '.join(entry.hashes)} was found {len(starts)} "
            f"times, the manifest counts on {entry.total}; {look}"
        )
    start = starts[entry.nth - 1]
    end = start + len(entry.hashes)
    if entry.action == "before":
        end = start
    elif entry.action == "after":
        start = end
    cut = [i for i in (start, end) if 0 < i < len(lines) and lines[i - 1].endswith("\\")]
    if cut:
        raise PlacementError(
            f"{entry.where()}: {entry.file}: line {cut[0]} continues with a backslash, nothing may be placed "
            "behind it; replace the whole macro"
        )
    if not _balanced(lines[start:end]):
        raise PlacementError(
            f"{entry.where()}: {entry.file}: the replaced lines open or close an #if of their surroundings; "
            "replace whole conditionals"
        )
    return Placed(start, end, entry)


def _balanced(lines):
    """Whether every preprocessor conditional that starts in `lines` ends there, and none ends that did not start."""
    depth = 0
    for line in lines:
        text = line.strip()
        if text.startswith("#if"):
            depth += 1
        elif text.startswith(("#endif", "#else", "#elif")):
            if depth == 0:
                return False
            depth -= text.startswith("#endif")
    return depth == 0


def _conflicts(placed):
    errors = []
    blocks = sorted((p for p in placed if p.start < p.end), key=lambda p: p.start)
    for a, b in zip(blocks, blocks[1:]):
        if b.start < a.end:
            errors.append(f"{b.entry.where()}: {b.entry.file}: replaces lines that {a.entry.where()} replaces too")
    for p in placed:
        for b in blocks:
            if p.start == p.end and b.start < p.start < b.end:
                errors.append(
                    f"{p.entry.where()}: {p.entry.file}: inserts amid the lines that {b.entry.where()} replaces"
                )
    return errors


def _render(placed, original):
    added = placed.entry.added
    if placed.entry.kind != FIXES:
        return added
    if not original:
        return [f"#ifdef {FIXES_MACRO}", *added, "#endif"]
    if not added:
        return [f"#ifndef {FIXES_MACRO}", *original, "#endif"]
    return [f"#ifdef {FIXES_MACRO}", *added, "#else", *original, "#endif"]


def patch(lines, entries):
    """(new lines, errors). `entries` all belong to this file."""
    placed, errors = [], []
    for entry in entries:
        try:
            placed.append(place(lines, entry))
        except PlacementError as error:
            errors.append(str(error))
    errors += _conflicts(placed)
    if errors:
        return lines, errors
    result = list(lines)
    # From the end, so that earlier indices stay true. At one place what goes behind a line ("after") stands
    # before what replaces the following ones, and lines of one place keep their order: hence the reversal.
    order = sorted(range(len(placed)), key=lambda i: (placed[i].start, placed[i].end, i), reverse=True)
    for i in order:
        p = placed[i]
        result[p.start : p.end] = _render(p, lines[p.start : p.end])
    return result, []
