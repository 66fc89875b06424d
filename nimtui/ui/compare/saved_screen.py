"""The screens of a comparison of two saved things, and of the ratings of several tournaments."""

from __future__ import annotations

from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from nimtui.arena.compare.positions import Kind
from nimtui.report.blocks import Report
from nimtui.report.cells import cells
from nimtui.report.lines import BLANK, Ink, Line, beside, cut, line
from nimtui.report.values import Count
from nimtui.ui.board.position_map import PositionMap
from nimtui.ui.compare.saved import Compared
from nimtui.ui.compare.work import Positions
from nimtui.ui.kit.contract.command import Command, family
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets import curve
from nimtui.ui.kit.widgets.page import Page
from nimtui.ui.kit.widgets.panel import Panel, painter

LEAST_NAME = 20  # columns of a position, at least
TILE = 3  # columns from one tile to the next, where a quarter of the height is enough for all
FAR = 100_000  # more lines than any report has


class Scrolled(Page[None], place="report"):
    """A report on top of a screen; the arrow keys scroll."""

    def __init__(self, report: Report, first: int = 0) -> None:
        """Scroll to this line at first, if not all fit."""
        super().__init__()
        self._report, self._first, self._top = report, first, 0

    def content(self) -> ComposeResult:
        yield Panel(id="compared", classes="box -focus").headed(self.BINDING_GROUP_TITLE or "Report")

    def on_mount(self) -> None:
        self.call_after_refresh(self.go, self._first)

    def draw(self) -> None:
        self.go(0)

    def go(self, by: int) -> None:
        panel, report = self.query_one("#compared", Panel), self._report
        hidden = len(cells(report, max(1, panel.size.width), signs=self.shell.glyphs)) - panel.size.height
        top = self._top = max(0, min(hidden, self._top + by))
        panel.fill(lambda columns, rows, signs: cells(report, columns, signs=signs)[top : top + rows])

    def on_mouse_scroll_down(self) -> None:
        self.go(1)

    def on_mouse_scroll_up(self) -> None:
        self.go(-1)

    ROWS: ClassVar[tuple[Command[Any], ...]] = (
        *family("go", go, ("up,k", "Row above", "", -1), ("down,j", "Row below", "", 1), group="rows"),
        *family("go", go, ("pageup", "Page up", "", -10), ("pagedown", "Page down", "", 10)),
        *family("go", go, ("home", "First", "", -FAR), ("end", "Last", "", FAR)),
    )


@painter
def differences(columns: int, rows: int, signs: Glyphs, shown: Positions) -> list[Line]:
    """Draw the positions on which only one of two tables is right, in columns, the nearest to the end first."""
    compared, blocks = shown.compared, list[list[Line]]()
    both, most = [compared.nodes(kind).tolist() for kind in (Kind.FIRST, Kind.SECOND)], rows * columns // LEAST_NAME
    named = [
        [(shown.atlas.name(node) or "the start", f"  in {compared.distances[node]}") for node in nodes[:most]]
        for nodes in both
    ]
    wide = max(LEAST_NAME, *(2 + len(name + plies) for part in named for name, plies in part))
    room = max(2, columns // wide)  # columns of names
    one = max(1, min(room - 1, round(room * len(both[0]) / max(1, sum(map(len, both))))))
    sides = zip(("first", "second"), (Ink.ONE, Ink.TWO), (one, room - one), both, named, strict=True)
    for word, ink, number, nodes, part in sides:
        head = line((f"only the {word}: {Count(len(nodes))}", ink))
        lines = [line(name, (plies, Ink.QUIET)) for name, plies in part]
        blocks += [[BLANK if at else head, *lines[at * (rows - 1) : (at + 1) * (rows - 1)]] for at in range(number)]
    each = columns // room
    return beside([[cut(row, each - 1, signs.hidden) for row in block] for block in blocks], [each] * room)


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
        self._compared, self._pool = compared, compared.pool

    def content(self) -> ComposeResult:
        found = self._compared
        with Horizontal():
            with Vertical(id="left", classes="" if found.positions is None else "-parted"):
                yield from super().content()
                if found.positions is not None:
                    yield Panel(id="differences", classes="box").headed("Where only one is right")
            if found.positions is not None:
                with Vertical(id="right"):
                    yield self._map("map")
                    with Horizontal(id="each"):
                        yield self._map("first")
                        yield self._map("second")
                    if found.curves:
                        yield Panel(id="curves", classes="box").headed("Accuracy by games")

    def draw(self) -> None:
        super().draw()
        found = self._compared
        if found.positions is None or not self.has_class("-large"):
            return
        self.fill("differences", differences(found.positions))
        if found.curves:
            games = max(series.points[-1][0] for series in found.curves)
            self.fill("curves", lambda columns, rows, signs: curve.paint(found.curves, games, columns, rows, signs))
        difference, first, second = maps = [*self.query(PositionMap)]
        if not difference.orders:
            for drawn in maps:
                drawn.set_orders(found.positions.orders)
                drawn.heading = str(drawn.id).capitalize()
            mine, yours = found.positions.compared.verdicts
            difference.show_difference(mine, yours)
            first.show(mine)
            second.show(yours)
        right = self.query_one("#right")
        right.set_class(difference.pitch_in(right.size.width - 4, right.size.height // 4 - 2) >= TILE, "-stacked")

    def _map(self, name: str) -> PositionMap:
        drawn = PositionMap(lambda node: None, self.notify, id=name, classes="box")
        drawn.can_focus = False  # the arrow keys scroll the report
        return drawn

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self.draw)

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
