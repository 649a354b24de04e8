# SPDX-License-Identifier: BSD-3-Clause
"""Tests that depend on time, on a machine that others use, too."""
import functools
import os
import sys
import time

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "netem"))
from lateness import ATTEMPTS, Lateness  # pylint: disable=wrong-import-position

STEP_S = 0.005
LATE_ONCE_US = 20_000
WAITING_SHARE = 0.1
PRESSURE = "/proc/pressure/cpu"


def waited_s():
    """How long anybody was ready and waited for a processor, as the kernel counts; None where it does not."""
    try:
        with open(PRESSURE, encoding="ascii") as pressure:
            return int(pressure.readline().rsplit("=", 1)[1]) / 1e6
    except OSError:
        return None


class Disturbance(Lateness):
    """Whether there was one within `with`. It does not know what is measured."""

    def __init__(self):
        super().__init__(STEP_S)
        self._began_s, self._waited_s, self._waited_share = 0, None, 0

    def __enter__(self):
        self._began_s, self._waited_s = time.monotonic(), waited_s()
        return super().__enter__()

    def __exit__(self, *error):
        super().__exit__(*error)
        if self._waited_s is not None:
            self._waited_share = (waited_s() - self._waited_s) / (time.monotonic() - self._began_s)

    def was_there(self):
        return self.max_us > LATE_ONCE_US or self._waited_share > WAITING_SHARE


def failure_of(test, case):
    try:
        test(case)
    except (AssertionError, TimeoutError) as failure:
        return failure
    return None


def undisturbed(test):
    """For a test that holds times to a band, or must do something in time: once more, ATTEMPTS times at most, when it failed
    while the machine was busy with something else."""
    @functools.wraps(test)
    def repeated(self):
        for left in reversed(range(ATTEMPTS)):
            with Disturbance() as disturbance:
                failure = failure_of(test, self)
            if failure is None:
                return
            if left == 0 or not disturbance.was_there():
                raise failure
            print(f"{test.__name__}: once more, on a machine that is less busy: {failure}", flush=True)
            self.doCleanups()
            self.setUp()
    return repeated
