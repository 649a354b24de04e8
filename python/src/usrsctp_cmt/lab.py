# SPDX-License-Identifier: BSD-3-Clause
"""Simulated networks: the program cmt-lab, its results as dictionaries (docs/lab.md says what each number means).

    result = lab.run("10Mbit/5ms,10Mbit/50ms/loss=1%", scheduler="arrival", bytes="2MB")
    print(result["goodput_bps"])

Keyword arguments are the program's options: seed=7 is --seed 7, True an option without a value, a list an option for each of its
items. cmt-lab is looked for in PATH; the environment's CMT_LAB names another."""
from __future__ import annotations

import json
import os
import subprocess
from typing import Any, Dict, List, Sequence, Union

__all__ = ["LabError", "compare", "run"]


class LabError(RuntimeError):
    """What cmt-lab says on its standard error."""


def run(scenario: str, **options: Any) -> Dict[str, Any]:
    """One transfer and all its numbers."""
    return _lab("run", scenario, options)


def compare(scenario: str, schedulers: Union[str, Sequence[str]], **options: Any) -> Dict[str, Any]:
    """Schedulers, upstream's CMT, the best single path and the ceiling: a row each."""
    names = schedulers if isinstance(schedulers, str) else ",".join(schedulers)
    return _lab("compare", scenario, {"scheduler": names, **options})


def _arguments(options: Dict[str, Any]) -> List[str]:
    out = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        for item in value if isinstance(value, (list, tuple)) else [value]:
            if item is True:
                out.append(option)
            elif item is not None and item is not False:
                out += [option, str(item)]
    return out


def _lab(command: str, scenario: str, options: Dict[str, Any]) -> Dict[str, Any]:
    program = os.environ.get("CMT_LAB", "cmt-lab")
    try:
        done = subprocess.run([program, command, scenario, *_arguments(options), "--json"], capture_output=True, text=True,
                              check=False)
    except FileNotFoundError:
        raise LabError(f"{program} is not found: install the package cmt-tools, or name it in CMT_LAB") from None
    if done.returncode != 0:
        raise LabError(done.stderr.strip() or f"{program} {command} ended with status {done.returncode}")
    result: Dict[str, Any] = json.loads(done.stdout)
    return result
