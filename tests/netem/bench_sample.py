# SPDX-License-Identifier: BSD-3-Clause
"""Networks of `cmt-lab bench` as tc netem has them, and what kernel TCP, kernel MPTCP and we do there side by side.

Pure but for the traces that are read: text in, text out.
"""

import csv
import io
import re
import shlex
import statistics

PACKET_BYTES = 1500
GOLDEN = (5 ** 0.5 - 1) / 2
LOAD_KEYS = ("msg", "rcvbuf", "sndbuf", "bytes", "duration")
LEAST_BPS = 8000  # of a trace; tc has no rate of zero
ROWS = ("auto", "plain", "tcp", "mptcp")
ROW_NAMES = {"auto": "auto", "plain": "plain SCTP, best path", "tcp": "TCP CUBIC, best path", "mptcp": "MPTCP"}
TITLE = "Kernel MPTCP and TCP CUBIC"
WORST = 3


class Unsupported(Exception):
    """A network that tc netem does not have as the simulator has it."""


def choose(points, n):
    """n of them, spread over the list as `cmt-lab bench --quick` spreads its own."""
    taken = []
    for i in range(min(n, len(points))):
        at = int((0.5 + i * GOLDEN) % 1 * len(points))
        while at in taken:
            at = (at + 1) % len(points)
        taken.append(at)
    return [points[i] for i in sorted(taken)]


def read_command(command):
    """(inline scenario, {key: value} of --set) of a command that `cmt-lab bench` prints."""
    words = shlex.split(command)
    settings = {}
    for i, word in enumerate(words):
        if word == "--set":
            key, _, value = words[i + 1].partition("=")
            settings[key] = value
    return words[2], settings


def in_packets(value):
    """A queue in bytes as one in full packets, which tc netem counts."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(k|M)B", value)
    if not match:
        return value
    size = float(match[1]) * {"k": 1e3, "M": 1e6}[match[2]]
    return f"{max(1, round(size / PACKET_BYTES))}p"


def trace_changes(key, text):
    """Lines of a scenario that stand for a trace with lines SECOND,BIT/S: a rate and changes of it."""
    lines = [line.split(",") for line in text.splitlines() if line.strip() and not line.startswith("#")]
    if any(len(line) != 2 for line in lines):
        raise Unsupported("a trace of single packets")
    rates = [(float(at), max(LEAST_BPS, round(float(bps)))) for at, bps in lines]
    return [f"{key}.rate = {rates[0][1] / 1e3:.3f}kbit",
            *(f"at.{at:g}s.{key}.rate = {bps / 1e3:.3f}kbit" for at, bps in rates[1:])]


def path_lines(item):
    rate, delay, *keys = item.split("/")
    lines = [f"rate = {rate}", f"delay = {delay}"]
    for key in keys:
        name, _, value = key.partition("=")
        name = "queue" if name == "q" else name
        lines.append(f"{name} = {in_packets(value) if name == 'queue' else value}")
    return lines


def scenario_file(inline, settings, read):
    """The text of a scenario file; `read(path)` gives the text of a trace."""
    items = inline.split(",")
    paths = [path_lines(item) for item in items if "/" in item and "=" not in item.split("/")[0]]
    load = dict(item.split("=", 1) for item in items if "=" in item.split("/")[0])
    for key in list(settings):
        if key in LOAD_KEYS:
            load[key] = settings.pop(key)
    unknown = [key for key in load if key not in LOAD_KEYS]
    if unknown:
        raise Unsupported(", ".join(unknown))
    for key, value in settings.items():
        match = re.fullmatch(r"path\.(\d)\.(?:(forward|back)\.)?(\w+)", key)
        if not match:
            raise Unsupported(key)
        number, direction, name = match.groups()
        key = f"{direction}.{name}" if direction else name
        if name == "trace":
            lines = trace_changes(direction or "forward", read(value))
        else:
            lines = [f"{key} = {in_packets(value) if name == 'queue' else value}"]
        paths[int(number) - 1] += lines
    out = ["[scenario]", *(f"{key} = {value}" for key, value in load.items())]
    for number, lines in enumerate(paths, 1):
        out += ["", f"[path.{number}]", *lines]
    return "\n".join(out) + "\n"


def times(row, other):
    return row["auto"] / row[other] if row.get("auto") and row.get(other) else None


def number(value):
    return "-" if value is None else f"{value:.3f}"


def low_tenth(values):
    """A tenth of them is this bad or worse."""
    return sorted(values)[max(0, -(-len(values) // 10) - 1)]


def table(rows):
    """Markdown: for each benchmark the medians of what each protocol had of the ceiling, and how we compare."""
    out = ["| benchmark | networks | " + " | ".join(ROW_NAMES[row] for row in ROWS) +
           " | auto / MPTCP: median | worst tenth | worst | auto / TCP: median | worst |",
           "|---|---|" + "---|" * (len(ROWS) + 5)]
    for bench in dict.fromkeys(row["benchmark"] for row in rows):
        mine = [row for row in rows if row["benchmark"] == bench]
        shares = [[row[p] / row["ceiling"] for row in mine if row[p]] for p in ROWS]
        cells = [number(statistics.median(share) if share else None) for share in shares]
        for other in ("mptcp", "tcp"):
            ratios = [r for r in (times(row, other) for row in mine) if r is not None]
            if not ratios:
                cells += ["-"] * (3 if other == "mptcp" else 2)
                continue
            cells.append(number(statistics.median(ratios)))
            cells += [number(low_tenth(ratios))] if other == "mptcp" else []
            cells.append(number(min(ratios)))
        out.append(f"| `{bench}` | {len(mine)} | " + " | ".join(cells) + " |")
    return "\n".join(out)


def worst(rows):
    known = sorted((row for row in rows if times(row, "mptcp") is not None), key=lambda row: times(row, "mptcp"))
    return "\n".join(f"# {row['benchmark']}, {row['name']}: {times(row, 'mptcp'):.3f} times MPTCP\n{row['command']}"
                     for row in known[:WORST])


def csv_text(rows):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["benchmark", "name", "ceiling_bps", *(f"{row}_bps" for row in ROWS), "failed", "command"])
    for row in rows:
        writer.writerow([row["benchmark"], row["name"], round(row["ceiling"]),
                         *("" if row[p] is None else round(row[p]) for p in ROWS), " ".join(row["failed"]),
                         row["command"]])
    return out.getvalue()


def gnuplot(rows):
    """Each network a point: what MPTCP has of the ceiling, and what we have."""
    names = list(dict.fromkeys(row["benchmark"] for row in rows))
    blocks = []
    for name in names:
        points = [f"{row['mptcp'] / row['ceiling']:.4f} {row['auto'] / row['ceiling']:.4f}"
                  for row in rows if row["benchmark"] == name and row["mptcp"] and row["auto"]]
        blocks.append("\n".join(points or ["NaN NaN"]))
    colours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"]
    plots = [f"$data index {i} with points pt {5 + 2 * i} ps 1.4 lc rgb \"{colours[i % len(colours)]}\" title \"{name}\""
             for i, name in enumerate(names)]
    return ("set terminal pngcairo noenhanced size 640,640 font \"sans,11\"\nset output \"kernel.png\"\n"
            f"set title \"{TITLE}: goodput over the ceiling\"\n"
            "set xlabel \"kernel MPTCP\"\nset ylabel \"auto\"\nset xrange [0:1]\nset yrange [0:1]\nset size square\n"
            "set grid lc rgb \"#dddddd\"\nset key bottom right\n$data << EOD\n" + "\n\n\n".join(blocks) + "\nEOD\n"
            "plot x lc rgb \"#999999\" dt 2 title \"the same\", \\\n  " + ", \\\n  ".join(plots) + "\n")


def put_section(page, text):
    """The page with the section replaced, or at its end."""
    heading = f"## {TITLE}\n"
    start = page.find(heading)
    if start < 0:
        return (page.rstrip("\n") + "\n\n" if page else "# Benchmarks\n\n") + heading + text
    end = page.find("\n## ", start)
    return page[:start] + heading + text + ("" if end < 0 else page[end:])
