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


def chunk_types(all_packets, sctp_port, from_s, until_s):
    """How many packets with this SCTP port have a chunk of each type, from `from_s` to SHUTDOWN COMPLETE or, without one, to
    `until_s`: what arrives behind it belongs to no association, and is answered by ABORT (RFC 9260, 8.4), and so is what
    a kernel goes on sending of an association whose peer's process is gone."""
    out = collections.Counter()
    for at_s, ports, types in all_packets:
        if from_s <= at_s <= until_s and sctp_port in ports:
            out.update(types)
            if SHUTDOWN_COMPLETE in types:
                break
    return out
