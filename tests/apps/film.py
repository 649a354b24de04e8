# SPDX-License-Identifier: BSD-3-Clause
"""Films to test with, and what ffmpeg sees of them."""
import subprocess


def make_film(path, codec, seconds=4, size="192x108", more=()):
    """A test picture with a clock in it, and a tone; a key frame each half second, so that seeking is cheap."""
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", f"testsrc=size={size}:rate=20:"
                    f"duration={seconds}", "-f", "lavfi", "-i", f"sine=frequency=440:duration={seconds}",
                    "-c:v", *codec, "-g", "10", "-pix_fmt", "yuv420p", "-c:a", "aac", *more, path], check=True)


def frames(source, timeout_s):
    """A hash of every decoded frame of a file or URL. Raises CalledProcessError or, at any complaint of ffmpeg,
    ValueError."""
    done = subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-i", source, "-f", "framemd5", "-"], check=True,
                          capture_output=True, timeout=timeout_s)
    if done.stderr:
        raise ValueError(done.stderr.decode(errors="replace"))
    return done.stdout
