# SPDX-License-Identifier: BSD-3-Clause
"""Waiting for a descriptor that is readable while a call would not block."""
from __future__ import annotations

import asyncio
from typing import List


class Ready:
    """Several tasks may wait; all are woken, and try again."""

    def __init__(self, loop: asyncio.AbstractEventLoop, fd: int) -> None:
        self._loop = loop
        self._fd = fd
        self._waiting: List[asyncio.Future[None]] = []

    async def wait(self) -> None:
        future: asyncio.Future[None] = self._loop.create_future()
        if not self._waiting:
            self._loop.add_reader(self._fd, self.wake)
        self._waiting.append(future)
        try:
            await future
        finally:
            if future in self._waiting:
                self._waiting.remove(future)
                if not self._waiting:
                    self._loop.remove_reader(self._fd)

    def wake(self) -> None:
        """Also where the descriptor is about to go."""
        if self._waiting:
            self._loop.remove_reader(self._fd)
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)
