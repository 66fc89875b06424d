"""The screens of a comparison of two saved things, and of the ratings of several tournaments."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.app import ComposeResult

from nimtui.report.blocks import Report
from nimtui.report.cells import cells
from nimtui.ui.compare.saved import Compared
from nimtui.ui.kit.contract.command import Command, family
from nimtui.ui.kit.widgets.page import Page
from nimtui.ui.kit.widgets.panel import Panel

FAR = 100_000  # more lines than any report has


class Scrolled(Page[None], place="report"):
    """A report on top of a screen; the arrow keys scroll."""

    def __init__(self, report: Report, first: int = 0) -> None:
        """Scroll to this line at first, if not all fit."""
        super().__init__()
        self._report, self._first, self._top = report, first, 0

    def content(self) -> ComposeResult:
        yield Panel(id="compared", classes="box -focus").headed("Comparison")

    def on_mount(self) -> None:
        self.call_after_refresh(self.go, self._first)

    def draw(self) -> None:
        self.go(0)

    def go(self, by: int) -> None:
        panel, report = self.query_one("#compared", Panel), self._report
        hidden = len(cells(report, max(1, panel.size.width), signs=self.shell.glyphs)) - panel.size.height
        top = self._top = max(0, min(hidden, self._top + by))
        panel.fill(lambda columns, rows, signs: cells(report, columns, signs=signs)[top : top + rows])

    ROWS: ClassVar[tuple[Command[Any], ...]] = (
        *family("go", go, ("up,k", "Row above", "", -1), ("down,j", "Row below", "", 1), group="rows"),
        *family("go", go, ("pageup", "Page up", "", -10), ("pagedown", "Page down", "", 10)),
        *family("go", go, ("home", "First", "", -FAR), ("end", "Last", "", FAR)),
    )


class CompareScreen(Scrolled, place="comparison"):
    """Shows a comparison."""

    BINDING_GROUP_TITLE = "Compare"
    HELP = (
        "Compares two saved items side by side.\n\nTables: accuracy is the share of best moves over all positions that "
        "are not lost. The wins are computed over all possible games, not sampled.\n\nTournaments: the ratings of the "
        "agents that play in both. p rates both tournaments as one pool.\n\nGames: their moves, and where they first "
        "differ."
    )

    def __init__(self, compared: Compared) -> None:
        super().__init__(compared.report, compared.marked)
        self._pool = compared.pool

    def show_pool(self) -> None:
        if self._pool is not None:
            self.app.push_screen(PoolScreen(self._pool))

    ROWS: ClassVar[tuple[Command[CompareScreen], ...]] = (
        Command("p", "pool", "pool", "Rate both tournaments together", show_pool, lambda s: s._pool is not None),
        Command("escape,c,backspace", "dismiss(None)", "back"),
    )


class PoolScreen(Scrolled, place="pool"):
    """Shows the ratings of several tournaments."""

    BINDING_GROUP_TITLE = "Pool"
    HELP = (
        "Rates the agents of several tournaments together, as if all games were of one tournament.\n\nGames that two "
        "tournaments share count once: the same seed plays the same games. Agents that met none of the others get no "
        "rating.\n\nThe command nimtui ratings prints the same report. Its option --anchor counts all ratings from one "
        "agent."
    )
    ROWS = (Command("escape,c,p,backspace", "dismiss(None)", "back"),)
