# SPDX-License-Identifier: BSD-3-Clause
"""What connections give: messages, events, statistics."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Optional


@dataclass(frozen=True)
class Message:
    """One message, whole."""
    data: bytes
    stream: int
    ppid: int  # payload protocol identifier
    unordered: bool

    def __bytes__(self) -> bytes:
        return self.data


@dataclass(frozen=True)
class Event:
    """kind: "path_up", "path_down", "path_added", "path_removed" with the peer's address; "peer_closed"; "lost" with the errno."""
    kind: str
    address: Optional[str]
    error: int


@dataclass(frozen=True)
class Peer:
    """Whom a connection is encrypted for."""
    fingerprint: Optional[str]  # "sha256:..."; None with a passphrase
    name: str  # of the certificate; "" = none
    passphrase: bool  # both know it
    chain: bool  # the certificate was signed by one of ca_file
    suite: str


@dataclass(frozen=True)
class Refused:
    """A peer that a listener did not take for its keys."""
    address: Optional[str]
    reason: str


@dataclass(frozen=True)
class PathStats:
    """One path: a local and a remote address, "10.1.0.1:9899". Bytes are those of DATA chunks; None = not known yet."""
    local: Optional[str]
    remote: str
    state: str  # "unconfirmed", "active", "failed", "standby"
    srtt_us: int
    rate_bps: Optional[int]  # delivery rate
    forward_delay_us: Optional[int]  # without the offset of the clocks: to be compared among paths
    queue_us: int
    cwnd_bytes: int
    flight_bytes: int
    mtu_bytes: int
    sent_packets: int
    sent_bytes: int
    acked_bytes: int
    lost_bytes: int
    received_bytes: int
    retransmits: int
    timeouts: int
    failures: int
    share: float  # of all bytes sent, 0 to 1


@dataclass(frozen=True)
class Stats:
    """The association as a whole."""
    extension: bool  # both sides measure paths by CMT-TIMESTAMP and CMT-ECHO
    paths: int
    scheduler: str
    congestion_control: str
    decisions: int
    sent_ahead_chunks: int
    copies: int
    held_bytes: int  # received, and waiting for something before them
    send_queue_bytes: int
    receive_queue_bytes: int
