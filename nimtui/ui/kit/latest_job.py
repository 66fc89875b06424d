"""A job that a screen waits for, and forgets as soon as it no longer wants the answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from nimtui.jobs import Job, Jobs
from nimtui.progress import Progress

T = TypeVar("T")


class LatestJob(Generic[T]):
    """At most one job at a time: a new one takes the place of the one before, which is cancelled."""

    def __init__(self) -> None:
        self.job: Job[T] | None = None

    @property
    def running(self) -> bool:
        return self.job is not None

    def start(self, jobs: Jobs, name: str, work: Callable[[Progress], T], done: Callable[[Job[T]], None]) -> None:
        """Begin; `done` is called with the job at its end, in the event loop, unless it is forgotten before."""
        self.cancel()
        self.job = jobs.start(name, work)
        self.job.add_done_callback(lambda job: self._ended(job, done))

    def cancel(self) -> bool:
        """Forget it at once; its thread ends at its next report. False where there was nothing."""
        job, self.job = self.job, None
        if job is not None:
            job.cancel()
        return job is not None

    def _ended(self, job: Job[T], done: Callable[[Job[T]], None]) -> None:
        if job is self.job:
            self.job = None
            done(job)
