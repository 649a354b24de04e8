# SPDX-License-Identifier: BSD-3-Clause
"""TCP and kernel MPTCP to compare with: one file over one connection.

    python3 stream.py recv tcp|mptcp PORT RCVBUF_BYTES FILE
    python3 stream.py send tcp|mptcp LOCAL REMOTE PORT SNDBUF_BYTES MSG_BYTES FILE

Each prints one JSON object; the times are of the same monotonic clock. 0 as a buffer's size leaves it to the kernel.
"""

import json
import socket
import sys
import time

IPPROTO_MPTCP = 262
SO_SNDBUFFORCE, SO_RCVBUFFORCE = 32, 33  # beyond wmem_max and rmem_max: we are root in the machine
READ_BYTES = 262144


def now_us():
    return time.monotonic_ns() // 1000


def open_socket(kind, option, buffer_bytes):
    stream = socket.socket(socket.AF_INET, socket.SOCK_STREAM, IPPROTO_MPTCP if kind == "mptcp" else 0)
    if buffer_bytes:
        # The kernel doubles the value for its own overhead, which is what the payload needs.
        stream.setsockopt(socket.SOL_SOCKET, option, buffer_bytes)
    return stream


def receive(kind, port, rcvbuf_bytes, path):
    # Bound to all addresses: an MPTCP listener accepts further subflows on the others.
    listener = open_socket(kind, SO_RCVBUFFORCE, int(rcvbuf_bytes))
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("0.0.0.0", int(port)))
    listener.listen(1)
    stream, _ = listener.accept()
    total, first_us, last_us = 0, None, None
    with open(path, "wb") as out:
        while data := stream.recv(READ_BYTES):
            last_us = now_us()
            first_us = first_us or last_us
            total += out.write(data)
    return {"bytes": total, "first_at_us": first_us, "last_at_us": last_us}


def send(kind, local, remote, port, sndbuf_bytes, msg_bytes, path):
    stream = open_socket(kind, SO_SNDBUFFORCE, int(sndbuf_bytes))
    stream.bind((local, 0))
    stream.connect((remote, int(port)))
    with open(path, "rb") as content:
        first_us = now_us()
        while data := content.read(int(msg_bytes)):
            stream.sendall(data)
    stream.shutdown(socket.SHUT_WR)
    stream.recv(1)
    return {"first_at_us": first_us}


if __name__ == "__main__":
    print(json.dumps({"recv": receive, "send": send}[sys.argv[1]](*sys.argv[2:])))
