# SPDX-License-Identifier: BSD-3-Clause
# cost: 4 s
"""Who reads along sees no byte of what the programs carry: neither contents nor names. With --insecure he sees all of it, which
shows that these tests look at the right place."""
import hashlib
import http.client
import os
import re
import signal
import socket
import time
import unittest

from relay import Relay
from transfer_programs import PATIENCE_S, RECEIVER, SENDER, Program, TransferTest, wait_for

STREAMD, GATEWAY, LIVE, PERF = (os.environ[name] for name in ("CMT_STREAMD", "CMT_GATEWAY", "CMT_LIVE", "CMT_PERF"))
CLIENT, SERVER = SENDER.split(",")[0], RECEIVER.split(",")[0]  # one path
RELAY_PORT = 9900
SLICE_BYTES, NAME = 16, "minutes-of-a-secret-meeting"


class Eavesdropper(Relay):
    def __init__(self, *arguments):
        self.packets = []
        super().__init__(*arguments)

    def passes(self, packet, to_server):
        self.packets.append(packet)
        return True

    def share_seen(self, content):
        """Of slices of the content, how many are in some packet."""
        heap = b"\n".join(self.packets)
        slices = [content[at:at + SLICE_BYTES] for at in range(0, len(content) - SLICE_BYTES, 997)]
        return sum(slice_ in heap for slice_ in slices) / len(slices)


def noise(size):
    return hashlib.shake_256(b"noise").digest(size)


class NothingShows(TransferTest):
    sender_addresses, receiver_addresses = CLIENT, SERVER

    def both_ways(self, carry, server_port):
        """carry(extra arguments for both programs) returns what was carried."""
        for extra in (["--insecure"], []):
            with self.subTest(insecure=bool(extra)):
                relay = Eavesdropper(self, CLIENT, SERVER, server_port, RELAY_PORT)
                content, names = carry(extra)
                relay.end()
                share, named = relay.share_seen(content), [name in b"\n".join(relay.packets) for name in names]
                if extra:
                    self.assertGreater(share, 0.9)
                    self.assertTrue(all(named))
                else:
                    self.assertEqual((share, any(named)), (0, False))
                    self.assertGreater(sum(map(len, relay.packets)), len(content))

    def started(self, ready, *arguments):
        program = Program(self, list(arguments))
        wait_for(lambda: ready in program.stderr or program.process.poll() is not None, ready)
        self.assertIn(ready, program.stderr)
        return program

    def test_of_files(self):
        def carry(extra):
            source = self.file(NAME, 60_000, seed=len(extra))
            receiver = self.receiver("--once", "--overwrite", *extra)
            self.assert_sent(self.send("--peer-udp-port", str(RELAY_PORT), source, *extra))
            self.assert_sent(receiver)
            self.assert_same(source, NAME)
            with open(source, "rb") as file:
                return file.read(), [NAME.encode()]
        self.both_ways(carry, 9899)

    def test_of_films(self):
        def carry(extra):
            content = noise(300_000)
            with open(os.path.join(self.target, NAME + ".mp4"), "wb") as film:
                film.write(content)
            server = self.started("listening", STREAMD, "--bind", SERVER, "-d", self.target, *extra)
            gateway = self.started("connected to", GATEWAY, "--connect", SERVER, "--peer-udp-port", str(RELAY_PORT), "--bind",
                                   CLIENT, "--listen", f"{CLIENT}:0", "-v", *extra)
            port = int(re.search(r"listening on http://[^/]*:(\d+)/", gateway.stderr)[1])
            player = http.client.HTTPConnection(CLIENT, port, timeout=PATIENCE_S)
            player.request("GET", f"/{NAME}.mp4")
            self.assertEqual(player.getresponse().read(), content)
            player.close()
            for program in gateway, server:
                program.signal(signal.SIGTERM)
                self.assertEqual(program.wait(), 0, program.stderr)
            return content, [NAME.encode()]
        self.both_ways(carry, 5002)

    def test_of_live_streams(self):
        def carry(extra):
            out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self.addCleanup(out.close)
            out.bind((CLIENT, 0))
            out.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
            out.settimeout(PATIENCE_S)
            receiver = self.started("listening", LIVE, "cmt://", f"udp://{CLIENT}:{out.getsockname()[1]}", "--bind", SERVER,
                                    "--release", "early", *extra)
            sender = self.started("connected", LIVE, f"udp://{CLIENT}:6001", f"cmt://{SERVER}", "--latency", "10s",
                                  "--peer-udp-port", str(RELAY_PORT), "--bind", CLIENT, *extra)
            content = noise(100 * 1316)
            for at in range(0, len(content), 1316):
                out.sendto(content[at:at + 1316], (CLIENT, 6001))
                time.sleep(0.002)  # the kernel keeps few of them for a busy program
            self.assertEqual(b"".join(out.recv(2000) for _ in range(100)), content)
            sender.end()
            receiver.end()
            return content, []
        self.both_ways(carry, 5003)

    def test_of_measurements(self):
        """What cmt-perf sends is its own: the largest packet in the clear tells."""
        content = b""

        def carry(extra):
            server = self.started("listening", PERF, "-s", "--bind", SERVER, *extra)
            client = Program(self, [PERF, "-c", SERVER, "--peer-udp-port", str(RELAY_PORT), "--bind", CLIENT, "-n", "300000",
                                    *extra])
            self.assertEqual(client.wait(), 0, client.stderr)
            server.end()
            return content, [b'"type"']

        relay = Eavesdropper(self, CLIENT, SERVER, 5201, RELAY_PORT)
        carry(["--insecure"])
        relay.end()
        content = max(relay.packets, key=len)[-1100:]
        self.both_ways(carry, 5201)


if __name__ == "__main__":
    unittest.main()
