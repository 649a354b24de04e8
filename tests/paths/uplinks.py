#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""uplinks.py BUILD: what cmt-perf carries over two uplinks of 16 and 8 Mbit/s behind NATs, up and down, in real time."""

import json
import os
import subprocess
import sys
import threading
import time
import unittest

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, *(os.path.join(HERE, "..", folder) for folder in ("package", "netem"))]
from clean_root import enter_namespaces, run  # noqa: E402
from lateness import ATTEMPTS, Lateness  # noqa: E402
from network import RATES_MBPS, Uplinks, in_namespace  # noqa: E402

BUILD = os.path.realpath(sys.argv[1])
TOP = os.path.join(BUILD, "apps", "cmt-top", "cmt-top")
PERF = os.path.join(BUILD, "apps", "cmt-perf", "cmt-perf")
PERF_UDP_PORT = 5201
ADMIN_PORT = 9090
SECONDS = 6
# Headers take 5 %, the start of a transfer of that length about 1.
LEAST = 0.90


class UplinksTest(unittest.TestCase):
    def measure(self, network, *options, watched=False, asked=None, seconds=SECONDS):
        """`asked`: the one address of the server's that the client names."""
        admin = ("--admin", str(ADMIN_PORT)) if watched else ()
        server = subprocess.Popen(in_namespace("server", PERF, "-s", "-1", "--bind", ",".join(network.servers), *admin),
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            said = [server.stderr.readline() for _ in range(2 if watched else 1)]
            self.assertIn("listening", "".join(said))
            done = subprocess.run(in_namespace("client", PERF, "-c", asked or ",".join(network.servers), "-t", f"{seconds}s",
                                               "--json", *options), capture_output=True, text=True, timeout=60, check=False)
        finally:
            server.kill()
            server.communicate()
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def paths_at_server(self):
        """As the server shows them in mid-transfer, by their ends."""
        for _ in range(100):
            top = subprocess.run(in_namespace("server", TOP, "--json", str(ADMIN_PORT)), capture_output=True, text=True, check=False)
            assocs = json.loads(top.stdout)["associations"] if top.returncode == 0 else []
            if assocs and len(assocs[0]["paths"]) == 2 and all(p["received_bytes"] > 100_000 for p in assocs[0]["paths"]):
                return sorted((p["local"], p["local_port"], p["remote"], p["remote_port"]) for p in assocs[0]["paths"])
            time.sleep(0.05)
        self.fail(f"no two paths at the server: {top.stdout}{top.stderr}")

    def test_paths_behind_one_public_address_are_shown_by_their_ports(self):
        network = Uplinks(shared=True)
        self.addCleanup(network.close)
        seen = []
        watcher = threading.Thread(target=lambda: seen.extend(self.paths_at_server()))
        watcher.start()
        result = self.measure(network, watched=True)
        watcher.join()
        print(seen, flush=True)
        one, other = seen
        self.assertEqual(one[:3], (network.servers[0], PERF_UDP_PORT, "192.0.2.5"))
        self.assertEqual(one[:3], other[:3])
        self.assertNotEqual(one[3], other[3])
        ends = {(p["local"], p["remote"], p["remote_port"]) for p in result["intervals"][-1]["paths"]}
        self.assertEqual(ends, {(f"192.168.{i}.2", network.servers[0], PERF_UDP_PORT) for i in (1, 2)})
        self.assertEqual(len({p["local_port"] for p in result["intervals"][-1]["paths"]} - {0}), 1)

    def test_a_server_is_reached_at_each_of_its_addresses(self):
        network = Uplinks(server_addresses=2)
        self.addCleanup(network.close)
        for asked in network.servers:
            result = self.measure(network, asked=asked, seconds=2)
            with self.subTest(asked=asked):
                self.assertGreater(result["end"]["sum_received"]["rate_bps"] / 1e6, RATES_MBPS[1])

    def assert_sum(self, **kind):
        """What falls short on a machine that was late, whose links and programs stood still meanwhile, is measured anew."""
        network = Uplinks(**kind)
        self.addCleanup(network.close)
        for options in ((), ("-R",)):
            for _ in range(ATTEMPTS):
                with Lateness() as lateness:
                    result = self.measure(network, *options)
                share = result["end"]["sum_received"]["rate_bps"] / 1e6 / sum(RATES_MBPS)
                print(f"{kind} {'down' if options else 'up'}: {share:.3f} of the sum; {lateness}", flush=True)
                if share > LEAST or not lateness.is_late:
                    break
            with self.subTest(options=options):
                self.assertGreater(share, LEAST)

    def test_two_nats_and_a_server_with_one_address(self):
        self.assert_sum()

    def test_two_nats_and_a_server_with_two_addresses(self):
        self.assert_sum(server_addresses=2)

    def test_both_uplinks_behind_one_public_address(self):
        self.assert_sum(shared=True)


if __name__ == "__main__":
    enter_namespaces()
    run("mount", "-t", "tmpfs", "none", "/run")
    unittest.main(argv=sys.argv[:1])
