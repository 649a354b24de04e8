# SPDX-License-Identifier: BSD-3-Clause
"""A client with two uplinks, each behind a NAT of its own or both behind the same, and a server: network namespaces, nftables
masquerade and tbf. For who is root of namespaces of its own, which take all of it away when they end."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "package"))
from clean_root import run  # noqa: E402

RATES_MBPS = (16, 8)
MASQUERADE = """table ip nat {
	chain post {
		type nat hook postrouting priority 100; policy accept;
		oifname "wan" masquerade random
	}
}
"""


# Where a kernel has no nat chains of nftables, as Debian's User Mode Linux.
MASQUERADE_BY_IPTABLES = ("iptables-legacy", "-t", "nat", "-A", "POSTROUTING", "-o", "wan", "-j", "MASQUERADE", "--random")


def in_namespace(name, *command):
    return ["ip", "netns", "exec", name, *command]


def shape(namespace, device, mbps):
    run("tc", "-n", namespace, "qdisc", "add", "dev", device, "root", "tbf", "rate", f"{mbps}mbit", "burst", "5k", "latency", "50ms")


def connect(one, two):
    """A cable between two of (namespace, device, address/bits)."""
    run("ip", "link", "add", one[1], "netns", one[0], "type", "veth", "peer", "name", two[1], "netns", two[0])
    for namespace, device, address in (one, two):
        run("ip", "-n", namespace, "addr", "add", address, "dev", device)
        run("ip", "-n", namespace, "link", "set", device, "up")
        # The limits of tbf are for packets as on the wire.
        run(*in_namespace(namespace, "ethtool", "-K", device, "gso", "off", "tso", "off", "gro", "off", "tx-udp-segmentation", "off"))


class Uplinks:
    """Namespaces client, nat1, nat2 and server. `shared`: both uplinks leave by one public address, the server's other side of
    which is in nat1. `server_addresses`: 1, or 2 of which each uplink reaches both. `nftables`: else iptables."""

    def __init__(self, shared=False, server_addresses=1, nftables=True):
        os.makedirs("/run/netns", exist_ok=True)
        self._gateways, self._nftables = {}, nftables
        self.servers = [f"198.51.100.{i + 1}" for i in range(server_addresses)]
        for namespace in ("client", "nat1", "nat2", "server"):
            run("ip", "netns", "add", namespace)
            run("ip", "-n", namespace, "link", "set", "lo", "up")
            run(*in_namespace(namespace, "sysctl", "-qw", "net.ipv4.ip_forward=1", "net.ipv4.conf.all.rp_filter=0"))
        for i, mbps in enumerate(RATES_MBPS, 1):
            connect(("client", f"up{i}", f"192.168.{i}.2/24"), (f"nat{i}", "lan", f"192.168.{i}.1/24"))
            run("ip", "-n", "client", "route", "add", "default", "via", f"192.168.{i}.1", "metric", str(100 * i))
            shape("client", f"up{i}", mbps)
            shape(f"nat{i}", "lan", mbps)
        if shared:
            self._join_behind_one_address()
        else:
            for i in (1, 2):
                self._connect_to_server(f"nat{i}", f"192.0.2.{4 * i + 1}/30", f"192.0.2.{4 * i + 2}/30")
        for address in self.servers:
            run("ip", "-n", "server", "addr", "add", address + "/32", "dev", "lo")

    def _connect_to_server(self, nat, address, server):
        self._gateways[nat] = server.split("/")[0]
        connect((nat, "wan", address), ("server", "to" + nat, server))
        run("ip", "-n", nat, "route", "add", "198.51.100.0/24", "via", self._gateways[nat])
        if self._nftables:
            subprocess.run(in_namespace(nat, "nft", "-f", "-"), input=MASQUERADE, text=True, check=True)
        else:
            run(*in_namespace(nat, *MASQUERADE_BY_IPTABLES))

    def _join_behind_one_address(self):
        """nat2 hands on to nat1, which is the only one with a public address."""
        connect(("nat2", "wan", "192.168.9.2/24"), ("nat1", "lan2", "192.168.9.1/24"))
        run("ip", "-n", "nat2", "route", "add", "default", "via", "192.168.9.1")
        run("ip", "-n", "nat1", "route", "add", "192.168.2.0/24", "via", "192.168.9.2")
        self._connect_to_server("nat1", "192.0.2.5/30", "192.0.2.6/30")

    def move_servers_off_loopback(self):
        """Where upstream's own back end uses no address for others, and answers from the one that the kernel prefers."""
        run("ip", "link", "add", "public", "netns", "server", "type", "veth", "peer", "name", "stub", "netns", "server")
        for address in self.servers:
            run("ip", "-n", "server", "addr", "del", address + "/32", "dev", "lo")
            run("ip", "-n", "server", "addr", "add", address + "/32", "dev", "public")
        for device in ("public", "stub"):
            run("ip", "-n", "server", "link", "set", device, "up")
        for i, nat in enumerate(self._gateways, 1):
            run("ip", "-n", "server", "route", "replace", f"192.0.2.{4 * i}/30", "dev", f"to{nat}",
                "src", self.servers[min(i, len(self.servers)) - 1])

    def send_whole_packets(self):
        """With their checksums in them, as the kernel's SCTP wants it of both ends (docs/interop.md)."""
        for namespace, devices in (("client", ("up1", "up2")), ("server", ["to" + nat for nat in self._gateways])):
            for device in devices:
                run("ip", "-n", namespace, "link", "set", device, "gso_max_segs", "1")
                run(*in_namespace(namespace, "ethtool", "-K", device, "tx", "off", "tx-sctp-segmentation", "off"))

    @staticmethod
    def pull(i):
        """The cable of an uplink, at the client: its routes are gone, its address stays."""
        run("ip", "-n", "client", "link", "set", f"up{i}", "down")

    @staticmethod
    def bring_back(i):
        run("ip", "-n", "client", "link", "set", f"up{i}", "up")
        run("ip", "-n", "client", "route", "add", "default", "via", f"192.168.{i}.1", "metric", str(100 * i))

    def rebind(self, i):
        """The NAT connects anew and has forgotten its mappings: masquerade drops those of an interface that went down."""
        run("ip", "-n", f"nat{i}", "link", "set", "wan", "down")
        run("ip", "-n", f"nat{i}", "link", "set", "wan", "up")
        run("ip", "-n", f"nat{i}", "route", "add", "198.51.100.0/24", "via", self._gateways[f"nat{i}"])

    @staticmethod
    def sent_bytes(i):
        link = json.loads(run("ip", "-n", "client", "-s", "-j", "link", "show", f"up{i}"))[0]
        return link["stats64"]["tx"]["bytes"]

    @staticmethod
    def received_bytes(i):
        link = json.loads(run("ip", "-n", "client", "-s", "-j", "link", "show", f"up{i}"))[0]
        return link["stats64"]["rx"]["bytes"]

    @staticmethod
    def close():
        for namespace in ("client", "nat1", "nat2", "server"):
            subprocess.run(["ip", "netns", "delete", namespace], check=False)
