"""Several pieces of work at the same time, a job each, for a caller that waits for all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from nimtui.jobs.runner import Jobs
from nimtui.progress import Cancelled, Progress

T = TypeVar("T")

TURN = 0.02  # seconds between two reports
LEAVING = 0.3  # seconds that stopped works have to end


def side_by_side(works: Sequence[tuple[str, Callable[[Progress], T]]], progress: Progress) -> list[T | None]:
    """Return the results of all works in their order; None for work that was stopped.

    If the progress cancels, all works stop at their next report; nobody waits long for one that does not report.
    Raises the first error of a work, after all ended.
    """
    jobs = Jobs()
    started = [jobs.start(name, work) for name, work in works]
    stopped = False
    while any(not job.join(0 if at else TURN) for at, job in enumerate(started)):
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
