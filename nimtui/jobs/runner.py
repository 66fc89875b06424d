"""The jobs of an app: all start here, and all are stopped here when it closes.

`side_by_side` does several pieces of work at the same time, a job each, for a caller that waits for all of them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any, TypeVar

from nimtui.jobs.job import Job
from nimtui.process.stopping import saving
from nimtui.progress import Cancelled, Progress

T = TypeVar("T")

COMPILING = 0.5  # seconds that the end of the app waits for kernels to be compiled
UNHEARD = 1.0  # seconds that it waits for work that does not report, and so may never return,
WORKED = 0.3  # or until that has used so many seconds of a processor
TURN = 0.05  # seconds between two checks which jobs still run


class Jobs:
    """Starts jobs and knows those still running. Belongs to the app, not to a screen.

    Each has a daemon thread, so that the process can end without waiting, even for a job that compiles and reports
    nothing meanwhile.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._started: list[Job[Any]] = []
        self._closed = False

    def start(self, name: str, work: Callable[[Progress], T]) -> Job[T]:
        """Run `work` in a thread. After `shutdown` a job is cancelled before it starts."""
        job = Job(name, work)
        with self._lock:
            self._started = [*self.running(), job]
            if self._closed:
                job.cancel()
        threading.Thread(target=job.run, name=f"job {name}", daemon=True).start()
        return job

    def running(self) -> list[Job[Any]]:
        """Return the jobs that have not ended, paused ones too, oldest first."""
        with self._lock:
            return [job for job in self._started if not job.state.ended]

    def shutdown(self, timeout: float = 1.0) -> list[Job[Any]]:
        """Cancel all jobs, wait at most `timeout` seconds in all, and return those that have not ended.

        A job that compiles cannot be interrupted, and has nothing new to save: it gets `COMPILING` seconds. A job that
        does not report, as in an endless rule, gets `UNHEARD` seconds or `WORKED` of a processor. Saves in progress are
        finished.
        """
        with self._lock:
            self._closed = True
            jobs = self.running()
        for job in jobs:
            job.cancel()
        began = monotonic()
        while jobs and (waited := monotonic() - began) < timeout:
            if all(_is_lost(job, waited) for job in jobs) and not saving():
                break
            jobs = [job for job in jobs if not job.join(min(TURN, timeout - waited))]
        return [job for job in jobs if not job.join(0)]


def _is_lost(job: Job[Any], waited: float) -> bool:
    """Return whether waiting is useless, so long after the job was cancelled."""
    return (waited > COMPILING and job.compiling) or (job.deaf and (waited > UNHEARD or job.worked > WORKED))


REPORTED = 0.02  # seconds between two reports of several jobs
LEAVING = 0.3  # seconds that stopped works have to end


def side_by_side(works: Sequence[tuple[str, Callable[[Progress], T]]], progress: Progress) -> list[T | None]:
    """Return the results of all works in their order; None for work that was stopped.

    If the progress cancels, all works stop at their next report; nobody waits long for one that does not report.
    Raises the first error of a work, after all ended.
    """
    jobs = Jobs()
    started = [jobs.start(name, work) for name, work in works]
    stopped = False
    while any(not job.join(0 if at else REPORTED) for at, job in enumerate(started)):
        try:
            shares = [1.0 if job.state.ended else job.snapshot.share or 0.0 for job in started]
            progress.report(sum(shares), len(started), started[0].name if len(started) == 1 else "")
        except Cancelled:
            stopped = True
            jobs.shutdown(LEAVING)
            break
    for job in started:
        if job.error is not None:
            raise job.error
    if stopped and not any(job.result is not None for job in started):
        raise Cancelled("stopped")
    return [job.result for job in started]
