"""The standings of a running tournament, live."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING

from nimtui.arena.columns import GAP, table
from nimtui.arena.figures import pace
from nimtui.arena.verdict_words import far, live_lines
from nimtui.cli import look, output
from nimtui.cli.bar import Bar

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

    from nimtui.jobs.tournament import View

REDRAWS = 4  # a second, at most
COSTS = 20  # the pause between two redraws is at least this many times as long as a redraw
MOST_TESTS = 8  # lines of sequential tests
SPARE = 5  # lines that the rows leave free: the games, the head, the progress, the prompt, the cursor


class LiveTable(Bar):
    """A bar that shows the live standings, and below them the games played and the time left.

    Never exceeds the terminal, and disappears before the report is printed.
    """

    def __init__(self, view: Callable[[], View]) -> None:
        super().__init__("tournament")
        self.view = view
        self._pause = 1 / look.redraws(REDRAWS)
        self._live: Live | None = None
        self._due = 0.0

    def draw(self, done: float, total: float, what: str) -> None:
        begun = monotonic()
        if begun < self._due:
            return
        if self._live is None:
            self._live = self._open_live()
        console = self._live.console
        self._live.update(picture(self.view(), what, console.width, console.height, console.encoding), refresh=True)
        now = monotonic()
        self._due = now + max(self._pause, COSTS * (now - begun))  # many agents take long to draw

    def close(self) -> None:
        if self._live is not None:
            self._live.stop()

    def say(self, line: str) -> None:
        if self._live is None:
            super().say(line)
        else:
            self._above(self._live.console, line)

    def _open_live(self) -> Live:
        from rich.live import Live

        console = output.console(stderr=True)
        live = Live(console=console, auto_refresh=False, transient=True, redirect_stdout=False)  # as in bar.py
        live.start()
        return live


def picture(view: View, what: str, width: int, height: int, encoding: str = "utf-8") -> Table:
    """Return the rows and columns that fit `width` x `height`, and the progress line."""
    from rich.table import Table
    from rich.text import Text

    from nimtui.games import parse_game

    standings = view.standings
    shown = max(1, min(len(standings.rows), height - SPARE))
    found = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="bold", highlight=False)
    columns = table(standings, width)
    for column in columns:
        found.add_column(
            column.name,
            justify="left" if column.left else "right",
            no_wrap=True,
            overflow="ellipsis" if encoding.startswith("utf") else "crop",
        )
    for cells in list(zip(*(column.cells for column in columns), strict=True))[:shown]:
        found.add_row(*(Text(output.encodable(cell, encoding)) for cell in cells))
    whole = Table.grid()
    titles = " · ".join(parse_game(name).title for name in view.plan.games)
    whole.add_row(Text(output.encodable(titles, encoding), style="bold", no_wrap=True, overflow="crop"))
    whole.add_row(found)
    room = max(0, height - SPARE - shown)
    for line in live_lines(view.plan, view.scores, width, min(room, MOST_TESTS)):
        whole.add_row(Text(output.encodable(line, encoding), no_wrap=True, overflow="crop"))
    more = len(standings.rows) - shown
    line = " · ".join(_progress(view, what) + ([f"{more} more below"] if more else []))
    whole.add_row(Text(output.encodable(line, encoding), no_wrap=True, overflow="crop"))
    return whole


def _progress(view: View, what: str) -> list[str]:
    """Return the parts of the progress line, the most important first."""
    parts = [f"{view.done:,} of {view.total:,} games"]
    if view.plan.sprt is not None:
        parts.append(far(view.plan, view.scores))
    if what and what != "games":
        parts.append(what)
    if view.rate:
        parts.append(pace(view.rate))
    if view.left is not None:
        parts.append(f"{clock(view.left)} left")
    if view.faults:
        parts.append(f"last fault: {view.faults[-1]}")
    if view.fault:
        parts.append(view.fault)
    return parts


def clock(seconds: float) -> str:
    """Format a duration: '0:07', '12:30', '3:00:05'."""
    whole = max(0, round(seconds))
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"
