"""Work of which only the latest counts: a job that a screen can drop, and a short look-up in a thread."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from nimtui.jobs.job import Job
from nimtui.jobs.loop import post
from nimtui.jobs.runner import Jobs
from nimtui.progress import Progress

T = TypeVar("T")


class LatestJob(Generic[T]):
    """Runs at most one job at a time: a new job cancels the one before."""

    def __init__(self) -> None:
        self.job: Job[T] | None = None
        self._every: float | None = None

    @property
    def running(self) -> bool:
        return self.job is not None

    @property
    def thinking(self) -> Any:
        """What the job believes so far; None without a job, and before its first thought."""
        return None if self.job is None else self.job.thinking

    def watch(self, every: float | None) -> None:
        """Look at most once in `every` seconds at what this job and all later ones believe; None: not."""
        self._every = every
        if self.job is not None:
            self.job.watch_thinking(every)

    def start(self, jobs: Jobs, name: str, work: Callable[[Progress], T], done: Callable[[Job[T]], None]) -> Job[T]:
        """Start; `done` gets the finished job, in the event loop, unless it was cancelled before."""
        self.cancel()
        self.job = job = jobs.start(name, work)
        job.add_done_callback(lambda job: self._ended(job, done))
        self.watch(self._every)
        return job

    def cancel(self) -> bool:
        """Drop the job at once; its thread ends at its next report. Return False if there was none."""
        job, self.job = self.job, None
        if job is not None:
            job.cancel()
        return job is not None

    def _ended(self, job: Job[T], done: Callable[[Job[T]], None]) -> None:
        if job is self.job:
            self.job = None
            done(job)


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
