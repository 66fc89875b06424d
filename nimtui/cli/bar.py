"""Progress of a long command: a bar on stderr if that is a terminal, and an orderly end.

Ctrl+C, a closed terminal (SIGHUP) and SIGTERM stop the work at its next report. What is done is reported all the same.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import typer

from nimtui.cli import look, output
from nimtui.cli.output import write_text
from nimtui.errors import InputError
from nimtui.process.interrupting import Stoppable
from nimtui.process.stopping import STOPS
from nimtui.progress import Cancelled, Task
from nimtui.report.bar import ProgressBar
from nimtui.signs import visible

if TYPE_CHECKING:
    import rich.live
    import rich.progress

    from nimtui.report.blocks import Report

REDRAWS = 3  # a second
PATIENCE = 0.3  # seconds before a bar appears: short work needs none
FAULTS = (Cancelled, InputError, OSError, MemoryError)  # after which what is done is reported


class Bar(Stoppable):
    """`with Bar("train") as bar: work(bar)`: work that STOPS stop, in order. `remark` is shown beside the bar."""

    def __init__(self, what: str, shown: bool = True) -> None:
        super().__init__(what, STOPS)
        self.remark = ""
        self.shown = shown and sys.stderr.isatty()
        self._bar: ProgressBar | None = None
        self._drawn: rich.progress.Progress | rich.live.Live | None = None
        self._begun = monotonic()
        self._task: Task | None = None
        self._anyhow = self._told = ""

    def watch(self, task: Task, anyhow: str) -> None:
        """Say at once if results of this task cannot be saved, and that `anyhow` it continues."""
        from nimtui.jobs import recording

        self._task, self._anyhow = task, anyhow
        recording.send = output.notice

    def print(
        self, result: Report, json: bool, more: Mapping[str, Any] | None = None, where: str | None = None
    ) -> None:
        """Print a report, and where it is saved. A terminal may be closed if that is what stopped the work."""
        try:
            output.report(result, json, more)
            if where is not None and not json:
                output.paragraph(where)
        except OSError:
            if self.ended is None:
                raise
            output.discard_output()

    def write(self, file: Path | None, text: Callable[[], str]) -> None:
        """Write a file, if one is asked for; `leave` raises a fault."""
        if file is not None:
            with self.orderly(ends=(InputError,)):
                write_text(file, text())

    def leave(self, saved: bool = True) -> None:
        """Raise what ended the work early, or Exit if it is not `saved`."""
        if self.ended is not None:
            raise self.ended
        if not saved:
            raise typer.Exit(1)

    def show(self, done: float, total: float, what: str) -> None:
        fault = "" if self._task is None else self._task.fault
        if fault and fault != self._told:
            self.say(f"{fault}; {self._anyhow}")
        self._told = fault
        if self.shown and monotonic() - self._begun >= PATIENCE:
            self.draw(done, total, what)

    def draw(self, done: float, total: float, what: str) -> None:
        """Show the progress."""
        if self._bar is None:
            self._bar = self._open()
            self._drawn = self._bar.rich
        self._bar.show(done, total, visible(what or self.what), remark=visible(self.remark))

    def close(self) -> None:
        """Remove the bar from the screen."""
        if self._drawn is not None:
            self._drawn.stop()

    def say(self, line: str) -> None:
        """Print a line on stderr, above the bar if one is shown."""
        if self._drawn is None:
            output.tell(line)
        else:
            self._drawn.console.print(f"nimtui: {visible(line)}", markup=False, highlight=False, soft_wrap=True)

    def _open(self) -> ProgressBar:
        from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn

        return ProgressBar(
            [
                TextColumn("{task.description}", markup=False),
                BarColumn(bar_width=None),
                TaskProgressColumn(),
                TimeRemainingColumn(),
                TextColumn("{task.fields[remark]}", markup=False),
            ],
            console=output.console(stderr=True),
            expand=True,
            refresh_per_second=look.redraws(REDRAWS),
            redirect_stdout=False,  # it may start while stdout is redirected (output.others_silent) and end later
        )
