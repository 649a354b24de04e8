# SPDX-License-Identifier: BSD-3-Clause
"""One transfer between two peers of tests/interop over the network of network.py, captured at the server."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "interop"))
from captured import chunk_types, packets  # noqa: E402
from network import in_namespace  # noqa: E402

PATIENCE_S = 60
LEAST_CHUNKS = 1000  # of a thousand messages
ABORT = 6
# pion lets nobody choose its port, nor should it end an association (peer_pion.go). It drops an INIT-ACK that names addresses.
PION = ("--port", "5000", "--receiver-ends")


class Capture:
    """What leaves and enters a namespace meanwhile, into a file."""

    def __init__(self, namespace, path):
        self._process = subprocess.Popen(in_namespace(namespace, "tcpdump", "-Z", "root", "-i", "any", "-U", "--immediate-mode", "-w",
                                                      path, "udp"), stderr=subprocess.PIPE, text=True)
        said = ""
        while "listening on" not in said:
            line = self._process.stderr.readline()
            if line == "":
                raise AssertionError(f"tcpdump: {said}")
            said += line

    def end(self):
        self._process.terminate()
        self._process.communicate()


def transfer(programs, network, client, server, capture):
    """`programs`: the folder of tests/interop. Raises AssertionError with what went wrong at an end."""
    addresses = ",".join(network.servers[:1] if client == "pion" else network.servers)
    options = PION[:3 if client == "pion" else 2] if "pion" in (client, server) else ()
    listens = in_namespace("server", f"{programs}/interop-{server}", "receive", "--local", addresses, *options)
    sends = in_namespace("client", f"{programs}/interop-{client}", "send", "--local", "192.168.1.2,192.168.2.2", "--peer", addresses,
                         *options)
    captured = Capture("server", capture)
    receiver = subprocess.Popen(listens, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        line = receiver.stdout.readline()
        if "listening" not in line:
            raise AssertionError(f"server: {line}")
        sent = subprocess.run(sends, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        if sent.returncode != 0:
            raise AssertionError(f"client: exit status {sent.returncode}: {sent.stderr}")
        said, _ = receiver.communicate(timeout=PATIENCE_S)
        if receiver.returncode != 0:
            raise AssertionError(f"server: exit status {receiver.returncode}: {said}")
    except subprocess.TimeoutExpired as late:
        raise AssertionError(str(late)) from late
    finally:
        receiver.kill()
        receiver.communicate()
        captured.end()


def judge(capture):
    """Raises AssertionError unless it has a transfer without ABORT."""
    seen = chunk_types(packets(capture), 0, float("inf"))
    if seen[ABORT] or sum(seen.values()) < LEAST_CHUNKS:
        raise AssertionError(f"packets with a chunk of each type: {dict(seen)}")
