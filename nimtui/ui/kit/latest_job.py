"""A job that a screen waits for and can drop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from nimtui.jobs import Job, Jobs
from nimtui.progress import Progress

T = TypeVar("T")


class LatestJob(Generic[T]):
    """Runs at most one job at a time: a new job cancels the one before."""

    def __init__(self) -> None:
        self.job: Job[T] | None = None

    @property
    def running(self) -> bool:
        return self.job is not None

    def start(self, jobs: Jobs, name: str, work: Callable[[Progress], T], done: Callable[[Job[T]], None]) -> None:
        """Start; `done` gets the finished job, in the event loop, unless it was cancelled before."""
        self.cancel()
        self.job = jobs.start(name, work)
        self.job.add_done_callback(lambda job: self._ended(job, done))

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
