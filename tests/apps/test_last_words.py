# SPDX-License-Identifier: BSD-3-Clause
"""The network fails for some seconds when the file has arrived, and only the end of the connection is missing."""
import select
import socket
import threading
import time
import unittest

from transfer_programs import RECEIVER, SENDER, TransferTest

SENDER_ADDRESS, RECEIVER_ADDRESS = SENDER.split(",")[0], RECEIVER.split(",")[0]  # one path
RELAY_PORT, RECEIVER_PORT = 9900, 9899
OUTAGE_S = 6


class Relay(threading.Thread):
    """Between the UDP ports of the sender and the receiver, whose addresses it leaves alone. From the moment when the
    receiver says that it has the file, nothing of the sender's passes for OUTAGE_S."""

    def __init__(self, test):
        super().__init__(daemon=True)
        self.lost = 0
        self.ending = threading.Event()
        self.outage = None  # its beginning
        self.to_sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.to_sender.bind((RECEIVER_ADDRESS, RELAY_PORT))
        self.to_receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.to_receiver.bind((SENDER_ADDRESS, 0))
        self.to_receiver.connect((RECEIVER_ADDRESS, RECEIVER_PORT))
        test.addCleanup(self.end)
        self.start()

    def end(self):
        self.ending.set()
        self.join()
        self.to_sender.close()
        self.to_receiver.close()

    def run(self):
        sender = None
        while not self.ending.is_set():
            ready, _, _ = select.select([self.to_sender, self.to_receiver], [], [], 0.1)
            for sock in ready:
                try:
                    packet, source = sock.recvfrom(65536)
                    if sock is self.to_sender:
                        sender = source
                        self.forward(packet)
                    else:
                        if b'"done"' in packet and self.outage is None:
                            self.outage = time.monotonic()
                        self.to_sender.sendto(packet, sender)
                except ConnectionRefusedError:  # one of the two has ended
                    pass

    def forward(self, packet):
        if self.outage is not None and time.monotonic() - self.outage < OUTAGE_S:
            self.lost += 1
        else:
            self.to_receiver.send(packet)


class LastWords(TransferTest):
    sender_addresses, receiver_addresses = SENDER_ADDRESS, RECEIVER_ADDRESS

    def test_the_receiver_hears_the_end_of_a_transfer_through_an_outage(self):
        source = self.file("a", 10_000)
        receiver = self.receiver("--once", "--insecure")  # the relay reads along
        relay = Relay(self)
        sender = self.send("--insecure", "--peer-udp-port", str(RELAY_PORT), source)
        self.assert_sent(sender)
        self.assert_sent(receiver)
        self.assert_same(source, "a")
        self.assertGreater(relay.lost, 0)


if __name__ == "__main__":
    unittest.main()
