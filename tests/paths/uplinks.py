#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""uplinks.py BUILD: what cmt-perf carries over two uplinks of 16 and 8 Mbit/s behind NATs, up and down, in real time."""

import json
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "package"))
from clean_root import enter_namespaces, run  # noqa: E402
from network import RATES_MBPS, Uplinks, in_namespace  # noqa: E402

BUILD = os.path.realpath(sys.argv[1])
PERF = os.path.join(BUILD, "apps", "cmt-perf", "cmt-perf")
SECONDS = 4
# Headers take 5 %, the start of a transfer of that length 1 or 2.
LEAST = 0.90


class UplinksTest(unittest.TestCase):
    def measure(self, network, *options):
        server = subprocess.Popen(in_namespace("server", PERF, "-s", "-1", "--bind", ",".join(network.servers)),
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            self.assertIn("listening", server.stderr.readline())
            done = subprocess.run(in_namespace("client", PERF, "-c", ",".join(network.servers), "-t", f"{SECONDS}s", "--json",
                                               *options), capture_output=True, text=True, timeout=60, check=False)
        finally:
            server.kill()
            server.communicate()
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def assert_sum(self, **kind):
        network = Uplinks(**kind)
        self.addCleanup(network.close)
        for options in ((), ("-R",)):
            result = self.measure(network, *options)
            share = result["end"]["sum_received"]["rate_bps"] / 1e6 / sum(RATES_MBPS)
            print(f"{kind} {'down' if options else 'up'}: {share:.3f} of the sum", flush=True)
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
