# SPDX-License-Identifier: BSD-3-Clause
"""Runs the steps of a job one after the other inside a User Mode Linux: python3 steps.py JOB_FOLDER

job.json has the network and a list of steps (cells.py); outcome.json gets the outcome of each, whatever happens. Each
step is bounded by STEP_LIMIT_S.
"""

import json
import os
import queue
import shutil
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(1, os.path.join(os.path.dirname(HERE), "netem"))
import guest  # pylint: disable=wrong-import-position

WORK = "/run/interop"
STEP_LIMIT_S = 25
CAPTURE_BYTES = 300  # of each packet
CAPTURED = "sctp or udp port 9899"


def batch(program, namespace, lines):
    """ip and tc take all lines at once."""
    if program not in ("ip", "tc"):
        for line in lines:
            guest.command(" ".join(guest.inside(namespace, [program, line])))
        return
    where = ["-n", namespace] if namespace else []
    done = subprocess.run([program, *where, "-batch", "-"], input="\n".join(lines) + "\n", capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        raise guest.Failed(f"{program} in {namespace}: {(done.stderr or done.stdout).strip()}")


class Peer:
    """One end of a transfer: a process in a namespace. `lines` gets what it prints, None at the end."""

    def __init__(self, host, argv):
        self.host, self.lines, self.said = host, queue.Queue(), []
        self.process = subprocess.Popen(guest.inside(host, argv), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.strip())
        self.lines.put(None)

    def wait_for(self, word, deadline):
        """Until it says `word`, or anything that ends it (None)."""
        while True:
            try:
                line = self.lines.get(timeout=max(0, deadline - time.monotonic()))
            except queue.Empty:
                raise guest.Failed(f"{self.host}: nothing but {self.said} within {STEP_LIMIT_S} s") from None
            if line is None:
                status = self.process.wait()
                if word is not None or status != 0:
                    raise guest.Failed(f"{self.host}: exit status {status}: {' '.join(self.said)}")
                return
            self.said.append(line)
            if line == word:
                return

    def result(self):
        """What it says at its end, as JSON."""
        return json.loads(self.said[-1])

    def kill(self):
        guest.stop(self.process)


def run_script(name):
    peer = Peer("ours", [sys.executable, "-B", os.path.join(HERE, name)])
    try:
        peer.wait_for(None, time.monotonic() + STEP_LIMIT_S)
        return {peer.host: peer.result()}
    finally:
        peer.kill()


def transfer(step):
    deadline = time.monotonic() + STEP_LIMIT_S
    receiver_host = "theirs" if step["sender"] == "ours" else "ours"
    peers = [Peer(receiver_host, step["argv"][receiver_host])]
    try:
        peers[0].wait_for("listening", deadline)
        peers.append(Peer(step["sender"], step["argv"][step["sender"]]))
        if step["at_quarter"]:
            peers[0].wait_for("quarter", deadline)
            for words in step["at_quarter"]:
                batch(*words)
        for peer in peers:
            peer.wait_for(None, deadline)
        return {peer.host: peer.result() for peer in peers}
    finally:
        for peer in peers:
            peer.kill()


def run_step(step):
    outcome = {"problem": None, "results": {}, "from_s": time.time()}
    try:
        for words in step["before"]:
            batch(*words)
        outcome["results"] = run_script(step["script"]) if "script" in step else transfer(step)
        for words in step["after"]:
            batch(*words)
    except (guest.Failed, OSError, ValueError) as problem:
        outcome["problem"] = str(problem)
    outcome["until_s"] = time.time()
    return outcome


def start_capture():
    log = os.path.join(WORK, "capture.err")
    argv = ["tcpdump", "-i", "any", "-s", str(CAPTURE_BYTES), "-B", "8192", "-U", "-w", "capture", CAPTURED]
    with open(log, "wb") as stream:
        process = subprocess.Popen(guest.inside("theirs", argv), cwd=WORK, stdin=subprocess.DEVNULL, stderr=stream)
    guest.wait_for(lambda: "listening on" in open(log, encoding="utf-8").read(), "capture", process)
    return process


def run(job):
    os.makedirs(WORK, exist_ok=True)
    for words in job["setup"]:
        batch(*words)
    guest.command("ip netns exec router sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1")
    capture = start_capture()
    outcomes = [run_step(step) for step in job["steps"]]
    time.sleep(guest.CAPTURE_LAG_S)
    guest.stop(capture)
    shutil.copyfile(os.path.join(WORK, "capture"), os.path.join(job["folder"], "capture.pcap"))
    return outcomes


def main():
    folder = sys.argv[1]
    with open(os.path.join(folder, "job.json"), encoding="utf-8") as stream:
        job = {**json.load(stream), "folder": folder}
    outcome = {"problems": [], "kernel": os.uname().release, "steps": []}
    try:
        outcome["steps"] = run(job)
    except (guest.Failed, OSError) as problem:
        outcome["problems"].append(str(problem))
    draft = os.path.join(folder, "outcome.draft")
    with open(draft, "w", encoding="utf-8") as stream:
        json.dump(outcome, stream)
    os.rename(draft, os.path.join(folder, "outcome.json"))


if __name__ == "__main__":
    main()
