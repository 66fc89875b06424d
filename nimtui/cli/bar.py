"""Progress of a long command: a bar on stderr where that is a terminal, and its orderly end where it shall stop.

Ctrl+C, a terminal that is gone (SIGHUP) and SIGTERM stop the work at its next report.
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

from nimtui.cli import output
from nimtui.foreign.signs import visible
from nimtui.progress import Cancelled, Progress
from nimtui.stopping import STOPS, heard, saving

if TYPE_CHECKING:
    import rich.progress
    from rich.console import Console

REFRESHES = 3  # a second
PATIENCE = 0.3  # seconds before a bar appears: what is done at once needs none
UNHEARD = 0.25  # seconds that work has to report after a signal, before it is interrupted


class Bar(Progress):
    """`with Bar("train") as bar: work(bar)`.

    The first such signal makes the next report raise Cancelled, so that the work ends between two chunks with all that
    it has; a second one interrupts at once. Work that reports nothing for a while after the first, such as a rule that
    loops, is interrupted as by a second one. What is ignored (SIGHUP by nohup) stays so, but for Ctrl+C.
    `remark` is shown beside the bar.
    """

    def __init__(self, what: str, shown: bool = True) -> None:
        self.what = what
        self.remark = ""
        self.stopped = False
        self._heard = False  # has the work been told to stop, or is it at its end?
        self._insisted = False  # is the next signal one of our own?
        self._hook: Callable[[sys.UnraisableHookArgs], object] | None = None  # as it was before
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
        """Show how far it is."""
        if self._bar is None:
            self._bar, self._task = self._open()
        phase = visible(what or self.what)
        if phase != self._phase:  # the time left is that of this phase
            self._phase = phase
            self._bar.reset(self._task, completed=int(done))
        self._bar.update(
            self._task, completed=done, total=total or None, description=phase, remark=visible(self.remark)
        )

    def close(self) -> None:
        """Take away what is shown."""
        if self._bar is not None:
            self._bar.stop()

    def say(self, line: str) -> None:
        """Print a line on stderr, above the bar where there is one."""
        output.tell(line) if self._bar is None else self._above(self._bar.console, line)

    @staticmethod
    def _above(console: Console, line: str) -> None:
        console.print(f"nimtui: {visible(line)}", markup=False, highlight=False, soft_wrap=True)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        heard()
        ours, self._insisted = self._insisted, False
        if ours and self._heard:
            return
        if self.stopped:
            raise KeyboardInterrupt
        self.stopped = True
        self._start_insisting()

    def _unraisable(self, fault: sys.UnraisableHookArgs) -> None:
        """Hear of what cannot be raised where it is: an interrupt is lost while LLVM asks Python, so it comes again."""
        if issubclass(fault.exc_type, KeyboardInterrupt):
            self._start_insisting()
        elif self._hook is not None:
            self._hook(fault)

    def _start_insisting(self) -> None:
        threading.Thread(target=self._insist, name="insisting", daemon=True).start()

    def _insist(self) -> None:
        """Interrupt work that does not report, once nothing is being saved."""
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
            refresh_per_second=REFRESHES,
            redirect_stdout=False,  # it may begin while stdout is another one (output.others_silent), and end later
        )
        bar.start()
        return bar, bar.add_task(self.what, total=None, remark="")
