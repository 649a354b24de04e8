# SPDX-License-Identifier: BSD-3-Clause
"""What pyproject.toml cannot say: the extension, which any CPython from 3.9 on can load."""
import os
import sys

from setuptools import setup

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

setup(cffi_modules=["build_native.py:ffi"], options={"bdist_wheel": {"py_limited_api": "cp39"}})
