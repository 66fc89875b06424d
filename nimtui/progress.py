"""Progress: how long work reports how far it is, and learns that it should stop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import perf_counter
from typing import Any

is_preparation: ContextVar[bool] = ContextVar("is_preparation", default=False)


@contextmanager
def preparation() -> Iterator[None]:
    """Mark what this thread reports meanwhile as a preparation: its share is not the share of the work itself."""
    token = is_preparation.set(True)
    try:
        yield
    finally:
        is_preparation.reset(token)


class Cancelled(Exception):
    """Raised when the work should stop. Its finished parts stay valid."""


class TimeUp(Cancelled):
    """Raised when the time for one answer is up. The work returns its best answer so far, if it has one."""


class Progress:
    """Receives reports from long work, which calls `report` between chunks of some 10 to 100 ms.

    This class ignores them. A job is the progress of its work: it pauses, steps and cancels.
    """

    def report(self, done: float, total: float, what: str = "") -> None:
        """Report that `done` of `total` is finished. May wait while paused; raises Cancelled."""

    def think(self, thinking: Callable[[], Any]) -> None:
        """Offer what the work believes so far. `thinking` is called at once, but only for a watcher."""

    def seconds_left(self) -> float:
        """Return the seconds of work until `report` raises TimeUp; infinite without a clock."""
        return inf


SILENT = Progress()


class Task:
    """What is worked on. Any thread may read it at any time; after a stop it can be worked on again."""

    view: Any = None  # what is done: `done` and `finished`. Two views that differ are two objects
    kind = ""  # as the list of runs calls it, such as training; '': it is not listed
    remote: Any = None  # the run of another program that is only followed here; None: an own one
    workers = 1  # processes that work on it
    job: Any = None  # that works on it, for other programs; None before
    writer: Any = None  # saves what is done: `fault` says why it cannot, `close` releases its file; None: nothing does

    @property
    def place(self) -> Any:
        """Return the file or the number in the database in which it is saved; None if it is not."""
        return None if self.writer is None else self.writer.path

    @property
    def about(self) -> tuple[str, str]:
        """Return the name that tells it from others of its kind, and the game."""
        return "", ""

    @property
    def done(self) -> int:
        """Return how much is done, in the task's own unit."""
        return int(self.view.done)

    @property
    def finished(self) -> bool:
        return bool(self.view.finished)

    @property
    def fault(self) -> str:
        """Say why results cannot be saved at the moment, in one line; '' if they can."""
        return "" if self.writer is None else str(self.writer.fault)

    def held(self) -> bool:
        """Return whether the job is paused."""
        return self.job is not None and bool(self.job.paused)

    def picture(self, question: dict[str, Any]) -> str:
        """Return what another program asks to see, beyond how far it is, as the text of a JSON object."""
        return "{}"

    def steer(self, what: str, amount: float | None) -> None:
        """Obey a request of another program while its job runs. Raises InputError if that is impossible."""
        self.job.obey(what)

    def work(self, progress: Progress = SILENT) -> object:
        """Do the rest. Raises Cancelled when the progress does; what is done stays."""
        raise NotImplementedError

    def close(self) -> None:
        """Release its file, so that it can be resumed, here or elsewhere."""
        if self.writer is not None:
            self.writer.close()


class Relay(Progress):
    """Passes everything on to another progress."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def report(self, done: float, total: float, what: str = "") -> None:
        self._progress.report(done, total, what)

    def think(self, thinking: Callable[[], Any]) -> None:
        self._progress.think(thinking)

    def seconds_left(self) -> float:
        return self._progress.seconds_left()


class Within(Relay):
    """Raises TimeUp after so many seconds of work, and reports how many have passed.

    The time of a report does not count: it may be a pause.
    """

    def __init__(self, progress: Progress, seconds: float, clock: Callable[[], float] = perf_counter) -> None:
        super().__init__(progress)
        self._seconds, self._clock = seconds, clock
        self._until = clock() + seconds

    def report(self, done: float, total: float, what: str = "") -> None:
        now = self._clock()
        if now >= self._until:
            raise TimeUp
        self._progress.report(self._seconds - (self._until - now), self._seconds, what)
        self._until += self._clock() - now

    def seconds_left(self) -> float:
        return min(self._until - self._clock(), self._progress.seconds_left())


class Aloud(Relay):
    """Offers with each report what the work believes by then."""

    def __init__(self, progress: Progress, thinking: Callable[[], Any]) -> None:
        super().__init__(progress)
        self._thinking = thinking

    def report(self, done: float, total: float, what: str = "") -> None:
        self._progress.think(self._thinking)
        self._progress.report(done, total, what)
