"""Progress of a long command: a bar on stderr if that is a terminal, and an orderly stop.

Ctrl+C, a closed terminal (SIGHUP) and SIGTERM stop the work at its next report.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from time import sleep
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any

from nimtui.cli import look, output
from nimtui.foreign.signs import visible
from nimtui.progress import Cancelled, Progress
from nimtui.stopping import STOPS, heard, saving

if TYPE_CHECKING:
    import rich.progress
    from rich.console import Console

REDRAWS = 3  # a second
PATIENCE = 0.3  # seconds before a bar appears: short work needs none
UNHEARD = 0.25  # seconds that work may take to report after a signal before it is interrupted


class Bar(Progress):
    """`with Bar("train") as bar: work(bar)`.

    The first of these signals makes the next report raise Cancelled, so the work ends between two chunks with its
    results. A second signal interrupts at once. Work that does not report for UNHEARD seconds after the first signal,
    such as a rule that loops, is interrupted too. An ignored signal (SIGHUP by nohup) stays ignored, except Ctrl+C.
    `remark` is shown beside the bar.
    """

    def __init__(self, what: str, shown: bool = True) -> None:
        self.what = what
        self.remark = ""
        self.stopped = False
        self.stopped_by = 0  # the first signal
        self._heard = False  # has the work been told to stop, or has it ended?
        self._insisted = False  # does the next signal come from `_insist`?
        self._hook: Callable[[sys.UnraisableHookArgs], object] | None = None  # sys.unraisablehook before this bar
        self.shown = shown and sys.stderr.isatty()
        self._phase = ""
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
            self._hook, sys.unraisablehook = sys.unraisablehook, self._unraisable
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._heard = True
        for number, before in self._before.items():
            signal.signal(number, before)
        if self._hook is not None:
            sys.unraisablehook = self._hook
        with suppress(OSError):  # the terminal may be gone
            self.close()

    def report(self, done: float, total: float, what: str = "") -> None:
        if self.stopped:
            self._heard = True
            raise Cancelled(self.what)
        if not self.shown:
            return
        from time import monotonic

        if monotonic() - self._begun >= PATIENCE:
            self.draw(done, total, what)

    def draw(self, done: float, total: float, what: str) -> None:
        """Show the progress."""
        if self._bar is None:
            self._bar, self._task = self._open()
        phase = visible(what or self.what)
        if phase != self._phase:  # the time left counts for this phase only
            self._phase = phase
            self._bar.reset(self._task, completed=int(done))
        self._bar.update(
            self._task, completed=done, total=total or None, description=phase, remark=visible(self.remark)
        )

    def close(self) -> None:
        """Remove the bar from the screen."""
        if self._bar is not None:
            self._bar.stop()

    def say(self, line: str) -> None:
        """Print a line on stderr, above the bar if one is shown."""
        output.tell(line) if self._bar is None else self._above(self._bar.console, line)

    @staticmethod
    def _above(console: Console, line: str) -> None:
        console.print(f"nimtui: {visible(line)}", markup=False, highlight=False, soft_wrap=True)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        heard(number)
        ours, self._insisted = self._insisted, False
        if ours and self._heard:
            return
        if self.stopped:
            raise KeyboardInterrupt
        self.stopped, self.stopped_by = True, number
        self._start_insisting()

    def _unraisable(self, fault: sys.UnraisableHookArgs) -> None:
        """Repeat an interrupt that Python could not raise: it is lost inside a callback of LLVM."""
        if issubclass(fault.exc_type, KeyboardInterrupt):
            self._start_insisting()
        elif self._hook is not None:
            self._hook(fault)

    def _start_insisting(self) -> None:
        threading.Thread(target=self._insist, name="insisting", daemon=True).start()

    def _insist(self) -> None:
        """Interrupt work that does not report, but never while something is being saved."""
        sleep(UNHEARD)
        while not self._heard and saving():
            sleep(UNHEARD / 10)
        if not self._heard:
            self._insisted = True
            if hasattr(signal, "pthread_kill"):
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            else:
                signal.raise_signal(signal.SIGINT)

    def _open(self) -> tuple[rich.progress.Progress, rich.progress.TaskID]:
        from rich.progress import (
            BarColumn,
            Progress,
            TaskProgressColumn,
            TextColumn,
            TimeRemainingColumn,
        )

        bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=None),
            TaskProgressColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[remark]}", markup=False),
            console=output.console(stderr=True),
            transient=True,
            expand=True,
            refresh_per_second=look.redraws(REDRAWS),
            redirect_stdout=False,  # it may start while stdout is redirected (output.others_silent) and end later
        )
        bar.start()
        return bar, bar.add_task(self.what, total=None, remark="")
