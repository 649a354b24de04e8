# SPDX-License-Identifier: BSD-3-Clause
"""Tests that depend on time, on a machine that others use, too."""
import functools
import threading
import time

ATTEMPTS = 5
STEP_S = 0.005
LATE_S = 0.02
WAITING_SHARE = 0.1
PRESSURE = "/proc/pressure/cpu"


class Stalls(threading.Thread):
    """How much later than asked for this process wakes up at most: on a busy machine the programs under test do, too."""

    def __init__(self):
        super().__init__(daemon=True)
        self.longest_s, self.over = 0, False
        self.start()

    def run(self):
        while not self.over:
            before = time.monotonic()
            time.sleep(STEP_S)
            self.longest_s = max(self.longest_s, time.monotonic() - before - STEP_S)


def waited_s():
    """How long anybody was ready and waited for a processor, as the kernel counts; None where it does not."""
    try:
        with open(PRESSURE, encoding="ascii") as pressure:
            return int(pressure.readline().rsplit("=", 1)[1]) / 1e6
    except OSError:
        return None


class Disturbance:
    """Between its making and was_there(). It does not know what is measured."""

    def __init__(self):
        self.began_s, self.waited_s, self.stalls = time.monotonic(), waited_s(), Stalls()

    def was_there(self):
        self.stalls.over = True
        took_s = time.monotonic() - self.began_s
        waited = 0 if self.waited_s is None else waited_s() - self.waited_s
        return self.stalls.longest_s > LATE_S or waited > WAITING_SHARE * took_s


def undisturbed(test):
    """For a test that holds times to a band, or must do something in time: once more, ATTEMPTS times at most, when it failed
    while the machine was busy with something else."""
    @functools.wraps(test)
    def repeated(self):
        for left in reversed(range(ATTEMPTS)):
            disturbance = Disturbance()
            try:
                return test(self)
            except (AssertionError, TimeoutError) as failure:
                if not disturbance.was_there() or left == 0:
                    raise
                print(f"{test.__name__}: once more, on a machine that is less busy: {failure}", flush=True)
            self.doCleanups()
            self.setUp()
        return None
    return repeated
