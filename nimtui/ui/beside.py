"""Short look-ups beside the event loop: a query, some sums. Not worth being called a job, and nobody stops them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Beside(Generic[T]):
    """At most one answer is awaited: that of the look-up begun last."""

    def __init__(self) -> None:
        self._awaited: asyncio.Future[T] | None = None

    @property
    def running(self) -> bool:
        return self._awaited is not None

    def start(self, work: Callable[[], T], done: Callable[[T | None, str], None]) -> None:
        """Work in a thread; `done` is called in the event loop with what it returned, or with None and its fault."""
        future = asyncio.get_running_loop().run_in_executor(None, work)
        self._awaited = future

        def ended(future: asyncio.Future[T]) -> None:
            if future.cancelled() or future is not self._awaited:
                return
            self._awaited = None
            fault = future.exception()
            done(None if fault is not None else future.result(), "" if fault is None else " ".join(str(fault).split()))

        future.add_done_callback(ended)

    def forget(self) -> None:
        """Its answer is not wanted any more."""
        self._awaited = None
