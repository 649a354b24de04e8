# SPDX-License-Identifier: BSD-3-Clause
"""Listeners."""
from __future__ import annotations

import asyncio
import errno
import os
import warnings
from types import TracebackType
from typing import Any, AsyncIterator, List, Optional, Type, Union

from ._connection import Connection
from ._native import ffi, lib
from ._native_calls import Addresses, Config, address_text, fail
from ._ready import Ready
from ._types import Refused


class Listener:
    """Made by listen(). Iterates over the connections of peers. As a context manager it is closed at the end; connections that were
    accepted go on."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        self._ready = Ready(asyncio.get_running_loop(), lib.cmt_listener_fd(handle))
        self.udp_port: int = lib.cmt_listener_udp_port(handle)
        text = ffi.new("char[]", lib.USRSCTP_CMT_FINGERPRINT_TEXT)
        has_one = lib.cmt_listener_fingerprint(handle, text) == 0
        # What peers give connect(); None with a passphrase, or in the clear.
        self.fingerprint: Optional[str] = ffi.string(text).decode() if has_one else None

    async def accept(self) -> Connection:
        """The next peer, known and up."""
        out = ffi.new("struct cmt_connection **")
        while True:
            result = lib.cmt_accept(out, self._open(), 0)
            if result == 0:
                return Connection(out[0])
            if result != -errno.EAGAIN:
                fail(result)
            await self._ready.wait()

    def __aiter__(self) -> AsyncIterator[Connection]:
        return self

    async def __anext__(self) -> Connection:
        """Ends when the listener is closed."""
        try:
            return await self.accept()
        except OSError as error:
            if error.errno == errno.ECANCELED:
                raise StopAsyncIteration from None
            raise

    def refused(self) -> List[Refused]:
        """Peers that were not taken for their keys since this was asked last, the last 16."""
        out = ffi.new("struct cmt_refused *")
        found = []
        while lib.cmt_next_refused(self._open(), out) == 0:
            found.append(Refused(address_text(out.address), ffi.string(out.reason).decode(errors="replace")))
        return found

    async def close(self) -> None:
        """Peers that were not accepted yet are aborted. A second time nothing happens."""
        if self._handle is not None:
            handle, self._handle = self._handle, None
            self._ready.end()
            await asyncio.shield(asyncio.get_running_loop().run_in_executor(None, lib.cmt_listener_close, handle))

    async def __aenter__(self) -> Listener:
        return self

    async def __aexit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                        trace: Optional[TracebackType]) -> None:
        await self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            warnings.warn(f"{self!r} was not closed", ResourceWarning, source=self)
            self._ready.end()
            lib.cmt_listener_close(self._handle)

    def _open(self) -> Any:
        if self._handle is None:
            raise OSError(errno.ECANCELED, "the listener is closed")
        return self._handle


def _listen(config: Config) -> Any:
    out = ffi.new("struct cmt_listener **")
    result = lib.cmt_listen(out, config.struct)
    if result != 0:
        fail(result)
    return out[0]


async def listen(port: int, *, local: Optional[Addresses] = None, udp_port: Optional[int] = None,
                 fingerprints: Optional[Addresses] = None, passphrase: Optional[str] = None,
                 ca_file: Optional[Union[str, os.PathLike[str]]] = None, ca_name: Optional[str] = None,
                 cert_file: Optional[Union[str, os.PathLike[str]]] = None,
                 key_file: Optional[Union[str, os.PathLike[str]]] = None, insecure: bool = False,
                 scheduler: Optional[str] = None, scheduler_options: Optional[str] = None,
                 congestion_control: Optional[str] = None, send_buffer: Optional[int] = None,
                 receive_buffer: Optional[int] = None, streams: Optional[int] = None,
                 message_max: Optional[int] = None) -> Listener:
    """Listens on SCTP port `port` of the addresses `local` ("10.1.0.1,10.2.0.1" or a list; "any"; loopback unless given), in UDP port
    udp_port (9899; 0: a free one, see Listener.udp_port). Takes every peer that encrypts, unless fingerprints, passphrase or ca_file
    ask for more; or those that do not, with insecure. Without cert_file and key_file the fingerprint is new each time
    (make_identity())."""
    config = Config(port=port, local=local, udp_port=udp_port, any_udp_port=udp_port == 0, peer_fingerprints=fingerprints,
                    passphrase=passphrase, ca_file=ca_file, ca_name=ca_name, cert_file=cert_file, key_file=key_file,
                    insecure=insecure, scheduler=scheduler, scheduler_options=scheduler_options, cc=congestion_control,
                    sndbuf_bytes=send_buffer, rcvbuf_bytes=receive_buffer, streams_out=streams, streams_in_max=streams,
                    message_max_bytes=message_max)
    future = asyncio.get_running_loop().run_in_executor(None, _listen, config)
    try:
        return Listener(await asyncio.shield(future))
    except asyncio.CancelledError:
        future.add_done_callback(_close_result)
        raise


def _close_result(future: asyncio.Future[Any]) -> None:
    if not future.cancelled() and future.exception() is None:
        lib.cmt_listener_close(future.result())
