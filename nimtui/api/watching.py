"""Progress of a call in a notebook or a script, and Ctrl+C, which ends the call with the results so far."""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import TracebackType
from typing import TypeAlias

from nimtui.process.interrupting import Stoppable
from nimtui.progress import Cancelled
from nimtui.report.bar import ProgressBar

Watch: TypeAlias = bool | Callable[[float, float, str], object] | None
"""How a call reports: True shows a bar; a function is called with done, total (0: unknown) and what is counted."""


class Watcher(Stoppable):
    """`with Watcher("train", progress) as watcher: work(watcher)`.

    Whatever the function of `progress` or `look`, called beside it, raises stops the work, and is raised again at the
    end of the block.
    """

    def __init__(self, what: str, progress: Watch = None, look: Callable[[], object] = lambda: None) -> None:
        super().__init__(what, (signal.SIGINT,))
        self._bar: ProgressBar | None = None
        self._shown = progress is True
        self._tell = progress if callable(progress) else None
        self._fault: Exception | None = None
        self.look = look

    def show(self, done: float, total: float, what: str) -> None:
        if self._fault is not None:
            return
        try:
            self.look()
            if self._shown:
                self._bar = self._bar or ProgressBar()
                self._bar.show(done, total, what or self.what)
            elif self._tell is not None:
                self._tell(done, total, what or self.what)
        except Exception as fault:
            self._fault = fault
            raise Cancelled(self.what) from fault

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        super().__exit__(kind, fault, trace)
        if self._fault is not None:
            raise self._fault
        if kind is Cancelled:  # nothing is there to return
            raise KeyboardInterrupt from None
