# SPDX-License-Identifier: BSD-3-Clause
"""Reads, rewrites and writes small captures: pcap files of raw IP (as cmt-lab writes them) or Ethernet, SCTP packets
and their chunks. Written without looking at the plugin, to have a second opinion. docs/wire-format.md has the layout."""

import collections
import struct

RAW_IP, ETHERNET = 101, 1
COOKED_BYTES = 20  # in front of IP, in captures of tcpdump -i any (LINUX_SLL2)
LAB_SENDER_PORT, LAB_RECEIVER_PORT = 5000, 5001
DATA, INIT, INIT_ACK, SACK, I_DATA, TIMESTAMP, ECHO = 0, 1, 2, 3, 64, 0x9E, 0x9F
ABORT, COOKIE_ECHO, SHUTDOWN_COMPLETE, PAD = 6, 10, 14, 0x84
SCTP, UDP, ICMP = 132, 17, 1
SCTP_HEADER_BYTES = 12
CRC_TABLE = []
for octet in range(256):
    crc = octet
    for _ in range(8):
        crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    CRC_TABLE.append(crc)

# Time in us; the IP packet as bytes; its length on the wire, if the capture has cut it.
Frame = collections.namedtuple("Frame", "at_us ip wire_bytes", defaults=(None,))
Chunk = collections.namedtuple("Chunk", "kind flags body")


def read(path):
    """(link type, [Frame])."""
    with open(path, "rb") as file:
        data = file.read()
    order = {b"\xd4\xc3\xb2\xa1": "<", b"\xa1\xb2\xc3\xd4": ">"}[data[:4]]
    link = struct.unpack_from(order + "I", data, 20)[0]
    frames, at = [], 24
    while at < len(data):
        seconds, us, stored, wire = struct.unpack_from(order + "IIII", data, at)
        frames.append(Frame(seconds * 1000000 + us, data[at + 16:at + 16 + stored], wire))
        at += 16 + stored
    return link, frames


def write(path, frames, link=RAW_IP):
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, link))
        for frame in frames:
            wire = max(frame.wire_bytes or 0, len(frame.ip))
            file.write(struct.pack("<IIII", frame.at_us // 1000000, frame.at_us % 1000000, len(frame.ip), wire))
            file.write(frame.ip)


# --- IP ---

def is_v6(ip):
    return ip[0] >> 4 == 6


def split(ip):
    """(header, payload)"""
    size = 40 if is_v6(ip) else 4 * (ip[0] & 15)
    return ip[:size], ip[size:]


def ttl(ip):
    return ip[7] if is_v6(ip) else ip[8]


def addresses(ip):
    return (ip[8:24], ip[24:40]) if is_v6(ip) else (ip[12:16], ip[16:20])


def ip_checksum(header):
    total = sum(struct.unpack(f">{len(header) // 2}H", header))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def join(header, payload, protocol=None, fragment=None):
    """The header over another payload; `fragment` is IPv4's field of flags and offset."""
    header = bytearray(header)
    if is_v6(header):
        struct.pack_into(">H", header, 4, len(payload))
        header[6] = protocol or header[6]
    else:
        struct.pack_into(">H", header, 2, len(header) + len(payload))
        header[9] = protocol or header[9]
        if fragment is not None:
            struct.pack_into(">H", header, 6, fragment)
        struct.pack_into(">H", header, 10, 0)
        struct.pack_into(">H", header, 10, ip_checksum(bytes(header)))
    return bytes(header) + payload


def in_udp(ip, source_port=9899, destination_port=9899):
    header, payload = split(ip)
    return join(header, struct.pack(">HHHH", source_port, destination_port, 8 + len(payload), 0) + payload, UDP)


def in_gtp(ip):
    """In a tunnel of a mobile network."""
    header, _ = split(ip)
    gtp = struct.pack(">BBHI", 0x30, 0xFF, len(ip), 1) + ip
    return join(header, struct.pack(">HHHH", 2152, 2152, 8 + len(gtp), 0) + gtp, UDP)


def is_from_client(ip):
    """Of a lab's network in IPv4: 10.PATH.0.1 is the client, 10.PATH.0.2 the server."""
    return ip[15] == 1


def behind_one_address(ip):
    """In UDP; both paths of a lab's client have its first address, and other ports."""
    header, _ = split(ip)
    port = 40000 + header[13]
    moved = in_udp(ip, *((port, 9899) if is_from_client(ip) else (9899, port)))
    header, payload = split(moved)
    header = bytearray(header)
    header[13] = header[17] = 1
    return join(bytes(header), payload)


def fragments(ip, size):
    """IPv4 fragments of `size` payload bytes, a multiple of 8."""
    header, payload = split(ip)
    pieces = [payload[at:at + size] for at in range(0, len(payload), size)]
    return [join(header, piece, fragment=i * size // 8 | (0x2000 if i + 1 < len(pieces) else 0))
            for i, piece in enumerate(pieces)]


def in_ethernet(ip):
    """With the padding that short frames get."""
    return bytes(12) + (b"\x86\xdd" if is_v6(ip) else b"\x08\x00") + ip + bytes(max(0, 46 - len(ip)))


def icmp_unreachable(ip):
    """From the packet's destination to its source, with all of the packet."""
    header, _ = split(ip)
    source, destination = addresses(ip)
    message = struct.pack(">BBHI", 3, 1, 0, 0) + ip
    message += bytes(len(message) % 2)
    message = message[:2] + struct.pack(">H", ip_checksum(message)) + message[4:]
    return join(header[:12] + destination + source, message, ICMP)


# --- SCTP ---

def crc32c(data):
    value = 0xFFFFFFFF
    for byte in data:
        value = CRC_TABLE[(value ^ byte) & 0xFF] ^ value >> 8
    return value ^ 0xFFFFFFFF


def first_packet(datagram):
    """The SCTP packet with which a datagram begins: to where the checksum is right, as in the datagram of one packet."""
    value, clear = 0xFFFFFFFF, datagram[:8] + bytes(4) + datagram[12:]
    for at, byte in enumerate(clear, 1):
        value = CRC_TABLE[(value ^ byte) & 0xFF] ^ value >> 8
        if at > SCTP_HEADER_BYTES and at % 4 == 0 and struct.pack("<I", value ^ 0xFFFFFFFF) == datagram[8:12]:
            return datagram[:at]
    raise ValueError("no SCTP packet")


def joined_packets(path):
    """The SCTP packets of a capture of UDP by `tcpdump -i any`, whose datagrams may hold several."""
    packets = []
    for frame in read(path)[1]:
        _, datagram = split(frame.ip[COOKED_BYTES:])
        rest = datagram[8:struct.unpack_from(">H", datagram, 4)[0]]
        while rest:
            packets.append(first_packet(rest))
            rest = rest[len(packets[-1]):]
    return packets


def chunks(packet):
    """[Chunk]; bodies without padding."""
    found, at = [], SCTP_HEADER_BYTES
    while at + 4 <= len(packet):
        kind, flags, length = struct.unpack_from(">BBH", packet, at)
        if length < 4:
            break
        found.append(Chunk(kind, flags, packet[at + 4:at + length]))
        at += length + 3 & ~3
    return found


def encode(chunk):
    body = chunk.body + bytes(-len(chunk.body) % 4)
    return struct.pack(">BBH", chunk.kind, chunk.flags, 4 + len(chunk.body)) + body


def with_checksum(packet):
    clear = packet[:8] + bytes(4) + packet[12:]
    return packet[:8] + struct.pack("<I", crc32c(clear)) + packet[12:]


def rebuild(packet, new_chunks, header=None):
    return with_checksum((header or packet[:SCTP_HEADER_BYTES]) + b"".join(encode(c) for c in new_chunks))


def stamp(packet):
    """(path id, path packet number, time stamp) or None."""
    for chunk in chunks(packet):
        if chunk.kind == TIMESTAMP and len(chunk.body) >= 12:
            ts_us, number, path, _ = struct.unpack_from(">IIHH", chunk.body)
            return path, number, ts_us
    return None


def has_data(packet):
    return any(chunk.kind in (DATA, I_DATA) for chunk in chunks(packet))


def shifted(packet, tsn, number, time_us):
    """With all TSNs, Path Packet Numbers and time stamps moved, modulo 2^32, and counts of packets, modulo 2^16."""

    def moved(body, offset, by, size=4):
        value = int.from_bytes(body[offset:offset + size], "big") + by & (1 << 8 * size) - 1
        return body[:offset] + value.to_bytes(size, "big") + body[offset + size:]

    def one(chunk):
        body = chunk.body
        if chunk.kind in (DATA, I_DATA, SACK):
            body = moved(body, 0, tsn)
        if chunk.kind == SACK:
            _, _, gaps, duplicates = struct.unpack_from(">IIHH", body)
            for i in range(duplicates):
                body = moved(body, 12 + 4 * gaps + 4 * i, tsn)
        elif chunk.kind in (INIT, INIT_ACK):
            body = moved(body, 12, tsn)
        elif chunk.kind == TIMESTAMP:
            body = moved(moved(body, 0, time_us), 4, number)
        elif chunk.kind == ECHO:
            body = moved(body, 0, time_us)
            for at in range(4, len(body) - 15, 16):
                body = moved(moved(moved(body, at + 2, number, 2), at + 4, time_us), at + 12, number)
        return chunk._replace(body=body)

    return rebuild(packet, [one(chunk) for chunk in chunks(packet)])


def retagged(packet, tags):
    """With other verification tags: a dict from old to new."""
    tag = struct.unpack_from(">I", packet, 4)[0]
    header = packet[:4] + struct.pack(">I", tags.get(tag, tag)) + packet[8:12]

    def one(chunk):
        if chunk.kind not in (INIT, INIT_ACK):
            return chunk
        own = struct.unpack_from(">I", chunk.body)[0]
        return chunk._replace(body=struct.pack(">I", tags.get(own, own)) + chunk.body[4:])

    return rebuild(packet, [one(chunk) for chunk in chunks(packet)], header)
