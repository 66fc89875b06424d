"""Compare two saved tables, tournaments or games, or rate several tournaments as one pool. Takes a while."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nimtui.arena.entrants import labels
from nimtui.errors import InputError
from nimtui.games.notation import plural
from nimtui.learning.learner import told_apart
from nimtui.progress import Progress
from nimtui.report.blocks import Report
from nimtui.report.values import Share
from nimtui.ui.kit.entries import usual_name
from nimtui.ui.library.scan import Open
from nimtui.ui.library.shelf import Item, Kind

if TYPE_CHECKING:
    from nimtui.arena.tally import Field
    from nimtui.engine.evaluate import Chances
    from nimtui.learning.table import Table


TABLES = (Kind.TABLE, Kind.RUN)


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison: two columns, the rows of both, and sentences about them."""

    heads: tuple[str, str]
    rows: tuple[tuple[str, str, str], ...]  # label, of the first, of the second
    lines: tuple[str, ...]
    marked: int | None = None  # the row where they first differ
    pool: Report | None = None  # of two tournaments: their ratings together, unless nothing is played


def why_not(one: Item, other: Item) -> str:
    """Say why these two cannot be compared, in one line; '' if they can."""
    kinds = {one.kind, other.kind}
    if one.key == other.key and one.version == other.version:
        return "This is the marked item: go to another one"
    if kinds == {Kind.SWEEP}:
        return "Cannot compare sweeps here: export them with e"
    if len(kinds) > 1 and not kinds <= set(TABLES):
        return f"Cannot compare a {one.kind} with a {other.kind}"
    return ""


def compare(items: Sequence[Item], database: Open, progress: Progress) -> Compared | Report:
    """Compare two items, or rate more than two tournaments together.

    InputError if one cannot be read, or they have nothing in common.
    """
    if len(items) > 2:
        return pool(items, database, progress)
    one, other = items
    if one.kind is Kind.GAME:
        return _games(one, other, database)
    if one.kind is Kind.TOURNAMENT:
        return _tournaments(one, other, database, progress)
    return _tables(one, other, progress)


# Tables.


def _tables(one: Item, other: Item, progress: Progress) -> Compared:
    (mine, my_run, my_name), (yours, your_run, your_name) = _loaded(one), _loaded(other)
    learner, other_learner = told_apart([mine.learner, yours.learner])
    rows = [
        ("file", my_name, your_name),
        ("game", usual_name(mine.game.name), usual_name(yours.game.name)),
        ("learner", learner, other_learner),
        ("games", f"{mine.games:,}", f"{yours.games:,}"),
        ("seed", str(mine.seed), str(yours.seed)),
    ]
    if mine.game != yours.game:
        rows.append(("accuracy", _measured(my_run), _measured(your_run)))
        return Compared(("first", "second"), tuple(rows), ("Tables of different games share no positions.",))
    more, lines = _played(mine, yours, progress)
    return Compared(("first", "second"), (*rows, *more), tuple(lines))


def _loaded(item: Item) -> tuple[Table, dict[str, Any] | None, str]:
    """Return the table of an item in its version, its run, and its name."""
    from nimtui.learning.saved_tables import called, load_file
    from nimtui.learning.table import load_run

    assert isinstance(item.place, Path)
    if item.version is None:
        return (*load_run(item.place), item.place.name)
    return load_file(item.place, item.version).table, None, called(item.place, item.version)


def _measured(run: dict[str, Any] | None) -> str:
    curve = (run or {}).get("curve") or []
    return Share(curve[-1][1]).text if curve else "unknown"


def _played(mine: Table, yours: Table, progress: Progress) -> tuple[list[tuple[str, str, str]], list[str]]:
    """Return what the game's graph says of both tables and of games between them."""
    from nimtui.learning.compare import compare
    from nimtui.learning.graph_table import why_untrainable

    if (fault := why_untrainable(mine.game)) is not None:
        return [], [f"The tables cannot play each other: {fault}."]
    found = compare(mine, yours, progress)
    begins, answers = found.first, found.second
    rows = [
        ("accuracy", Share(found.accuracy[0]).text, Share(found.accuracy[1]).text),
        ("wins first", Share(begins.win).text, Share(answers.loss).text),
        ("wins second", Share(answers.win).text, Share(begins.loss).text),
        ("wins overall", *_overall(found.everywhere)),
    ]
    alike, apart = (number / max(1, found.positions) for number in (found.alike, found.apart))
    many = plural(found.positions, "position", "positions")
    lines = [
        f"Both choose the same best moves in {Share(alike).text} of {many} with a choice; they share none in "
        f"{Share(apart).text}."
        if found.positions
        else "No position has a choice.",
        "Wins first and second are exact, from the start; a table plays any of its best-scored moves. Wins overall: "
        "the mean over all positions, each started by both.",
    ]
    if any(chances.draw for chances in (begins, answers, *found.everywhere)):
        lines.append("Draws: the rest to 100 % of one's wins first and the other's second, and of both wins overall.")
    return rows, lines


def _overall(everywhere: tuple[Chances, Chances]) -> tuple[str, str]:
    mine, theirs = (sum(getattr(one, what) for one in everywhere) / 2 for what in ("win", "loss"))
    return Share(mine).text, Share(theirs).text


# Tournaments.


def _tournaments(one: Item, other: Item, database: Open, progress: Progress) -> Compared:
    from nimtui.arena.pool import saved_standings
    from nimtui.store.tournaments import info

    assert isinstance(one.place, int) and isinstance(other.place, int)
    found = [info(database(), place) for place in (one.place, other.place)]
    fields = [saved_standings(database(), each.id, each.document) for each in found]
    mine, yours = (
        (
            ", ".join(usual_name(str(name)) for name in each.document.get("games") or []),
            str(each.document.get("openings", "start")),
            f"{each.played:,}",
        )
        for each in found
    )
    rows = list(zip(("games", "openings", "played"), mine, yours, strict=True))
    common = [row.agent for row in fields[0].rows if row.agent in fields[1].agents]
    everybody = tuple(dict.fromkeys((*fields[0].agents, *fields[1].agents)))
    names = dict(zip(everybody, labels(everybody), strict=True))
    lines = [] if common else ["No agent plays in both tournaments."]
    ratings = [(_rating(fields[0], agent), _rating(fields[1], agent)) for agent in common]
    rows += [(names[agent], *two) for agent, two in zip(common, ratings, strict=True)]
    if any("?" not in text for two in ratings for text in two):
        lines.append(
            "Elo with its 95 % interval. Each tournament counts from its own mean, so compare differences, not single "
            "ratings."
        )
    if any("?" in text for two in ratings for text in two):
        lines.append("? is a strength that the games do not tell.")
    for which, each in zip(("first", "second"), fields, strict=True):
        if only := [names[agent] for agent in each.agents if agent not in common]:
            lines.append(f"Only in the {which}: {', '.join(only)}.")
    together: Report | None = None
    with suppress(InputError):  # nothing is played yet
        together = pool((one, other), database, progress)
    return Compared((one.name, other.name), tuple(rows), tuple(lines), pool=together)


def pool(items: Sequence[Item], database: Open, progress: Progress) -> Report:
    """Rate these tournaments together. InputError if they have no finished games, or cannot be read."""
    from nimtui.arena.pool import gather, rated
    from nimtui.arena.pool_report import ratings
    from nimtui.store.tournaments import info

    numbers = sorted(item.place for item in items if isinstance(item.place, int))
    gathered = gather(database(), [info(database(), number) for number in numbers], None, progress)
    if not gathered.saved.played:
        raise InputError("these tournaments have no finished games")
    return ratings(rated(gathered))


def _rating(field: Field, agent: str) -> str:
    [row] = [row for row in field.rows if row.agent == agent]
    return f"{row.rating.line.strip():<17} {Share(row.score).text:>7}"


# Games.


def _games(one: Item, other: Item, database: Open) -> Compared:
    from nimtui.arena.games_report import steps_of
    from nimtui.store.tournaments import game

    assert isinstance(one.place, int) and isinstance(other.place, int)
    mine, yours = game(database(), one.place), game(database(), other.place)
    if mine.game != yours.game:
        raise InputError(f"cannot compare different games: {usual_name(mine.game)} and {usual_name(yours.game)}")
    moves, others = (steps_of(each.game).names(each.codes) for each in (mine, yours))
    parted = next((at for at, pair in enumerate(zip_longest(moves, others)) if pair[0] != pair[1]), None)
    rows = [
        *zip(("first", "second"), mine.seats, yours.seats, strict=True),
        *((f"{at + 1}", a, b) for at, (a, b) in enumerate(zip_longest(moves, others, fillvalue="–"))),
    ]
    if parted is None:
        lines = [f"The same {plural(len(moves), 'move', 'moves')}."]
    else:
        lines = [
            f"Different from move {parted + 1}: {_at(moves, parted)} in the first, {_at(others, parted)} in the second."
        ]
    return Compared((one.name, other.name), tuple(rows), tuple(lines), None if parted is None else parted + 2)


def _at(moves: list[str], place: int) -> str:
    return moves[place] if place < len(moves) else "no move left"
