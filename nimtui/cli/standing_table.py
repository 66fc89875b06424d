"""The standings of a running tournament, live."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING

from nimtui.arena.standings.standings_report import standings
from nimtui.arena.standings.statements import far, tests
from nimtui.cli import look, output
from nimtui.cli.bar import Bar
from nimtui.jobs.live_games import Waits
from nimtui.report.blocks import Report, Words
from nimtui.report.cells import cells, table_lines
from nimtui.report.lines import Ink, Run
from nimtui.report.values import Clock, Pace

if TYPE_CHECKING:
    from rich.live import Live
    from rich.text import Text

    from nimtui.jobs.tournament import View

REDRAWS = 4  # a second, at most
COSTS = 20  # the pause between two redraws is at least this many times as long as a redraw
MOST_TESTS = 8  # lines of sequential tests
SPARE = 4  # lines that the tables leave free: the games, the progress, the prompt, the cursor


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
        self._waits = Waits()

    def draw(self, done: float, total: float, what: str) -> None:
        begun = monotonic()
        if begun < self._due:
            return
        if self._live is None:
            from rich.live import Live

            console = output.console(stderr=True)
            # As in bar.py: it is drawn at once, and nothing is printed through it.
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

    from nimtui.games import parse_game

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
