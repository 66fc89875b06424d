"""Progress of a long command: a bar on stderr where that is a terminal, and its orderly end where it shall stop.

Ctrl+C, a terminal that is gone (SIGHUP) and SIGTERM stop the work at its next report.
"""

from __future__ import annotations

import signal
import sys
import threading
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any

from nimtui.progress import Cancelled, Progress

if TYPE_CHECKING:
    import rich.progress

STOPS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
PATIENCE = 0.3  # seconds before a bar appears: what is done at once needs none


class Bar(Progress):
    """`with Bar("train") as bar: work(bar)`.

    The first such signal makes the next report raise Cancelled, so that the work ends between two chunks with all that
    it has; a second one interrupts at once. What is ignored (SIGHUP by nohup) stays so, but for Ctrl+C.
    """

    def __init__(self, what: str) -> None:
        self.what = what
        self.stopped = False
        self._bar: rich.progress.Progress | None = None
        self._task: Any = None
        self._before: dict[int, Any] = {}
        self._begun = 0.0

    def __enter__(self) -> Bar:
        from time import monotonic

        self._begun = monotonic()
        if threading.current_thread() is threading.main_thread():
            for number in STOPS:
                if number == signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN:
                    self._before[number] = signal.signal(number, self._stop)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)
        if self._bar is not None:
            self._bar.stop()

    def report(self, done: float, total: float, what: str = "") -> None:
        if self.stopped:
            raise Cancelled(self.what)
        if not sys.stderr.isatty():
            return
        if self._bar is None:
            from time import monotonic

            if monotonic() - self._begun < PATIENCE:
                return
            self._bar, self._task = self._open()
        self._bar.update(self._task, completed=done, total=total or None, description=what or self.what)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        if self.stopped:
            raise KeyboardInterrupt
        self.stopped = True

    def _open(self) -> tuple[rich.progress.Progress, rich.progress.TaskID]:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            Progress,
            TaskProgressColumn,
            TextColumn,
            TimeRemainingColumn,
        )

        bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TaskProgressColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
            refresh_per_second=4,
        )
        bar.start()
        return bar, bar.add_task(self.what, total=None)
