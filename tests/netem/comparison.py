# SPDX-License-Identifier: BSD-3-Clause
"""Measured beside predicted: rows, their table, and what must hold of them.

A row is {"scenario", "scheduler", "measured": result, "predicted": [results of cmt-lab, one a seed] or None}.

The prediction is a range. Where nothing is random all seeds agree and it is a point; where packets are lost at random
a single run in virtual time says as little as a single run here. Measured values are compared with the nearest end.
"""

import statistics

from lateness import is_late

TOLERANCE = 0.10
ASTRAY_SHARE = 0.001  # what arrives while a packet is taken in can change the wish for the SACK before it leaves
CLEARLY_DIFFERENT = 1.10  # medians that differ by less have no order that could be reproduced


def goodputs(row):
    """Of the predicted runs that arrived intact."""
    return [p["goodput_bps"] for p in row["predicted"] or [] if p["integrity"] == "ok" and p["goodput_bps"]]


def deviation(row):
    """How far the measured goodput is outside the predicted range, as a part of its nearest end; 0 = within. None
    when either is missing."""
    measured, predicted = row["measured"]["goodput_bps"], goodputs(row)
    if not measured or not predicted:
        return None
    nearest = min(max(measured, min(predicted)), max(predicted))
    return measured / nearest - 1


def is_disturbed(row):
    """Whether goodput or SACKs are wrong, all bytes are right, and the machine may be why: who gets the processor late
    sends late, and what arrived meanwhile changes the wish for a SACK that is on its way."""
    measured, away = row["measured"], deviation(row)
    late = is_late(measured.get("lateness_p99_us") or 0, measured.get("lateness_max_us") or 0)
    return (late and measured["integrity"] == "ok" and away is not None and
            (abs(away) > TOLERANCE or bool(sack_violations(row))))


def name(row):
    return f"{row['scenario']} {row['scheduler']}"


def transfer_violations(row):
    measured, out = row["measured"], []
    if measured["integrity"] != "ok":
        return [f"{name(row)}: {measured.get('failure', 'corrupt')}"]
    if row["predicted"] is not None:
        away = deviation(row)
        if away is None:
            out.append(f"{name(row)}: there is no goodput to compare, measured {measured['goodput_bps']}, "
                       f"predicted {goodputs(row)}")
        elif abs(away) > TOLERANCE:
            out.append(f"{name(row)}: {measured['goodput_bps'] / 1e6:.3f} Mbit/s is {100 * away:+.1f} % off the "
                       f"prediction of {range_text(goodputs(row))} Mbit/s; at most {100 * TOLERANCE:.0f} % are allowed")
        out += sack_violations(row)
    return out


def sack_violations(row):
    sacks = row["measured"]["sacks"]
    if not sacks or not sacks["sacks"]:
        return [f"{name(row)}: no SACK in the capture"]
    if sacks["astray"] > ASTRAY_SHARE * sacks["sacks"]:
        return [f"{name(row)}: {sacks['astray']} of {sacks['sacks']} SACKs left neither on the path of the data they "
                "answer nor on the wished one"]
    return []


def order_violations(rows):
    """Two schedulers that are clearly different in virtual time are in the same order here."""
    out = []
    for i, first in enumerate(rows):
        for second in rows[i + 1:]:
            if first["scenario"] != second["scenario"] or not goodputs(first) or not goodputs(second):
                continue
            slow, fast = sorted((first, second), key=lambda row: statistics.median(goodputs(row)))
            if statistics.median(goodputs(fast)) < CLEARLY_DIFFERENT * statistics.median(goodputs(slow)):
                continue
            if (slow["measured"]["goodput_bps"] or 0) >= (fast["measured"]["goodput_bps"] or 0):
                out.append(f"{slow['scenario']}: {fast['scheduler']} is faster than {slow['scheduler']} in virtual "
                           "time and not here")
    return out


def violations(rows):
    """Sentences; none when all is well. No row at all is not well."""
    if not rows:
        return ["nothing was measured"]
    return [v for row in rows for v in transfer_violations(row)] + order_violations(rows)


def range_text(values):
    low, middle, high = min(values) / 1e6, statistics.median(values) / 1e6, max(values) / 1e6
    return f"{middle:.3f}" if high - low < 0.002 * middle else f"{middle:.3f} ({low:.3f} to {high:.3f})"


def cells(row):
    measured, predicted, away = row["measured"], goodputs(row), deviation(row)
    sacks = measured["sacks"]
    failed = measured["integrity"] != "ok"
    return [row["scenario"], row["scheduler"],
            "FAILED" if failed else f"{measured['goodput_bps'] / 1e6:.3f}",
            "-" if failed else f"{100 * measured['goodput_ratio']:.1f} %",
            range_text(predicted) if predicted else "-",
            "-" if away is None else "within" if away == 0 else f"{100 * away:+.1f} %",
            "-" if not sacks else f"{sacks['sacks'] - sacks['astray']} of {sacks['sacks']}",
            str(measured["drops"])]


def player_cells(row):
    def seconds(key):
        value = row["measured"].get(key)
        return "-" if value is None else f"{value / 1e6:.2f} s"

    stalls = row["measured"].get("play_stalls")
    return [seconds("play_wait_us"), seconds("play_startup_us"), "-" if stalls is None else str(stalls),
            seconds("play_stalled_us")]


def player_table(rows):
    """What the viewer sees, where the scenario has a player (key `play`, docs/lab.md)."""
    head = ["scenario", "protocol", "wait needed", "starts after", "stalls", "stands still"]
    return columns([head, *([row["scenario"], row["scheduler"], *player_cells(row)] for row in rows)])


def table(rows):
    head = ["scenario", "protocol", "Mbit/s", "of ceiling", "virtual time", "deviation", "SACKs right", "drops"]
    return columns([head, *(cells(row) for row in rows)])


def columns(lines):
    """The first two to the left, the others to the right."""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return "\n".join("  ".join(cell.ljust(width) if i < 2 else cell.rjust(width)
                               for i, (cell, width) in enumerate(zip(line, widths))).rstrip() for line in lines)
