"""A comparison of two saved items, and the ratings of several tournaments."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from nimtui.report.blocks import Report
from nimtui.report.cells import cells
from nimtui.ui.kit.command import Command
from nimtui.ui.kit.page import Page
from nimtui.ui.kit.panel import Panel
from nimtui.ui.library.compare import Compared

GO = Binding.Group("rows", compact=True)


class Scrolled(Page[None]):
    """A report on top of the Library; the arrow keys scroll."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "go(-1)", "Row above", group=GO),
        Binding("down,j", "go(1)", "Row below", group=GO),
        Binding("pageup", "go(-10)", "Page up", show=False),
        Binding("pagedown", "go(10)", "Page down", show=False),
        Binding("home", "go(-100000)", "First", show=False),
        Binding("end", "go(100000)", "Last", show=False),
    ]

    def __init__(self, report: Report, first: int = 0) -> None:
        """Scroll to this line at first, if not all fit."""
        super().__init__()
        self._report, self._first, self._top = report, first, 0

    def content(self) -> ComposeResult:
        yield Panel(id="compared", classes="box -focus").headed("Comparison")

    def on_mount(self) -> None:
        self.shell.settings_changed.subscribe(self, lambda _: self.action_go(0))
        self.call_after_refresh(self.action_go, self._first)

    def action_go(self, by: int) -> None:
        panel, report = self.query_one("#compared", Panel), self._report
        hidden = len(cells(report, max(1, panel.size.width), signs=self.shell.glyphs)) - panel.size.height
        top = self._top = max(0, min(hidden, self._top + by))
        panel.fill(lambda columns, rows, signs: cells(report, columns, signs=signs)[top : top + rows])


class CompareScreen(Scrolled):
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


class PoolScreen(Scrolled):
    """Shows the ratings of several tournaments."""

    BINDING_GROUP_TITLE = "Pool"
    HELP = (
        "Rates the agents of several tournaments together, as if all games were of one tournament.\n\nGames that two "
        "tournaments share count once: the same seed plays the same games. Agents that met none of the others get no "
        "rating.\n\nThe command nimtui ratings prints the same report. Its option --anchor counts all ratings from one "
        "agent."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,c,p,backspace", "dismiss(None)", "back"),
    ]
