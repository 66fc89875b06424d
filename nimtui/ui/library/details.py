"""The details of one saved item, read as a whole: checks a file's digest, counts games. Takes long."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nimtui.arena.entrants import labels
from nimtui.errors import InputError, reading
from nimtui.games.notation import plural
from nimtui.learning.evaluate import POPULATION
from nimtui.report.lines import Ink, Line, cut, line
from nimtui.report.values import Fine, Share
from nimtui.ui.board import small_board
from nimtui.ui.board.board import NOBODY
from nimtui.ui.kit.curve import Series
from nimtui.ui.kit.curve import paint as plot
from nimtui.ui.kit.entries import usual_name
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.panel import Paint
from nimtui.ui.library.scan import (
    SEED,
    UNFINISHED,
    Open,
    count_text,
    date_text,
    fault_text,
    result,
    short_agent,
)
from nimtui.ui.library.shelf import Item, Kind, in_bytes

if TYPE_CHECKING:
    from nimtui.arena.tally import Field
    from nimtui.learning.taught import Taught
    from nimtui.learning.taught_report import Version
    from nimtui.store.tournaments import GameInfo


LEAST_ROWS = 7  # lines of a picture
NAME = 16  # columns of an agent's name
SCORE = 7


def curve(points: Sequence[Sequence[Any]], games: int) -> Paint | None:
    """Return the learning curve of a run, (games, accuracy, unbeaten) each; None without points."""
    if not points:
        return None
    shown = [
        Series("accuracy", [(int(at), float(accuracy)) for at, accuracy, _ in points]),
        Series("unbeaten", [(int(at), float(unbeaten)) for at, _, unbeaten in points], dotted=True),
    ]
    return lambda columns, rows, signs: plot(shown, games, columns, rows, signs)


def last_position(name: str, moves: Sequence[int]) -> Paint | None:
    """Return the board after these moves from the start; None if the game is unknown here or has no board."""
    from nimtui.games import base, parse_game

    state, owned = None, NOBODY
    with suppress(InputError, IndexError, ValueError):
        game = parse_game(name)
        state = game.new()
        for ply, move in enumerate(moves):
            if not base.legal(state, move):
                return None
            owned = small_board.joined(owned, small_board.after(game, state, move, ply % 2))
            base.play(state, move)
    if state is None or game.cells(state) is None:
        return None
    return lambda columns, rows, signs: small_board.drawing(game, state, owned, columns, rows, signs)


def scores(field: Field, names: Sequence[str]) -> Paint | None:
    """Return a bar for each agent, as long as its share of the points; None before the first game."""
    shares = [(names[row.entrant], row.score) for row in field.rows if row.score is not None]
    if not shares:
        return None
    wide = min(NAME, max(len(name) for name, _ in shares))

    def paint(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        shown = []
        for name, share in shares[:rows]:
            bar = signs.bar(share, max(1, columns - wide - SCORE - 2))
            label = f"{signs.plain(name)[:wide]:<{wide}} "
            shown.append(cut(line(label, (bar, Ink.BAR), f"{Share(share).text:>{SCORE}}"), columns, signs.hidden))
        return shown

    return paint


TOP = 6  # agents of a tournament that are named
LONGEST = 10  # columns of a name, more where that leaves two names alike


@dataclass(frozen=True, slots=True)
class Details:
    """The contents of the panel: figures with labels, then lines of text."""

    figures: tuple[tuple[str, str], ...]
    lines: tuple[str, ...] = ()
    fault: str = ""  # what is wrong with the item, in one line; it is left as it is
    picture: Paint | None = None  # where there is room below them
    pictured: str = ""  # what it shows


def details(item: Item, database: Open) -> Details:
    """Return the details of an item, including any damage."""
    try:
        with reading(item.name, f"a {item.kind}"):
            if item.kind is Kind.GAME:
                return _game(item, database)
            if item.kind is Kind.TOURNAMENT:
                return _tournament(item, database)
            return _sweep(item) if item.kind is Kind.SWEEP else _table(item)
    except InputError as fault:
        return Details(_file(item), (), fault_text(fault, item.place))


def _file(item: Item) -> tuple[tuple[str, str], ...]:
    """Return where a file is, or when a row was written."""
    if isinstance(item.place, int):
        return (("number", str(item.place)), ("kept", date_text(item.when)))
    return (("file", item.place.name), ("size", in_bytes(item.size)), ("changed", date_text(item.when)))


def _table(item: Item) -> Details:
    from nimtui.learning.taught import read

    assert isinstance(item.place, Path)
    table, taught, run = read(item.place)
    figures = [
        ("game", usual_name(table.game.name)),
        ("learner", table.learner),
        ("games", f"{table.games:,}"),
        ("seed", str(table.seed)),
        ("positions", f"{len(table.numbers):,} in the table"),
    ]
    if taught is not None:
        return _taught(item, taught, figures)
    measured, goals = _of_run(run, table.games)
    picture = curve((run or {}).get("curve") or [], table.games)
    figures = [*figures, *measured, *_file(item), *goals]  # optional figures last: less is redrawn
    return Details(tuple(figures), picture=picture, pictured="Accuracy by games")


def _taught(item: Item, taught: Taught, figures: Sequence[tuple[str, str]]) -> Details:
    """Return the details of a taught table: its versions, the newest first."""
    from nimtui.learning.taught_report import versions

    found = versions(taught)
    share = found[-1].accuracy
    measured = (("accuracy", "unknown" if share is None else f"{Fine(share).text}, {POPULATION}"),)
    said = (("base", taught.origin), ("lessons", f"{len(taught):,}"))
    lines = [f"{one.number} {_lesson(one, before)}" for before, one in pairwise(found)]
    return Details((*figures, *said, *measured, *_file(item)), ("Versions:", *reversed(lines), f"0 {taught.origin}"))


def _lesson(one: Version, before: Version) -> str:
    """Return a version in a line: 'me won, 14 Nov 2026, 09:31: taught 1 game, weight 100, best moves changed in …'."""
    assert one.lesson is not None
    won = f"{short_agent(one.winner)} won" if one.winner else "a draw"
    changed = f"best moves changed in {plural(len(one.positions), 'position', 'positions')}"
    share = one.change_from(before)
    taught = f"taught 1 game, weight {one.lesson.weight:,}"
    return f"{won}, {date_text(one.lesson.when)}: {taught}, {changed}{share and f', accuracy {share}'}"


def _of_run(run: dict[str, Any] | None, games: int) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return what the table's run measured, and whether it reached its goal."""
    if run is None:
        return [], [("run", "none: only the table")]
    measured: list[tuple[str, str]] = []
    goals: list[tuple[str, str]] = []
    curve, more = run.get("curve") or [], run.get("more") or {}
    if curve:
        at, accuracy, unbeaten = curve[-1]
        since = "" if at == games else f" after {count_text(at)}"
        measured = [("accuracy", f"{Share(accuracy).text}{since}, {POPULATION}"), ("unbeaten", Share(unbeaten).text)]
    if more.get("perfect") is not None:
        goals.append(("perfect", f"after {more['perfect']:,} games"))
    goal = (more.get("goal") or {}).get("games")
    if goal is not None and goal > games:
        goals.append(("goal", f"{goal:,} games"))
    return measured, goals


def _sweep(item: Item) -> Details:
    from nimtui.jobs.sweep import look
    from nimtui.learning.sweep_report import Unit, best

    assert isinstance(item.place, Path)
    plan, view = look(item.place)
    figures = [
        ("game", usual_name(plan.game.name)),
        ("learner", plan.learner),
        *((name, ", ".join(map(str, _values(values)))) for name, values in plan.grid.values.items()),
        ("cells", f"{plan.grid.cells:,} × {plural(plan.repeats, 'seed', 'seeds')}"),
        ("trainings", f"{view.done:,} of {view.total:,}" if not view.finished else f"{view.total:,}, all done"),
        ("games", f"up to {plan.games:,}"),
    ]
    said = best(view.cells, plan, Unit.GAMES, "")
    return Details((*figures, *_file(item)), (said.strip(),) * bool(said))


def _values(values: tuple[Any, ...]) -> list[Any]:
    from nimtui.learning.sweep_grid import plain_value

    return [plain_value(value) for value in values]


def _game(item: Item, database: Open) -> Details:
    from nimtui.arena.games_report import Part, damage_text, move_texts
    from nimtui.arena.review_text import ORDER
    from nimtui.store.tournaments import game

    assert isinstance(item.place, int)
    found = game(database(), item.place)
    row = found.row
    seats = (row.opener, 1 - row.opener)  # the players in the order of their first moves
    winner = {"1–0": 0, "0–1": 1}.get(result(found))
    won = "a draw" if result(found) != UNFINISHED else "unfinished"
    if winner is not None:
        name, alike = short_agent((found.first, found.second)[winner]), len(set(map(short_agent, found.seats))) == 1
        won = f"{f'the {ORDER[seats.index(winner)]} ' * alike}{name} wins"
    figures = [
        ("game", usual_name(found.game)),
        ("first", found.seats[0]),
        ("second", found.seats[1]),
        ("result", won),
        ("moves", str(item.size)),
    ]
    wrong = [Part(row.mistakes[player], row.chances[player]).text for player in seats]
    figures += [
        ("opening", plural(row.opening, "move before", "moves before") if row.opening else "none"),
        ("mistakes", " and ".join(wrong) if any(row.chances) else "not judged"),
        ("ID", found.short),
        ("kept", date_text(found.ended)),
    ]
    if found.name.startswith(SEED):
        figures.append(("seed", found.name.removeprefix(SEED)))
    elif found.name:
        figures.append(("name", found.name))
    told = (" ".join(move_texts(found)), *_story(found))
    picture = last_position(found.game, found.codes)
    return Details(tuple(figures), told, row.fault or damage_text(found), picture, "Last position")


def _story(found: GameInfo) -> Iterator[str]:
    """Yield what decided the game; nothing if solving its positions takes long, or if the game is unknown here."""
    from nimtui.arena.games_report import steps_of
    from nimtui.arena.review import review
    from nimtui.arena.review_text import of_seats, story
    from nimtui.games import Record
    from nimtui.progress import SILENT
    from nimtui.theory.answers import BRIEFLY, Until, is_solvable

    with suppress(IndexError, ValueError):
        game = steps_of(found.game).game
        if not is_solvable(game, game.new()):
            return
        record = Record(game, moves=found.codes)
        judgements = review(record, Until(SILENT, BRIEFLY))
        yield " ".join(story(of_seats(record, judgements, found.seats, found.row.opening, found.row.fault)))


def _tournament(item: Item, database: Open) -> Details:
    from nimtui.arena.pool import saved_standings
    from nimtui.store.tournaments import info

    assert isinstance(item.place, int)
    found = info(database(), item.place)
    asked = found.document
    field = saved_standings(database(), item.place, asked)
    figures = [
        ("game", ", ".join(usual_name(str(name)) for name in asked.get("games") or [])),
        ("pairs", f"{asked.get('pairs', '')}, {_number(asked.get('number'))} each"),
        ("openings", str(asked.get("openings", "start"))),
        ("seed", str(asked.get("seed", ""))),
        ("played", f"{item.size:,} of {found.total:,}" if item.size < found.total else f"{found.total:,}"),
        ("state", item.state or "done"),
        ("changed", date_text(found.changed)),
    ]
    if asked.get("sprt"):
        figures.insert(3, ("test", str(asked["sprt"]).replace(",", ", ")))
    if limits := _limits(asked):
        figures.insert(3, ("time", limits))
    names, rows = labels(field.agents), field.rows[:TOP]
    wide = next(wide for wide in count(LONGEST) if len({names[row.entrant][:wide] for row in rows}) == len(rows))
    wide = min(wide, max((len(names[row.entrant]) for row in rows), default=0))
    lines = [
        f"{field.place(at)} {names[row.entrant][:wide]:<{wide}} {Share(row.score).text:>7}{row.rating.line}"
        for at, row in enumerate(rows)
    ]
    return Details(tuple(figures), tuple(lines), picture=scores(field, names), pictured="Share of the points")


def _limits(asked: Mapping[str, Any]) -> str:
    """Return '2 s a move, 60 s a game'."""
    from nimtui.arena.limits import Limits

    try:
        return Limits.from_document(asked).title
    except (InputError, ArithmeticError, TypeError, ValueError):
        return "?"


def _number(number: object) -> str:
    """'1,000 games' a pairing."""
    return plural(number, "game", "games") if isinstance(number, int) else "? games"
