# SPDX-License-Identifier: BSD-3-Clause
"""Which way SACKs leave, counted from a capture of all interfaces of the receiving host.

A SACK answers the DATA that its sender had processed last, which need not be the last one in the capture: the stack
reads its sockets a little later than the capture does. So the SACK itself is asked:
  - with a CMT-ECHO behind it, it answers the packet of the entry with the smallest Time Elapsed;
  - without, the latest packet in the capture that has a TSN which the SACK reports.
It has left rightly when interface, source and destination belong to one path, and that path is
  - the one that the peer wished for (Return Path of the answered packet's CMT-TIMESTAMP), or
  - the one that the answered packet came on, or
  - any, when it reports duplicate TSNs: then upstream tries another address on purpose.
Everything else is astray. docs/wire-format.md has the chunks' layout. Pure, but for read().
"""

import collections
import struct

SCTP_IN_UDP_PORT = 9899
LINUX_SLL2 = 276
PACKET_OUTGOING = 4
DATA, SACK, NR_SACK, I_DATA, TIMESTAMP, ECHO = 0, 3, 16, 64, 0x9E, 0x9F

Packet = collections.namedtuple("Packet", "at_us interface outgoing source destination payload")
Arrival = collections.namedtuple("Arrival", "tsns path path_id number return_path_id")
Sack = collections.namedtuple("Sack", "cumulative_tsn gaps n_duplicates")


class Malformed(Exception):
    """Not a capture that this reads; says why."""


def packets(capture):
    """Every SCTP-in-UDP packet of a capture (bytes of a pcap file, link type LINUX_SLL2)."""
    order = {b"\xd4\xc3\xb2\xa1": "<", b"\xa1\xb2\xc3\xd4": ">"}.get(capture[:4])
    if order is None:
        raise Malformed("no pcap file with times in microseconds")
    link_type = struct.unpack_from(order + "I", capture, 20)[0] & 0xFFFF
    if link_type != LINUX_SLL2:
        raise Malformed(f"link type {link_type}; the capture must be LINUX_SLL2 ({LINUX_SLL2})")
    offset = 24
    while offset + 16 <= len(capture):
        seconds, us, stored, _ = struct.unpack_from(order + "IIII", capture, offset)
        frame = capture[offset + 16:offset + 16 + stored]
        offset += 16 + stored
        packet = udp_packet(seconds * 1_000_000 + us, frame)
        if packet is not None:
            yield packet


def udp_packet(at_us, frame):
    if len(frame) < 48 or frame[0:2] != b"\x08\x00":
        return None
    interface, pkttype, ip = struct.unpack_from(">I", frame, 4)[0], frame[10], frame[20:]
    header_bytes = 4 * (ip[0] & 15)
    if ip[9] != 17 or struct.unpack_from(">H", ip, 6)[0] & 0x1FFF or len(ip) < header_bytes + 8:
        return None
    ports = struct.unpack_from(">HH", ip, header_bytes)
    if SCTP_IN_UDP_PORT not in ports:
        return None
    source, destination = (".".join(map(str, ip[at:at + 4])) for at in (12, 16))
    return Packet(at_us, interface, pkttype == PACKET_OUTGOING, source, destination, ip[header_bytes + 8:])


def chunks(payload):
    """(type, bytes of the chunk) of an SCTP packet; the last one may be cut off."""
    offset = 12
    while offset + 4 <= len(payload):
        kind, _, length = struct.unpack_from(">BBH", payload, offset)
        if length < 4:
            return
        yield kind, payload[offset:offset + length]
        offset += (length + 3) & ~3


def arrival(packet, path):
    """What a packet with DATA says, or None."""
    tsns, path_id, number, return_path_id = [], None, None, 0
    for kind, chunk in chunks(packet.payload):
        if kind in (DATA, I_DATA) and len(chunk) >= 8:
            tsns.append(struct.unpack_from(">I", chunk, 4)[0])
        elif kind == TIMESTAMP and len(chunk) >= 16:
            number, path_id, return_path_id = struct.unpack_from(">IHH", chunk, 8)
    return Arrival(tsns, path, path_id, number, return_path_id) if tsns else None


def sack_of(kind, chunk):
    cumulative_tsn, _, n_gaps, n_other = struct.unpack_from(">IIHH", chunk, 4)
    n_duplicates, first_gap = n_other, 16
    if kind == NR_SACK:  # gap blocks, then those that are not renegable, then duplicates
        n_gaps, (n_duplicates, _) = n_gaps + n_other, struct.unpack_from(">HH", chunk, 16)
        first_gap = 20
    gaps = [struct.unpack_from(">HH", chunk, first_gap + 4 * i) for i in range(n_gaps)
            if first_gap + 4 * i + 4 <= len(chunk)]
    return Sack(cumulative_tsn, gaps, n_duplicates)


def reports(sack, tsn):
    ahead = (tsn - sack.cumulative_tsn) & 0xFFFFFFFF
    return ahead == 0 or ahead >= 0x80000000 or any(start <= ahead <= end for start, end in sack.gaps)


def echo_entries(chunk):
    """[(time elapsed, path id, packet number)]"""
    out = []
    for at in range(8, len(chunk) - 15, 16):
        path_id, _, _, elapsed_us, number = struct.unpack_from(">HHIII", chunk, at)
        out.append((elapsed_us, path_id, number))
    return out


class SackCount:
    """Takes packets in the order of the capture; `path_of_interface` and `path_of_address` map to path numbers."""

    LOOK_BACK = 4096  # arrivals; more than any window holds
    TOGETHER_US = 2000

    def __init__(self, path_of_interface, path_of_address):
        self.path_of_interface, self.path_of_address = path_of_interface, path_of_address
        self.arrivals = collections.deque(maxlen=self.LOOK_BACK)
        self.by_number = {}
        self.path_of_id = {}
        self.leaving = collections.Counter()  # by path
        self.counts = dict.fromkeys(("sacks", "on_wished_path", "on_data_path", "with_duplicates", "astray"), 0)
        self.first_astray = None

    def add(self, packet):
        path = self.path_of_interface(packet.interface)
        if packet.outgoing:
            self.on_outgoing(packet, path)
            return
        data = arrival(packet, path)
        if data is not None:
            self.arrivals.append(data)
            if data.path_id is not None:
                self.by_number[data.path_id, data.number] = data
                self.path_of_id[data.path_id] = path

    def on_outgoing(self, packet, path):
        sack, echo = None, []
        for kind, chunk in chunks(packet.payload):
            if kind in (SACK, NR_SACK) and len(chunk) >= 16:
                sack = sack_of(kind, chunk)
            elif kind == ECHO:
                echo = echo_entries(chunk)
        if sack is not None:
            verdict = self.judge(packet, path, sack, echo)
            self.counts["sacks"] += 1
            self.counts[verdict] += 1
            self.leaving[path] += 1
            if verdict == "astray" and self.first_astray is None:
                self.first_astray = packet

    def judge(self, packet, path, sack, echo):
        ends = {self.path_of_address(packet.source), self.path_of_address(packet.destination)}
        if path is None or ends != {path}:
            return "astray"
        answered = self.answered_by_echo(echo) or self.answered_by_tsn(sack)
        if path in {self.path_of_id.get(data.return_path_id) for data in answered}:
            return "on_wished_path"
        if path in {data.path for data in answered}:
            return "on_data_path"
        return "with_duplicates" if sack.n_duplicates else "astray"

    def answered_by_echo(self, entries):
        """The newest packets that it echoes: sockets are read one after the other, so which of those that came
        together was taken in last is not to be seen."""
        least = min(entries, default=(0,))[0]
        found = [self.by_number.get((path_id, number)) for elapsed_us, path_id, number in entries
                 if elapsed_us - least <= self.TOGETHER_US]
        return [data for data in found if data is not None]

    def answered_by_tsn(self, sack):
        """The newest data that it reports, and newer ones: a full receive buffer refuses data, and the SACK that opens
        the window again goes where the last ones came from, refused or not."""
        answered = []
        for data in reversed(self.arrivals):
            answered.append(data)
            if any(reports(sack, tsn) for tsn in data.tsns):
                break
        return answered


def read(path):
    with open(path, "rb") as stream:
        return stream.read()


def count_sacks(capture, path_of_interface, path_of_address):
    count = SackCount(path_of_interface, path_of_address)
    for packet in packets(capture):
        count.add(packet)
    return count
