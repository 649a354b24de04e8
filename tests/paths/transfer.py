# SPDX-License-Identifier: BSD-3-Clause
"""One transfer between two peers of tests/interop over the network of network.py, captured at the server."""

import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "interop"))
from captured import SHUTDOWN_COMPLETE, chunk_types, packets  # noqa: E402
from network import in_namespace  # noqa: E402

PATIENCE_S = 60
LEAST_CHUNKS = 1000  # of a thousand messages
ABORT = 6
DISCARD_PORT = 9
# Of a packet, and tcpdump's buffer, where each packet takes as much: room for a whole transfer, however late tcpdump runs.
CAPTURE_BYTES, CAPTURE_BUFFER_KIB = "2048", "16384"
LOOK_EVERY_S = 0.05
# pion lets nobody choose its port, nor should it end an association (peer_pion.go). It drops an INIT-ACK that names addresses.
PION = ("--port", "5000", "--receiver-ends")


class Capture:
    """Every datagram that leaves and enters a namespace meanwhile, into a file."""

    def __init__(self, namespace, path):
        self._namespace, self._path = namespace, path
        self._process = subprocess.Popen(in_namespace(namespace, "tcpdump", "-Z", "root", "-i", "any", "-U", "--immediate-mode",
                                                      "-s", CAPTURE_BYTES, "-B", CAPTURE_BUFFER_KIB, "-w", path, "udp"),
                                         stderr=subprocess.PIPE, text=True)
        said = ""
        while "listening on" not in said:
            line = self._process.stderr.readline()
            if line == "":
                raise AssertionError(f"tcpdump: {said}")
            said += line

    def _reads_up_to_now(self):
        """tcpdump leaves what it has not read yet when it is told to end: a datagram of ours is the last."""
        mark, end_s = os.urandom(16).hex(), time.monotonic() + PATIENCE_S
        subprocess.run(in_namespace(self._namespace, "bash", "-c", f"printf {mark} > /dev/udp/127.0.0.1/{DISCARD_PORT}"),
                       check=True)
        while time.monotonic() < end_s:
            with open(self._path, "rb") as capture:
                if mark.encode() in capture.read():
                    return
            time.sleep(LOOK_EVERY_S)
        raise AssertionError(f"tcpdump did not read everything within {PATIENCE_S} s")

    def end(self):
        try:
            self._reads_up_to_now()
        finally:
            self._process.terminate()
            _, said = self._process.communicate()
        if "\n0 packets dropped by kernel" not in said:
            raise AssertionError(f"tcpdump: {said}")


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
    """Raises AssertionError unless it has a whole transfer without ABORT."""
    seen = chunk_types(packets(capture), 0, float("inf"))
    if seen[ABORT] or not seen[SHUTDOWN_COMPLETE] or sum(seen.values()) < LEAST_CHUNKS:
        raise AssertionError(f"packets with a chunk of each type: {dict(seen)}")
