# SPDX-License-Identifier: BSD-3-Clause
"""What the Linux kernel's SCTP does with chunks and parameters that it does not know, ours among them: an association
with it, made by hand over UDP. Runs where the namespaces `ours` and `theirs` are (steps.py).

Prints a line for each finding; exit status 1 when one is not as RFC 9260, section 3.2, wants it.
"""

import ctypes
import socket
import struct
import sys

import network

SCTP = 132
KERNEL, KERNEL_PORT, OUR_PORT, UDP_PORT = network.address(False, 1, "theirs"), 5001, 6000, 9899
OURS = network.address(False, 1, "ours")
DATA, INIT, INIT_ACK, SACK, HEARTBEAT, ABORT, ERROR, COOKIE_ECHO, COOKIE_ACK = 0, 1, 2, 3, 4, 6, 9, 10, 11
TIMESTAMP, ECHO, SKIP_AND_REPORT = 0x9E, 0x9F, 0xDE  # the last one is nobody's
SUPPORTED_EXTENSIONS, STATE_COOKIE, UNRECOGNISED = 0x8008, 7, 8
SKIPPED_PARAMETER, REPORTED_PARAMETER = 0x89AB, 0xC9AB
SCTP_STATUS = 14
SILENCE_S = 0.3
libc = ctypes.CDLL(None, use_errno=True)


def crc32c_table():
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ (0x82F63B78 if value & 1 else 0)
        yield value


TABLE = list(crc32c_table())


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = (crc >> 8) ^ TABLE[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def chunk(kind, body, flags=0):
    return struct.pack(">BBH", kind, flags, 4 + len(body)) + body + bytes(-len(body) % 4)


def parameter(kind, body=b""):
    return struct.pack(">HH", kind, 4 + len(body)) + body + bytes(-len(body) % 4)


def records(data, header):
    """(type, body) of the chunks or parameters one behind the other."""
    while len(data) >= 4:
        kind, length = (data[0], struct.unpack_from(">H", data, 2)[0]) if header == ">BBH" else struct.unpack_from(
            header, data)
        yield kind, data[4:length]
        data = data[length + (-length % 4):]


class Peer:
    def __init__(self):
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind((OURS, UDP_PORT))
        self.udp.connect((KERNEL, UDP_PORT))
        self.tag, self.tsn = 0, 1000

    def send(self, *chunks):
        packet = struct.pack(">HHII", OUR_PORT, KERNEL_PORT, self.tag, 0) + b"".join(chunks)
        self.udp.send(packet[:8] + struct.pack("<I", crc32c(packet)) + packet[12:])

    def hear(self, seconds=SILENCE_S):
        """All chunks until nothing came for so long."""
        heard = []
        self.udp.settimeout(seconds)
        try:
            while True:
                heard += records(self.udp.recv(65536)[12:], ">BBH")
        except TimeoutError:
            return heard

    def ask(self, *chunks):
        self.send(*chunks)
        return self.hear()

    def data(self, text):
        self.tsn += 1
        return chunk(DATA, struct.pack(">IHHI", self.tsn - 1, 0, self.tsn - 1001, 0) + text, flags=3)

    def connect(self):
        """The parameters of the INIT-ACK."""
        offer = parameter(SUPPORTED_EXTENSIONS, bytes((TIMESTAMP, ECHO)))
        init = struct.pack(">IIHHI", 0x12345678, 100_000, 1, 1, self.tsn) + offer + parameter(
            SKIPPED_PARAMETER) + parameter(REPORTED_PARAMETER)
        body = dict(self.ask(chunk(INIT, init)))[INIT_ACK]
        self.tag = struct.unpack_from(">I", body)[0]
        parameters = list(records(body[16:], ">HH"))
        answer = self.ask(chunk(COOKIE_ECHO, dict(parameters)[STATE_COOKIE]))
        check("COOKIE-ACK", COOKIE_ACK in dict(answer))
        return parameters


def enter(namespace):
    with open(f"/run/netns/{namespace}", "rb") as handle:
        if libc.setns(handle.fileno(), 0) != 0:
            raise OSError(ctypes.get_errno(), f"cannot enter {namespace}")


def listen():
    enter("theirs")
    out = socket.socket(socket.AF_INET, socket.SOCK_STREAM, SCTP)
    out.bind((KERNEL, KERNEL_PORT))
    out.listen()
    out.settimeout(SILENCE_S)
    enter("ours")
    return out


def check(what, as_wanted):
    print(f"{what}: {'yes' if as_wanted else 'NO'}")
    if not as_wanted:
        sys.exit(1)


def complains(chunks):
    return any(kind in (ERROR, ABORT) for kind, _ in chunks)


def main():
    listener, peer = listen(), Peer()
    parameters = peer.connect()
    reported = [struct.unpack_from(">H", body)[0] for kind, body in parameters if kind == UNRECOGNISED]
    check("of two unknown parameters the one that asks for it is reported", reported == [REPORTED_PARAMETER])
    check("our chunk types in Supported Extensions are not reported", SUPPORTED_EXTENSIONS not in reported)
    listed = dict(parameters).get(SUPPORTED_EXTENSIONS, b"")
    check("the kernel lists neither of ours", not {TIMESTAMP, ECHO} & set(listed))
    connection, _ = listener.accept()
    connection.settimeout(SILENCE_S)

    heard = peer.ask(chunk(TIMESTAMP, bytes(12)), peer.data(b"behind a CMT-TIMESTAMP"))
    check("CMT-TIMESTAMP is skipped without a word", SACK in dict(heard) and not complains(heard))
    check("DATA behind it arrive", connection.recv(100) == b"behind a CMT-TIMESTAMP")

    connection.send(b"to be acknowledged")
    heard = peer.hear()
    tsn = struct.unpack_from(">I", dict(heard)[DATA])[0]
    heard = peer.ask(chunk(SACK, struct.pack(">IIHH", tsn, 100_000, 0, 0)), chunk(ECHO, bytes(20)))
    unacknowledged = struct.unpack_from("H", connection.getsockopt(SCTP, SCTP_STATUS, 176), 12)[0]
    check("CMT-ECHO is skipped without a word", not complains(heard))
    check("the SACK in front of it counts", unacknowledged == 0)

    heard = peer.ask(chunk(SKIP_AND_REPORT, b"what?"), peer.data(b"behind another"))
    check("an unknown chunk that asks for it is reported", ERROR in dict(heard))
    check("DATA behind it arrive too", connection.recv(100) == b"behind another")
    peer.send(chunk(ABORT, b""))
    print('{"findings": "as RFC 9260 wants"}')


main()
