"""The list of all runs, whichever nimtui works on them, and three of them side by side."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.containers import Horizontal

from nimtui.jobs import runs_report
from nimtui.report.blocks import Table, View
from nimtui.report.cells import cells
from nimtui.report.lines import Ink, Line, fit, line
from nimtui.store import run_files
from nimtui.store.run_files import EVERY, Remote, RunFile
from nimtui.ui.kit.contract.command import Command
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.curve import Series
from nimtui.ui.kit.widgets.curve import paint as plot
from nimtui.ui.kit.widgets.page import UNTYPE, Typing, closing, filtering, is_filtering
from nimtui.ui.kit.widgets.panel import Paint, Panel, of_line, painter
from nimtui.ui.kit.widgets.virtual_list import Rows, VirtualList
from nimtui.ui.kit.work_screen import progress

BESIDE = 3  # runs that stand side by side
OPEN = "Show the run on its own screen, or continue it there"


class Watched:
    """One of the runs side by side, and the curve of a training."""

    def __init__(self, run: RunFile) -> None:
        self.remote, self.curve, self._number = Remote(run), list[Sequence[Any]](), 0

    def look(self) -> None:
        """Ask for the newest points of the curve. Not for the event loop."""
        picture = self.remote.picture(since=self._number, points=len(self.curve), nodes=[], past=-1) or {}
        with suppress(KeyError, TypeError):
            new, self._number = picture["curve"], picture.get("number", 0)
            self.curve = new if picture["points"] == len(new) else [*self.curve, *new]

    @property
    def series(self) -> Series:
        """Right moves by games; of a function those of the exact sample."""
        shares = [(games, more[1] if len(more) > 1 else first) for games, first, *more in self.curve]
        return Series("right moves", [(games, share or 0.0) for games, share in shares], brief="right")


@painter
def beside(columns: int, rows: int, signs: Glyphs, run: RunFile, watched: Watched | None) -> list[Line]:
    """Draw one run: what it is, how far and how fast, and the curve of a training."""
    title = f"{run.id}  {run.name or run.kind}"
    course = runs_report.course(run, runs_report.WORDS[run.state])
    texts = ((title, Ink.TITLE), (course, Ink.STRONG), (runs_report.far(run), Ink.TEXT))
    lines = [fit(line(text), columns, signs) for text in texts]
    if run.goal:
        lines += progress(run.done / run.goal, "")(columns, 1, signs)
    if watched is None or not watched.curve:
        return lines[:rows]
    return [*lines, *plot([watched.series], run.done, columns, rows - len(lines), signs)][:rows]


class RunsScreen(Typing[RunFile | None], place="runs"):
    """Returns the run to show, or None."""

    BINDING_GROUP_TITLE = "Runs"
    BESIDE = (VirtualList,)
    HELP = """All runs of this data folder: those of this app, of other programs and of other machines.

The first three that run stand side by side below. / filters them by words: learner, seed, game, file, state. So three \
seeds or three settings of one learner stand beside each other.

Enter shows the marked run on its own screen. A run that was stopped, cut off or failed continues there."""
    BELOW: ClassVar = {"said": lambda screen: of_line("")}

    def __init__(self) -> None:
        super().__init__()
        self._runs: Sequence[RunFile] = ()
        self._marked, self._looked = -1, -EVERY  # the number of the marked run; when they were read
        self._watched: dict[int, Watched] = {}

    def parts(self) -> ComposeResult:
        yield VirtualList(id="list", classes="box").headed("Runs")
        with Horizontal(id="beside"):
            yield from (Panel(id=f"run{at}", classes="box") for at in range(BESIDE))

    async def tick(self) -> None:
        if monotonic() - self._looked >= EVERY:
            self._looked = monotonic()
            self._runs = await asyncio.to_thread(self._look)
            self.draw()

    def _look(self) -> Sequence[RunFile]:
        with suppress(OSError):
            for watched in list(self._watched.values()):
                watched.look()
            return run_files.every()
        return ()

    def on_unmount(self) -> None:
        for watched in self._watched.values():
            watched.remote.close()

    @property
    def _at(self) -> int:
        return next((at for at, run in enumerate(self._runs) if run.id == self._marked), 0)

    def panels(self) -> Iterator[tuple[str, Paint]]:
        runs = self._runs

        def table(places: Sequence[int], columns: int, signs: Glyphs) -> Table:
            return Table("", runs_report.COLUMNS, [runs[at] for at in places], lambda run: run.id, gap=2)

        def mark(place: int) -> None:
            self._marked = runs[place].id
            self.draw()

        def empty(places: Sequence[int], columns: int, signs: Glyphs) -> list[Line]:
            return cells(runs_report.runs(()), columns, signs=signs) if self._looked > 0 else []

        view = View(runs[self._at].id if runs else None)
        searched = list(map(runs_report.searched, runs))
        more: dict[str, Any] = {"texts": lambda places: [searched[at] for at in places], "of": runs, "take": self.open}
        rows = Rows.of_table(len(runs), self._at, table, mark, view, **more) if runs else Rows(0, 0, empty, mark)
        self.query_one(VirtualList).put(rows)
        fitting = runs_report.with_words(runs, self.words.split())
        panels = sorted(fitting, key=lambda run: not run.is_on)[:BESIDE]
        live = {run.id: run for run in panels if run.is_on and run.kind == "training"}
        for id in set(self._watched) - set(live):
            self._watched.pop(id).remote.close()
        for id, run in live.items():  # whose address is another one when another program continues it
            self._watched.setdefault(id, Watched(run)).remote.file = run
        for at in range(BESIDE):
            yield f"run{at}", beside(panels[at], self._watched.get(panels[at].id)) if at < len(panels) else of_line("")

    # Actions.

    def open(self) -> None:
        self.dismiss(self._runs[self._at])

    ROWS: ClassVar[tuple[Command[Any], ...]] = (
        Command("enter", "typed", "apply", "Apply the filter", when=is_filtering),
        Command("enter", "open", "open", OPEN, open, lambda s: bool(s._runs)),
        UNTYPE,
        *filtering("runs"),
        *closing("escape,backspace")[:1],
    )
