# SPDX-License-Identifier: BSD-3-Clause
"""Whether a machine did its work in time. What is measured in real time on one that did not says nothing of a program."""

import threading
import time

ATTEMPTS = 5  # at most, of what failed on a machine that was late
LATE_US = 2000  # 99th percentile; 600 is usual, 3000 when others want the processor
STOPPED_US = 35_000  # once: 25 ms change nothing, 50 ms while a transfer begins can cost it a tenth


class Lateness:
    """How much later than asked for this process wakes up within `with`, as the processes under test do too: by what the
    machine has to do, and by what takes its processor away. It looks `every_s`. To be read behind it."""

    def __init__(self, every_s=0.02):
        self._every_s, self._samples_us, self._done = every_s, [0], threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def _look(self):
        while not self._done.is_set():
            before = time.monotonic()
            time.sleep(self._every_s)
            self._samples_us.append(int(1e6 * (time.monotonic() - before - self._every_s)))

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._done.set()
        self._thread.join()

    @property
    def p99_us(self):
        return sorted(self._samples_us)[len(self._samples_us) * 99 // 100]

    @property
    def max_us(self):
        return max(self._samples_us)

    @property
    def is_late(self):
        return is_late(self.p99_us, self.max_us)

    def __str__(self):
        return text(self.p99_us, self.max_us)


def is_late(p99_us, max_us):
    return p99_us > LATE_US or max_us > STOPPED_US


def text(p99_us, max_us):
    return f"the machine was {p99_us / 1000:.1f} ms late, {max_us / 1000:.0f} ms once"
