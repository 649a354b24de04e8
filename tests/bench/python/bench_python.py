#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""bench_python.py PYTHON SITE SIDE_BLOCKING: goodput of the Python package beside that of the C calls which it stands on, messages
of 64 kB over loopback, in turns; the target is 0.8 of it. Processor time, of
both ends without their start, depends less on who else uses the machine."""
import os
import pathlib
import statistics
import subprocess
import sys

MESSAGE_BYTES = 65536
SECONDS = 2
ROUNDS = 7
TARGET = 0.8


def main():
    python, site, side_blocking = sys.argv[1:4]
    here = pathlib.Path(__file__).resolve().parent
    sides = {"C": [side_blocking], "Python": [python, "-B", str(here / "side_asyncio.py")]}
    rates = {name: [] for name in sides}
    costs = {name: [] for name in sides}
    for _ in range(ROUNDS):
        for name, command in sides.items():
            done = subprocess.run([*command, str(MESSAGE_BYTES), str(SECONDS)], stdout=subprocess.PIPE, text=True, check=True,
                                  timeout=60, env={**os.environ, "PYTHONPATH": site})
            rate, cost = done.stdout.split()
            rates[name].append(int(rate))
            costs[name].append(float(cost))
    for name, values in rates.items():
        print(f"{name}: {statistics.median(values) / 1e6:.0f} MB/s ({min(values) / 1e6:.0f} to {max(values) / 1e6:.0f}), "
              f"{statistics.median(costs[name]):.2f} s of a processor per GB ({min(costs[name]):.2f} to {max(costs[name]):.2f})")
    ratios = [python_rate / c_rate for c_rate, python_rate in zip(rates["C"], rates["Python"])]
    ratio = statistics.median(ratios)
    print(f"Python / C: {ratio:.2f} ({min(ratios):.2f} to {max(ratios):.2f}), target {TARGET}", flush=True)
    print("times: " + ("met" if ratio >= TARGET else "missed"), file=sys.stderr)
    sys.exit(0 if ratio >= TARGET else 3)


main()
