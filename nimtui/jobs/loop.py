"""Pass calls from a job's thread into an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any


class Waiter:
    """A task of an event loop that another thread wakes once."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._future: asyncio.Future[None] = self._loop.create_future()

    async def woken(self) -> None:
        await self._future

    def wake(self) -> None:
        post(self._loop, self._set)

    def _set(self) -> None:
        if not self._future.done():
            self._future.set_result(None)


def post(loop: asyncio.AbstractEventLoop, call: Callable[..., object], *given: Any, **more: Any) -> None:
    """Run a call in the loop's thread; ignore a closed loop."""
    try:
        loop.call_soon_threadsafe(call, *given, **more)
    except RuntimeError:
        if not loop.is_closed():
            raise
