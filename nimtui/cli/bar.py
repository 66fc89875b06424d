"""Progress of a long command: a bar on stderr if that is a terminal, and an orderly stop.

Ctrl+C, a closed terminal (SIGHUP) and SIGTERM stop the work at its next report.
"""

from __future__ import annotations

import sys
from time import monotonic
from typing import TYPE_CHECKING, Any

from nimtui.cli import look, output
from nimtui.foreign.signs import visible
from nimtui.interrupting import Stoppable
from nimtui.stopping import STOPS

if TYPE_CHECKING:
    import rich.live
    import rich.progress

REDRAWS = 3  # a second
PATIENCE = 0.3  # seconds before a bar appears: short work needs none


class Bar(Stoppable):
    """`with Bar("train") as bar: work(bar)`: work that STOPS stop, in order. `remark` is shown beside the bar."""

    def __init__(self, what: str, shown: bool = True) -> None:
        super().__init__(what, STOPS)
        self.remark = ""
        self.shown = shown and sys.stderr.isatty()
        self._phase = ""
        self._bar: rich.progress.Progress | None = None
        self._drawn: rich.progress.Progress | rich.live.Live | None = None
        self._task: Any = None
        self._begun = monotonic()

    def show(self, done: float, total: float, what: str) -> None:
        if self.shown and monotonic() - self._begun >= PATIENCE:
            self.draw(done, total, what)

    def draw(self, done: float, total: float, what: str) -> None:
        """Show the progress."""
        if self._bar is None:
            self._bar, self._task = self._open()
            self._drawn = self._bar
        phase = visible(what or self.what)
        if phase != self._phase:  # the time left counts for this phase only
            self._phase = phase
            self._bar.reset(self._task, completed=int(done))
        self._bar.update(
            self._task, completed=done, total=total or None, description=phase, remark=visible(self.remark)
        )

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

    def _open(self) -> tuple[rich.progress.Progress, rich.progress.TaskID]:
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

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
