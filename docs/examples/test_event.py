#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""test_event.py ECHO_SERVER FILE_SENDER: the two examples against each other, over two loopback addresses."""

import os
import re
import signal
import subprocess
import sys
import tempfile

ADDRESSES = ["127.0.1.1", "127.0.2.1"]
FILE_BYTES = 5_000_000


def main(server_program, sender_program):
    server = subprocess.Popen([server_program, "-p", "0", *ADDRESSES], stdout=subprocess.PIPE, text=True)
    try:
        port = re.fullmatch(r"listening on UDP port (\d+)\n", server.stdout.readline()).group(1)
        with tempfile.NamedTemporaryFile() as file:
            file.write(os.urandom(FILE_BYTES))
            file.flush()
            sender = subprocess.run([sender_program, "-p", port, file.name, *ADDRESSES], capture_output=True, text=True,
                                    timeout=60)
        print(sender.stdout, sender.stderr)
        assert sender.returncode == 0, sender.returncode
        assert f"{FILE_BYTES} bytes there and back" in sender.stdout
        assert re.findall(r"(\S+) carried", sender.stdout) == ADDRESSES
    finally:
        server.send_signal(signal.SIGINT)
    assert server.wait(timeout=10) == 0
    print("OK")


main(*sys.argv[1:])
