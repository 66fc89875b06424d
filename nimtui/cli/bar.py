"""Long work of a command: its progress on stderr, as a bar or as live standings, its orderly end, and its background.

Ctrl+C, a closed terminal (SIGHUP) and SIGTERM stop the work at its next report. What is done is reported all the same.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import typer

from nimtui.cli import output
from nimtui.cli.output import write_text
from nimtui.errors import InputError
from nimtui.process import detached
from nimtui.process.stopping import STOPS, Stoppable
from nimtui.progress import Cancelled, Task
from nimtui.report.bar import ProgressBar
from nimtui.signs import visible
from nimtui.store import paths, run_files

if TYPE_CHECKING:
    from rich.live import Live
    from rich.progress import Progress
    from rich.text import Text

    from nimtui.jobs.tournament import View
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
        self._drawn: Progress | Live | None = None
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
            refresh_per_second=output.redraws(REDRAWS),
            redirect_stdout=False,  # it may start while stdout is redirected (output.others_silent) and end later
        )


# In the background: `--background` starts the same command again, without a terminal.

LOOK = 0.05  # seconds between two looks whether the run is listed
LISTED_WITHIN = 30.0  # seconds until it must be listed; it works without that in a home that cannot be written
FLAG = "--background"

arguments: tuple[str, ...] = ()  # of this command


def detach(kind: str, place: Path | int | None) -> None:
    """Start this command as a run in the background, wait until the run is listed, and say how to watch it.

    Prints what the command prints, and raises Exit with its status, if it ends before.
    """
    if detached.run_number() is not None:
        raise InputError("this command is in the background already")
    paths.ensure(run_files.folder())
    id = run_files.new_id(kind, place.resolve() if isinstance(place, Path) else place)
    text = run_files.output(id)
    process = detached.start([word for word in arguments if word != FLAG], id, text)
    until = monotonic() + LISTED_WITHIN
    while process.poll() is None and monotonic() < until:
        if any((run.id, run.pid) == (id, process.pid) for run in run_files.every()):
            break
        sleep(LOOK)
    if process.returncode:
        for line in text.read_text(encoding="utf-8", errors="replace").splitlines():
            output.tell(line.removeprefix("nimtui: "))
        text.unlink(missing_ok=True)
        raise typer.Exit(process.returncode)
    output.paragraph(f"Run {id} works in the background: nimtui runs watch {id}")
    if detached.ends_processes() and not detached.scope():
        output.tell(detached.prospect())


# The standings of a running tournament, live.

LIVE_REDRAWS = 4  # a second, at most
COSTS = 20  # the pause between two redraws is at least this many times as long as a redraw
MOST_TESTS = 8  # lines of sequential tests
SPARE = 4  # lines that the tables leave free: the games, the progress, the prompt, the cursor


class LiveTable(Bar):
    """A bar that shows the live standings, and below them the games played and the time left.

    Never exceeds the terminal, and disappears before the report is printed.
    """

    def __init__(self, view: Callable[[], View]) -> None:
        from nimtui.jobs.live_games import Waits

        super().__init__("tournament")
        self.view = view
        self._pause = 1 / output.redraws(LIVE_REDRAWS)
        self._live: Live | None = None
        self._due = 0.0
        self._waits = Waits()

    def draw(self, done: float, total: float, what: str) -> None:
        begun = monotonic()
        if begun < self._due:
            return
        if self._live is None:
            from rich.live import Live

            console = output.console(stderr=True)
            # As a bar, it is drawn at once, and nothing is printed through it.
            self._live = self._drawn = Live(console=console, auto_refresh=False, transient=True, redirect_stdout=False)
            self._live.start()
        console = self._live.console
        view = self.view()
        self._waits.look(view.playing)
        size, stuck = (console.width, console.height), self._waits.stuck(view.plan)
        self._live.update(picture(view, what, *size, console.encoding, stuck), refresh=True)
        now = monotonic()
        self._due = now + max(self._pause, COSTS * (now - begun))  # many agents take long to draw


def picture(view: View, what: str, width: int, height: int, encoding: str = "utf-8", stuck: str = "") -> Text:
    """Return the rows and columns that fit `width` x `height`, progress, who is `stuck`, and the last fault."""
    from rich.text import Text

    from nimtui.arena.standings.standings_report import standings
    from nimtui.arena.standings.statements import far, tests
    from nimtui.games import parse_game
    from nimtui.report.blocks import Report, Words
    from nimtui.report.cells import cells, table_lines
    from nimtui.report.lines import Ink, Run
    from nimtui.report.values import Clock, Pace

    signs = output.Printable(encoding)
    titles = Words([" · ".join(parse_game(name).title for name in view.plan.games)], ink=Ink.TITLE)
    parts = (  # the most important first
        f"{view.done:,} of {view.total:,} games",
        far(view.plan, view.scores),
        "" if what == "games" else what,
        Pace(view.rate).text if view.rate else "",
        "" if view.left is None else f"{Clock(view.left)} left",
        view.fault,
    )
    notes = filter(None, (stuck, f"last fault: {view.latest_fault}" if view.latest_fault else ""))
    texts = [" · ".join(filter(None, parts)), *notes][: max(1, height - SPARE - 1)]
    progress, rows = Words(texts), height - SPARE + 1 - len(texts)
    lines = table_lines(standings(view.standings), width, max(2, rows), signs=signs)
    if view.plan.sprt is not None and (room := min(rows - len(lines), MOST_TESTS)) > 0:
        lines += table_lines(tests(view.plan, view.scores, room), width, room, signs=signs)
    lines = [*cells(Report([titles]), width, signs=signs), *lines, *cells(Report([progress]), width, signs=signs)]
    bold = (Ink.TITLE, Ink.COLUMN)
    runs = [(run.text, "bold" if run.ink in bold else "") for each in lines for run in (*each, Run("\n"))]
    return Text.assemble(*runs[:-1], no_wrap=True)
