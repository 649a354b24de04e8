# SPDX-License-Identifier: BSD-3-Clause
"""Turns a plain capture into an encrypted one with known keys: every packet from COOKIE-ECHO on becomes a DTLS chunk (RFC
9147, section 4; draft-ietf-tsvwg-sctp-dtls-chunk-04, section 4). Written without looking at the plugin, to have a second
opinion."""

import collections
import hashlib
import struct

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305

import capture

DTLS, APPLICATION_DATA, RESTART = 0x41, 23, 1
KEY_BYTES = {0x1301: 16, 0x1302: 32, 0x1303: 32}


def tag_of(packet):
    return struct.unpack_from(">I", packet, 4)[0]


def is_in_the_clear(chunk):
    """What comes before there is an association, and after it: then its sender has no keys."""
    reflected = chunk.kind in (capture.ABORT, capture.SHUTDOWN_COMPLETE) and chunk.flags & 1
    return reflected or chunk.kind in (capture.INIT, capture.INIT_ACK)


class Key:
    """One direction of one epoch; made up from what it is for."""

    def __init__(self, tag, epoch, suite, restart=False, first_number=0):
        material = hashlib.shake_128(f"{tag} {epoch} {suite} {restart}".encode()).digest(76)
        size = KEY_BYTES[suite]
        self.tag, self.epoch, self.suite, self.restart, self.number = tag, epoch, suite, restart, first_number
        self.key, self.iv, self.sn_key = material[:size], material[32:44], material[44:44 + size]

    def log_line(self):
        return (f"SCTP_DTLS {self.tag:08x} {int(self.restart)} {self.epoch} {self.suite:04x} "
                f"{self.key.hex()} {self.iv.hex()} {self.sn_key.hex()}\n")

    def mask(self, sample):
        if self.suite == 0x1303:
            return Cipher(algorithms.ChaCha20(self.sn_key, sample), None).encryptor().update(bytes(2))
        return Cipher(algorithms.AES(self.sn_key), modes.ECB()).encryptor().update(sample)[:2]

    def record(self, content, padding=0):
        """With the next number."""
        number, self.number = self.number, self.number + 1
        header = bytes([0x28 | self.epoch & 3]) + struct.pack(">H", number & 0xFFFF)
        nonce = bytes(a ^ b for a, b in zip(self.iv, struct.pack(">IQ", 0, number)))
        aead = ChaCha20Poly1305(self.key) if self.suite == 0x1303 else AESGCM(self.key)
        sealed = aead.encrypt(nonce, content + bytes([APPLICATION_DATA]) + bytes(padding), header)
        masked = bytes(a ^ b for a, b in zip(header[1:], self.mask(sealed[:16])))
        return header[:1] + masked + sealed

    def protect(self, packet, padding=0):
        """The SCTP packet with a DTLS chunk."""
        record = self.record(packet[capture.SCTP_HEADER_BYTES:], padding)
        return capture.rebuild(packet, [capture.Chunk(DTLS, RESTART if self.restart else 0, b"\0" + record)])


class Encryption:
    """Keys for every tag that comes, each epoch for so many packets."""

    def __init__(self, suite=0x1301, packets_per_epoch=None, first_number=0, padding=0):
        self.suite, self.packets_per_epoch, self.first_number, self.padding = suite, packets_per_epoch, first_number, padding
        self.keys, self.log = {}, ""
        self.under_way = collections.defaultdict(collections.deque)

    def key_of(self, tag):
        key = self.keys.get(tag)
        if key is None or self.packets_per_epoch and key.number - self.first_number >= self.packets_per_epoch:
            key = Key(tag, 3 if key is None else key.epoch + 1, self.suite, first_number=self.first_number)
            self.keys[tag] = key
            self.log += key.log_line()
        return key

    def protect(self, ip):
        """A packet that the lab's router passes on is seen twice and encrypted once."""
        header, packet = capture.split(ip)
        if any(is_in_the_clear(chunk) for chunk in capture.chunks(packet)):
            return ip
        seen_again = self.under_way[capture.addresses(ip), header[4:6], packet]
        if capture.ttl(ip) == 63 and seen_again:
            sealed = seen_again.popleft()
        else:
            sealed = self.key_of(tag_of(packet)).protect(packet, self.padding)
            seen_again.append(sealed)
        return capture.join(header, sealed)

    def capture(self, source, destination, change=lambda ip: ip):
        """A file of raw IP; `change` is what its packets then become."""
        link, frames = capture.read(source)
        capture.write(destination, [f._replace(ip=change(self.protect(f.ip)), wire_bytes=None) for f in frames], link)
        return destination
