"""The base of the conductors: each runs a mode's work on any screen, and belongs to the app. Knows no widgets.

`LatestJob` is work of which only the latest counts: a job that a screen can drop, or a short look-up in a thread.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from nimtui.jobs.job import Job, Jobs
from nimtui.progress import Progress
from nimtui.signs import visible
from nimtui.store import run_files
from nimtui.store.run_files import RunFile

if TYPE_CHECKING:
    from nimtui.store.database import Database

T = TypeVar("T")


def ignore(value: object) -> None:
    """Do nothing with a result or an error."""


def not_written(path: Path, why: str) -> str:
    """Return that this file, which was just named, is not written, and why: the reason has room beside no long path."""
    return f"Not written: {why.replace(visible(str(path)), 'the file') or 'stopped'}"


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


class Conductor:
    """Starts, pauses and ends work as jobs. Runs in the event loop, if there is one.

    It calls `changed` for news that no tick would show. `message` is one line for the person.
    """

    database: Callable[[], Database]  # opens the app's database of games at the first call; not for the event loop

    def __init__(self, jobs: Jobs) -> None:
        self.jobs = jobs
        self.changed: Callable[[], None] = lambda: None
        self.message = ""
        self._errands: dict[Hashable, LatestJob[Any]] = {}
        self._aside: set[Hashable] = set()  # the errands that no person asked for
        self._every: float | None = None  # least seconds between two thoughts of an errand

    def say(self, message: str) -> None:
        """Show this line."""
        self.message = message
        self.changed()

    def errand(
        self,
        name: str,
        work: Callable[[Progress], T],
        done: Callable[[T], object] = ignore,
        wrong: str | Callable[[str], object] = "",
        *,
        key: Hashable = None,
        aside: bool = False,
    ) -> Job[T]:
        """Run short work beside the rest, in place of an errand of this key that still runs; then call `changed`.

        The key is the name if none is given. `done` gets the result, in the event loop. If there is none, `wrong` gets
        the error in one line, '' if it was stopped; as a text it is put before the reason in `message`. `aside`: nobody
        asked for it, so that quitting may drop it.
        """

        def say(why: str) -> None:
            self.message = f"{wrong}: {why or 'stopped'}"

        failed = wrong if callable(wrong) else say if wrong else ignore
        key = name if key is None else key
        (self._aside.add if aside else self._aside.discard)(key)
        errand = self._errands.setdefault(key, LatestJob())
        job = errand.start(self.jobs, name, work, done, failed, lambda: self.changed())
        job.watch_thinking(self._every)
        return job

    def write(self, path: Path, write: Callable[[Progress], object]) -> None:
        """Write an export to this new file, and say so."""

        def failed(why: str) -> None:
            self.message = not_written(path, why)

        self.errand("export", write, lambda _: self.say(f"Written to {path}"), failed)

    def doing(self, key: Hashable) -> Job[Any] | None:
        """Return the job of this errand; None if it does not run."""
        return self._errands[key].job if key in self._errands else None

    def listen(self, every: float | None) -> None:
        """Let the errands think aloud from now on, at most once in `every` seconds; None: not."""
        self._every = every
        for key in self._errands:
            if (job := self.doing(key)) is not None:
                job.watch_thinking(every)

    def thoughts(self, key: Hashable) -> Any:
        """Return what an errand believes so far; None if it does not run, and before its first thought."""
        job = self.doing(key)
        return None if job is None else job.thinking

    def on_errand(self, *keys: Hashable) -> bool:
        """Return whether one of these errands runs; without keys, whether any does."""
        return any(self.doing(key) is not None for key in keys or self._errands)

    @property
    def asked(self) -> list[Job[Any]]:
        """Return the jobs of the errands that a person asked for, and that have not ended."""
        jobs = [self.doing(key) for key in self._errands if key not in self._aside]
        return [job for job in jobs if job is not None and not job.state.ended]

    def drop(self, *keys: Hashable) -> bool:
        """Drop these errands at once; return whether any ran."""
        dropped = [self._errands[key].cancel() for key in keys if key in self._errands]
        return any(dropped)

    @property
    def foreign(self) -> RunFile | None:
        """Return the run of another program that is only followed here; None if the work is an own one."""
        return None

    def take(self) -> None:
        """Take over the run that is followed: its program saves it and ends, and it continues here."""
        if (run := self.foreign) is not None:
            self.say(f"Taking over run {run.id}")
            take = partial(run_files.take, run)
            self.errand("taking a run over", take, self.continue_run, "Cannot take it over")

    def continue_run(self, run: RunFile) -> None:
        """Continue a run that has ended, where it is saved."""

    @property
    def idle(self) -> bool:
        """Return whether nothing has been started."""
        return False

    @property
    def lost_by_leaving(self) -> str:
        """Return what quitting now would lose, in a sentence; '' if the app need not ask."""
        return ""

    @property
    def kept_jobs(self) -> list[Job[Any]]:
        """Return the jobs that may end without a question: their work is saved, or nobody asked for it."""
        return [job for key in self._aside if (job := self.doing(key)) is not None]
