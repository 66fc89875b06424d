"""Work that Ctrl+C stops in order: at its next report, or soon after if it does not report."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from time import sleep
from types import FrameType
from typing import Any, Self

from nimtui.process.stopping import heard, saving
from nimtui.progress import Cancelled, Progress

STOPPED = (Cancelled, KeyboardInterrupt)
UNHEARD = 0.25  # seconds that work may take to report after a signal before it is interrupted


class Stoppable(Progress):
    """`with Stoppable("train", [signal.SIGINT]) as progress: work(progress)`.

    The first of these signals makes the next report raise Cancelled, so the work ends between two chunks with its
    results. A second signal interrupts at once. Work that does not report for UNHEARD seconds after the first signal,
    such as a rule that loops, is interrupted too. An ignored signal (SIGHUP by nohup) stays ignored, except Ctrl+C.
    Outside the main thread no signal is watched.
    """

    def __init__(self, what: str, signals: Sequence[int]) -> None:
        self.what = what
        self.stopped = False
        self.stopped_by = 0  # the first signal
        self.ended: BaseException | None = None  # what ended an orderly block
        self._signals = signals
        self._heard = False  # has the work been told to stop, or has it ended?
        self._insisted = False  # does the next signal come from `_insist`?
        self._hook: Callable[[sys.UnraisableHookArgs], object] | None = None  # sys.unraisablehook before this
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for number in self._signals:
                if number == signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN:
                    self._before[number] = signal.signal(number, self._stop)
            self._hook, sys.unraisablehook = sys.unraisablehook, self._unraisable
        return self

    def __exit__(self, kind: object, *more: object) -> None:
        self._heard = True
        for number, before in self._before.items():
            signal.signal(number, before)
        if self._hook is not None:
            sys.unraisablehook = self._hook
        with suppress(OSError):  # the terminal may be gone
            self.close()

    @contextmanager
    def orderly(
        self, some: Callable[[], object] = lambda: True, ends: tuple[type[BaseException], ...] = STOPPED
    ) -> Iterator[None]:
        """Go on after the block if a stop, or another of these `ends`, ends it and `some` result is there.

        `ended` is then what ended it.
        """
        try:
            yield
        except ends as ended:
            if not some():
                raise
            self.ended = self.ended or ended

    def report(self, done: float, total: float, what: str = "") -> None:
        if self.stopped:
            self._heard = True
            raise Cancelled(self.what)
        self.show(done, total, what)

    def show(self, done: float, total: float, what: str) -> None:
        """Show the progress; shows nothing unless a subclass does."""

    def close(self) -> None:
        """Remove what is shown."""

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
