# SPDX-License-Identifier: BSD-3-Clause
"""Connections."""
from __future__ import annotations

import asyncio
import errno
import os
import warnings
from types import TracebackType
from typing import Any, AsyncIterator, Dict, List, Optional, Type, Union

from ._native import ffi, lib
from ._native_calls import Addresses, Config, address_text, fail, milliseconds
from ._ready import Ready
from ._types import Event, Message, PathStats, Peer, Stats

CLOSE_TIMEOUT_S = 30.0
_FIRST_BUFFER_BYTES = 65536
_CALLS_IN_A_ROW = 32  # without giving other tasks a turn

_EVENTS: Dict[int, str] = {
    lib.USRSCTP_CMT_CONN_PEER_CLOSED: "peer_closed",
    lib.USRSCTP_CMT_CONN_LOST: "lost",
    lib.USRSCTP_CMT_CONN_PATH_UP: "path_up",
    lib.USRSCTP_CMT_CONN_PATH_DOWN: "path_down",
    lib.USRSCTP_CMT_CONN_PATH_ADDED: "path_added",
    lib.USRSCTP_CMT_CONN_PATH_REMOVED: "path_removed",
}
_STATES: Dict[int, str] = {
    lib.SCTP_CMT_PATH_UNCONFIRMED: "unconfirmed",
    lib.SCTP_CMT_PATH_ACTIVE: "active",
    lib.SCTP_CMT_PATH_FAILED: "failed",
    lib.SCTP_CMT_PATH_STANDBY: "standby",
}


class Connection:
    """An association over all paths, up. Made by connect() and Listener.accept(). Sends and receives whole messages; iterates over
    those that come, until the peer closes. As a context manager it is closed at the end."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        self._loop = asyncio.get_running_loop()
        self._ready: Dict[int, Ready] = {}
        self._buffer = bytearray(_FIRST_BUFFER_BYTES)
        self._how = ffi.new("struct usrsctp_cmt_message *")
        self._calls = 0

    # --- messages ---

    async def send(self, data: Union[bytes, bytearray, memoryview], *, stream: int = 0, ppid: int = 0, unordered: bool = False,
                   lifetime: Optional[float] = None) -> None:
        """Sends one message, and waits while too much is queued before it. `lifetime`: seconds after which it is given up unless it
        was sent. Cancelled, it was not sent."""
        how = ffi.new("struct usrsctp_cmt_message *")
        how.stream_id, how.ppid = stream, ppid
        how.flags = lib.USRSCTP_CMT_MESSAGE_UNORDERED if unordered else 0
        how.lifetime_ms = max(1, milliseconds(lifetime)) if lifetime is not None else 0
        with ffi.from_buffer(data) as bytes_:
            while True:
                result = lib.cmt_send(self._open(), bytes_, len(bytes_), how, 0)
                if result == 0:
                    break
                if result != -errno.EAGAIN:
                    fail(result)
                await self._until(lib.CMT_READY_SEND)
        await self._give_turn()

    async def recv(self) -> Optional[Message]:
        """The next message; None: the peer has closed, and all was received. Cancelled, it loses nothing."""
        while True:
            n = lib.cmt_recv(self._open(), ffi.from_buffer(self._buffer), len(self._buffer), self._how, 0)
            if n > 0:
                message = Message(bytes(memoryview(self._buffer)[:n]), self._how.stream_id, self._how.ppid,
                                  bool(self._how.flags & lib.USRSCTP_CMT_MESSAGE_UNORDERED))
                await self._give_turn()
                return message
            if n == 0:
                return None
            if n == -errno.EMSGSIZE:
                self._make_room()
            elif n == -errno.EAGAIN:
                await self._until(lib.CMT_READY_RECV)
            else:
                fail(n)

    def __aiter__(self) -> AsyncIterator[Message]:
        return self

    async def __anext__(self) -> Message:
        message = await self.recv()
        if message is None:
            raise StopAsyncIteration
        return message

    def _make_room(self) -> None:
        """Where the connection itself was lost for EMSGSIZE, there is no next message."""
        n = lib.cmt_recv(self._open(), ffi.NULL, 0, ffi.NULL, 0)
        if n < 0:
            fail(n)
        self._buffer = bytearray(max(n, 2 * len(self._buffer)))

    # --- what is known ---

    async def events(self) -> AsyncIterator[Event]:
        """What happens to paths, that the peer closes, that the connection is lost; ends with it. The newest 64 that nobody has asked
        for are kept."""
        out = ffi.new("struct usrsctp_cmt_conn_event *")
        while self._handle is not None:
            result = lib.cmt_next_event(self._handle, out, 0)
            if result == 0:
                yield Event(_EVENTS[int(out.type)], address_text(out.address, with_port=False), out.error)
            elif result == -errno.EAGAIN:
                await self._until(lib.CMT_READY_EVENT)
            else:
                return

    def paths(self) -> List[PathStats]:
        """Statistics of every path. ENOTCONN when the association is over."""
        out = ffi.new("struct sctp_cmt_path_stats[]", lib.SCTP_CMT_MAX_PATHS)
        n = lib.cmt_paths(self._open(), out, lib.SCTP_CMT_MAX_PATHS)
        if n < 0:
            fail(n)
        return [PathStats(local=address_text(path.local), remote=address_text(path.remote) or "?",
                          state=_STATES.get(path.state, "?"), srtt_us=path.srtt_us, rate_bps=path.rate_bps or None,
                          forward_delay_us=path.fwd_delay_us if path.fwd_delay_us != lib.SCTP_CMT_UNKNOWN_US else None,
                          queue_us=path.queue_us, cwnd_bytes=path.cwnd_bytes, flight_bytes=path.flight_bytes,
                          mtu_bytes=path.mtu_bytes, sent_packets=path.sent_pkts, sent_bytes=path.sent_bytes,
                          acked_bytes=path.acked_bytes, lost_bytes=path.lost_bytes, received_bytes=path.received_bytes,
                          retransmits=path.retransmits, timeouts=path.timeouts, failures=path.failures,
                          share=path.share_ppm / 1e6)
                for path in out[0:n]]

    def stats(self) -> Stats:
        """Statistics of the association as a whole."""
        out = ffi.new("struct sctp_cmt_stats *")
        out.size = ffi.sizeof("struct sctp_cmt_stats")
        size = ffi.new("socklen_t *", out.size)
        result = lib.cmt_getsockopt(self._open(), lib.IPPROTO_SCTP, lib.SCTP_CMT_STATS, out, size)
        if result != 0:
            fail(result)
        return Stats(extension=bool(out.extension), paths=out.paths, scheduler=ffi.string(out.scheduler).decode(),
                     congestion_control=ffi.string(out.cc).decode(), decisions=out.decisions,
                     sent_ahead_chunks=out.sent_ahead_units, copies=out.copies, held_bytes=out.held_bytes,
                     send_queue_bytes=out.send_queue_bytes, receive_queue_bytes=out.receive_queue_bytes)

    def peer(self) -> Optional[Peer]:
        """Whom it is encrypted for; None: it is in the clear."""
        out = ffi.new("struct usrsctp_cmt_peer *")
        out.size = ffi.sizeof("struct usrsctp_cmt_peer")
        result = lib.cmt_peer(self._open(), out)
        if result == -errno.ENOENT:
            return None
        if result != 0:
            fail(result)
        return Peer(fingerprint=None if out.passphrase else "sha256:" + bytes(out.fingerprint).hex(),
                    name=ffi.string(out.name).decode(), passphrase=out.passphrase, chain=out.chain,
                    suite=ffi.string(out.suite).decode())

    # --- the end ---

    async def close(self, timeout: Optional[float] = CLOSE_TIMEOUT_S) -> None:
        """Sends what is queued and ends the association: when it returns, the peer has everything. TimeoutError: it was aborted
        instead, and the end may be missing. timeout 0: aborted at once. A second time nothing happens."""
        if self._handle is None:
            return
        handle, self._handle = self._handle, None
        timeout_ms = milliseconds(timeout)
        for ready in self._ready.values():
            ready.end()
        await asyncio.shield(self._loop.run_in_executor(None, _close, handle, timeout_ms))

    @property
    def closed(self) -> bool:
        """By close() of this end."""
        return self._handle is None

    async def __aenter__(self) -> Connection:
        return self

    async def __aexit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                        trace: Optional[TracebackType]) -> None:
        """In good order; after an exception, aborted."""
        if kind is None:
            await self.close()
        else:
            await self.close(0)

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            warnings.warn(f"{self!r} was not closed", ResourceWarning, source=self)
            for ready in self._ready.values():
                ready.end()
            lib.cmt_close(self._handle, 0)

    # --- within ---

    def _open(self) -> Any:
        if self._handle is None:
            raise OSError(errno.ECANCELED, "the connection is closed")
        return self._handle

    async def _until(self, what: int) -> None:
        if what not in self._ready:
            fd = lib.cmt_fd(self._open(), what)
            if fd < 0:
                fail(fd)
            self._ready[what] = Ready(self._loop, fd)
        await self._ready[what].wait()

    async def _give_turn(self) -> None:
        self._calls = (self._calls + 1) % _CALLS_IN_A_ROW
        if self._calls == 0:
            await asyncio.sleep(0)


def _close(handle: Any, timeout_ms: int) -> None:
    result = lib.cmt_close(handle, timeout_ms)
    if result != 0 and timeout_ms != 0:
        fail(result)


def _connect(config: Config, timeout_ms: int) -> Any:
    out = ffi.new("struct cmt_connection **")
    result = lib.cmt_connect(out, config.struct, timeout_ms)
    if result != 0:
        fail(result)
    return out[0]


def _abort(future: asyncio.Future[Any]) -> None:
    if not future.cancelled() and future.exception() is None:
        lib.cmt_close(future.result(), 0)


async def connect(peer: Addresses, port: int, *, timeout: float = 30.0, local: Optional[Addresses] = None,
                  peer_udp_port: Optional[int] = None, udp_port: Optional[int] = None,
                  fingerprints: Optional[Addresses] = None, passphrase: Optional[str] = None, any_peer: bool = False,
                  ca_file: Optional[Union[str, os.PathLike[str]]] = None, ca_name: Optional[str] = None,
                  cert_file: Optional[Union[str, os.PathLike[str]]] = None,
                  key_file: Optional[Union[str, os.PathLike[str]]] = None, insecure: bool = False,
                  scheduler: Optional[str] = None, scheduler_options: Optional[str] = None,
                  congestion_control: Optional[str] = None, send_buffer: Optional[int] = None,
                  receive_buffer: Optional[int] = None, streams: Optional[int] = None,
                  message_max: Optional[int] = None) -> Connection:
    """Connects to one peer that has these addresses, "10.1.0.1,10.2.0.1" or a list; `port` is the SCTP port, peer_udp_port (9899) the
    UDP port that carries it. Says whom to expect: fingerprints ("sha256:..."), passphrase, ca_file, or any_peer; or insecure.

    local: addresses of this host to use; all unless given. Sizes in bytes, timeout in seconds. What is None is the library's default
    (docs/blocking.md)."""
    if timeout <= 0:
        raise ValueError(f"timeout: {timeout} s is no time to connect in")
    config = Config(peer=peer, port=port, local=local, peer_udp_port=peer_udp_port, udp_port=udp_port,
                    peer_fingerprints=fingerprints, passphrase=passphrase, any_peer=any_peer, ca_file=ca_file, ca_name=ca_name,
                    cert_file=cert_file, key_file=key_file, insecure=insecure, scheduler=scheduler,
                    scheduler_options=scheduler_options, cc=congestion_control, sndbuf_bytes=send_buffer,
                    rcvbuf_bytes=receive_buffer, streams_out=streams, streams_in_max=streams, message_max_bytes=message_max)
    future = asyncio.get_running_loop().run_in_executor(None, _connect, config, max(1, milliseconds(timeout)))
    try:
        return Connection(await asyncio.shield(future))
    except asyncio.CancelledError:
        future.add_done_callback(_abort)
        raise
