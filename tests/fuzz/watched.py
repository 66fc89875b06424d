"""The app as it is, and a record of everything that goes wrong in it, wherever that is."""

from __future__ import annotations

import logging
import sys
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from nimtui.errors import InputError
from nimtui.jobs import Job, Jobs, JobState
from nimtui.store.settings import Settings
from nimtui.ui.app.app import NimtuiApp
from nimtui.ui.app.terminal import TerminalInfo
from tests.fuzz import faults
from tests.fuzz.faults import Fault
from tests.fuzz.wire import Wire

BEAT = 0.1  # seconds between two reports of a job
CALM = Settings(animation=False, pace=0.0)


class WatchedJobs(Jobs):
    """Knows the jobs that were started since it was asked last."""

    def __init__(self) -> None:
        super().__init__()
        self.watched: list[Job[Any]] = []
        self._pace: float | None = None

    def slow_down(self) -> None:
        """From now on jobs leave most of the core to the screens, which are what is tried."""
        self._pace = BEAT
        for job in self.running():
            job.set_pace(BEAT)

    def start(self, name: str, work: Callable[..., Any]) -> Job[Any]:
        job = super().start(name, work)
        job.resume, job.step = self._counted(job, job.resume), self._counted(job, job.step)  # type: ignore[method-assign]
        self.watched.append(job)
        job.set_pace(self._pace)
        return job

    def _counted(self, job: Job[Any], let_go: Callable[[], None]) -> Callable[[], None]:
        """The same, and counted in `let_go`."""

        def counted() -> None:
            vars(job)["let_go"] = vars(job).get("let_go", 0) + 1
            let_go()

        return counted


class WatchedApp(NimtuiApp):
    """The app on a wire."""

    def __init__(self, size: tuple[int, int], terminal: TerminalInfo | None = None, settings: Settings = CALM) -> None:
        super().__init__(settings, terminal or TerminalInfo())
        self.jobs: WatchedJobs = WatchedJobs()
        self.found: list[Fault] = []
        self.recent: deque[str] = deque(maxlen=40)  # messages, for loops that never end
        self._wire_size = size

    @property
    def at_rest(self) -> bool:
        """Has all that was typed been given to the screens, and are they laid out for the terminal's size?"""
        return self._settling is None and not self._typed and self._resize_timer is None

    @property
    def wire(self) -> Wire:
        assert isinstance(self._driver, Wire)
        return self._driver

    def _build_driver(self, *given: Any, **more: Any) -> Wire:
        return Wire(self, size=self._wire_size)

    def _report(self, error: BaseException) -> tuple[str, str]:
        self.found.append(faults.of_exception(error))
        return super()._report(error)

    def open_url(self, url: str, *, new_tab: bool = True) -> None:
        """Never a browser."""

    def listen(self) -> None:
        """Take note of what goes wrong elsewhere: in threads, where nobody can be told, in what is logged."""
        threading.excepthook = lambda given: self._note(given.exc_value)
        sys.unraisablehook = lambda given: self._note(given.exc_value)
        logging.getLogger().addHandler(_Logged(self.found))

    def _note(self, error: BaseException | None) -> None:
        if error is not None:
            self.found.append(faults.of_exception(error))

    def failed_jobs(self) -> None:
        """Take note of jobs that ended in an error which is no fault of the person's."""
        left = []
        for job in self.jobs.watched:
            if job.state is JobState.FAILED and job.error is not None and not isinstance(job.error, InputError):
                self._note(job.error)
            elif not job.state.ended:
                left.append(job)
        self.jobs.watched = left

    def handled(self, message: Any) -> None:
        """Every message that any part of the app handles."""
        self.recent.append(type(message).__qualname__)


class _Logged(logging.Handler):
    """Errors that are logged and nothing else."""

    def __init__(self, found: list[Fault]) -> None:
        super().__init__(logging.ERROR)
        self._found = found

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        self._found.append(faults.of_exception(error) if error else Fault("logged", record.getMessage()[:200]))
