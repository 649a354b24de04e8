# SPDX-License-Identifier: BSD-3-Clause
"""What the plugin costs: processor time of tshark on a capture of at least 10^5 packets, with and without. Ends as
tests/bench/times.h says."""

import os
import resource
import subprocess
import sys

import shark

PACKETS = 100000
LIMIT = 1.6
ROUNDS = 5
RUN = ["200Mbit/5ms/q=200p,100Mbit/10ms/q=200p", "-s", "arrival", "--bytes", "48MB"]


def cost_s(sh, capture, plugins):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = sh.run("tshark", "-n", "-r", capture, WIRESHARK_PLUGIN_DIR=plugins)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    packets = done.stdout.count("\n")
    if done.returncode != 0:
        sys.exit(f"tshark: exit status {done.returncode}\n{done.stderr}")
    if packets < PACKETS:
        sys.exit(f"the capture holds {packets} packets, and {PACKETS} are wanted: --bytes in RUN is too little")
    named = "CMT-TIMESTAMP" in done.stdout
    if named != (plugins == sh.plugins):
        sys.exit("the plugin is " + ("loaded where it should not be" if named else "not loaded"))
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, packets


def main():
    sh = shark.Shark()
    capture = os.path.join(sh.folder, "large.pcap")
    subprocess.run([os.environ["CMT_LAB"], "run", *RUN, "--pcap", capture], check=True, stdout=subprocess.DEVNULL)
    os.chmod(capture, 0o644)
    without, with_plugin, packets = [], [], 0
    for _ in range(ROUNDS):
        without.append(cost_s(sh, capture, sh.home)[0])
        seconds, packets = cost_s(sh, capture, sh.plugins)
        with_plugin.append(seconds)
    sh.close()
    ratio = min(with_plugin) / min(without)
    print(f"{packets} packets: {min(without):.2f} s without the plugin, {min(with_plugin):.2f} s with it, "
          f"ratio {ratio:.2f} (limit {LIMIT})")
    print("times:", "met" if ratio <= LIMIT else "missed")
    return 0 if ratio <= LIMIT else 3


if __name__ == "__main__":
    sys.exit(main())
