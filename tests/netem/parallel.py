# SPDX-License-Identifier: BSD-3-Clause
"""Tasks side by side, as many as fit on the processor's cores."""

import concurrent.futures
import os
import threading

import machine


class Cores:
    """Cores with room for `per_core` each. A task that is heavier than a core gets one alone."""

    def __init__(self, numbers, per_core):
        self.per_core, self.free = per_core, dict.fromkeys(numbers, per_core)
        self.changed, self.stopped, self.failure = threading.Condition(), False, None

    def roomiest(self):
        return max(self.free, key=self.free.get)

    def run(self, weight, function):
        """function(core), when there is room for `weight`."""
        weight = min(weight, self.per_core)
        with self.changed:
            self.changed.wait_for(lambda: self.stopped or weight <= self.free[self.roomiest()])
            if self.stopped:
                raise concurrent.futures.CancelledError
            core = self.roomiest()
            self.free[core] -= weight
        try:
            return function(core)
        except BaseException as problem:
            self.failure = self.failure or problem
            self.stop()
            raise
        finally:
            with self.changed:
                self.free[core] += weight
                self.changed.notify_all()

    def stop(self):
        """Nothing starts any more."""
        with self.changed:
            self.stopped = True
            self.changed.notify_all()


def run(tasks, per_core, numbers=None):
    """Results of [(weight, function of a core's number)] in their order; the first ones start first. The cores are
    those that this process may use, unless others are named."""
    cores = Cores(numbers or sorted(os.sched_getaffinity(0)), per_core)
    pool = concurrent.futures.ThreadPoolExecutor(max_workers=max(1, len(tasks)))
    try:
        return [f.result() for f in [pool.submit(cores.run, *task) for task in tasks]]
    except BaseException as problem:
        cores.stop()  # it may be the one who waits that was interrupted
        machine.end_all()
        if isinstance(problem, concurrent.futures.CancelledError) and cores.failure:
            raise cores.failure from None  # why this one did not start
        raise
    finally:
        pool.shutdown(cancel_futures=True)
