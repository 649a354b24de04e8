# SPDX-License-Identifier: BSD-3-Clause
"""What run, compare and check share: options, and how they end."""

import argparse
import os
import signal
import sys

import experiment
import machine

EXIT_FAILED, EXIT_USAGE, EXIT_NO_MACHINE = 1, 2, 77  # 77: CTest's SKIP_RETURN_CODE

LOAD = (("rcvbuf", "BYTES", "receive buffer"), ("sndbuf", "BYTES", "send buffer"),
        ("msg", "BYTES", "length of a message"), ("bytes", "N", "amount to transfer"),
        ("duration", "SECONDS", "as much as the links could carry in that time"))


def parser(description):
    out = argparse.ArgumentParser(description=description, allow_abbrev=False)
    for name, metavar, text in LOAD:
        out.add_argument(f"--{name}", metavar=metavar, help=f"{text}; the scenario has a default")
    out.add_argument("--file", metavar="FILE", help="send this file, or its first --bytes, instead of random bytes")
    out.add_argument("--set", metavar="KEY=VALUE", action="append", default=[],
                     help="change one key of the scenario, as path.2.loss=1%%; repeatable")
    out.add_argument("--seed", default="1", metavar="N",
                     help="of the content, and of the shift of delays that cmt-lab makes (default 1)")
    out.add_argument("--time-travel", action="store_true",
                     help="in the kernel that tests/netem/build-uml has built: exact timing, faster than real time")
    out.add_argument("--build", default=experiment.DEFAULT_BUILD, metavar="DIR",
                     help="build folder with the programs (default: build/release)")
    out.add_argument("--json", action="store_true", help="JSON instead of text")
    return out


def load_options(arguments):
    """As cmt-lab takes them."""
    out = [word for name, _, _ in LOAD if getattr(arguments, name) is not None
           for word in (f"--{name}", getattr(arguments, name))]
    return out + [word for change in arguments.set for word in ("--set", change)] + ["--seed", arguments.seed]


def describe(programs, scenario, load, arguments):
    """The scenario, with the content of --file if that is given."""
    description = experiment.describe(programs, scenario, load)
    if arguments.file is not None:
        if arguments.duration is not None:
            raise experiment.Refused("--duration: a file has its own length; write --bytes N for its beginning")
        experiment.send_file(description, arguments.file, arguments.bytes is not None)
    return description


def main(function):
    """Runs a command's main function: exit status, and a sentence instead of a trace for what users can mend."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    name = os.path.basename(sys.argv[0])
    try:
        sys.exit(function())
    except experiment.Refused as problem:
        print(problem if str(problem).startswith("cmt-lab") else f"{name}: {problem}", file=sys.stderr)
        sys.exit(EXIT_USAGE)
    except machine.NoMachine as problem:
        print(f"{name}: SKIPPED, nothing was measured: {problem}", file=sys.stderr)
        sys.exit(EXIT_NO_MACHINE)
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
