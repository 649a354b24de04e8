# SPDX-License-Identifier: BSD-3-Clause
"""Connections over two loopback addresses, both ends in one process.

cost: 2 s"""
import asyncio
import contextlib
import errno
import faulthandler
import gc
import os
import subprocess
import sys
import tempfile
import unittest
import warnings

import usrsctp_cmt

ADDRESSES = ["127.0.1.1", "127.0.2.1"]
OWN = "127.0.1.2,127.0.2.2"
PORT = 5001
PATIENCE_S = 20
BULK_BYTES = 60000
SOMEBODY = "sha256:" + "01" * 32
OTHER_PROCESS = """
import asyncio, os, usrsctp_cmt
async def main():
    listener = await usrsctp_cmt.listen(5001, local="127.0.1.1,127.0.2.1", udp_port=0)
    print(listener.udp_port, listener.fingerprint, flush=True)
    connection = await listener.accept()
    await connection.recv()
    os._exit(0)
asyncio.run(main())
"""


@contextlib.asynccontextmanager
async def pair(listening=None, connecting=None):
    """A listener, and two connections that are each other's peers."""
    async with await usrsctp_cmt.listen(PORT, local=ADDRESSES, udp_port=0, **(listening or {})) as listener:
        how = {"any_peer": True} if connecting is None else connecting
        client = await usrsctp_cmt.connect(ADDRESSES, PORT, peer_udp_port=listener.udp_port, local=OWN, **how)
        server = await listener.accept()
        try:
            yield listener, client, server
        finally:
            await client.close(0)
            await server.close(0)


async def fill(connection):
    """Sends until there has been no room for a while."""
    n = 0
    with contextlib.suppress(asyncio.TimeoutError):
        while n < 200:
            await asyncio.wait_for(connection.send(bytes(BULK_BYTES)), 0.2)
            n += 1
    return n


class Connections(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        faulthandler.dump_traceback_later(PATIENCE_S, exit=True)
        self.addCleanup(faulthandler.cancel_dump_traceback_later)

    async def test_messages_arrive_whole_with_what_they_carry(self):
        sizes = [1, 10, 1000, 70000, 500000]
        async with pair() as (_, client, server):
            for i, size in enumerate(sizes):
                await client.send(os.urandom(1) * size, stream=i, ppid=100 + i, unordered=i % 2 == 1)
            for _ in sizes:
                message = await server.recv()
                i = message.ppid - 100
                self.assertEqual((sizes[i], i, i % 2 == 1), (len(message.data), message.stream, message.unordered))
                self.assertEqual(1, len(set(message.data)))
            await server.send(memoryview(b"back"))
            self.assertEqual(b"back", bytes(await client.recv()))

    async def test_iteration_ends_when_the_peer_closes(self):
        async with pair() as (_, client, server):
            for i in range(300):
                await client.send(b"%d" % i)
            await client.close()
            self.assertTrue(client.closed)
            self.assertEqual([b"%d" % i for i in range(300)], [message.data async for message in server])
            with self.assertRaises(BrokenPipeError):
                await server.send(b"x")

    async def test_who_sends_waits_for_who_does_not_receive(self):
        async with pair({"receive_buffer": 300000}, {"any_peer": True, "send_buffer": 300000}) as (_, client, server):
            n = await fill(client)
            self.assertTrue(10 <= n <= 40, n)
            blocked = asyncio.create_task(client.send(b"last"))
            await asyncio.sleep(0.05)
            self.assertFalse(blocked.done())
            for _ in range(n):
                self.assertEqual(BULK_BYTES, len((await server.recv()).data))
            await blocked
            self.assertEqual(b"last", (await server.recv()).data)

    async def test_a_cancelled_recv_loses_nothing(self):
        async with pair() as (_, client, server):
            for _ in range(20):
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(server.recv(), 0.002)
            waiting = asyncio.create_task(server.recv())
            await asyncio.sleep(0.01)
            await client.send(b"only")
            waiting.cancel()
            await asyncio.wait([waiting])
            message = waiting.result() if not waiting.cancelled() else await server.recv()
            self.assertEqual(b"only", message.data)

    async def test_what_cannot_be_sent_is_refused(self):
        async with pair(None, {"any_peer": True, "streams": 4, "send_buffer": 1000}) as (_, client, _server):
            for data, stream, code in ((b"", 0, errno.EINVAL), (b"x", 4, errno.EINVAL), (bytes(1001), 0, errno.EMSGSIZE)):
                with self.assertRaises(OSError) as caught:
                    await client.send(data, stream=stream)
                self.assertEqual(code, caught.exception.errno)

    async def test_nobody_who_listens_refuses(self):
        with self.assertRaisesRegex(ConnectionRefusedError, "cannot connect to 127.0.1.1"):
            await usrsctp_cmt.connect("127.0.1.1", PORT, peer_udp_port=9, any_peer=True)

    async def test_whom_to_trust_has_to_be_said(self):
        with self.assertRaisesRegex(OSError, "nobody is trusted"):
            await usrsctp_cmt.connect("127.0.1.1", PORT)
        with self.assertRaises(ValueError):
            await usrsctp_cmt.connect("127.0.1.1", PORT, any_peer=True, timeout=0)

    async def test_fingerprints(self):
        async with await usrsctp_cmt.listen(PORT, local=ADDRESSES, udp_port=0) as listener:
            refused = []
            while not refused:  # the end may overtake what the client has to say
                with self.assertRaisesRegex(PermissionError, "not the one that was asked for"):
                    await usrsctp_cmt.connect(ADDRESSES, PORT, peer_udp_port=listener.udp_port, fingerprints=[SOMEBODY])
                await asyncio.sleep(0.05)
                refused = listener.refused()
            self.assertIn("the peer refuses our certificate", refused[0].reason)
            async with await usrsctp_cmt.connect(ADDRESSES, PORT, peer_udp_port=listener.udp_port,
                                                 fingerprints=[SOMEBODY, listener.fingerprint]) as client:
                self.assertEqual(listener.fingerprint, client.peer().fingerprint)

    async def test_an_identity_is_kept_in_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "identity.pem")
            usrsctp_cmt.make_identity(file, "example")
            with self.assertRaises(FileExistsError):
                usrsctp_cmt.make_identity(file, "example")
            async with pair({"cert_file": file, "key_file": file}, {"any_peer": True, "ca_file": None}) as (first, client, _):
                self.assertEqual("example", client.peer().name)
                fingerprint = first.fingerprint
            async with pair({"cert_file": file, "key_file": file}) as (second, _, _server):
                self.assertEqual(fingerprint, second.fingerprint)

    async def test_passphrase_and_in_the_clear(self):
        async with pair({"passphrase": "one of many"}, {"passphrase": "one of many"}) as (listener, client, server):
            self.assertIsNone(listener.fingerprint)
            self.assertTrue(client.peer().passphrase and server.peer().passphrase)
        async with pair({"insecure": True}, {"insecure": True}) as (_, client, server):
            self.assertIsNone(client.peer())

    async def test_to_close_ends_what_waits(self):
        async with pair() as (listener, client, _):
            waiting = [asyncio.create_task(client.recv()), asyncio.create_task(listener.accept())]
            await asyncio.sleep(0.01)
            await client.close()
            await listener.close()
            for task in waiting:
                with self.assertRaises(OSError) as caught:
                    await task
                self.assertEqual(errno.ECANCELED, caught.exception.errno)
            self.assertEqual([], [connection async for connection in listener])

    async def test_to_close_waits_as_long_as_it_is_told(self):
        async with pair({"receive_buffer": 200000}) as (_, client, server):
            await fill(client)
            with self.assertRaisesRegex(TimeoutError, "aborted"):
                await client.close(0.05)
            with self.assertRaises(ConnectionResetError):
                while await server.recv():
                    pass

    async def test_paths_stats_and_events(self):
        async with pair() as (_, client, server):
            while len(client.paths()) < 2:
                await asyncio.sleep(0.01)
            self.assertEqual({"127.0.1.1", "127.0.2.1"}, {path.remote.split(":")[0] for path in client.paths()})
            await client.send(b"x" * 1000)
            await server.recv()
            self.assertGreater(sum(path.sent_bytes for path in client.paths()), 1000)
            stats = client.stats()
            self.assertEqual(("auto", 2, True), (stats.scheduler, stats.paths, stats.extension))
            await client.close()
            kinds = [event.kind async for event in server.events()]
            self.assertIn("peer_closed", kinds)

    async def test_a_peer_that_vanishes_does_not_hold_up_who_leaves(self):
        with subprocess.Popen([sys.executable, "-B", "-c", OTHER_PROCESS], stdout=subprocess.PIPE, text=True) as process:
            port, fingerprint = process.stdout.readline().split()
            client = await usrsctp_cmt.connect(ADDRESSES, PORT, peer_udp_port=int(port), fingerprints=fingerprint)
            await client.send(b"go")
            await asyncio.to_thread(process.wait)
            await client.send(b"nobody hears this")
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(client.recv(), 0.1)
            await client.close(0)

    async def test_a_cancelled_connect_leaves_nothing(self):
        async with await usrsctp_cmt.listen(PORT, local=ADDRESSES, udp_port=0) as listener:
            task = asyncio.create_task(usrsctp_cmt.connect(ADDRESSES, PORT, peer_udp_port=listener.udp_port, any_peer=True))
            await asyncio.sleep(0)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            with contextlib.suppress(asyncio.TimeoutError):
                server = await asyncio.wait_for(listener.accept(), 2)
                with contextlib.suppress(ConnectionResetError):
                    self.assertIsNone(await server.recv())
                await server.close(0)

    async def test_who_forgets_to_close_is_told(self):
        async with await usrsctp_cmt.listen(PORT, local=ADDRESSES, udp_port=0) as listener:
            client = await usrsctp_cmt.connect(ADDRESSES, PORT, peer_udp_port=listener.udp_port, any_peer=True)
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                del client
                gc.collect()
            self.assertEqual([ResourceWarning], [warning.category for warning in caught])


if __name__ == "__main__":
    unittest.main()
