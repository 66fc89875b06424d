"""Short look-ups in a thread: a query, some sums. They are no jobs, so a person cannot stop them."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from nimtui.jobs.loop import post

T = TypeVar("T")


class LatestLookup(Generic[T]):
    """At most one answer is awaited: that of the latest look-up. The app ends without waiting for one."""

    def __init__(self) -> None:
        self._awaited: object = None

    @property
    def running(self) -> bool:
        return self._awaited is not None

    def start(self, work: Callable[[], T], done: Callable[[T | None, str], None]) -> None:
        """Work in a thread; `done` gets the result, or None and the error, in the event loop."""
        loop, context = asyncio.get_running_loop(), contextvars.copy_context()  # by which widgets know their app
        self._awaited = this = object()

        def run() -> None:
            found, said = None, ""
            try:
                found = work()
            except Exception as fault:  # noqa: BLE001 - whatever is wrong is said
                said = " ".join(str(fault).split()) or type(fault).__name__
            post(loop, ended, found, said, context=context)

        def ended(found: T | None, said: str) -> None:
            if self._awaited is this:
                self._awaited = None
                done(found, said)

        threading.Thread(target=run, name="look-up", daemon=True).start()

    def forget(self) -> None:
        """Drop the awaited answer."""
        self._awaited = None
