# SPDX-License-Identifier: BSD-3-Clause
"""The two ends of play, inside the machine, in a folder that they share:

    python3 play_ends.py serve CMT-STREAMD ADDRESSES CONTENT
    python3 play_ends.py watch CMT-GATEWAY SERVER_ADDRESSES ADDRESSES PORT

serve offers the file CONTENT as film.mp4 until the other end has seen it. watch plays it with ffmpeg, downloads it
as "received", and prints one JSON object."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "apps"))
import film  # pylint: disable=wrong-import-position

SEEN = "seen"
TIMEOUT_S = 60


def end(process):
    process.send_signal(signal.SIGTERM)
    return process.wait(TIMEOUT_S)


def serve(streamd, addresses, content):
    os.mkdir("media")
    shutil.copyfile(content, "media/film.mp4")
    server = subprocess.Popen([streamd, "--bind", addresses, "-d", "media", "--grace", "1s"])
    while not os.path.exists(SEEN) and server.poll() is None:
        time.sleep(0.05)
    return end(server)


def watch(gateway, servers, addresses, port):
    url = f"http://127.0.0.1:{port}/film.mp4"
    process = subprocess.Popen([gateway, "--connect", servers, "--bind", addresses, "--listen", f"127.0.0.1:{port}",
                                "-v"])
    try:
        frames = film.frames(url, TIMEOUT_S)
        started = time.monotonic()
        with urllib.request.urlopen(url, timeout=TIMEOUT_S) as answer, open("received", "wb") as out:
            shutil.copyfileobj(answer, out)
        print(json.dumps({"frames_sha256": hashlib.sha256(frames).hexdigest(), "frames": frames.count(b"\n"),
                          "download_s": time.monotonic() - started}))
    finally:
        open(SEEN, "wb").close()
    return end(process)


if __name__ == "__main__":
    sys.exit({"serve": serve, "watch": watch}[sys.argv[1]](*sys.argv[2:]))
