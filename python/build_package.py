#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""build_package.py SOURCE OUT: wheel and source distribution of this folder in OUT/dist, the wheel unpacked in OUT/site. SOURCE stays
as it is. The environment says where the library is (build_native.py)."""
import os
import shutil
import sys
import zipfile

SOURCE, OUT = (os.path.abspath(path) for path in sys.argv[1:3])
sys.argv = sys.argv[:1]


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    shutil.copytree(SOURCE, os.path.join(OUT, "source"), ignore=shutil.ignore_patterns("__pycache__", "tests", "CMakeLists.txt"))
    os.chdir(os.path.join(OUT, "source"))
    from setuptools import build_meta  # pylint: disable=import-outside-toplevel
    dist = os.path.join(OUT, "dist")
    os.mkdir(dist)
    build_meta.build_sdist(dist)
    wheel = build_meta.build_wheel(dist)
    with zipfile.ZipFile(os.path.join(dist, wheel)) as archive:
        archive.extractall(os.path.join(OUT, "site"))


main()
