# SPDX-License-Identifier: BSD-3-Clause
"""The network fails for some seconds when the file has arrived, and only the end of the connection is missing."""
import time
import unittest

from relay import Relay
from transfer_programs import RECEIVER, SENDER, TransferTest

SENDER_ADDRESS, RECEIVER_ADDRESS = SENDER.split(",")[0], RECEIVER.split(",")[0]  # one path
RELAY_PORT, RECEIVER_PORT = 9900, 9899
OUTAGE_S = 6


class Outage(Relay):
    """From the moment when the receiver says that it has the file, nothing of the sender's passes for OUTAGE_S."""
    lost = 0
    begin = None

    def passes(self, packet, to_server):
        if not to_server:
            if b'"done"' in packet and self.begin is None:
                self.begin = time.monotonic()
            return True
        out = self.begin is not None and time.monotonic() - self.begin < OUTAGE_S
        self.lost += out
        return not out


class LastWords(TransferTest):
    sender_addresses, receiver_addresses = SENDER_ADDRESS, RECEIVER_ADDRESS

    def test_the_receiver_hears_the_end_of_a_transfer_through_an_outage(self):
        source = self.file("a", 10_000)
        receiver = self.receiver("--once", "--insecure")  # the relay reads along
        relay = Outage(self, SENDER_ADDRESS, RECEIVER_ADDRESS, RECEIVER_PORT, RELAY_PORT)
        sender = self.send("--insecure", "--peer-udp-port", str(RELAY_PORT), source)
        self.assert_sent(sender)
        self.assert_sent(receiver)
        self.assert_same(source, "a")
        self.assertGreater(relay.lost, 0)


if __name__ == "__main__":
    unittest.main()
