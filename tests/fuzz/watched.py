"""The app on a wire, and a record of everything that goes wrong in it, wherever that is."""

from __future__ import annotations

import logging
import sys
import threading
from codecs import getincrementaldecoder
from collections import deque
from collections.abc import Callable
from typing import Any

from textual import events
from textual.drivers.headless_driver import HeadlessDriver
from textual.geometry import Size
from textual.message import Message

from nimtui.errors import InputError
from nimtui.jobs import Job, Jobs, JobState
from nimtui.store.settings import Settings
from nimtui.ui.app.app import NimtuiApp
from nimtui.ui.app.driver import InputParser
from nimtui.ui.app.terminal import TerminalInfo
from tests.fuzz import faults
from tests.fuzz.faults import Fault

BEAT = 0.1  # seconds between two reports of a job
CALM = Settings(animation=False, pace=0.0)


class Wire(HeadlessDriver):
    """A terminal that is a list of bytes: read as the app's own driver reads a real one, without its thread.

    All events of one write are in the app's queue before any of them is handled, as after a stalled link.
    """

    is_headless = False  # type: ignore[assignment] # then nothing would be drawn

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._hearing = InputParser()
        self._decode = getincrementaldecoder("utf-8")("replace").decode

    def write(self, data: str) -> None:
        """Nobody looks."""

    def send_message(self, message: Message) -> None:
        self._app.post_message(message)

    def type(self, data: bytes) -> int:
        """Read these bytes at once; returns how many events they were."""
        heard = list(self._hearing.hear(self._decode(data)))
        parser = self._hearing._parser
        parser._timeout_time = 0.0 if parser._awaiting.timeout is not None else None
        heard += self._hearing.hear("")  # an Escape that nothing follows
        for event in heard:
            self.process_message(event)
        return max(1, len(heard))

    def resize(self, columns: int, lines: int) -> None:
        size = Size(columns, lines)
        self._size = (columns, lines)
        self._app.post_message(events.Resize(size, size))


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

    def start(self, name: str, work: Callable[..., Any], release: Callable[[], object] = lambda: None) -> Job[Any]:
        job = super().start(name, work, release)
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
        self._note(error)
        return super()._report(error)

    def open_url(self, url: str, *, new_tab: bool = True) -> None:
        """Never a browser."""

    def listen(self) -> None:
        """Take note of what goes wrong elsewhere: in threads, where nobody can be told, in what is logged."""
        threading.excepthook = lambda given: self._note(given.exc_value)
        sys.unraisablehook = lambda given: self._note(given.exc_value)
        handler = logging.Handler(logging.ERROR)
        handler.emit = self._log  # type: ignore[method-assign]
        logging.getLogger().addHandler(handler)

    def _log(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        self.found.append(faults.of_exception(error) if error else Fault("logged", record.getMessage()[:200]))

    def _note(self, error: BaseException | None) -> None:
        if error is not None:
            self.found.append(faults.of_exception(error))

    def failed_jobs(self) -> None:
        """Take note of jobs that ended in an error which is no fault of the person's."""
        for job in self.jobs.watched:
            if job.state is JobState.FAILED and not isinstance(job.error, InputError):
                self._note(job.error)
        self.jobs.watched = [job for job in self.jobs.watched if not job.state.ended]

    def handled(self, message: Any) -> None:
        """Every message that any part of the app handles."""
        self.recent.append(type(message).__qualname__)
