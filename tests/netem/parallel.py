# SPDX-License-Identifier: BSD-3-Clause
"""Tasks side by side, as many as fit."""

import concurrent.futures
import threading

import machine


class Budget:
    """Lets tasks run side by side while their weights fit; what is heavier than all of it runs alone."""

    def __init__(self, total):
        self.total, self.free, self.changed = total, total, threading.Condition()

    def __call__(self, weight, function, *arguments):
        weight = min(weight, self.total)
        with self.changed:
            self.changed.wait_for(lambda: weight <= self.free)
            self.free -= weight
        try:
            return function(*arguments)
        finally:
            with self.changed:
                self.free += weight
                self.changed.notify_all()


def run(tasks, total):
    """Results of [(weight, function, arguments..)] in their order; the first ones start first."""
    budget = Budget(total)
    pool = concurrent.futures.ThreadPoolExecutor(max_workers=max(1, len(tasks)))
    try:
        return [f.result() for f in [pool.submit(budget, *task) for task in tasks]]
    except BaseException:
        machine.end_all()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
