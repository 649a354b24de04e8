# SPDX-License-Identifier: BSD-3-Clause
"""SCTP over all paths at once, for asyncio: connections of usrsctp-cmt.

    connection = await usrsctp_cmt.connect("10.1.0.1,10.2.0.1", 5001, passphrase="...")

What fails raises the OSError of its errno, with a sentence: ConnectionRefusedError, TimeoutError, PermissionError (keys),
ConnectionResetError, BrokenPipeError. Connections and listeners belong to the event loop that they were made in. usrsctp_cmt.lab
runs simulated networks."""
from ._connection import Connection, connect
from ._listener import Listener, listen
from ._types import Event, Message, PathStats, Peer, Refused, Stats
from ._native_calls import make_identity

__all__ = ["Connection", "Event", "Listener", "Message", "PathStats", "Peer", "Refused", "Stats", "connect", "listen",
           "make_identity"]
