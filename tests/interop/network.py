# SPDX-License-Identifier: BSD-3-Clause
"""Two hosts with two networks each and a router between them, as commands.

Pure. On path 1 and 2:

    ours  p1 -- o1  router  t1 -- p1  theirs
       10.1.1.*                10.1.2.*

The router shapes both directions, so that no host sees a queue fill up. Commands are (program,
namespace, lines).
"""

PATHS = (1, 2)
NAMESPACES = ("ours", "router", "theirs")
RATE = "20mbit"
RATE_BPS = 20_000_000
DELAY_MS = {1: 5, 2: 15}  # one way
QUEUE_PKTS = 200
NET = {"ours": 1, "theirs": 2}  # third number of the addresses
BROADCAST = "ff:ff:ff:ff:ff:ff"


def prefix(six, path, host):
    return f"fd00:{path}:{NET[host]}:" if six else f"10.{path}.{NET[host]}"


def address(six, path, host, number=2):
    return f"{prefix(six, path, host)}{':' if six else '.'}{number}"


def addresses(six, host):
    return ",".join(address(six, path, host) for path in PATHS)


def mac(path, host, number):
    return f"02:00:00:{path:02x}:{NET[host]:02x}:{number:02x}"


def router_interface(path, host):
    return f"{host[0]}{path}"


def other(host):
    return "theirs" if host == "ours" else "ours"


def attach(path, host):
    """Lines of ip in the host's namespace: its interface up, its router, and the way to the other host."""
    lines = [f"link set p{path} up"]
    for six, bits in ((False, 24), (True, 64)):
        nodad = " nodad" if six else ""
        lines += [f"address replace {address(six, path, host)}/{bits} dev p{path}{nodad}",
                  f"neighbour replace {address(six, path, host, 1)} lladdr {mac(path, host, 1)} dev p{path}",
                  f"route replace {prefix(six, path, other(host))}{':' if six else '.0'}/{bits} "
                  f"via {address(six, path, host, 1)}"]
    return lines


def neighbours(path, host, lladdr):
    """Lines of ip in the router's namespace."""
    return [f"neighbour replace {address(six, path, host)} lladdr {lladdr} dev {router_interface(path, host)}"
            for six in (False, True)]


def attach_router(path, host):
    interface = router_interface(path, host)
    return ([f"link set {interface} up"]
            + [f"address replace {address(six, path, host, 1)}/{64 if six else 24} dev {interface}"
               f"{' nodad' if six else ''}" for six in (False, True)]
            + neighbours(path, host, mac(path, host, 2)))


def setup():
    batches = [("ip", None, [f"netns add {namespace}" for namespace in NAMESPACES])]
    for host in NET:
        batches.append(("ip", host, ["link set lo up"] + [
            f"link add p{path} address {mac(path, host, 2)} gso_max_segs 1 type veth peer name "
            f"{router_interface(path, host)} address {mac(path, host, 1)} gso_max_segs 1 netns router"
            for path in PATHS]))
    batches.append(("ip", "router", [line for path in PATHS for host in NET for line in attach_router(path, host)]))
    batches += [("ip", host, [line for path in PATHS for line in attach(path, host)]) for host in NET]
    # As on a line: whole packets, one at a time (gso_max_segs above), with their checksums in them.
    return batches + [("ethtool", "theirs", [f"-K p{path} tx off gso off tx-sctp-segmentation off" for path in PATHS])]


def shape(loss_percent=0.0, paths=PATHS, verb="replace"):
    """Both directions of `paths`."""
    return ("tc", "router", [
        f"qdisc {verb} dev {router_interface(path, host)} root netem limit {QUEUE_PKTS} rate {RATE} "
        f"delay {DELAY_MS[path]}ms loss {loss_percent}%" for path in paths for host in NET])


def hide_from_kernel(hidden):
    """Whether packets to our host carry Ethernet's broadcast address. Raw sockets get them all the same, but the
    kernel's SCTP takes nothing that is not addressed to its host alone: it would answer with ABORTs."""
    return ("ip", "router", [line for path in PATHS
                             for line in neighbours(path, "ours", BROADCAST if hidden else mac(path, "ours", 2))])
