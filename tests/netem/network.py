# SPDX-License-Identifier: BSD-3-Clause
"""A scenario, as `cmt-lab show` prints it, as commands of ip and tc.

Pure: text in, text out. Each path is a chain of its own through four network namespaces:

    a  p1 -- a1  r  d1 -- r1  d  b1 -- p1  b
         10.1.1.*     10.1.2.*     10.1.3.*

a sends, b receives. r and d only forward. Their four interfaces on a path do one thing each, in the order of the
simulator's links: loss, queue and rate first (r towards d on the way there, d towards r on the return path), then delay
and jitter (d towards b, r towards a). The hosts themselves shape nothing, so that no socket sees a queue fill up.
"""

import statistics

HOSTS = ("a", "r", "d", "b")
ETHERNET_BYTES = 14  # tc counts them, the scenario's rate does not
UNLIMITED_PKTS = 1_000_000
DISTRIBUTION_SCALE = 8192  # of netem's tables: one standard deviation
DISTRIBUTION_ENTRIES = 4096
PARETO_SHAPE = 2.5  # usrsctp_cmt_sim.h


class Unsupported(Exception):
    """What the scenario asks for and tc cannot do as the simulator does it."""


def address(host, path):
    """Of host a or b, on path 1 .. 8."""
    return f"10.{path}.{1 if host == 'a' else 3}.2"


def path_of_address(text):
    """The path that an address of host a or b belongs to, or None."""
    parts = text.split(".")
    return int(parts[1]) if len(parts) == 4 and parts[0] == "10" and parts[3] == "2" else None


def check(scenario):
    """Raises Unsupported, naming the key."""
    if scenario["family"] != "ipv4":
        raise Unsupported(f"family: \"{scenario['family']}\" is not possible under tc netem; write ipv4")
    if scenario["source"] != "bulk":
        raise Unsupported(f"source: \"{scenario['source']}\" is not possible under tc netem; write bulk")
    if scenario.get("encrypted"):
        raise Unsupported("encrypt: \"yes\" is of the simulator's associations alone; write no")
    for key, name in [("shared_links", "link.NAME"), ("competitors", "competitor"), ("nats", "nat.NAME"), ("in_udp", "udp")]:
        if scenario.get(key):
            raise Unsupported(f"{name}: tc netem runs paths of their own and one association; "
                              "run the scenario with cmt-lab")
    for path, end in [(p["id"], p[end]) for p in scenario["paths"] for end in ("from", "to") if end in p]:
        if end["address"] != path or end["absent_until_us"]:
            raise Unsupported(f"path.{path}: every path has addresses of its own, all the time, under tc netem; "
                              "run the scenario with cmt-lab")
    states = [(p["id"], p[d]) for p in scenario["paths"] for d in ("forward", "back")]
    states += [(c["path"], c["link"]) for c in scenario["changes"]]
    for path, link in states:
        for key in ("queue_bytes", "bit_error", "reorder", "corrupt", "mtu_bytes", "black_hole_bytes",
                    "trace", "delay_trace", "policer", "lte", "aqm", "wifi"):
            if link.get(key):
                name = key.removesuffix("_bytes")
                raise Unsupported(f"path.{path}.{name}: tc netem does not do this as the simulator does; "
                                  "leave it out, or run the scenario with cmt-lab")
        if link["loss"] and link["ge_enter"]:
            raise Unsupported(f"path.{path}.loss: tc netem has one loss per link; leave out loss or ge")
        if link["cross"] and link["cross"]["kind"] != "cbr":
            raise Unsupported(f"path.{path}.cross: \"{link['cross']['kind']}\" is not possible under tc netem; "
                              "write cbr:SIZE:INTERVAL")


def percent(probability):
    return f"{100 * probability:.6f}%"


def loss(link):
    if link["down"]:
        return " loss 100%"  # what is in the queue still arrives, as in the simulator
    if link["ge_enter"]:
        return f" loss gemodel {percent(link['ge_enter'])} {percent(link['ge_leave'])} {percent(link['ge_loss'])} 0%"
    return f" loss {percent(link['loss'])}" if link["loss"] else " loss 0%"


def bottleneck(link):
    """netem's arguments for loss, queue and rate. The packet in transmission counts in netem's limit."""
    limit = link["queue_pkts"] + 1 if link["queue_pkts"] else UNLIMITED_PKTS
    return f"netem limit {limit} rate {link['rate_bps']}bit -{ETHERNET_BYTES}{loss(link)}"


def propagation(link):
    """netem's arguments for delay, jitter and duplication. A high rate keeps packets in order."""
    delay_us, jitter = link["delay_us"], link["jitter"]
    text = f"netem limit {UNLIMITED_PKTS} delay {delay_us}us"
    if jitter:
        mean_us = delay_us if jitter["kind"] == "normal" else delay_us + jitter["us"]
        text = f"netem limit {UNLIMITED_PKTS} delay {mean_us}us {jitter['us']}us distribution cmt-{jitter['kind']}"
        if not jitter["reorder"]:
            text += " rate 100gbit"
    if link["duplicate"]:
        text += f" duplicate {percent(link['duplicate'])}"
    return text


def quantile(kind, p):
    """Of the jitter about its mean, in units of what the scenario calls it by (deviation or mean)."""
    if kind == "normal":
        return statistics.NormalDist().inv_cdf(p)
    if kind == "exp":
        return -statistics.math.log(1 - p) - 1
    least = (PARETO_SHAPE - 1) / PARETO_SHAPE
    return least * (1 - p) ** (-1 / PARETO_SHAPE) - 1


def distribution(kind):
    """A table for `tc netem distribution`; values beyond four units do not fit into one."""
    values = [quantile(kind, (i + 0.5) / DISTRIBUTION_ENTRIES) for i in range(DISTRIBUTION_ENTRIES)]
    return "\n".join(str(max(-32768, min(32767, round(v * DISTRIBUTION_SCALE)))) for v in values) + "\n"


def distributions(scenario):
    """File name -> content, of all that the scenario needs."""
    links = [p[d] for p in scenario["paths"] for d in ("forward", "back")] + [c["link"] for c in scenario["changes"]]
    kinds = {link["jitter"]["kind"] for link in links if link["jitter"]}
    return {f"cmt-{kind}.dist": distribution(kind) for kind in sorted(kinds)}


def qdiscs(path, direction, link):
    """[(namespace, interface, netem arguments)] of one direction."""
    if direction == "forward":
        return [("r", f"d{path}", bottleneck(link)), ("d", f"b{path}", propagation(link))]
    return [("d", f"r{path}", bottleneck(link)), ("r", f"a{path}", propagation(link))]


def cable(path, segment, left, right):
    """One veth pair, with addresses and neighbours: nothing is asked by ARP, which the qdiscs would delay."""
    (host, name), (peer_host, peer_name) = left, right
    ends = [(host, name, 2 if host == "a" else 1), (peer_host, peer_name, 1 if host == "a" else 2)]
    mac = {number: f"02:00:00:{path:02x}:{segment:02x}:{number:02x}" for number in (1, 2)}
    lines = [f"ip -n {host} link add {name} address {mac[ends[0][2]]} type veth "
             f"peer name {peer_name} address {mac[ends[1][2]]} netns {peer_host}"]
    for end, interface, number in ends:
        other = 3 - number
        lines += [f"ip -n {end} address add 10.{path}.{segment}.{number}/24 dev {interface}",
                  # One packet at a time, as on a line: no segmentation behind the qdiscs.
                  f"ip -n {end} link set {interface} gso_max_segs 1 up",
                  f"ip -n {end} neighbour add 10.{path}.{segment}.{other} lladdr {mac[other]} dev {interface}"]
    return lines


def routes(path):
    there, back = f"10.{path}.3.0/24", f"10.{path}.1.0/24"
    return [f"ip -n a route add {there} via 10.{path}.1.1", f"ip -n r route add {there} via 10.{path}.2.2",
            f"ip -n d route add {back} via 10.{path}.2.1", f"ip -n b route add {back} via 10.{path}.3.1"]


def setup(scenario):
    """Commands that build the network, one a line, in order."""
    lines = [f"ip netns add {host}" for host in HOSTS]
    for host in HOSTS:
        lines.append(f"ip -n {host} link set lo up")
        lines.append(f"ip netns exec {host} sysctl -qw net.ipv4.ip_forward={int(host in 'rd')} "
                     "net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.default.rp_filter=0")
    for p in scenario["paths"]:
        path = p["id"]
        lines += cable(path, 1, ("a", f"p{path}"), ("r", f"a{path}"))
        lines += cable(path, 2, ("r", f"d{path}"), ("d", f"r{path}"))
        lines += cable(path, 3, ("d", f"b{path}"), ("b", f"p{path}"))
        lines += routes(path)
        for direction in ("forward", "back"):
            lines += [f"tc -n {host} qdisc add dev {interface} root {arguments}"
                      for host, interface, arguments in qdiscs(path, direction, p[direction])]
    return lines


def timeline(scenario):
    """[(at_us, command)] of the changes; the guest waits for each."""
    return [(c["at_us"], f"tc -n {host} qdisc change dev {interface} root {arguments}")
            for c in scenario["changes"]
            for host, interface, arguments in qdiscs(c["path"], c["direction"], c["link"])]


def cross_traffic(scenario):
    """[{from, to, port, interval...}]: UDP from r to d, so that it shares the bottleneck's queue and nothing else."""
    out = []
    for p in scenario["paths"]:
        cross = p["forward"]["cross"]
        if cross:
            out.append({"from": "r", "to": "d", "address": f"10.{p['id']}.2.2", "payload_bytes":
                        cross["packet_bytes"] - 28, "interval_us": cross["interval_us"],
                        "from_us": cross["from_us"], "until_us": cross["until_us"]})
    return out
