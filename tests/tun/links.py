# SPDX-License-Identifier: BSD-3-Clause
"""Two namespaces with a link.c between them for each of several paths. For who is root of namespaces of its own, which take all of
it away when they end."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "package"))
from clean_root import run  # noqa: E402

QUEUE_MS = 50


def in_namespace(name, *command):
    return ["ip", "netns", "exec", name, *command]


class Links:
    """`near`, `far`: (namespace, prefix of its devices). Path i, from 1, is between 10.1.i.2, near, and 10.1.i.1."""

    def __init__(self, program, near, far, paths):
        """`paths`: of each its rate (Mbit/s), delay one way (ms) and loss (per cent)."""
        run("mount", "-t", "tmpfs", "none", "/run")
        os.mkdir("/run/netns")
        self._processes = []
        for namespace, _ in (near, far):
            run("ip", "netns", "add", namespace)
            run("ip", "-n", namespace, "link", "set", "lo", "up")
        for i, (mbps, delay_ms, loss_percent) in enumerate(paths, 1):
            link = subprocess.Popen([program, near[0], f"{near[1]}{i}", far[0], f"{far[1]}{i}", str(int(mbps * 1e6)),
                                     str(int(delay_ms * 1e3)), str(QUEUE_MS * 1000), str(int(loss_percent * 1e4))],
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            if link.stdout.readline() != "ready\n":
                raise AssertionError("no link")
            self._processes.append(link)
            for (namespace, prefix), host in ((near, 2), (far, 1)):
                run("ip", "-n", namespace, "addr", "add", f"10.1.{i}.{host}/24", "dev", f"{prefix}{i}")
                run("ip", "-n", namespace, "link", "set", f"{prefix}{i}", "up")

    def set_rate(self, path, mbps):
        self._processes[path - 1].stdin.write(f"{int(mbps * 1e6)}\n")
        self._processes[path - 1].stdin.flush()

    def close(self):
        for process in self._processes:
            process.kill()
            process.wait()
