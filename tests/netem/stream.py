# SPDX-License-Identifier: BSD-3-Clause
"""TCP and kernel MPTCP to compare with: one file over one connection.

    python3 stream.py recv tcp|mptcp PORT RCVBUF_BYTES FILE [ADDRESS...]
    python3 stream.py send tcp|mptcp LOCAL REMOTE PORT SNDBUF_BYTES MSG_BYTES FILE

Each prints one JSON object; the times are of the same monotonic clock. 0 as a buffer's size leaves it to the kernel.
MPTCP's further ADDRESSes are announced once the connection stands, and data begin when the peer has connected to them:
announced with the handshake, they may come before the peer takes subflows, and are then forgotten (kernel 6.12).
"""

import json
import socket
import subprocess
import sys
import time

IPPROTO_MPTCP = 262
SO_SNDBUFFORCE, SO_RCVBUFFORCE = 32, 33  # beyond wmem_max and rmem_max: we are root in the machine
SOL_MPTCP, MPTCP_INFO = 284, 1
READ_BYTES = 262144
SUBFLOWS_TIMEOUT_S = 10


def now_us():
    return time.monotonic_ns() // 1000


def open_socket(kind, option, buffer_bytes):
    stream = socket.socket(socket.AF_INET, socket.SOCK_STREAM, IPPROTO_MPTCP if kind == "mptcp" else 0)
    if buffer_bytes:
        # The kernel doubles the value for its own overhead, which is what the payload needs.
        stream.setsockopt(socket.SOL_SOCKET, option, buffer_bytes)
    return stream


def add_subflows(stream, addresses):
    """Announces the addresses; returns how many subflows there are then, besides the first."""
    for address in addresses:
        subprocess.run(["ip", "mptcp", "endpoint", "add", address, "signal"], check=True)
    end, subflows = time.monotonic() + SUBFLOWS_TIMEOUT_S, 0
    while subflows < len(addresses) and time.monotonic() < end:
        time.sleep(0.05)
        subflows = stream.getsockopt(SOL_MPTCP, MPTCP_INFO, 128)[0]
    return subflows


def receive(kind, port, rcvbuf_bytes, path, *addresses):
    # Bound to all addresses: an MPTCP listener accepts further subflows on the others.
    listener = open_socket(kind, SO_RCVBUFFORCE, int(rcvbuf_bytes))
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("0.0.0.0", int(port)))
    listener.listen(1)
    stream, _ = listener.accept()
    stream.recv(1)
    subflows = add_subflows(stream, addresses) if addresses else 0
    stream.sendall(b"g")
    total, first_us, last_us = 0, None, None
    with open(path, "wb") as out:
        while data := stream.recv(READ_BYTES):
            last_us = now_us()
            first_us = first_us or last_us
            total += out.write(data)
    return {"bytes": total, "first_at_us": first_us, "last_at_us": last_us, "subflows": subflows}


def send(kind, local, remote, port, sndbuf_bytes, msg_bytes, path):
    stream = open_socket(kind, SO_SNDBUFFORCE, int(sndbuf_bytes))
    stream.bind((local, 0))
    stream.connect((remote, int(port)))
    stream.sendall(b"h")
    stream.recv(1)
    with open(path, "rb") as content:
        first_us = now_us()
        while data := content.read(int(msg_bytes)):
            stream.sendall(data)
    stream.shutdown(socket.SHUT_WR)
    stream.recv(1)
    return {"first_at_us": first_us}


if __name__ == "__main__":
    print(json.dumps({"recv": receive, "send": send}[sys.argv[1]](*sys.argv[2:])))
