"""Work of which only the latest counts: a job that a screen can drop, and a short look-up in a thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from nimtui.jobs.job import Job
from nimtui.jobs.runner import Jobs
from nimtui.progress import Progress

T = TypeVar("T")


def ignore(value: object) -> None:
    """Do nothing with a result or an error."""


class LatestJob(Generic[T]):
    """Runs at most one job at a time: a new job cancels the one before."""

    def __init__(self) -> None:
        self.job: Job[T] | None = None

    @property
    def running(self) -> bool:
        return self.job is not None

    def start(
        self,
        jobs: Jobs,
        name: str,
        work: Callable[[Progress], T],
        done: Callable[[T], object] = ignore,
        wrong: Callable[[str], object] = ignore,
        then: Callable[[], object] = lambda: None,
    ) -> Job[T]:
        """Start. `done` gets the result, in the event loop, unless the job was dropped; then call `then`.

        If there is no result, `wrong` gets the error in one line, '' if the job was stopped.
        """
        self.cancel()
        self.job = started = jobs.start(name, work)

        def ended(job: Job[T]) -> None:
            if job is self.job:
                self.job = None
                job.hand_over(done, wrong)
                then()

        started.add_done_callback(ended)
        return started

    def cancel(self) -> bool:
        """Drop the job at once; its thread ends at its next report. Return False if there was none."""
        job, self.job = self.job, None
        if job is not None:
            job.cancel()
        return job is not None


class LatestLookup(LatestJob[T]):
    """At most one answer is awaited: that of the latest look-up. The app ends without waiting for one."""

    def look(self, work: Callable[[], T], done: Callable[[T | None, str], object]) -> None:
        """Work in a thread; `done` gets the result, or None and the error, in the event loop."""
        self.start(Jobs(), "look-up", lambda _: work(), lambda found: done(found, ""), lambda why: done(None, why))
