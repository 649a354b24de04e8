# SPDX-License-Identifier: BSD-3-Clause
"""HTTP as the tests of this folder speak it: requests in order, and by hand."""
import http.client
import json
import re
import socket

PATIENCE_S = 60


class Server:
    """What a program with --admin says it listens on."""

    def __init__(self, program):
        self.host, self.port = re.search(r"watch at http://\[?([^\]/]+?)\]?:(\d+)/", program.stderr).groups()
        self.port = int(self.port)
        self.url = f"http://{self.host}:{self.port}/"

    def get(self, path, method="GET", **headers):
        """(status, headers, body)"""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE_S)
        try:
            connection.request(method, path, headers=headers)
            reply = connection.getresponse()
            return reply.status, reply.headers, reply.read()
        finally:
            connection.close()

    def stats(self):
        status, _, body = self.get("/stats.json")
        assert status == 200, (status, body)
        return json.loads(body)

    def connect(self):
        return socket.create_connection((self.host, self.port), timeout=PATIENCE_S)

    def say(self, data, silence_s=0.15):
        """Sends bytes as they are; everything that comes back until the other end closes or falls silent."""
        with self.connect() as connection:
            connection.settimeout(silence_s)
            got = b""
            try:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
                while block := connection.recv(65536):
                    got += block
            except OSError:
                pass
            return got

    def events(self):
        """Boards, as /events sends them."""
        with self.connect() as connection:
            connection.sendall(f"GET /events HTTP/1.1\r\nHost: localhost:{self.port}\r\n\r\n".encode())
            reply = http.client.HTTPResponse(connection)
            reply.begin()
            assert reply.status == 200, reply.status
            self.events_headers = reply.headers
            while line := reply.readline():
                if line.startswith(b"data: "):
                    yield json.loads(line[6:])
