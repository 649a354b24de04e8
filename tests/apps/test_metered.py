# SPDX-License-Identifier: BSD-3-Clause
# cost: 22 s
"""--metered over two cables: what cmt-live and cmt-streamd send goes over the one that costs less, and over the other one
when that is pulled."""
import http.client
import os
import re
import subprocess
import unittest

import two_networks
from transfer_programs import PATIENCE_S, Program, TransferTest, wait_for
from two_networks import FAR, NEAR

LIVE, STREAMD, GATEWAY = os.environ["CMT_LIVE"], os.environ["CMT_STREAMD"], os.environ["CMT_GATEWAY"]
LITTLE = 0.1  # heartbeats, and what a first look at a path takes


class Metered(TransferTest):
    def setUp(self):
        super().setUp()
        self.networks = two_networks.TwoNetworks(self)
        slower = ("root", "tbf", "rate", "20mbit", "burst", "5k", "latency", "50ms")  # or chance would choose
        two_networks.run("tc", "qdisc", "add", "dev", "near2", *slower)
        self.networks.there("tc", "qdisc", "add", "dev", "far2", *slower)

    def there(self, *arguments, **options):
        program = Program(self, [*self.networks.there_prefix(), *arguments], **options)
        wait_for(lambda: "listening" in program.stderr or program.process.poll() is not None, "listening")
        self.assertIn("listening", program.stderr)
        return program

    def share(self, stats, local):
        return sum(path["share"] for path in stats["paths"] if path["local"] == local)


class Live(Metered):
    def stream(self, *arguments, pull=None):
        """The sender's statistics after 4 s of a stream of 8 Mbit/s with a budget of 2 s; in its midst cable `pull` is
        pulled. All of it arrives."""
        path = os.path.join(self.folder, "stream")
        with open(path, "wb") as file:
            file.write(os.urandom(4_000_000))
        receiver = self.there(LIVE, "cmt://", "-", "--bind", FAR, "--once", stdout=subprocess.DEVNULL)
        with open(path, "rb") as feed:
            sender = Program(self, [LIVE, "-", "cmt://" + FAR, "--bind", NEAR, "--rate", "8Mbit", "--latency", "2s",
                                    "--stats", "json", "--interval", "200ms", *arguments], stdin=feed)
        if pull:
            wait_for(lambda: re.search(r"up  sent 1\d{3} ", sender.stderr), "half of the stream")
            two_networks.run("ip", "link", "set", f"near{pull}", "down")
        self.assertEqual(sender.wait(), 0, sender.stderr)
        self.assertEqual(receiver.wait(), 0, receiver.stderr)
        self.assertEqual(sender.stats["receiver"]["lost"] + sender.stats["expired"], 0, sender.stderr)
        return sender.stats

    def test_either_interface_is_spared(self):
        self.assertLess(self.share(self.stream("--metered", "near2=1"), "10.2.0.1"), LITTLE)
        self.assertLess(self.share(self.stream("--metered", "near1=1"), "10.1.0.1"), LITTLE)

    def test_so_is_a_remote_address_and_the_dearer_of_two(self):
        self.assertLess(self.share(self.stream("--metered", "10.2.0.2=1"), "10.2.0.1"), LITTLE)
        self.assertLess(self.share(self.stream("--metered", "near1=3,near2=2"), "10.1.0.1"), LITTLE)

    def test_it_carries_what_the_other_one_cannot(self):
        stats = self.stream("--metered", "near2=1", pull=1)
        self.assertGreater(self.share(stats, "10.2.0.1"), LITTLE)
        self.assertGreater(self.share(stats, "10.1.0.1"), LITTLE)


class Films(Metered):
    def fetch(self, *arguments):
        """The shares of the server's two paths while a viewer gets 3 MB at a pace of 8 Mbit/s."""
        media = os.path.join(self.folder, "media")
        os.mkdir(media)
        with open(os.path.join(media, "film.mp4"), "wb") as file:
            file.write(os.urandom(3_000_000))
        server = self.there(STREAMD, "--bind", FAR, "-d", media, *arguments)
        gateway = Program(self, [GATEWAY, "--connect", FAR, "--bind", NEAR, "--listen", "127.0.0.1:0", "-v", "--pace",
                                 "8Mbit", "--burst", "1MB"])
        wait_for(lambda: "connected to" in gateway.stderr or gateway.process.poll() is not None, "cmt-gateway")
        port = int(re.search(r"listening on http://[^/]*:(\d+)/", gateway.stderr)[1])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        self.addCleanup(connection.close)
        connection.request("GET", "/film.mp4")
        self.assertEqual(len(connection.getresponse().read()), 3_000_000)
        shares = r'film\.mp4 .* (\d+)/(\d+) "cmt-gateway'
        wait_for(lambda: re.search(shares, server.stdout), "the access log")
        return [int(share) / 100 for share in re.search(shares, server.stdout).groups()]

    def test_the_server_spares_its_interface_that_costs(self):
        self.assertLess(self.fetch("--metered", "far1=1")[0], LITTLE)

    def test_the_server_spares_an_interface_of_the_viewer(self):
        self.assertLess(self.fetch("--metered", "10.2.0.1=1")[1], LITTLE)


if __name__ == "__main__":
    two_networks.enter()
    unittest.main(verbosity=2)
