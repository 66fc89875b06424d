"""One piece of long work in a thread, which other threads watch, pause, step, slow down or cancel.

The work calls `Progress.report` between its chunks. Every command takes effect at the next report: there the work may
wait, and there it is stopped. Watchers see what it believes by `watch_thinking`, or read its data while it is `still`.
Its calls reach an event loop there.

The jobs of an app all start in `Jobs`, and all are stopped there when it closes. `side_by_side` does several pieces of
work at the same time, a job each, for a caller that waits for all of them.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import Context, copy_context
from dataclasses import dataclass
from enum import Enum
from time import monotonic, thread_time
from typing import Any, Generic, TypeVar

from nimtui.engine import activity
from nimtui.errors import InputError
from nimtui.process.stopping import clock_of, saving
from nimtui.progress import SILENT, Cancelled, Progress, is_preparation
from nimtui.report.values import Count


def post(loop: asyncio.AbstractEventLoop, call: Callable[..., object], *given: Any, **more: Any) -> None:
    """Run a call in the loop's thread; ignore a closed loop."""
    try:
        loop.call_soon_threadsafe(call, *given, **more)
    except RuntimeError:
        if not loop.is_closed():
            raise


T = TypeVar("T")

STILL = 0.05  # seconds to wait for work to stand still
MOST_ALOUD = 0.02  # of its time that watched work spends on telling what it believes
CHEAP = 0.001  # seconds of the processor for a thought that may come as often as a watcher likes
DEAF = 0.25  # seconds since the end of a report after which nobody waits for the next one


class JobState(Enum):
    """The state of a job. PAUSED: asked to wait, which it does from its next report on."""

    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"

    @property
    def ended(self) -> bool:
        return self in (JobState.DONE, JobState.CANCELLED, JobState.FAILED)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The last report of a job: `done` of `total`, in the work's own unit, of what; and if that is a preparation."""

    done: float = 0
    total: float = 0
    what: str = ""
    prepares: bool = False

    @property
    def share(self) -> float | None:
        """Return how much is finished, 0 to 1; None if the total is unknown."""
        return min(1.0, max(0.0, self.done / self.total)) if self.total > 0 else None

    @property
    def far(self) -> str:
        """Return how far it is: '1,204 of 5,000', '1,204' if the total is unknown."""
        return f"{Count(self.done)} of {Count(self.total)}" if self.total else Count(self.done).text


class Job(Progress, Generic[T]):
    """Work in its own thread, whose progress it is. Every method may be called from any thread and at any time.

    A job cancelled before its end never ends as DONE. If the work finished all the same, `result` holds what it
    returned, but that is not an answer still wanted.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[Progress], T],
        beside: Progress = SILENT,
        release: Callable[[], object] = lambda: None,
    ) -> None:
        """Use `Jobs.start` instead. Callbacks run in the event loop that is running here, if there is one.

        `beside` hears all reports in the thread of the work, and may stop it. `release` is called in that thread before
        any end, also if the work was cancelled before it began.
        """
        self.name, self.beside, self._release = name, beside, release
        self._work: Callable[[Progress], T] | None = work
        try:
            self._loop: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        except RuntimeError:
            self._loop = None
        self._changed = threading.Condition()  # guards all below
        self._end: JobState | None = None
        self.cancelling = False  # was it asked to stop, even if it has stopped already?
        self._begun = self._paused = self._heard = False
        self._steps = 0
        self._pace = 0.0
        self.snapshot = Snapshot()  # the newest report; older ones are gone
        self.thinking: Any = None  # what the work believed last; None if nobody watched, or if it does not think aloud
        self._thinks_every: float | None = None  # least seconds between two thoughts; None: nobody watches
        self._thought = self._rest = 0.0  # when it last thought aloud, and the least seconds until it does so again
        self._holds = 0  # watchers for whom it stands still
        self._standing = False  # does it wait within a report?
        self._reported = 0.0  # time at which the last report ended: it may have stood still for long
        self._since: float | None = None  # start time of the work
        self._thread: int | None = None  # the thread of the work
        self._clock: Callable[[], float] | None = None  # processor time of that thread
        self._worked = 0.0  # its processor time at the cancel
        self.result: T | None = None  # of the work; None before the end, and if it returned nothing
        self.error: BaseException | None = None  # that made the job fail
        self._callbacks: list[tuple[Callable[[Job[T]], object], Context]] = []

    # State.

    @property
    def state(self) -> JobState:
        with self._changed:
            if self._end is not None:
                return self._end
            if self._paused:
                return JobState.PAUSED
            return JobState.RUNNING if self._begun else JobState.WAITING

    @property
    def paused(self) -> bool:
        return self.state is JobState.PAUSED

    @property
    def deaf(self) -> bool:
        """Return whether it was asked to stop and has not reported since, so that it does not know."""
        return self.cancelling and not self._heard and self._end is None

    @property
    def worked(self) -> float:
        """Return the processor seconds of its thread since it was asked to stop."""
        return self._used() - self._worked if self.cancelling else 0.0

    def _used(self) -> float:
        try:
            return 0.0 if self._clock is None else self._clock()
        except OSError:  # its thread has ended
            return 0.0

    @property
    def age(self) -> float:
        """Return for how many seconds it has been at work."""
        return 0.0 if self._since is None else monotonic() - self._since

    @property
    def compiling(self) -> bool:
        """Return whether its thread compiles a kernel or waits for the compiler. Nothing can interrupt that."""
        return self._thread is not None and activity.at_the_compiler(self._thread)

    @property
    def error_text(self) -> str:
        """Return the error in one line; '' without one."""
        if self.error is None:
            return ""
        message = " ".join(str(self.error).split())
        if isinstance(self.error, InputError):
            return message
        return f"{type(self.error).__name__}: {message}" if message else type(self.error).__name__

    def value(self) -> T:
        """Return the result of a finished job; raise its error, or Cancelled if it has none."""
        if self.error is not None:
            raise self.error
        if self.state is not JobState.DONE:
            raise Cancelled(self.name)
        return self.result  # type: ignore[return-value]  # T may itself be None

    def hand_over(self, done: Callable[[T], object], wrong: Callable[[str], object]) -> None:
        """Give `done` the result of the finished job; or give `wrong` its error in one line, '' if it was stopped."""
        if self.state is JobState.DONE:
            done(self.value())
        else:
            wrong(self.error_text)

    # Commands.

    def pause(self) -> None:
        """Wait at the next report, until resumed, stepped or cancelled."""
        with self._changed:
            self._paused = True

    def resume(self) -> None:
        with self._changed:
            self._paused = False
            self._steps = 0
            self._changed.notify_all()

    def step(self) -> None:
        """Pause after one more report: a paused job continues to its next report."""
        with self._changed:
            self._paused = True
            self._steps += 1
            self._changed.notify_all()

    def set_pace(self, seconds: float | None) -> None:
        """Let at least so many seconds pass between two reports; None: no delay."""
        with self._changed:
            self._pace = seconds or 0.0
            self._changed.notify_all()

    def cancel(self) -> None:
        """Stop at the next report, also while paused. Has no effect on a job that has ended."""
        with self._changed:
            if self._end is None:
                if not self.cancelling:
                    self._worked = self._used()
                self.cancelling = True
                self._changed.notify_all()

    def obey(self, what: str) -> None:
        """Obey a request for it by name: pause, continue, step or stop. Any other one has no effect."""
        commands = {"pause": self.pause, "continue": self.resume, "step": self.step, "stop": self.cancel}
        commands.get(what, lambda: None)()

    # Watching its thoughts and its data.

    def watch_thinking(self, every: float | None) -> None:
        """Let the work think aloud, at most once in `every` seconds; None: no more."""
        self._thinks_every = every

    def think(self, thinking: Callable[[], Any]) -> None:
        """Record what the work believes, if it is watched and the last time is long enough ago."""
        every, now = self._thinks_every, monotonic()
        if every is not None and now - self._thought >= max(every, self._rest):
            began = thread_time()
            self.thinking = thinking()
            took = thread_time() - began
            self._thought, self._rest = now, took / MOST_ALOUD if took > CHEAP else 0.0

    @contextmanager
    def still(self) -> Iterator[bool]:
        """Hold the work at its next report, so that its data can be read meanwhile.

        Yields False if it does not report soon: then its data must not be read. Work that has ended is always still.
        """
        with self._changed:
            self._holds += 1
            seconds = STILL if self._begun and monotonic() - self._reported < DEAF else 0.0
            still = self._changed.wait_for(lambda: self._standing or self._end is not None, seconds)
        try:
            yield still
        finally:
            with self._changed:
                self._holds -= 1
                self._changed.notify_all()

    # Waiting.

    def join(self, timeout: float | None = None) -> bool:
        """Wait for the end, however it comes, at most so many seconds; return True if it has come.

        Without an event loop the callbacks have been called by then.
        """
        with self._changed:
            return self._changed.wait_for(lambda: self._end is not None and not self._callbacks, timeout)

    def add_done_callback(self, callback: Callable[[Job[T]], object]) -> None:
        """Call `callback` with this job after it ends, however it ends; soon, if it has ended already.

        The call runs in the event loop (see `__init__`) or else in the job's thread, with the context variables of the
        caller of this method.
        """
        context = copy_context()
        with self._changed:
            if self._end is None:
                self._callbacks.append((callback, context))
                return
        self._deliver(callback, context)

    # The job's own thread.

    def run(self) -> None:
        """Do the work in the calling thread, until any end. Called once, by the runner."""
        end = JobState.DONE
        result: T | None = None
        error: BaseException | None = None
        with self._changed:
            self._begun, self._thread, self._since = True, threading.get_ident(), monotonic()
            self._clock = clock_of(self._thread)
            work, self._work = self._work, None
            release, self._release = self._release, lambda: None
            cancelled = self.cancelling
        try:
            try:
                if cancelled or work is None:
                    raise Cancelled(self.name)
                result = work(self)
            finally:
                release()
        except Cancelled:
            end = JobState.CANCELLED
        except BaseException as fault:  # noqa: BLE001 - a job must end, whatever a plug-in raises
            end, error = JobState.FAILED, fault
        del work, release  # free what they hold
        with self._changed:
            if self.cancelling and end is JobState.DONE:
                end = JobState.CANCELLED
            self.result, self.error, self._end = result, error, end
            callbacks = list(self._callbacks)
        for callback, context in callbacks:
            self._deliver(callback, context)
        with self._changed:
            self._callbacks.clear()
            self._changed.notify_all()

    def report(self, done: float, total: float, what: str = "") -> None:
        """Record a report, and wait as pace and pause demand."""
        self.beside.report(done, total, what)
        with self._changed:
            if self.cancelling:
                self._heard = True
                raise Cancelled(self.name)
            self.snapshot = Snapshot(done, total, what, is_preparation.get())
            began = monotonic()
            self._standing = True
            self._changed.notify_all()
            while not self.cancelling and not self._paused:
                rest = began + self._pace - monotonic()
                if rest <= 0:
                    break
                self._changed.wait(rest)
            while not self.cancelling and (self._holds or (self._paused and not self._steps)):
                self._changed.wait()
            self._standing = False
            self._reported = monotonic()
            if self.cancelling:
                self._heard = True
                raise Cancelled(self.name)
            self._steps = max(0, self._steps - 1)

    def _deliver(self, callback: Callable[[Job[T]], object], context: Context) -> None:
        if self._loop is not None:
            post(self._loop, callback, self, context=context)
            return
        try:
            context.run(callback, self)
        except Exception:
            logging.getLogger(__name__).exception("a callback of the job '%s' failed", self.name)


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

    def start(self, name: str, work: Callable[[Progress], T], release: Callable[[], object] = lambda: None) -> Job[T]:
        """Run `work` in a thread, then `release`. After `shutdown` a job is cancelled before it starts."""
        job = Job(name, work, release=release)
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
