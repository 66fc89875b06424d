"""A comparison of two saved items, and the ratings of several tournaments."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from nimtui.report.blocks import Report
from nimtui.report.cells import cells
from nimtui.report.lines import Line
from nimtui.ui.kit.command import Command
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.page import Page
from nimtui.ui.kit.panel import Paint, Panel
from nimtui.ui.library import view as library_view
from nimtui.ui.library.compare import Compared

GO = Binding.Group("rows", compact=True)


class Scrolled(Page[None]):
    """A page of rows on top of the Library; the arrow keys scroll."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "go(-1)", "Row above", group=GO),
        Binding("down,j", "go(1)", "Row below", group=GO),
        Binding("pageup", "go(-10)", "Page up", show=False),
        Binding("pagedown", "go(10)", "Page down", show=False),
        Binding("home", "go(-100000)", "First", show=False),
        Binding("end", "go(100000)", "Last", show=False),
    ]
    first_top = 0  # the row that is scrolled to at first

    def __init__(self) -> None:
        super().__init__()
        self._top = 0

    def painted(self, top: int) -> Paint:
        """Return the painter of the rows from `top` on."""
        raise NotImplementedError

    def hidden(self, columns: int, rows: int) -> int:
        """Return how many rows of all are hidden at most in so many lines."""
        raise NotImplementedError

    def content(self) -> ComposeResult:
        yield Panel(id="compared", classes="box -focus").headed("Comparison")

    def on_mount(self) -> None:
        self.shell.settings_changed.subscribe(self, lambda _: self._draw())
        self.call_after_refresh(self.action_go, self.first_top)

    def _draw(self) -> None:
        self.query_one("#compared", Panel).fill(self.painted(self._top))

    def action_go(self, by: int) -> None:
        panel = self.query_one("#compared", Panel)
        most = self.hidden(max(1, panel.size.width), panel.size.height)
        self._top = max(0, min(most, self._top + by))
        self._draw()


class CompareScreen(Scrolled):
    """Shows a comparison."""

    BINDING_GROUP_TITLE = "Compare"
    HELP = (
        "Compares two saved items side by side.\n\nTables: accuracy is the share of best moves over all positions that "
        "are not lost. The wins are computed over all possible games, not sampled.\n\nTournaments: the ratings of the "
        "agents that play in both. p rates both tournaments as one pool.\n\nGames: their moves, and where they first "
        "differ."
    )

    def __init__(self, found: Compared) -> None:
        super().__init__()
        self._found = found
        self.first_top = 0 if found.marked is None else found.marked - 3

    def painted(self, top: int) -> Paint:
        return library_view.compared(self._found, top)

    def hidden(self, columns: int, rows: int) -> int:
        return library_view.room_below(self._found, columns, rows)

    def show_pool(self) -> None:
        if self._found.pool is not None:
            self.app.push_screen(PoolScreen(self._found.pool))

    ROWS: ClassVar[tuple[Command[CompareScreen], ...]] = (
        Command("p", "pool", "pool", "Rate both tournaments together", show_pool, lambda s: s._found.pool is not None),
        Command("escape,c,backspace", "dismiss(None)", "back"),
    )


class ReportScreen(Scrolled):
    """Shows a report."""

    def __init__(self, report: Report) -> None:
        super().__init__()
        self._report = report

    def painted(self, top: int) -> Paint:
        def paint(columns: int, rows: int, signs: Glyphs) -> list[Line]:
            return cells(self._report, columns, signs=signs)[top : top + rows]

        return paint

    def hidden(self, columns: int, rows: int) -> int:
        return max(0, len(cells(self._report, columns, signs=self.shell.glyphs)) - rows)


class PoolScreen(ReportScreen):
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
