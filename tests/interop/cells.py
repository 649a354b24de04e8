# SPDX-License-Identifier: BSD-3-Clause
"""What is tested: one cell is one transfer between one of our stacks and another one.

Pure: a cell becomes a step of the guest's job (guest.py), and its outcome a list of problems.
"""

import dataclasses

import network

OURS = ("event", "threads")
UDP_PORT = 9899
FIRST_SCTP_PORT = 5001  # of the first cell
TIMESTAMP, ECHO = 0x9E, 0x9F
ABORT, ERROR = 6, 9
LEAST_SHARE = 0.02  # of each of two paths: far less than what they carry, which a slow start and its losses decide

# Of the kernel, which leaves all of them out unless asked. PAD chunks (RFC 4820) come with the search for the path MTU.
KERNEL_EXTRAS = {"addip_enable": 1, "auth_enable": 1, "intl_enable": 1, "reconf_enable": 1,
                 "plpmtud_probe_interval": 5000}
KERNEL_DEFAULTS = dict.fromkeys(KERNEL_EXTRAS, 0)
# The kernel sends nothing, not even SACKs, to an address that it has not confirmed, for which it takes up to 1.5 times
# this, and waits as long before it repeats the first thing that it sends itself.
KERNEL_RTO_INITIAL_MS, QUICK_RTO_INITIAL_MS = 3000, 300


@dataclasses.dataclass(frozen=True)
class Condition:
    loss_percent: float = 0.0
    at_quarter: tuple = ()  # commands, when a quarter has arrived
    after: tuple = ()       # commands that mend it


CONDITIONS = {
    "clean": Condition(),
    "loss": Condition(loss_percent=1.0),
    "cut": Condition(at_quarter=(network.shape(100.0, paths=(1,), verb="change"),)),
    "unplugged": Condition(at_quarter=(("ip", "theirs", ("link set p1 down",)),),
                           after=(("ip", "theirs", network.attach(1, "theirs")),)),
}


@dataclasses.dataclass(frozen=True)
class Cell:
    ours: str           # event, threads
    theirs: str         # kernel, release; threads: the fork itself, as a control
    we_send: bool
    transport: str = "udp"
    condition: str = "clean"
    six: bool = False
    messages: int = 1000
    size: int = 1400
    streams: int = 4
    interleave: bool = False
    extras: bool = False

    @property
    def name(self):
        ends = (self.ours, self.theirs) if self.we_send else (self.theirs, self.ours)
        words = [f"{ends[0]} > {ends[1]}", self.transport, self.condition]
        words += ["IPv6"] * self.six + ["extras"] * self.extras + ["I-DATA"] * self.interleave
        return ", ".join(words)

    @property
    def sender(self):
        return "ours" if self.we_send else "theirs"


@dataclasses.dataclass(frozen=True)
class Probe:
    """Not a transfer: a script of this folder."""

    script: str
    name: str


def stack(cell, host):
    return cell.ours if host == "ours" else cell.theirs


def sctp_port(cell):
    """One for each cell: the kernel keeps the port of an association whose SHUTDOWN-COMPLETE was lost for a minute."""
    return FIRST_SCTP_PORT + all_cells().index(cell)


def program(cell, host, build):
    verb = "send" if host == cell.sender else "receive"
    argv = [f"{build}/interop-{stack(cell, host)}", verb, "--local", network.addresses(cell.six, host), "--messages",
            str(cell.messages), "--size", str(cell.size), "--streams", str(cell.streams), "--port", str(sctp_port(cell))]
    if verb == "send":
        argv += ["--peer", network.addresses(cell.six, network.other(host))]
    return argv + ["--raw"] * (cell.transport == "raw") + ["--interleave"] * cell.interleave


KERNEL_UDP = ("sysctl", "theirs", [f"-qw net.sctp.udp_port={UDP_PORT} net.sctp.encap_port={UDP_PORT}"])


def sysctls(cell, host):
    values = {**(KERNEL_EXTRAS if cell.extras else KERNEL_DEFAULTS)}
    values["rto_initial"] = QUICK_RTO_INITIAL_MS if CONDITIONS[cell.condition].at_quarter else KERNEL_RTO_INITIAL_MS
    values["udp_port"] = values["encap_port"] = UDP_PORT if cell.transport == "udp" else 0
    if stack(cell, host) != "kernel":
        values["udp_port"] = 0  # the port is the other stack's
    return ("sysctl", host, ["-qw " + " ".join(f"net.sctp.{key}={value}" for key, value in values.items())])


def probe_step(probe):
    return {"name": probe.name, "before": [network.shape(), network.hide_from_kernel(False), KERNEL_UDP],
            "script": probe.script, "at_quarter": [], "after": []}


def step(cell, build):
    if isinstance(cell, Probe):
        return probe_step(cell)
    condition = CONDITIONS[cell.condition]
    return {"name": cell.name, "sender": cell.sender,
            "before": [*(sysctls(cell, host) for host in network.NET), network.shape(condition.loss_percent), network.hide_from_kernel(cell.transport == "raw")],
            "argv": {host: program(cell, host, build) for host in network.NET},
            "at_quarter": condition.at_quarter, "after": condition.after}


def problems(cell, outcome, chunk_types):
    """`outcome` of guest.py; `chunk_types`: how many packets of the cell had a chunk of each type."""
    if outcome["problem"]:
        return [outcome["problem"]]
    if isinstance(cell, Probe):
        return []
    out = []
    for kind in (ABORT, ERROR):
        if chunk_types[kind]:
            out.append(f"{chunk_types[kind]} packets with a chunk of type {kind}")
    extension = cell.theirs in OURS
    if extension != bool(chunk_types[TIMESTAMP] and chunk_types[ECHO]):
        out.append(f"{chunk_types[TIMESTAMP]} packets with CMT-TIMESTAMP, {chunk_types[ECHO]} with CMT-ECHO")
    statistics = outcome["results"].get(cell.sender, {})
    if cell.ours == "event" and cell.we_send:
        out += problems_of_statistics(cell, statistics, extension)
    return out


def problems_of_statistics(cell, statistics, extension):
    out = []
    if statistics["extension"] != extension:
        out.append(f"extension {statistics['extension']}")
    sent = [path["sent_bytes"] for path in statistics["paths"]]
    if cell.condition == "clean" and (len(sent) != 2 or min(sent) < LEAST_SHARE * sum(sent)):
        out.append(f"bytes by path: {sent}")
    return out


def both(**what):
    return [Cell(we_send=we_send, **what) for we_send in (True, False)]


MESSAGES = {"clean": 1000, "loss": 600, "cut": 2000}  # a cut must not come when all is under way


def all_cells():
    out = [Probe("unknown_chunks.py", "kernel, udp, unknown chunks")]
    for condition, messages in MESSAGES.items():
        for transport in ("udp", "raw"):
            out += both(ours="event", theirs="kernel", transport=transport, condition=condition, messages=messages)
        out += both(ours="event", theirs="release", condition=condition, messages=messages)
    out += both(ours="event", theirs="kernel", condition="unplugged", messages=MESSAGES["cut"])
    out += both(ours="event", theirs="kernel", six=True, extras=True, messages=70, size=20000)
    # No fragments, in the packets that a path begins with either: the kernel numbers those of I-DATA from 0 twice
    # (docs/interop.md).
    out += both(ours="threads", theirs="kernel", extras=True, interleave=True, size=1100)
    out += both(ours="event", theirs="threads")
    return out
