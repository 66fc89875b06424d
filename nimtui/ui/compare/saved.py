"""Two saved tables, tournaments or games side by side, or several tournaments as one pool: reports, and their screens.

A report takes a while. A table is a file, the others are numbers in the database. InputError if one cannot be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeAlias

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from nimtui.agents import parse_agent
from nimtui.arena.compare.comparison import Kind
from nimtui.arena.play.entrants import labels
from nimtui.arena.standings.games_report import steps_of
from nimtui.arena.standings.pool import gather, rated, saved_standings
from nimtui.arena.standings.standings import Field
from nimtui.arena.standings.standings_report import Cents, ratings
from nimtui.errors import InputError
from nimtui.games import Game
from nimtui.games.notation import plural
from nimtui.learning.curve_points import column
from nimtui.learning.evaluate import compare
from nimtui.learning.graph_table import why_untrainable
from nimtui.learning.learner import distinct_names
from nimtui.learning.saved_tables import called, load_file
from nimtui.learning.table import Table as Learned
from nimtui.learning.table import load_run
from nimtui.playing.setup import usual_name
from nimtui.progress import Progress
from nimtui.report.blocks import Block, Column, Gap, Report, Sentence, Table
from nimtui.report.cells import cells
from nimtui.report.lines import BLANK, Ink, Line, beside, cut, line
from nimtui.report.values import UNKNOWN, Count, Mean, Share, Value, Word, valued
from nimtui.store.database import Database
from nimtui.store.game_list import game
from nimtui.store.tournaments import info
from nimtui.ui.board.position_map import PositionMap
from nimtui.ui.compare.work import Positions, positions
from nimtui.ui.kit.contract.command import Command, family
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets import curve
from nimtui.ui.kit.widgets.curve import Series
from nimtui.ui.kit.widgets.page import Page
from nimtui.ui.kit.widgets.panel import Panel, painter

Version: TypeAlias = tuple[Path, int | None]  # the file of a table, and the number of its lesson; None: the newest
Row: TypeAlias = Sequence[str | Value]  # label, of the first, of the second


class Compared(NamedTuple):
    """A comparison of two saved things."""

    report: Report
    marked: int = 0  # the row where they first differ
    pool: Report | None = None  # of two tournaments: their ratings together, unless nothing is played
    positions: Positions | None = None  # of two tables of one game: where each is right
    curves: tuple[Series, ...] = ()  # of two runs: how each learned


def _beside(
    rows: Sequence[Row], sentences: Sequence[str], heads: Sequence[str] = ("first", "second"), marked: int | None = None
) -> Report:
    """Return the report of two columns, with the row of this number marked."""

    def ink(row: Row) -> Ink:
        return Ink.BAD if marked is not None and row is rows[marked] else Ink.TEXT

    def of(at: int) -> Column:
        return Column(heads[at - 1], lambda row: valued(row[at]), left=True, ink=ink)

    label = Column("", lambda row: Word(f"{'→ ' * (ink(row) is Ink.BAD)}{row[0]}"), left=True, ink=Ink.QUIET)
    parts: list[Sequence[Block]] = [[Table("", [label, of(1), of(2)], rows)], [Gap()], [*map(Sentence, sentences)]]
    return Report([block for part in parts[:: 1 if marked is None else -1] for block in part])


# Tables.


def tables(one: Version, other: Version, progress: Progress) -> Compared:
    (mine, my_run, my_name), (yours, your_run, your_name) = _loaded(*one), _loaded(*other)
    names = distinct_names([mine.learner, yours.learner])
    rows: list[Row] = [
        ("file", my_name, your_name),
        ("game", usual_name(mine.game.name), usual_name(yours.game.name)),
        ("learner", *names),
        ("games", Count(mine.games), Count(yours.games)),
        ("seed", str(mine.seed), str(yours.seed)),
    ]
    if mine.game != yours.game:
        rows.append(("accuracy", _measured(my_run), _measured(your_run)))
        return Compared(_beside(rows, ["Tables of different games share no positions."]))
    more, lines = _played(mine, yours, progress)
    points = [(run or {}).get("curve") or [] for run in (my_run, your_run)]
    measured = "accuracy" if all(column(each, "accuracy") for each in points) else "right_moves"
    curves = tuple(Series(str(names[at]), column(each, measured), at) for at, each in enumerate(points))
    drawn = curves if all(series.points for series in curves) else ()
    if drawn and measured == "right_moves":
        more = [("right moves", *(Share(series.points[-1][1]) for series in curves)), *more]
    return Compared(
        _beside([*rows, *more], lines), positions=_everywhere(mine.game, one, other, progress), curves=drawn
    )


def _everywhere(game: Game, one: Version, other: Version, progress: Progress) -> Positions | None:
    """Return where two tables are right, on all positions; None for lessons, one table twice, and large games."""
    if one[1] is not None or other[1] is not None:
        return None
    with suppress(InputError):
        first, second = (parse_agent(f"table:{path}", game) for path, _ in (one, other))
        return positions(game, (first, second), 0, progress)
    return None


def _loaded(path: Path, number: int | None) -> tuple[Learned, dict[str, Any] | None, str]:
    """Return the table in a version, its run, and its name."""
    if number is None:
        return (*load_run(path), path.name)
    return load_file(path, number).table, None, called(path, number)


def _measured(run: dict[str, Any] | None) -> str | Value:
    curve = (run or {}).get("curve") or []
    points = column(curve, "accuracy")
    return Share(points[-1][1]) if points else "unknown"


def _played(mine: Learned, yours: Learned, progress: Progress) -> tuple[list[Row], list[str]]:
    """Return what the game's graph says of both tables and of games between them."""
    fault = why_untrainable(mine.game)
    if fault is not None and mine.function is not None and yours.function is not None:
        return [], ["The positions are too many to be listed: games tell which of the two is stronger."]
    if fault is not None:
        return [], [f"The tables cannot play each other: {fault}."]
    result = compare(mine, yours, progress)
    begins, answers = result.first, result.second
    wins, losses = (sum(getattr(one, what) for one in result.everywhere) / 2 for what in ("win", "loss"))
    rows: list[Row] = [
        ("accuracy", *map(Share, result.accuracy)),
        ("wins first", Share(begins.win), Share(answers.loss)),
        ("wins second", Share(answers.win), Share(begins.loss)),
        ("wins overall", Share(wins), Share(losses)),
    ]
    alike, apart = (Share(number / max(1, result.positions)) for number in (result.alike, result.apart))
    many = plural(result.positions, "position", "positions")
    lines = [
        f"Both choose the same best moves in {alike} of {many} with a choice; they share none in {apart}."
        if result.positions
        else "No position has a choice.",
        "Wins first and second are exact, from the start; a table plays any of its best-scored moves. Wins overall: "
        "the mean over all positions, each started by both.",
    ]
    if any(chances.draw for chances in (begins, answers, *result.everywhere)):
        lines.append("Draws: the rest to 100 % of one's wins first and the other's second, and of both wins overall.")
    return rows, lines


# Tournaments.


def tournaments(database: Database, one: int, other: int, progress: Progress) -> Compared:
    both = [info(database, number) for number in (one, other)]
    mine, yours = (saved_standings(database, each.id, each.document) for each in both)
    games = (", ".join(usual_name(str(name)) for name in each.document.get("games") or []) for each in both)
    common = [row.agent for row in mine.rows if row.agent in yours.agents]
    everybody = tuple(dict.fromkeys((*mine.agents, *yours.agents)))
    names = dict(zip(everybody, labels(everybody), strict=True))
    scores = [(names[agent], _score(mine, agent), _score(yours, agent)) for agent in common]
    rows: list[Row] = [
        ("games", *games),
        ("openings", *(str(each.document.get("openings", "start")) for each in both)),
        ("played", *(Count(each.played) for each in both)),
        *scores,
    ]
    lines = [] if common else ["No agent plays in both tournaments."]
    untold = ["?" in text for _, *two in scores for text in two]
    if mine.paid or yours.paid:
        lines.append("Payoff: the mean of the agent's games, with its 95 % interval.")
    elif not all(untold):
        lines.append(
            "Elo with its 95 % interval. Each tournament counts from its own mean, so compare differences, not single "
            "ratings."
        )
    if any(untold):
        lines.append("? is a strength that the games do not tell.")
    for which, field in (("first", mine), ("second", yours)):
        if only := [names[agent] for agent in field.agents if agent not in common]:
            lines.append(f"Only in the {which}: {', '.join(only)}.")
    together: Report | None = None
    with suppress(InputError):  # nothing is played yet
        together = pool(database, (one, other), progress)
    return Compared(_beside(rows, lines, [f"{each.kind} {each.id}" for each in both]), pool=together)


def pool(database: Database, numbers: Sequence[int], progress: Progress) -> Report:
    """Rate these tournaments together. InputError also if they have no finished games."""
    gathered = gather(database, [info(database, number) for number in sorted(numbers)], None, progress)
    if not gathered.saved.played:
        raise InputError("these tournaments have no finished games")
    return ratings(rated(gathered))


def _score(field: Field, agent: str) -> str:
    [row] = [row for row in field.rows if row.agent == agent]
    if row.payoff is not None:
        return f"{Share(row.score)}  payoff {Mean(row.payoff.mean)} ± {Cents(row.payoff.error)}"
    return f"{Share(row.score)}  {row.rating.line}"


# Games.


def games(database: Database, one: int, other: int) -> Compared:
    """Compare two games. InputError also if they are different games."""
    mine, yours = game(database, one), game(database, other)
    if mine.game != yours.game:
        raise InputError(f"cannot compare different games: {usual_name(mine.game)} and {usual_name(yours.game)}")
    moves, others = (steps_of(each.game).names(each.codes) for each in (mine, yours))
    pairs = list(zip_longest(moves, others))
    parted = next((at for at, (move, another) in enumerate(pairs) if move != another), None)
    rows: list[Row] = [
        *zip(("first", "second"), mine.seats, yours.seats, strict=True),
        *((str(ply), move or UNKNOWN, another or UNKNOWN) for ply, (move, another) in enumerate(pairs, 1)),
    ]
    heads = f"game {mine.short}", f"game {yours.short}"
    if parted is None:
        return Compared(_beside(rows, [f"The same {plural(len(moves), 'move', 'moves')}."], heads))
    move, another = (name or "no move left" for name in pairs[parted])
    sentence = f"Different from move {parted + 1}: {move} in the first, {another} in the second."
    return Compared(_beside(rows, [sentence], heads, parted + 2), parted + 2)


# The screens.


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
