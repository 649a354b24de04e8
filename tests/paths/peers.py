#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""peers.py BUILD: other stacks (tests/interop) behind NATs, and as servers for who is: the first path works, every message arrives,
both ends end in good order, and no packet has an ABORT. In real time; the Linux kernel's SCTP in User Mode Linux (in_uml.py).

Exit status 77 where there is no User Mode Linux."""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, *(os.path.join(HERE, "..", folder) for folder in ("package", "netem"))]
import machine  # noqa: E402
from clean_root import enter_namespaces, run  # noqa: E402
from network import Uplinks  # noqa: E402
from transfer import judge, transfer  # noqa: E402

PROGRAMS = os.path.join(os.path.realpath(sys.argv[1]), "tests", "interop")
PAIRS = (("event", "release"), ("release", "event"), ("threads", "release"), ("release", "threads"), ("event", "pion"),
         ("pion", "event"))
# Not to a kernel of two addresses: docs/interop.md, what to know about Linux.
KERNEL_TRANSFERS = ({}, "event", "kernel"), ({}, "kernel", "event"), ({"server_addresses": 2}, "kernel", "event"), (
    {"shared": True}, "event", "kernel"), ({"shared": True}, "kernel", "event")
# In this order: nobody looks for what they depend on.
MODULES = ("drivers/net/veth", "net/sched/sch_tbf", "lib/crc-ccitt", "net/ipv6/ipv6", "net/ipv4/netfilter/nf_defrag_ipv4",
           "net/ipv6/netfilter/nf_defrag_ipv6", "net/netfilter/nf_conntrack", "net/netfilter/nf_nat", "net/netfilter/x_tables",
           "net/ipv4/netfilter/ip_tables", "net/ipv4/netfilter/iptable_nat", "net/netfilter/xt_MASQUERADE", "crypto/hmac",
           "net/ipv4/udp_tunnel", "net/ipv6/ip6_udp_tunnel", "net/sctp/sctp")
UML_LIMIT_S = 240
NO_MACHINE = 77


class PeersTest(unittest.TestCase):
    def assert_all(self, **kind):
        network = Uplinks(**kind)
        self.addCleanup(network.close)
        network.move_servers_off_loopback()
        for client, server in PAIRS:
            with self.subTest(client=client, server=server):
                capture = os.path.join(WORK, f"{client}-{server}")
                transfer(PROGRAMS, network, client, server, capture)
                judge(capture)

    def test_a_server_with_one_address(self):
        self.assert_all()

    def test_a_server_with_two_addresses(self):
        self.assert_all(server_addresses=2)

    def test_both_uplinks_behind_one_public_address(self):
        self.assert_all(shared=True)


class KernelTest(unittest.TestCase):
    def assert_outcome(self, folder, outcome):
        self.assertEqual(outcome["problems"], [])
        for done in outcome["transfers"]:
            with self.subTest(what=done["what"]):
                self.assertEqual(done["problem"], "")
                judge(os.path.join(folder, done["capture"]))
        self.assertEqual(len(outcome["transfers"]), len(KERNEL_TRANSFERS))

    def test_the_kernel(self):
        job = {"bytes": 0, "timeout_s": UML_LIMIT_S, "programs": PROGRAMS, "transfers": KERNEL_TRANSFERS}
        machine.run(machine.packaged_uml(modules=MODULES, guest=os.path.join(HERE, "in_uml.py")), job, keep=self.assert_outcome)


if __name__ == "__main__":
    WORK = enter_namespaces()
    run("mount", "-t", "tmpfs", "none", "/run")
    try:
        machine.packaged_uml()
    except machine.NoMachine as missing:
        print(missing, file=sys.stderr)
        sys.exit(NO_MACHINE)
    unittest.main(argv=sys.argv[:1])
