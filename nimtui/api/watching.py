"""Progress of a call in a notebook or a script, and Ctrl+C, which ends the call with the results so far."""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeAlias

from nimtui.interrupting import Stoppable
from nimtui.progress import Cancelled

if TYPE_CHECKING:
    import rich.progress

Watch: TypeAlias = bool | Callable[[float, float, str], object] | None
"""How a call reports: True shows a bar; a function is called with done, total (0: unknown) and what is counted."""


class Watcher(Stoppable):
    """`with Watcher("train", progress) as watcher: work(watcher)`.

    Whatever the function of `progress` or `look`, called beside it, raises stops the work, and is raised again at the
    end of the block.
    """

    def __init__(self, what: str, progress: Watch = None, look: Callable[[], object] = lambda: None) -> None:
        super().__init__(what, (signal.SIGINT,))
        bar = _Bar(what) if progress is True else None
        self._bar = bar
        self._tell: Callable[[float, float, str], object] | None = bar or (progress if callable(progress) else None)
        self._fault: Exception | None = None
        self.look = look

    def show(self, done: float, total: float, what: str) -> None:
        if self._fault is not None:
            return
        try:
            self.look()
            if self._tell is not None:
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


class _Bar:
    """A bar of Rich, on a terminal and in a notebook."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._bar: rich.progress.Progress | None = None
        self._task: Any = None
        self._phase = ""

    def __call__(self, done: float, total: float, what: str) -> None:
        if self._bar is None:
            from rich.progress import Progress

            self._bar = Progress(transient=True)
            self._task = self._bar.add_task(self._what, total=None)
            self._bar.start()
        if what != self._phase:  # the time left counts for this phase only
            self._phase = what
            self._bar.reset(self._task)
        self._bar.update(self._task, completed=done, total=total or None, description=what)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()
