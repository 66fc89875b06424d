"""The details of one saved item, read as a whole: checks a file's digest, counts games. Takes long."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from nimtui.agents import parse_agent
from nimtui.agents.program import changes
from nimtui.arena.compare.comparison import state_of, verdicts_on
from nimtui.arena.play.entrants import labels
from nimtui.arena.play.limits import Limits
from nimtui.arena.review.review import of_seats, review, story
from nimtui.arena.standings.games_report import about, damage_text, end_text, move_texts, steps_of
from nimtui.arena.standings.pool import saved_standings
from nimtui.arena.standings.standings_report import standings
from nimtui.errors import InputError, reading
from nimtui.foreign.values import moment
from nimtui.games import Game, Record, parse_game
from nimtui.games.notation import plural
from nimtui.jobs.sweep import look
from nimtui.learning.atlas import orders
from nimtui.learning.curve_points import column
from nimtui.learning.evaluate import WORDS, WRONG, population
from nimtui.learning.parameter import as_typed
from nimtui.learning.report import lessons, versions
from nimtui.learning.sweep_report import Unit, best
from nimtui.learning.taught import Taught, read
from nimtui.playing.sentences import MATCHES
from nimtui.playing.setup import usual_name
from nimtui.progress import SILENT
from nimtui.report.blocks import Column, Figure, Figures, Gap, Inked, Report, Sentence, Table
from nimtui.report.cells import list_lines, table_lines
from nimtui.report.lines import Ink, Line, cell_len, clipped
from nimtui.report.values import NOTHING, Bytes, Count, Fine, Named, Share, Value, Word, valued
from nimtui.store import game_list, tournaments
from nimtui.store.rows import GameInfo, unpacked
from nimtui.theory.answers import BRIEFLY, Until, is_solvable
from nimtui.theory.truth import truth
from nimtui.ui.board import small_board
from nimtui.ui.board.position_map_picture import INKS, still
from nimtui.ui.board.raster import Raster
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.curve import Series
from nimtui.ui.kit.widgets.curve import paint as plot
from nimtui.ui.kit.widgets.panel import Paint, in_the_middle, painter
from nimtui.ui.library.catalogue import Open, fault_text
from nimtui.ui.library.shelf import Item, Kind

Row: TypeAlias = tuple[str, Value | str]  # a label and its figure
MOST_POSITIONS = 20_000  # of a game whose map is drawn
LATEST = 60  # games of a tournament, at most
THICKEST = 6  # lines of a bar at most
AT_ITS_END = 8  # columns of the share behind a bar
MEASURED = (  # of a curve: what, its label, and of what it is a share
    ("accuracy", "accuracy", ""),
    ("unbeaten", "unbeaten", ""),
    ("right_moves", "right", " of the moves in the exact sample"),
    ("points_against_perfect", "points", " against perfect play, moving first"),
)
LABEL = 9  # cells of a label: no figure moves from item to item


@dataclass(frozen=True, eq=False)
class Details:
    """The contents of the panel: a report, and a picture where there is room below it."""

    report: Report
    pictures: Sequence[tuple[str, Paint]] = ()  # what each shows, and it; in little room only the first


def details(item: Item, database: Open) -> Details:
    """Return the details of an item; of one that cannot be read its fault, and where it is."""
    try:
        with reading(item.name, f"a {item.kind}"):
            if item.kind is Kind.GAME:
                return _game(item, database)
            if item.kind is Kind.TOURNAMENT:
                return _tournament(item, database)
            return _sweep(item) if item.kind is Kind.SWEEP else _table(item)
    except InputError as fault:
        return Details(Report([wrong(fault_text(fault, item.place)), _figures(*_file(item))]))


def wrong(fault: str) -> Sentence:
    """Return what is wrong with an item; it is left as it is."""
    return Sentence(f"! {fault}", ink=Ink.BAD)


def _figures(*rows: Row) -> Figures:
    return Figures([Figure(label, valued(value)) for label, value in rows], width=LABEL)


def _file(item: Item) -> tuple[Row, ...]:
    """Return where a file is, or when a row was written."""
    if isinstance(item.place, int):
        return ("number", Count(item.place)), ("kept", moment(item.when))
    return ("file", item.place.name), ("size", Bytes(item.size)), ("changed", moment(item.when))


def _table(item: Item) -> Details:
    assert isinstance(item.place, Path)
    table, taught, run = read(item.place)
    figures: tuple[Row, ...] = (
        ("game", usual_name(table.game.name)),
        ("learner", table.learner),
        ("games", Count(table.games)),
        ("seed", str(table.seed)),
        ("positions", f"{len(table.numbers):,} in the table")
        if table.function is None or len(table.numbers)
        else ("weights", Count(table.function.weights)),
    )
    if taught is not None:
        return _taught(item, taught, figures)
    measured, goals = _of_run(run, table.game, table.games)
    figures = (*figures, *measured, *_file(item), *goals)  # optional figures last: less is redrawn
    points = (run or {}).get("curve") or []
    right = column(points, "right_moves") and not column(points, "accuracy")
    title = "Right moves by games" if right else "Accuracy by games"
    drawn = curve(points, table.games)
    pictures = [*([(title, drawn)] if drawn is not None else []), *_everywhere(table.game, item.place)]
    return Details(Report([_figures(*figures)]), pictures)


def _of_run(run: Mapping[str, Any] | None, game: Game, games: int) -> tuple[list[Row], list[Row]]:
    """Return what the table's run measured, and whether it reached its goal."""
    if run is None:
        return [], [("run", "none: only the table")]
    measured: list[Row] = []
    goals: list[Row] = []
    curve, more = run.get("curve") or [], run.get("more") or {}
    for name, label, what in MEASURED:
        if points := column(curve, name):
            at, share = points[-1]
            since = "" if at == games else f" after {Count(at)}"
            what = what or f", {population(game)}" * (name == "accuracy")
            measured.append((label, f"{Share(share)}{since}{what}"))
        if name == "unbeaten" and measured:  # over all positions: the others are of samples
            break
    if more.get("perfect") is not None:
        goals.append(("perfect", f"after {plural(more['perfect'], 'game', 'games')}"))
    goal = (more.get("goal") or {}).get("games")
    if goal is not None and goal > games:
        goals.append(("goal", plural(goal, "game", "games")))
    return measured, goals


def curve(points: Sequence[Sequence[Any]], games: int) -> Paint | None:
    """Return the learning curve of a run, as `FunctionPoint` names the parts of points; None without measured ones."""
    names = ("accuracy", "unbeaten") if column(points, "accuracy") else ("right_moves", "points_against_perfect")
    measured, beside = (column(points, name) for name in names)
    if not measured:
        return None
    labels = [label for name, label, _ in MEASURED if name in names]
    series = [Series(labels[0], measured), *([Series(labels[1], beside, dotted=True)] if beside else [])]
    return lambda columns, rows, signs: plot(series, games, columns, rows, signs)


def _everywhere(game: Game, path: Path) -> Sequence[tuple[str, Paint]]:
    """Return the map of where a table is right, and the positions where it is not; nothing for a large game."""
    from nimtui.engine.exact import distances

    if not 0 < game.positions <= MOST_POSITIONS:
        return ()
    solution = truth(game)
    graph, verdicts = solution.graph, verdicts_on(parse_agent(f"table:{path}", game), game, solution)
    plies = distances(graph, solution.values)
    missed = sorted(np.flatnonzero(verdicts >= WRONG).tolist(), key=lambda node: (plies[node] < 0, plies[node]))

    def table(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        if not missed:
            return in_the_middle("Every best move is right.", columns, rows, signs)
        heads = [
            Column("position", lambda node: Word(game.position_name(state_of(game, graph, node))), left=True),
            Column("plies to the end", lambda node: Count(int(plies[node])) if plies[node] >= 0 else Word("draw")),
            Column("", lambda node: Inked((WORDS[int(verdicts[node])], INKS[verdicts[node]])), left=True),
        ]
        return table_lines(Table("", heads, missed), columns, rows, signs=signs)

    order = orders(solution, game)[0]
    return (f"Positions {order.about}", partial(still, order, verdicts)), ("Not right", table)


def _taught(item: Item, taught: Taught, figures: Sequence[Row]) -> Details:
    """Return the details of a taught table: its versions, the newest first."""
    every = versions(taught)
    share = every[-1].accuracy
    measured = ("accuracy", "unknown" if share is None else f"{Fine(share)}, {population(taught.base.game)}")
    block = _figures(*figures, ("base", taught.origin), ("lessons", Count(len(taught))), measured, *_file(item))
    return Details(Report([block, Gap(), lessons(every[::-1])]))


def _sweep(item: Item) -> Details:
    assert isinstance(item.place, Path)
    plan, view = look(item.place)
    figures = _figures(
        ("game", usual_name(plan.game.name)),
        ("learner", plan.learner),
        *((name, ", ".join(map(as_typed, values))) for name, values in plan.grid.values.items()),
        ("cells", f"{plan.grid.cells:,} × {plural(plan.repeats, 'seed', 'seeds')}"),
        ("trainings", f"{view.total:,}, all done" if view.finished else f"{view.done:,} of {view.total:,}"),
        ("games", f"up to {plan.games:,}"),
        *_file(item),
    )
    sentence = best(view.cells, plan, Unit.GAMES, "").strip()
    return Details(Report([figures, *([Sentence(sentence)] if sentence else [])]))


def _game(item: Item, database: Open) -> Details:
    assert isinstance(item.place, int)
    info = game_list.game(database(), item.place)
    fault = info.row.fault or damage_text(info)
    texts = [end_text(info), *unpacked(info.row.packed_fault).particulars, " ".join(move_texts(info)), *_story(info)]
    report = Report([*([wrong(fault)] if fault else []), *map(Sentence, texts), Gap(), *about(info)])
    return Details(report, last_position(info.game, info.codes))


def last_position(name: str, moves: Sequence[int]) -> Sequence[tuple[str, Paint]]:
    """Return the board after these moves from the start, and what it is; () if the game is unknown or has no board.

    Where the end has taken all pieces, it is the board two plies before.
    """
    with suppress(InputError, IndexError, ValueError):
        game = parse_game(name)
        at = small_board.replayed(game, moves)
        title, whole = "Last position", len(at.names) == len(moves) and game.cells(at.position) is not None
        if whole and game.board_kind in MATCHES and len(moves) > 1 and not np.any(at.position.board):
            at, title = small_board.replayed(game, moves[:-2]), "Two plies before the end"
        if whole:
            return [(title, partial(small_board.drawing, game, at.position, at.marks))]
    return ()


def _story(info: GameInfo) -> Iterator[str]:
    """Yield what decided the game; nothing if solving its positions takes long, or if the game is unknown here."""
    with suppress(IndexError, ValueError):
        game = steps_of(info.game).game
        if not is_solvable(game, game.new()):
            return
        record = Record(game, moves=info.codes)
        judgements = review(record, Until(SILENT, BRIEFLY))
        yield " ".join(story(of_seats(record, judgements, info.seats, info.row.opening, info.row.fault)))


def _tournament(item: Item, database: Open) -> Details:
    assert isinstance(item.place, int)
    saved = tournaments.info(database(), item.place)
    plan, limits = saved.document, _limits(saved.document)
    number = Named(plan["number"], "game", "games") if isinstance(plan.get("number"), int) else "? games"
    figures = _figures(
        ("game", ", ".join(usual_name(str(name)) for name in plan.get("games") or [])),
        ("pairs", f"{plan.get('pairs', '')} × {number}"),
        ("openings", str(plan.get("openings", "start"))),
        *([("time", limits)] if limits else []),
        *([("test", str(plan["sprt"]).replace(",", ", "))] if plan.get("sprt") else []),
        ("seed", str(plan.get("seed", ""))),
        ("played", f"{item.size:,} of {saved.total:,}" if item.size < saved.total else Count(saved.total)),
        ("state", item.state or "done"),
        ("changed", moment(saved.changed)),
    )
    latest = game_list.games(database(), tournament=item.place, limit=LATEST)
    names = dict(zip(plan.get("agents") or (), labels(tuple(plan.get("agents") or ())), strict=True))
    listed = [
        each._replace(first=names.get(each.first, each.first), second=names.get(each.second, each.second))
        for each in latest
    ]
    table = standings(saved_standings(database(), item.place, plan))
    pictures = [("Share of the points", _shares(table))] if item.size else []
    pictures += [("Latest games, pairing:number", partial(_games, listed))] if latest else []
    for each in latest[:2]:
        boards = last_position(each.game, each.codes)
        pictures += [(f"Game {each.short}: {title.lower()}", paint) for title, paint in boards]
    return Details(Report([*map(wrong, changes(plan)), figures, table]), pictures)


def _games(latest: Sequence[GameInfo], columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Draw the latest games of a tournament."""

    def moves(info: GameInfo, wide: int) -> str:
        return clipped(" ".join(move_texts(info)), wide, signs.hidden)

    heads = [
        Column("game", lambda info: Word(info.short)),
        Column("result", lambda info: Word(end_text(info)), left=True),
        Column("moves", lambda info: NOTHING, left=True, rank=1, width=len("moves"), draw=moves, most=columns),
    ]
    return list_lines(Table("", heads, latest[: rows - 1], gap=2), columns, signs=signs)


@painter
def _shares(columns: int, rows: int, signs: Glyphs, standings: Table) -> list[Line]:
    """Draw a bar for each agent, as long as its share of the points."""
    agent, score = (column for column in standings.columns if column.head in ("agent", "score"))
    texts, picture = (signs.plain(agent.value(row).text) for row in standings.ranked), Raster(columns, rows, signs)
    names = [clipped(text, columns // 3, signs.hidden) for text in texts]
    pitch, wide = max(1, min(THICKEST + 1, rows // len(names))), max(map(cell_len, names)) + 1  # lines from bar to bar
    for y, name, row in zip(range(0, rows, pitch), names, standings.ranked, strict=False):
        middle, long = y + (pitch - 1) // 2, (row.score or 0) * max(0, columns - wide - AT_ITS_END)
        picture.write(0, middle, name, Ink.TEXT)
        if long:
            picture.fill(wide, y, long, max(1, pitch - 1), Ink.BAR)
        picture.write(wide + ceil(long) + 1, middle, signs.plain(score.value(row).text), Ink.TEXT)
    return picture.lines()


def _limits(asked: Mapping[str, Any]) -> str:
    """Return '2 s a move, 60 s a game'."""
    try:
        return Limits.from_document(asked).title
    except (InputError, ArithmeticError, TypeError, ValueError):
        return "?"
