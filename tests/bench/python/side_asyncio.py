# SPDX-License-Identifier: BSD-3-Clause
"""side_asyncio.py MESSAGE_BYTES SECONDS: side_blocking.c with the Python package."""
import asyncio
import os
import resource
import sys
import time

import usrsctp_cmt

ADDRESSES = "127.0.1.1,127.0.2.1"
PORT = 5001


async def send_for(udp_port, message_bytes, seconds):
    message = bytes(message_bytes)
    async with await usrsctp_cmt.connect(ADDRESSES, PORT, local="127.0.1.2,127.0.2.2", peer_udp_port=udp_port,
                                         insecure=True) as connection:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            await connection.send(message)


async def receive(to_child):
    async with await usrsctp_cmt.listen(PORT, local=ADDRESSES, udp_port=0, insecure=True) as listener:
        os.write(to_child, b"%d\n" % listener.udp_port)
        async with await listener.accept() as connection:
            start, count = None, 0
            async for message in connection:
                start = start or time.monotonic()
                count += len(message.data)
            print(int(count / (time.monotonic() - start)), end=" ")
    return count


def used_s(who):
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def main():
    message_bytes, seconds = int(sys.argv[1]), float(sys.argv[2])
    from_parent, to_child = os.pipe()
    child = os.fork()
    if child == 0:
        asyncio.run(send_for(int(os.read(from_parent, 16)), message_bytes, seconds))
        os._exit(0)
    before_s = used_s(resource.RUSAGE_SELF)
    count = asyncio.run(receive(to_child))
    if os.waitpid(child, 0)[1] != 0:
        sys.exit(1)
    print((used_s(resource.RUSAGE_SELF) - before_s + used_s(resource.RUSAGE_CHILDREN)) / (count / 1e9))


main()
