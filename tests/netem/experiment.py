# SPDX-License-Identifier: BSD-3-Clause
"""One transfer of real processes over a scenario's network, and the same in virtual time.

A protocol is a scheduler of cmt-send ("rr", "arrival", .., "stock"), "single" (SCTP over path 1, the others as backup),
"tcp:N" (kernel TCP over path N) or "mptcp" (kernel MPTCP, its default scheduler). Results have the keys of
`cmt-lab run --json` (docs/lab.md).
"""

import hashlib
import itertools
import json
import os
import re
import shutil
import subprocess
import sys

import capture
import machine as machines
import network
import parallel
import player

HERE = os.path.dirname(os.path.abspath(__file__))
DEFAULT_BUILD = os.path.join(HERE, "..", "..", "build", "release")
PORT = 5001
CLEAR = ["--insecure"]  # as the transfers that are predicted in virtual time, and the kernel's, are
CAPACITY_PER_CORE_BPS = 10e6  # of all networks on a core; one beyond that has a core of its own
WATCH_EVERY_US = 5000  # a player's data, where the scenario has one
GRACE_S = 40  # beyond three times the predicted duration


class Refused(Exception):
    """A wrong argument or scenario; carries the message for the user."""


class Programs:
    """The programs of one build folder."""

    def __init__(self, build):
        self.build = os.path.abspath(build)

    def path(self, name):
        path = os.path.join(self.build, "apps", name, name)
        if not os.access(path, os.X_OK):
            raise Refused(f"{path} is missing; build it with `cmake --build --preset release`, or name another "
                          "build folder with --build")
        return path

    def lab(self, *arguments):
        """What cmt-lab prints, as JSON."""
        done = subprocess.run([self.path("cmt-lab"), *arguments, "--json"], capture_output=True, text=True,
                              check=False)
        if done.returncode == 2:
            raise Refused(done.stderr.strip())
        if not done.stdout:
            raise Refused(f"cmt-lab {' '.join(arguments)}: {done.stderr.strip()}")
        return json.loads(done.stdout)


def describe(programs, scenario, load):
    """The scenario with what the user changed. `load` are options as cmt-lab takes them. An amount that is given as
    a time becomes the bytes that all links could carry in it, so that every protocol transfers the same."""
    description = programs.lab("show", scenario, *load)
    try:
        network.check(description)
    except network.Unsupported as problem:
        raise Refused(str(problem)) from None
    if description["bytes"] is None:
        ceiling_bps = sum(p["ceiling_bps"] for p in description["paths"])
        description["bytes"] = int(ceiling_bps * description["duration_us"] / 8e6)
    return description


def send_file(description, path, only_beginning):
    """The file's bytes are what is sent: all, or as many as the description says."""
    try:
        with open(path, "rb") as stream:
            content = stream.read(description["bytes"] if only_beginning else -1)
    except OSError as problem:
        raise Refused(f"--file: {path}: {problem.strerror}") from None
    if not content:
        raise Refused(f"--file: {path}: is empty; give a file with something in it")
    if only_beginning and len(content) < description["bytes"]:
        raise Refused(f"--bytes: {path} has only {len(content)}; leave --bytes out to send all of it")
    description["bytes"], description["content"] = len(content), content


def is_kernel_protocol(protocol):
    return protocol == "mptcp" or protocol.startswith("tcp:")


def check_protocol(description, protocol):
    """Refuses what is no protocol of the kernel; cmt-lab refuses what is no scheduler."""
    n_paths = len(description["paths"])
    if protocol.startswith("tcp") and not re.fullmatch(f"tcp:[1-{n_paths}]", protocol):
        raise Refused(f"-s: \"{protocol}\" is not a path for TCP; {description['scenario']} has {n_paths}: write "
                      + " or ".join(f"tcp:{i + 1}" for i in range(n_paths)))


def predict(programs, scenario, load, description, protocol, seed=None):
    """The same transfer in virtual time; None for what the simulator does not have."""
    if is_kernel_protocol(protocol):
        return None
    scheduler = ["stock", "--only-path", "1"] if protocol == "single" else [protocol]
    try:
        return programs.lab("run", scenario, *load, "--bytes", str(description["bytes"]), "-s", *scheduler,
                            "--seed", str(description["seed"] if seed is None else seed))
    except Refused as problem:
        more = ", single, tcp:N (kernel TCP over path N), mptcp" if " is not a scheduler" in str(problem) else ""
        raise Refused(f"{problem}{more}") from None


def is_random(description):
    """Whether chance decides more than a packet's place in a queue: losses, and heartbeats to a path that is down."""
    links = [p[d] for p in description["paths"] for d in ("forward", "back")]
    return bool(description["changes"]) or any(link["loss"] or link["ge_enter"] or link["jitter"] for link in links)


def n_seeds(description):
    """How many runs in virtual time tell the range that a single run may fall into."""
    return 40 if is_random(description) else 10


def predict_all(programs, work, load):
    """[(scenario, description, protocol)] -> lists of results, with seeds from the description's on."""
    def task(scenario, description, protocol, seed):
        return lambda _core: predict(programs, scenario, load, description, protocol, seed)

    tasks = [(1, task(*one, one[1]["seed"] + i)) for one in work for i in range(n_seeds(one[1]))]
    results = iter(parallel.run(tasks, 1))
    return [[next(results) for _ in range(n_seeds(description))] for _, description, _ in work]


def outcome_text(result):
    return f"{result['goodput_bps'] / 1e6:.3f} Mbit/s" if result["integrity"] == "ok" else result.get("failure", "corrupt")


def measure_all(programs, machine, work):
    """[(description, protocol, prediction or None)] -> results. The longest ones first; side by side what the
    machine has the time for. Says on standard error what is done."""
    done = itertools.count(1)

    def task(one):
        def on_core(core):
            result = measure(programs, machine, *one, core=core)
            print(f"{next(done)} of {len(work)}: {one[0]['scenario']} {one[1]}: {outcome_text(result)}", file=sys.stderr, flush=True)
            return result
        return on_core

    order = sorted(range(len(work)), key=lambda i: -job_of(programs, *work[i])["timeout_s"])
    tasks = [(work[i][0]["capacity_bps"], task(work[i])) for i in order]
    results = dict(zip(order, parallel.run(tasks, CAPACITY_PER_CORE_BPS)))
    return [results[i] for i in range(len(work))]


def rows(programs, machine, scenarios, load, protocols):
    """Rows for comparison.py of [(scenario, description)] with every protocol. First everything in virtual time, then
    everything in real time, so that the one does not take the other's processor."""
    work = [(scenario, description, protocol) for scenario, description in scenarios for protocol in protocols]
    predicted = predict_all(programs, work, load)
    measured = measure_all(programs, machine, [(d, protocol, p[0]) for (_, d, protocol), p in zip(work, predicted)])
    return [{"scenario": d["scenario"], "scheduler": protocol, "measured": m, "predicted": p}
            for (_, d, protocol), m, p in zip(work, measured, predicted)]


def addresses(host, description):
    return [network.address(host, p["id"]) for p in description["paths"]]


def sctp_commands(programs, description, protocol):
    receiver = [programs.path("cmt-recv"), *options("--bind", addresses("b", description)),
                "--port", str(PORT), "--once", "-o", "received", "--rcvbuf", str(description["rcvbuf_bytes"]),
                "--stats", "json", *CLEAR]
    sender = [programs.path("cmt-send"), *CLEAR, "--connect", ",".join(addresses("b", description)),
              *options("--bind", addresses("a", description)), "--port", str(PORT), "--sched", protocol,
              "--sndbuf", str(description["sndbuf_bytes"]), "--msg", str(description["msg_bytes"]),
              "--stats", "json", "content"]
    listens = ("udp", capture.SCTP_IN_UDP_PORT)
    return {"receiver": receiver, "sender": sender, "listens": listens, "setup": [],
            "capture": ["tcpdump", "-n", "-Z", "root", "-i", "any", "-y", "LINUX_SLL2", "-B", "4096", "-s", "0",
                        "-w", "capture", "udp", "port", str(capture.SCTP_IN_UDP_PORT)]}


def options(name, values):
    return [word for value in values for word in (name, value)]


def kernel_commands(description, protocol):
    kind, _, number = protocol.partition(":")
    path = int(number or 1)
    stream = [machines.python(), "-B", os.path.join(HERE, "stream.py")]
    receiver = [*stream, "recv", kind, str(PORT), str(description["rcvbuf_bytes"]), "received"]
    setup = []
    if kind == "mptcp":
        receiver += addresses("b", description)[1:]
        setup = [f"ip netns exec {host} ip mptcp limits set subflow 8 add_addr_accepted 8" for host in "ab"]
    sender = [*stream, "send", kind, network.address("a", path), network.address("b", path), str(PORT),
              str(description["sndbuf_bytes"]), str(description["msg_bytes"]), "content"]
    return {"receiver": receiver, "sender": sender, "listens": ("tcp", PORT), "setup": setup, "capture": None}


def job_of(programs, description, protocol, predicted):
    commands = (kernel_commands(description, protocol) if is_kernel_protocol(protocol)
                else sctp_commands(programs, description, protocol))
    if predicted is not None:
        expected_s = predicted["duration_us"] / 1e6
    else:
        expected_s = 8 * description["bytes"] / min(p["ceiling_bps"] for p in description["paths"])
    return {**commands, "setup": network.setup(description) + commands["setup"],
            "timeline": network.timeline(description), "cross": network.cross_traffic(description),
            "watch_every_us": WATCH_EVERY_US if description["play_bps"] else 0,
            "bytes": description["bytes"], "seed": description["seed"], "timeout_s": GRACE_S + 3 * expected_s}


def measure(programs, machine, description, protocol, predicted=None, pcap=None, core=None):
    """One transfer; its result. What went wrong is in "failure", as with cmt-lab."""
    seen = {}

    def keep(folder, outcome):
        for name in ("sender", "receiver"):
            seen[name] = last_object(os.path.join(folder, f"{name}.out"))
            seen[f"{name} error"] = text_of(os.path.join(folder, f"{name}.err"))
        file = os.path.join(folder, "capture.pcap")
        if os.path.exists(file):
            seen["sacks"] = count_sacks(file, outcome)
            if pcap:
                shutil.copyfile(file, pcap)

    job = job_of(programs, description, protocol, predicted)
    files = network.distributions(description)
    if "content" in description:
        files["content"] = description["content"]
    outcome = machines.run(machine, job, files, keep, core)
    if "content" in description:
        outcome["sent_sha256"] = hashlib.sha256(description["content"]).hexdigest()
    return result(description, protocol, machine, outcome, seen)


def text_of(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return stream.read().strip()
    except FileNotFoundError:
        return ""


def last_object(path):
    """The last JSON object of a program's output; {} when there is none."""
    for line in reversed(text_of(path).splitlines()):
        if line.startswith("{"):
            return json.loads(line)
    return {}


def count_sacks(file, outcome):
    numbers = {link["ifindex"]: int(link["ifname"][1:]) for link in outcome.get("links", {}).get("b", [])
               if link["ifname"].startswith("p")}
    return capture.count_sacks(capture.read(file), numbers.get, network.path_of_address)


def failure_of(outcome, seen, description):
    if outcome["problems"]:
        errors = [seen.get(f"{name} error", "") for name in ("receiver", "sender")]
        return "; ".join([*outcome["problems"], *(e for e in errors if e)])
    if outcome.get("received_bytes") != description["bytes"]:
        return f"{outcome.get('received_bytes', 0)} bytes were received, {description['bytes']} sent"
    if outcome["received_sha256"] != outcome["sent_sha256"]:
        return "the SHA-256 of what was received is another than that of what was sent"
    return None


def duration_us(seen):
    """First message handed over to last byte read, both by the same clock."""
    first, last = seen["sender"].get("first_at_us"), seen["receiver"].get("last_at_us")
    return None if first is None or last is None else last - first


def result(description, protocol, machine, outcome, seen):
    failure = failure_of(outcome, seen, description)
    took_us = None if failure else duration_us(seen)
    goodput_bps = None if not took_us else 8e6 * description["bytes"] / took_us
    extension = not is_kernel_protocol(protocol) and protocol not in ("stock", "single")
    ceilings = [p["ceiling_extension_bps" if extension else "ceiling_bps"] for p in description["paths"]]
    first_read = seen.get("receiver", {}).get("first_at_us")
    out = {
        "scenario": description["scenario"], "scheduler": protocol, "seed": description["seed"],
        "machine": machine.name, "kernel": outcome.get("kernel"),
        "lateness_p99_us": outcome.get("lateness_p99_us"), "lateness_max_us": outcome.get("lateness_max_us"),
        "mptcp_offered": outcome.get("mptcp_offered"),
        "rcvbuf_bytes": description["rcvbuf_bytes"], "sndbuf_bytes": description["sndbuf_bytes"],
        "msg_bytes": description["msg_bytes"], "bytes_delivered": outcome.get("received_bytes", 0),
        "sha256": outcome.get("received_sha256"),
        "duration_us": took_us, "integrity": "corrupt" if failure else "ok",
        "capacity_bps": description["capacity_bps"], "ceiling_bps": sum(ceilings), "goodput_bps": goodput_bps,
        "goodput_ratio": None if goodput_bps is None else goodput_bps / sum(ceilings),
        "best_path_ceiling_bps": max(ceilings), "w_min_bytes": description["w_min_bytes"],
        "bpt_us": first_read and took_us and first_read - seen["sender"]["first_at_us"],
        "bpt_bound_us": description["bpt_bound_us"],
        "retransmits": seen.get("sender", {}).get("retransmits"),
        "illegal_decisions": seen.get("sender", {}).get("illegal_decisions"),
        "subflows": seen.get("receiver", {}).get("subflows"),
        "sacks": dict(seen["sacks"].counts) if "sacks" in seen else None,
        "paths": [path_result(p, outcome, seen) for p in description["paths"]],
    }
    if took_us and description["play_bps"]:
        out.update(player.watch(outcome["growth"], seen["sender"]["first_at_us"], description["play_bps"],
                                description["play_buffer_us"]))
    if failure:
        out["failure"] = failure
    offered = sum(p["tx_bytes"] or 0 for p in out["paths"])
    for p in out["paths"]:
        p["share"] = p["tx_bytes"] / offered if offered else None
    out["drops"] = sum((p["drops"] or 0) + (p["back_drops"] or 0) for p in out["paths"])
    return out


def qdisc(outcome, host, interface):
    found = [q for q in outcome.get("qdiscs", {}).get(host, []) if q.get("dev") == interface]
    return found[0] if found else {}


def path_result(path, outcome, seen):
    number = path["id"]
    forward, back = qdisc(outcome, "r", f"d{number}"), qdisc(outcome, "d", f"r{number}")
    own = next((p for p in seen.get("sender", {}).get("paths", [])
                if network.path_of_address(p.get("remote") or "") == number), {})
    passed, drops = forward.get("packets"), forward.get("drops")
    return {
        "id": number, "rate_bps": path["forward"]["rate_bps"], "delay_us": path["forward"]["delay_us"],
        "tx_packets": None if passed is None else passed + drops,
        # What passed, without Ethernet's headers; what was dropped has left no size behind.
        "tx_bytes": None if passed is None else forward["bytes"] - network.ETHERNET_BYTES * passed,
        "drops": drops, "back_drops": back.get("drops"), "srtt_us": own.get("srtt_us"),
        "cwnd_bytes": own.get("cwnd_bytes"), "retransmits": own.get("retransmits"),
        "sacks": seen["sacks"].leaving[number] if "sacks" in seen else None,
    }
