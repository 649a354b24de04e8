# SPDX-License-Identifier: BSD-3-Clause
"""Between Python and C: errors, times, addresses, configurations."""
from __future__ import annotations

import ipaddress
import os
import socket
import struct
from typing import Any, List, NoReturn, Optional, Sequence, Union

from ._native import ffi, lib

Addresses = Union[str, Sequence[str]]


def fail(result: int) -> NoReturn:
    """Raises what a call returned, in the thread of the call."""
    raise OSError(-result, ffi.string(lib.cmt_reason()).decode(errors="replace"))


def milliseconds(seconds: Optional[float]) -> int:
    """As C takes them; None = for ever."""
    if seconds is None:
        return -1
    if seconds < 0:
        raise ValueError(f"timeout: {seconds} s is less than nothing; None is for ever")
    return min(-int(-seconds * 1000 // 1), 2**31 - 1)


def address_text(storage: Any, with_port: bool = True) -> Optional[str]:
    """ "10.1.0.1:9899", "[fd00::1]:9899"; None where there is no address."""
    raw = bytes(ffi.buffer(ffi.addressof(storage), 28))
    port = struct.unpack_from("!H", raw, 2)[0]
    if storage.ss_family == socket.AF_INET:
        host = str(ipaddress.IPv4Address(raw[4:8]))
    elif storage.ss_family == socket.AF_INET6:
        host = str(ipaddress.IPv6Address(raw[8:24]))
    else:
        return None
    if not with_port or port == 0:
        return host
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


class Config:
    """struct cmt_config of keyword arguments, with all that it points to. None is the default."""

    def __init__(self, **fields: Any) -> None:
        self.struct = ffi.new("struct cmt_config *")
        self.struct.size = ffi.sizeof("struct cmt_config")
        self._kept: List[Any] = []
        for name, value in fields.items():
            if value is not None:
                setattr(self.struct, name, self._converted(value))

    def _converted(self, value: Any) -> Any:
        if isinstance(value, (bool, int)):
            return value
        if not isinstance(value, (str, os.PathLike)):
            value = ",".join(str(item) for item in value)
        text = os.fsencode(value)
        if b"\0" in text:
            raise ValueError("a text has a NUL in it")
        self._kept.append(ffi.new("char[]", text))
        return self._kept[-1]


def make_identity(file: Union[str, "os.PathLike[str]"], name: str, days: int = 3650) -> None:
    """Makes a private key and a self-signed certificate for `name`, and writes both into `file` (PEM, readable by its owner alone),
    which must not exist: for cert_file and key_file. Its fingerprint then stays the same."""
    if lib.usrsctp_cmt_keys_make(os.fsencode(file), name.encode(), days) != 0:
        raise OSError(ffi.errno, f"cannot make {os.fspath(file)}: {os.strerror(ffi.errno)}")
