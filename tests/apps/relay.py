# SPDX-License-Identifier: BSD-3-Clause
"""Between the UDP ports of two programs, whose addresses it leaves alone."""
import select
import socket
import threading


class Relay(threading.Thread):
    """Takes what a client sends to `port` of the server's address to the server's own UDP port, and back. Both have one
    address. What is to happen to packets is the business of those who inherit from it."""

    def __init__(self, test, client_address, server_address, server_port, port):
        super().__init__(daemon=True)
        self.ending = threading.Event()
        self.to_client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.to_client.bind((server_address, port))
        self.to_server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.to_server.bind((client_address, 0))
        self.to_server.connect((server_address, server_port))
        test.addCleanup(self.end)
        self.start()

    def passes(self, _packet, _to_server):
        """Whether the packet goes on."""
        return True

    def end(self):
        self.ending.set()
        self.join()
        self.to_client.close()
        self.to_server.close()

    def run(self):
        client = None
        while not self.ending.is_set():
            ready, _, _ = select.select([self.to_client, self.to_server], [], [], 0.1)
            for sock in ready:
                try:
                    packet, source = sock.recvfrom(65536)
                    if sock is self.to_client:
                        client = source
                        if self.passes(packet, True):
                            self.to_server.send(packet)
                    elif self.passes(packet, False):
                        self.to_client.sendto(packet, client)
                except ConnectionRefusedError:  # one of the two has ended
                    pass
