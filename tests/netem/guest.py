# SPDX-License-Identifier: BSD-3-Clause
"""Runs one job inside a machine (machine.py) that has nothing else to do: python3 guest.py JOB_FOLDER

Builds the network of job.json, starts the capture, the receiver and, when that listens, the sender; keeps to the time
line and sends the cross traffic; writes outcome.json. Nothing here knows SCTP or TCP: job.json has the commands.
Everything is bounded by job["timeout_s"]; whatever happens, outcome.json says so.
"""

import hashlib
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import threading
import time

from lateness import Lateness

WORK = "/run/netem"  # in the machine's memory: files on the host would cost time there
READY_TIMEOUT_S = 20
STOP_TIMEOUT_S = 10
CAPTURE_LAG_S = 1.2  # tcpdump gets packets in blocks, at least once a second


class Failed(Exception):
    pass


def inside(namespace, argv):
    return ["ip", "netns", "exec", namespace, *argv]


def command(text):
    done = subprocess.run(text.split(), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failed(f"{text}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def start(job, name, namespace, argv):
    """A process whose output goes to files of the job."""
    out, err = (open(os.path.join(job["folder"], f"{name}.{kind}"), "wb") for kind in ("out", "err"))
    return subprocess.Popen(inside(namespace, argv), stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=WORK)


def listens(protocol, port, namespace):
    """Whether somebody in the namespace has bound the port, as the kernel's tables tell."""
    tables = command(" ".join(inside(namespace, ["cat", f"/proc/net/{protocol}"])))
    return any(line.split()[1].endswith(f":{port:04X}") for line in tables.splitlines()[1:])


def wait_for(condition, what, *processes):
    end = time.monotonic() + READY_TIMEOUT_S
    while not condition():
        for process in processes:
            if process.poll() is not None:
                raise Failed(f"{what}: ended with {process.returncode} before it was ready")
        if time.monotonic() > end:
            raise Failed(f"{what}: not ready after {READY_TIMEOUT_S} s")
        time.sleep(0.02)


def at(started, moment_us):
    time.sleep(max(0, started + moment_us / 1e6 - time.monotonic()))


def follow_timeline(job, started, problems):
    for moment_us, text in job["timeline"]:
        at(started, moment_us)
        try:
            command(text)
        except Failed as problem:
            problems.append(str(problem))


def enter(namespace):
    """This thread's network, from now on."""
    with open(f"/run/netns/{namespace}", "rb") as handle:
        libc.setns(handle.fileno(), 0)


def send_cross_traffic(cross, started):
    """One packet each interval to a socket that nobody reads."""
    enter(cross["to"])
    sink = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sink.bind((cross["address"], 9))
    enter(cross["from"])
    source = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    payload, moment_us = bytes(cross["payload_bytes"]), cross["from_us"]
    while cross["until_us"] is None or moment_us < cross["until_us"]:
        at(started, moment_us)
        source.sendto(payload, (cross["address"], 9))
        moment_us += cross["interval_us"]


def in_background(function, *arguments):
    threading.Thread(target=function, args=arguments, daemon=True).start()


def digest(path):
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def make_content(job):
    """The job's content, else bytes that no two seeds share; in the machine's memory."""
    generator, left, path = random.Random(job["seed"]), job["bytes"], os.path.join(WORK, "content")
    given = os.path.join(job["folder"], "content")
    if os.path.exists(given):
        shutil.copyfile(given, path)
        left = 0
    with open(path, "ab") as stream:
        while left > 0:
            left -= stream.write(generator.randbytes(min(left, 1 << 20)))
    return digest(path)


def stop(process):
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait(process, what, deadline):
    """Until the process is done."""
    try:
        process.wait(max(0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        raise Failed(f"{what}: not finished within the time limit") from None


def length(path):
    try:
        return os.path.getsize(path)
    except FileNotFoundError:
        return 0


def watch_growth(every_s, growth):
    """Appends [monotonic us, bytes] whenever more was received; cmt-recv names its file when it is complete."""
    size = 0
    while True:
        now = max(length(os.path.join(WORK, name)) for name in ("received", "received.cmt-part"))
        if now > size:
            growth.append([time.monotonic_ns() // 1000, now])
            size = now
        time.sleep(every_s)


def transfer(job, outcome, running):
    """Receiver, capture, sender, until both ends are done."""
    deadline = time.monotonic() + job["timeout_s"]
    receiver = start(job, "receiver", "b", job["receiver"])
    running.append(receiver)
    wait_for(lambda: listens(*job["listens"], "b"), "receiver", receiver)
    if job["capture"]:
        capture = start(job, "capture", "b", job["capture"])
        running.append(capture)
        log = os.path.join(job["folder"], "capture.err")
        wait_for(lambda: "listening on" in open(log, encoding="utf-8").read(), "capture", capture)
    with Lateness() as lateness:
        started = time.monotonic()
        sender = start(job, "sender", "a", job["sender"])
        running.append(sender)
        in_background(follow_timeline, job, started, outcome["problems"])
        for cross in job["cross"]:
            in_background(send_cross_traffic, cross, started)
        if job["watch_every_us"]:
            in_background(watch_growth, job["watch_every_us"] / 1e6, outcome["growth"])
        wait(sender, "sender", deadline)
    outcome["lateness_p99_us"], outcome["lateness_max_us"] = lateness.p99_us, lateness.max_us
    wait(receiver, "receiver", deadline)
    if job["capture"]:
        time.sleep(CAPTURE_LAG_S)
    for name, process in (("sender", sender), ("receiver", receiver)):
        if process.returncode != 0:
            raise Failed(f"{name}: exit status {process.returncode}")


def collect(job, outcome):
    outcome["qdiscs"] = {host: json.loads(command(f"tc -n {host} -s -j qdisc show")) for host in "rd"}
    outcome["links"] = {host: json.loads(command(f"ip -n {host} -j link show")) for host in "ab"}
    received = os.path.join(WORK, "received")
    if os.path.exists(received):
        outcome["received_bytes"] = os.path.getsize(received)
        outcome["received_sha256"] = digest(received)
    if job["capture"]:
        shutil.copyfile(os.path.join(WORK, "capture"), os.path.join(job["folder"], "capture.pcap"))


def run(job):
    outcome = {"problems": [], "growth": [], "kernel": os.uname().release,
               "mptcp_offered": os.path.exists("/proc/sys/net/mptcp/enabled")}
    running = []
    try:
        os.makedirs(WORK, exist_ok=True)
        os.chdir(WORK)
        os.environ["TC_LIB_DIR"] = job["folder"]  # tables of distributions
        for text in job["setup"]:
            command(text)
        outcome["sent_sha256"] = make_content(job)
        try:
            transfer(job, outcome, running)
        finally:
            for process in reversed(running):
                stop(process)
        collect(job, outcome)
    except (Failed, OSError) as problem:
        outcome["problems"].append(str(problem))
    return outcome


def main():
    folder = sys.argv[1]
    with open(os.path.join(folder, "job.json"), encoding="utf-8") as stream:
        job = json.load(stream)
    job["folder"] = folder
    outcome = run(job)
    draft = os.path.join(folder, "outcome.draft")
    with open(draft, "w", encoding="utf-8") as stream:
        json.dump(outcome, stream)
    os.rename(draft, os.path.join(folder, "outcome.json"))


if __name__ == "__main__":
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    main()
