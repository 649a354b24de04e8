# SPDX-License-Identifier: BSD-3-Clause
"""What a capture says about a cell, as tshark reads it."""

import collections
import subprocess

SHUTDOWN_COMPLETE = 14


def packets(path):
    """[(when in seconds, its SCTP ports, types of its chunks)]"""
    done = subprocess.run(["tshark", "-r", path, "-T", "fields", "-e", "frame.time_epoch", "-e", "sctp.srcport", "-e",
                           "sctp.dstport", "-e", "sctp.chunk_type"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ValueError(f"tshark: {done.stderr.strip()}")
    fields = [line.split("\t") for line in done.stdout.splitlines()]
    return [(float(at), {int(port) for port in (source, destination) if port}, {int(word, 0) for word in types.split(",") if word})
            for at, source, destination, types in fields]


def of_port(all_packets, sctp_port):
    """Those of one association's: a kernel goes on sending what belonged to one whose peer's process is gone, and is answered
    by ABORT."""
    return [packet for packet in all_packets if sctp_port in packet[1]]


def chunk_types(all_packets, from_s, until_s):
    """How many packets have a chunk of each type, from `from_s` to SHUTDOWN COMPLETE or, without one, to `until_s`: what
    arrives behind it belongs to no association, and is answered by ABORT (RFC 9260, 8.4)."""
    out = collections.Counter()
    for at_s, _, types in all_packets:
        if from_s <= at_s <= until_s:
            out.update(types)
            if SHUTDOWN_COMPLETE in types:
                break
    return out
