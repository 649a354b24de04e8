# SPDX-License-Identifier: BSD-3-Clause
"""The other end of a cmt-tun, in this process: says and sends what a test wants, right or wrong. On libusrsctp-cmt-blocking."""

import ctypes
import errno
import ipaddress
import json
import os
import struct

PORT = 5006
CONTROL, ORDERED, LOOSE, JOINED, PADDING = (0x434D5400 + ord(letter) for letter in "UPQJX")
UNORDERED = 1
MOST_BYTES = 1 << 20
ICMP, UDP, ICMPV6 = 1, 17, 58


class Message(ctypes.Structure):
    _fields_ = [("stream_id", ctypes.c_uint16), ("flags", ctypes.c_uint16), ("ppid", ctypes.c_uint32),
                ("lifetime_ms", ctypes.c_uint32)]


class Config(ctypes.Structure):
    """struct cmt_config, of which the members behind `insecure` are not used here: zero."""
    _fields_ = [("size", ctypes.c_size_t), ("peer", ctypes.c_char_p), ("local", ctypes.c_char_p), ("port", ctypes.c_uint16),
                ("udp_port", ctypes.c_uint16), ("any_udp_port", ctypes.c_bool), ("peer_udp_port", ctypes.c_uint16),
                ("peer_fingerprints", ctypes.c_char_p), ("passphrase", ctypes.c_char_p), ("ca_file", ctypes.c_char_p),
                ("ca_name", ctypes.c_char_p), ("any_peer", ctypes.c_bool), ("cert_file", ctypes.c_char_p),
                ("key_file", ctypes.c_char_p), ("insecure", ctypes.c_bool), ("scheduler", ctypes.c_char_p),
                ("scheduler_options", ctypes.c_char_p), ("cc", ctypes.c_char_p), ("cc_options", ctypes.c_char_p),
                ("sndbuf_bytes", ctypes.c_uint32), ("rcvbuf_bytes", ctypes.c_uint32), ("streams_out", ctypes.c_uint16),
                ("streams_in_max", ctypes.c_uint16), ("path_max_retrans", ctypes.c_uint32), ("message_max_bytes", ctypes.c_uint32)]


class Gone(Exception):
    """The connection is over."""


def load(build):
    lib = ctypes.CDLL(os.path.join(build, "usrsctp-cmt", "libusrsctp-cmt-blocking.so"), use_errno=False)
    lib.cmt_reason.restype = ctypes.c_char_p
    lib.cmt_recv.restype = ctypes.c_ssize_t
    lib.cmt_send.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.POINTER(Message), ctypes.c_int]
    lib.cmt_recv.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.POINTER(Message), ctypes.c_int]
    lib.cmt_close.argtypes = [ctypes.c_void_p, ctypes.c_int]
    lib.cmt_listener_close.argtypes = [ctypes.c_void_p]
    lib.cmt_accept.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int]
    return lib


def checked(lib, rc):
    if rc < 0:
        raise Gone(f"{errno.errorcode.get(-rc, rc)}: {(lib.cmt_reason() or b'').decode()}")
    return rc


class Peer:
    """One connection."""

    def __init__(self, lib, handle):
        self.lib, self.handle = lib, handle
        self._buffer = ctypes.create_string_buffer(MOST_BYTES)

    @classmethod
    def connect(cls, lib, address, insecure=False):
        handle = ctypes.c_void_p()
        config = Config(size=ctypes.sizeof(Config), peer=address.encode(), local=address.encode(), port=PORT, peer_udp_port=PORT,
                        any_peer=not insecure, insecure=insecure, streams_out=256, streams_in_max=256)
        checked(lib, lib.cmt_connect(ctypes.byref(handle), ctypes.byref(config), 20000))
        return cls(lib, handle)

    def send(self, ppid, data, stream=1, flags=0, timeout_ms=20000):
        """False: there is no room."""
        message = Message(stream_id=stream, flags=flags, ppid=ppid)
        rc = self.lib.cmt_send(self.handle, bytes(data), len(data), ctypes.byref(message), timeout_ms)
        if rc in (-errno.EAGAIN, -errno.ETIMEDOUT):
            return False
        checked(self.lib, rc)
        return True

    def say(self, type_, **members):
        self.send(CONTROL, json.dumps({"type": type_, **members}).encode(), stream=0)

    def receive(self, timeout_ms=20000):
        """(ppid, bytes); None: nothing came."""
        message = Message()
        n = self.lib.cmt_recv(self.handle, self._buffer, MOST_BYTES, ctypes.byref(message), timeout_ms)
        if n in (-errno.EAGAIN, -errno.ETIMEDOUT):
            return None
        if checked(self.lib, n) == 0:
            raise Gone("closed")
        return message.ppid, self._buffer.raw[:n]

    def hear(self, *types):
        """The next control message of these types; what else comes is passed over."""
        while True:
            got = self.receive()
            if got is None:
                raise AssertionError(f"none of {types} came")
            if got[0] == CONTROL and json.loads(got[1])["type"] in types:
                return json.loads(got[1])

    def close(self):
        if self.handle:
            self.lib.cmt_close(self.handle, 0)
            self.handle = None


class Listener:
    def __init__(self, lib, address):
        self.lib, self.handle = lib, ctypes.c_void_p()
        config = Config(size=ctypes.sizeof(Config), local=address.encode(), port=PORT, udp_port=PORT, streams_out=256,
                        streams_in_max=256)
        checked(lib, lib.cmt_listen(ctypes.byref(self.handle), ctypes.byref(config)))

    def accept(self, timeout_ms=20000):
        handle = ctypes.c_void_p()
        checked(self.lib, self.lib.cmt_accept(ctypes.byref(handle), self.handle, timeout_ms))
        return Peer(self.lib, handle)

    def close(self):
        self.lib.cmt_listener_close(self.handle)


# --- inner packets ---

def checksum(data):
    words = struct.unpack(f"!{(len(data) + 1) // 2}H", data + bytes(len(data) % 2))
    total = sum(words)
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def ipv4(source, destination, protocol, payload, options=b"", header_words=None, total=None):
    """`header_words`, `total`: the lengths that it tells."""
    words = 5 + len(options) // 4
    header = struct.pack("!BBHHHBBH4s4s", 0x40 | (words if header_words is None else header_words), 0,
                         4 * words + len(payload) if total is None else total, 0, 0, 64, protocol, 0,
                         ipaddress.IPv4Address(source).packed, ipaddress.IPv4Address(destination).packed) + options
    return header[:10] + struct.pack("!H", checksum(header)) + header[12:] + payload


def ipv6(source, destination, next_header, payload, length=None):
    return struct.pack("!IHBB", 6 << 28, len(payload) if length is None else length, next_header, 64) + \
        ipaddress.IPv6Address(source).packed + ipaddress.IPv6Address(destination).packed + payload


def echo(source, destination, number, size=56):
    """An ICMP echo request."""
    body = struct.pack("!BBHHH", 8, 0, 0, 4711, number) + bytes(size)
    return ipv4(source, destination, ICMP, body[:2] + struct.pack("!H", checksum(body)) + body[4:])


def echo_number(packet):
    """Of an echo reply; None of all else."""
    if len(packet) < 28 or packet[0] != 0x45 or packet[9] != ICMP or packet[20] != 0:
        return None
    return struct.unpack("!H", packet[26:28])[0]
