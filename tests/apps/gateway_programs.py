# SPDX-License-Identifier: BSD-3-Clause
"""cmt-streamd and cmt-gateway as processes, and a player's side of HTTP."""
import hashlib
import http.client
import os
import re
import shutil
import signal
import socket
import tempfile
import unittest

from transfer_programs import PATIENCE_S, RECEIVER, SENDER, Program, be_another_user, wait_for

STREAMD = os.environ["CMT_STREAMD"]
GATEWAY = os.environ["CMT_GATEWAY"]
SCRIPTED_PEER = os.environ["SCRIPTED_PEER"]
SERVER, VIEWER = SENDER, RECEIVER  # two addresses each
HOST = VIEWER.split(",", maxsplit=1)[0]  # where players connect


class GatewayTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="cmt-gateway-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.media = os.path.join(self.folder, "media")
        os.mkdir(self.media)
        be_another_user(self)
        self.port = 0

    def file(self, name, size, seed=1):
        """A file below the server's folder; returns its bytes, which no two seeds share."""
        path = os.path.join(self.media, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        content = hashlib.shake_256(f"{seed} {name}".encode()).digest(size)
        with open(path, "wb") as out:
            out.write(content)
        return content

    def read(self, name):
        with open(os.path.join(self.media, name), "rb") as content:
            return content.read()

    def server(self, *arguments):
        """Returns when it listens."""
        program = Program(self, [STREAMD, "--bind", SERVER, "-d", self.media, *arguments])
        wait_for(lambda: "listening" in program.stderr or program.process.poll() is not None, "cmt-streamd to listen")
        self.assertIn("listening", program.stderr)
        return program

    def gateway(self, *arguments, connected=True, **options):
        """Returns when it listens and, with `connected`, has its server."""
        program = Program(self, [GATEWAY, "--connect", SERVER, "--bind", VIEWER, "--listen", f"{HOST}:0", "-v",
                                 *arguments], **options)
        def ready():
            return "connected to" in program.stderr if connected else "listening on" in program.stderr
        wait_for(lambda: ready() or program.process.poll() is not None, "cmt-gateway")
        self.addCleanup(self.end, program)
        found = re.search(r"listening on http://[^/]*:(\d+)/", program.stderr)
        self.assertTrue(found and ready(), program.stderr)
        self.port = int(found[1])
        return program

    def end(self, gateway):
        """In order, as a sanitizer wants to see it. May be called again."""
        if not gateway.out.closed:
            gateway.signal(signal.SIGTERM)
            self.assertEqual(gateway.wait(), 0, gateway.stderr)
            gateway.end()

    def both(self, *arguments):
        self.server()
        return self.gateway(*arguments)

    def url(self, name):
        return f"http://{HOST}:{self.port}/{name}"

    def connection(self):
        connection = http.client.HTTPConnection(HOST, self.port, timeout=PATIENCE_S)
        self.addCleanup(connection.close)
        return connection

    def ask(self, path, headers=None, method="GET", connection=None):
        """(answer, body)."""
        connection = connection or self.connection()
        connection.request(method, path, headers=headers or {})
        answer = connection.getresponse()
        return answer, answer.read()

    def begin(self, path):
        """An answer of which nothing was read; what the kernel takes of it meanwhile is little."""
        connection = self.connection()
        connection.sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        connection.sock.settimeout(PATIENCE_S)
        connection.sock.connect((HOST, self.port))
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.leave, answer.sock = (lambda: (answer.close(), connection.close())), connection.sock
        return answer

    def raw(self, request):
        """Everything that comes back to these bytes until the connection ends."""
        with socket.create_connection((HOST, self.port), timeout=PATIENCE_S) as stream:
            stream.sendall(request)
            out = b""
            while data := stream.recv(65536):
                out += data
        return out
