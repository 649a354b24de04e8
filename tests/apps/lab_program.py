# SPDX-License-Identifier: BSD-3-Clause
"""cmt-lab as a process."""

import os
import subprocess

LAB = os.environ["CMT_LAB"]


def lab(*arguments):
    return subprocess.run([LAB, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)
