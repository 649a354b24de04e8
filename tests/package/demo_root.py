#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""demo_root.py SOURCE UPSTREAM: in a root that has nothing but the packages which ./demo asks for and what they depend on, the
preset demo is configured, what ./demo runs is built, and its first part runs, with the picture."""

import os
import subprocess
import sys
import unittest

from clean_root import CleanRoot, enter_namespaces

SOURCE, UPSTREAM = sys.argv[1:3]
LISTS = ("library", "programs", "plots", "netem")
# The compiler, CMake and Python with what they depend on are half of it.
MOST_PACKAGES = 165


def packages(name):
    with open(os.path.join(SOURCE, "cmake", "apt-packages", name), encoding="utf-8") as file:
        return [line.strip() for line in file if line.strip() and not line.startswith("#")]


class DemoRoot(unittest.TestCase):
    def test_the_packages_are_few_and_suffice(self):
        root = CleanRoot(os.path.join(WORK, "root"))
        essential = len(root.packages)
        root.add(*(package for name in LISTS for package in packages(name)))
        print(f"{len(root.packages) - essential} packages beside {essential} of every Debian")
        self.assertLess(len(root.packages) - essential, MOST_PACKAGES)
        # An alternative, which the package's scripts would make.
        root.run("ln", "-s", "gnuplot-nox", "/usr/bin/gnuplot")
        for origin, place in ((SOURCE, "/root/source"), (UPSTREAM, "/root/upstream")):
            os.makedirs(root.folder + place)
            subprocess.run(["sh", "-c", f"tar -C {origin} --exclude=./build --exclude=./.git -cf - . | "
                            f"tar -C {root.folder}{place} -xf -"], check=True)
        text = root.run("sh", "-ec", """
            cd /root/source
            cmake --preset demo -DUSRSCTP_SOURCE_DIR=/root/upstream -DCMAKE_C_FLAGS_RELWITHDEBINFO=-O0
            cmake --build --preset demo --target cmt-lab cmt-send cmt-recv
            cd /root
            source/build/release/apps/cmt-lab/cmt-lab demo -d demo
            ip -V
            tc -V""")
        self.assertIn("arrival", text)
        self.assertGreater(os.path.getsize(root.folder + "/root/demo/demo.png"), 10000)


if __name__ == "__main__":
    WORK = enter_namespaces()
    unittest.main(argv=sys.argv[:1])
