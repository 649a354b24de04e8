#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""test_blocking.py SERVER CLIENT: the two examples against each other, over two loopback addresses."""

import re
import signal
import subprocess
import sys

ADDRESSES = ["127.0.1.1", "127.0.2.1"]
LINES = "".join(f"line {i}\n" for i in range(200))


def main(server_program, client_program):
    both = ",".join(ADDRESSES)
    with subprocess.Popen([server_program, both, "0"], stdout=subprocess.PIPE, text=True) as server:
        try:
            port, fingerprint = re.fullmatch(r"UDP port (\d+), (sha256:[0-9a-f]{64})\n", server.stdout.readline()).groups()
            for _ in range(2):
                client = subprocess.run([client_program, fingerprint, both, port], input=LINES, capture_output=True, text=True,
                                        timeout=60, check=False)
                assert client.returncode == 0, client.stderr
                assert client.stdout.startswith(LINES), client.stdout
                assert set(re.findall(r"(\S+) carried", client.stdout)) <= set(ADDRESSES), client.stdout
            other = subprocess.run([client_program, "sha256:" + "01" * 32, both, port], input=LINES, capture_output=True,
                                   text=True, timeout=60, check=False)
            assert other.returncode == 1 and "not the one that was asked for" in other.stderr, other
        finally:
            server.send_signal(signal.SIGINT)
    print("OK")


main(*sys.argv[1:])
