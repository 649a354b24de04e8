#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tunnel.py BUILD: cmt-tun between namespaces, over two uplinks behind NATs: programs go through, and on every way of ending the
host's routes are as they were."""

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import unittest

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "package"), os.path.join(HERE, "..", "paths")]
from clean_root import enter_namespaces, run  # noqa: E402
from network import Uplinks, in_namespace  # noqa: E402

BUILD = os.path.realpath(sys.argv[1])
PROGRAM = os.path.join(BUILD, "apps", "cmt-tun", "cmt-tun")
POOL = ("--pool", "10.8.0.0/24", "--pool", "fd00:8::/64")
PATIENCE_S = 15
GIVEN_UP_S = 12  # silence, the tick behind it, and a busy machine
# What leaves by an uplink for the address that stands for all others.
COUNTER = """table ip watch {
	counter plain { }
	chain out {
		type filter hook postrouting priority 0; policy accept;
		oifname "up*" ip daddr 198.51.100.2 counter name plain
	}
}
"""


class Program:
    """cmt-tun in a namespace; what it says."""

    def __init__(self, namespace, *options):
        self.process = subprocess.Popen(in_namespace(namespace, PROGRAM, *options, "--stats", "json"), stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.said = ""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stderr:
            self.said += line

    def wait_for(self, words, patience_s=PATIENCE_S):
        until = time.monotonic() + patience_s
        while words not in self.said:
            if time.monotonic() > until or self.process.poll() is not None:
                raise AssertionError(f"\"{words}\" was not said, but: {self.said}")
            time.sleep(0.02)

    def end(self, number=signal.SIGTERM):
        """Its statistics; {} of one that was killed."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        out, _ = self.process.communicate(timeout=PATIENCE_S)
        self._reader.join()
        return json.loads(out) if out else {}


def client(*command):
    return run(*in_namespace("client", *command))


def ping(address, *options, namespace="client"):
    return subprocess.run(in_namespace(namespace, "ping", "-c", "3", "-i", "0.2", "-W", "2", *options, address), check=False,
                          capture_output=True, text=True)


class TunnelTest(unittest.TestCase):
    def setUp(self):
        self.network = Uplinks(server_addresses=2)
        self.addCleanup(self.network.close)
        self.before = self.routes()

    def start(self, namespace, *options):
        program = Program(namespace, *options)
        self.addCleanup(program.end, signal.SIGKILL)
        return program

    def serve(self, *options):
        program = self.start("server", "serve", "--bind", self.network.servers[0], *POOL, *options)
        program.wait_for("listening")
        return program

    def connect(self, *options, namespace="client"):
        program = self.start(namespace, "connect", "--connect", self.network.servers[0], *options)
        program.wait_for("the tunnel is up")
        return program

    @staticmethod
    def routes():
        """All of them, and the rules, without what the kernel adds to links by and by."""
        text = "".join(client("ip", family, *what) for family in ("-4", "-6") for what in (("rule",), ("route", "show", "table", "all")))
        return sorted(line.strip() for line in text.splitlines() if not re.search(r"fe80:|multicast|expires", line))

    def assert_routes_are_back(self, patience_s=2):
        until = time.monotonic() + patience_s
        while self.routes() != self.before and time.monotonic() < until:
            time.sleep(0.1)
        self.assertEqual(self.routes(), self.before)

    def assert_reaches(self, address, *options, namespace="client"):
        done = ping(address, *options, namespace=namespace)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    @staticmethod
    def plain_packets():
        return int(re.search(r"packets (\d+)", client("nft", "list", "counter", "ip", "watch", "plain"))[1])

    def watch(self):
        subprocess.run(in_namespace("client", "nft", "-f", "-"), input=COUNTER, text=True, check=True)

    # --- packets ---

    def test_programs_of_both_families_go_through_over_both_uplinks(self):
        server = self.serve("--admin", "127.0.0.1:9095")
        tunnel = self.connect()
        self.assert_reaches("10.8.0.1")
        self.assert_reaches("fd00:8::1")
        content = os.urandom(6_000_000)
        folder = os.environ["CMT_NAMESPACES"]
        with open(os.path.join(folder, "film"), "wb") as out:
            out.write(content)
        web = subprocess.Popen(in_namespace("server", sys.executable, "-m", "http.server", "-d", folder, "-b", "::", "8000"),
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(web.wait)
        self.addCleanup(web.kill)
        before = [self.network.received_bytes(i) for i in (1, 2)]
        for host in ("10.8.0.1", "[fd00:8::1]"):
            got = os.path.join(folder, "got")
            client("curl", "-sf", "--retry", "5", "--retry-connrefused", "-m", "20", "-o", got, f"http://{host}:8000/film")
            with open(got, "rb") as file:
                self.assertEqual(hashlib.sha256(file.read()).digest(), hashlib.sha256(content).digest())
        used = [self.network.received_bytes(i) - b for i, b in zip((1, 2), before)]
        self.assertGreater(min(used), 1_000_000, used)
        board = json.loads(run(*in_namespace("server", "curl", "-sf", "http://127.0.0.1:9095/stats.json")))
        self.assertEqual([a["name"] for a in board["associations"]], ["10.8.0.2/24"])
        self.assertGreater(board["associations"][0]["figures"]["sent_bytes"], 2 * len(content))
        theirs, ours = server, tunnel.end()
        theirs.wait_for("10.8.0.2/24: gone")
        theirs = theirs.end()
        self.assertGreater(ours["received_bytes"], 2 * len(content))
        self.assertGreater(ours["received_bytes"] / ours["received_packets"], 1400, "packets of one flow are joined")
        self.assertGreater(ours["mss_clamped"], 0)
        self.assertEqual([ours["malformed"], ours["foreign"], theirs["malformed"], theirs["foreign"]], [0, 0, 0, 0])

    def test_the_tunnel_does_not_carry_itself(self):
        server = self.start("server", "serve", "--bind", "any", *POOL, "--admin", "127.0.0.1:9095")
        server.wait_for("listening")
        self.connect("--route", "all", "--admin", "127.0.0.1:9095")
        self.assert_reaches("10.8.0.1")
        time.sleep(1)
        for namespace in ("server", "client"):
            board = json.loads(run(*in_namespace(namespace, "curl", "-sf", "http://127.0.0.1:9095/stats.json")))
            paths = [path for association in board["associations"] for path in association["paths"]]
            self.assertGreater(len(paths), 1)
            for path in paths:
                self.assertNotRegex(f"{path['local']} {path['remote']}", "10.8.0|fd00:8:")

    def test_datagrams_go_through(self):
        self.serve()
        self.connect()
        iperf = subprocess.Popen(in_namespace("server", "iperf3", "-s", "-1"), stdout=subprocess.DEVNULL)
        self.addCleanup(iperf.wait)
        self.addCleanup(iperf.kill)
        time.sleep(0.5)
        result = json.loads(client("iperf3", "-c", "10.8.0.1", "-u", "-b", "6M", "-t", "2", "-J"))["end"]["sum"]
        self.assertLess(result["lost_percent"], 2, result)

    def test_packets_that_are_too_large_are_answered(self):
        self.serve("--admin", "127.0.0.1:9095")
        self.connect()
        # Either end asks its paths by itself, where they carry nothing after a second, and cmt-tun looks once a second.
        mtu, until = 0, time.monotonic() + PATIENCE_S
        while mtu < 1300 and time.monotonic() < until:
            time.sleep(0.1)
            mtu = json.loads(client("ip", "-j", "link", "show", "cmt0"))[0]["mtu"]
        self.assertGreater(mtu, 1300)
        sizes = [0]
        while min(sizes) < 1400 and time.monotonic() < until:
            time.sleep(0.1)
            board = json.loads(run(*in_namespace("server", "curl", "-sf", "http://127.0.0.1:9095/stats.json")))
            sizes = [path["mtu_bytes"] for association in board["associations"] for path in association["paths"]] or [0]
        self.assertGreater(min(sizes), 1400)
        time.sleep(2)
        self.assert_reaches("10.8.0.1", "-M", "do", "-s", str(mtu - 28))
        self.assert_reaches("fd00:8::1", "-M", "do", "-s", str(mtu - 48))
        # The server's device takes more than the tunnel.
        done = ping("10.8.0.2", "-M", "do", "-s", "1472", namespace="server")
        self.assertRegex(done.stdout + done.stderr, r"mtu ?= ?13\d\d")
        done = ping("fd00:8::2", "-M", "do", "-s", "1452", namespace="server")
        self.assertRegex(done.stdout + done.stderr, r"mtu ?= ?13\d\d")

    def test_two_clients_have_addresses_of_their_own(self):
        server = self.serve()
        self.connect()
        other = self.connect("--dev", "cmt7", namespace="nat1")
        self.assertIn("10.8.0.3/24, fd00:8::3/64", other.said)
        for namespace, address in (("client", "10.8.0.3"), ("nat1", "10.8.0.2"), ("nat1", "fd00:8::1"), ("server", "10.8.0.3")):
            self.assert_reaches(address, namespace=namespace)
        other.end()
        server.wait_for("10.8.0.3/24: gone")
        self.assert_reaches("10.8.0.1")

    # --- routes ---

    def test_an_orderly_end_takes_everything_back(self):
        server = self.serve("--offer-route", "203.0.113.0/24")
        for number, options in ((signal.SIGTERM, ("--route", "all", "--kill-switch")), (signal.SIGINT, ("--route", "all")),
                                (signal.SIGTERM, ("--route", "198.51.100.0/24", "--accept-routes"))):
            with self.subTest(options=options, number=number):
                tunnel = self.connect(*options)
                self.assertNotEqual(self.routes(), self.before)
                self.assertIn("dev cmt0", client("ip", "route", "get", self.network.servers[1]))
                self.assertIn("dev up1", client("ip", "route", "get", self.network.servers[0]))
                self.assertIn("dev cmt0" if "--accept-routes" in options or "all" in options else "dev up1",
                              client("ip", "route", "get", "203.0.113.5"))
                self.assert_reaches(self.network.servers[1])
                self.assertEqual(tunnel.end(number)["tunnels"], 1)
                self.assertEqual(tunnel.process.returncode, 0)
                self.assert_routes_are_back()
        self.assertEqual(server.process.poll(), None)

    def test_neighbours_stay_reachable(self):
        self.serve()
        self.connect("--route", "all", "--kill-switch")
        self.assert_reaches("192.168.2.1")

    def test_a_server_that_is_gone_takes_the_routes_along_and_a_new_one_gives_the_same_address(self):
        for number in (signal.SIGTERM, signal.SIGKILL):
            with self.subTest(number=number):
                server = self.serve()
                tunnel = self.connect("--route", "all")
                server.end(number)
                tunnel.wait_for("the tunnel is down", GIVEN_UP_S)
                # The device keeps its addresses: what began through the tunnel goes on when it is there again.
                self.assertNotIn("dev cmt0", client("ip", "route", "get", self.network.servers[1]))
                self.assertNotIn("proto 67", "\n".join(self.routes()))
                tunnel.said = ""
                self.serve()
                tunnel.wait_for("the tunnel is up: cmt0 has 10.8.0.2/24, fd00:8::2/64", 2 * GIVEN_UP_S)
                self.assert_reaches("10.8.0.1")
                self.doCleanups()
                self.setUp()

    def test_a_killed_client_leaves_no_route_and_clean_takes_the_rules(self):
        self.serve()
        tunnel = self.connect("--route", "all")
        tunnel.end(signal.SIGKILL)
        self.assert_reaches(self.network.servers[1])
        self.assertIn("rules were taken back", subprocess.run(in_namespace("client", PROGRAM, "clean"), check=True, text=True,
                                                              capture_output=True).stderr)
        self.assert_routes_are_back()
        self.assertEqual(client(PROGRAM, "clean"), "")

    def test_the_kill_switch_holds_without_a_tunnel_and_without_a_client(self):
        self.watch()
        self.assert_reaches(self.network.servers[1])
        counted = self.plain_packets()
        self.assertGreater(counted, 0)
        server = self.serve()
        tunnel = self.connect("--route", "all", "--kill-switch")
        self.assert_reaches(self.network.servers[1])
        server.end(signal.SIGKILL)
        for _ in range(3):
            self.assertNotEqual(ping(self.network.servers[1]).returncode, 0)
        tunnel.wait_for("the tunnel is down", GIVEN_UP_S)
        self.assertNotEqual(ping(self.network.servers[1]).returncode, 0)
        tunnel.end(signal.SIGKILL)
        self.assertNotEqual(ping(self.network.servers[1]).returncode, 0)
        self.assertEqual(self.plain_packets(), counted)
        # A new one goes on from there.
        self.serve()
        tunnel = self.connect("--route", "all", "--kill-switch")
        self.assert_reaches(self.network.servers[1])
        self.assertEqual(self.plain_packets(), counted)
        tunnel.end(signal.SIGKILL)
        run(*in_namespace("client", PROGRAM, "clean"))
        self.assert_routes_are_back()
        self.assert_reaches(self.network.servers[1])
        self.assertGreater(self.plain_packets(), counted)

    def test_an_uplink_that_is_pulled_is_not_missed(self):
        self.serve()
        self.connect("--route", "all")
        self.network.pull(1)
        time.sleep(1)
        self.assert_reaches(self.network.servers[1])
        self.network.bring_back(1)
        self.assert_reaches(self.network.servers[1])


if __name__ == "__main__":
    enter_namespaces()
    run("mount", "-t", "tmpfs", "none", "/run")
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
