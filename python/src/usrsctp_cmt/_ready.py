# SPDX-License-Identifier: BSD-3-Clause
"""Waiting for a descriptor that is readable while a call would not block."""
from __future__ import annotations

import asyncio
from typing import List


class Ready:
    """Several tasks may wait; all are woken, and try again. The loop watches the descriptor until it finds it readable and nobody
    waiting: to begin and end that for each message would cost more than the message."""

    def __init__(self, loop: asyncio.AbstractEventLoop, fd: int) -> None:
        self._loop = loop
        self._fd = fd
        self._is_watched = False
        self._waiting: List[asyncio.Future[None]] = []

    async def wait(self) -> None:
        future: asyncio.Future[None] = self._loop.create_future()
        if not self._is_watched:
            self._loop.add_reader(self._fd, self._on_readable)
            self._is_watched = True
        self._waiting.append(future)
        try:
            await future
        finally:
            if future in self._waiting:
                self._waiting.remove(future)

    def end(self) -> None:
        """The descriptor is about to go."""
        if self._is_watched and not self._loop.is_closed():
            self._loop.remove_reader(self._fd)
        self._is_watched = False
        self._wake()

    def _on_readable(self) -> None:
        if self._waiting:
            self._wake()
        else:
            self._loop.remove_reader(self._fd)
            self._is_watched = False

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)
