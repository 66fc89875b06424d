"""What a function has learned, in sentences: right moves then and now, its first move, its mistakes, its patterns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.games import Game
from nimtui.games.base import Move
from nimtui.learning import reasons
from nimtui.learning.curve_points import FunctionPoint
from nimtui.learning.evaluate import RIGHT
from nimtui.learning.known_patterns import known
from nimtui.learning.reasons import Pattern, Place
from nimtui.learning.sample import SampledTruth
from nimtui.learning.training import Training
from nimtui.learning.views import View
from nimtui.report.values import Count, Named, Result, Share
from nimtui.theory.explanation import several

BANDS = 4  # groups of plies
THEN = 10  # times fewer games: what it is compared with
DOES = {1: "wins", 0: "draws", -1: "loses"}


class Band(NamedTuple):
    """The positions after some plies."""

    first: int
    last: int
    wrong: int  # positions where some best-valued move is a mistake
    positions: int


class Summary(NamedTuple):
    """What a function has learned, in facts."""

    game: Game
    games: int
    now: FunctionPoint | None  # the newest point of its curve with right moves …
    then: FunctionPoint | None  # … and one after a tenth of these games
    chance: float | None  # the share of right moves of a random player; None: unknown
    first: tuple[Move, ...]  # the moves of the highest value from the start; none if the start is not listed
    value: int | None  # the exact value of the start for the player to move; None: the start is not listed
    right: tuple[Move, ...]  # the moves from the start that keep it
    bands: tuple[Band, ...]  # where it is wrong, by plies; none if the positions have no plies
    heaviest: Pattern | None  # None if it has no tuples of whole inputs
    places: Sequence[Place]  # what its inputs tell of the board


def of(training: Training, curve: Sequence[object], view: View | None = None, places: Sequence[Place] = ()) -> Summary:
    """Return the summary of a function, after `prepare`; `curve` is its curve so far.

    With a view it may learn meanwhile: moves are those of the view, the heaviest pattern is that of this moment.
    """
    estimator, game, listed = training.estimator, training.game, training.listed
    assert estimator is not None
    points = [point for point in curve if isinstance(point, FunctionPoint) and point.right_moves is not None]
    now = points[-1] if points else None
    earlier = [point for point in points if now is not None and point.games * THEN <= now.games]
    first, value, right, bands = tuple[Move, ...](), None, tuple[Move, ...](), tuple[Band, ...]()
    if listed is not None:
        scores = training.listed_scores()[0] if view is None else view.scores
        at = listed.node(game.start.board) if isinstance(listed, SampledTruth) else int(listed.graph.start)
        if at >= 0:
            edges = slice(*listed.graph.ptr[at : at + 2].tolist())
            moves, keeps, own = listed.graph.move[edges], listed.keeps[edges], scores[edges]
            value, first, right = int(listed.values[at]), _moves(moves[own == own.max()]), _moves(moves[keeps])
        if isinstance(listed, SampledTruth):
            bands = _bands(listed, training.listed_standing(scores).verdicts != RIGHT)
    heaviest = reasons.heaviest(estimator, 1)
    if heaviest and not places:
        places = reasons.places(game, estimator.sight.inputs)
    return Summary(
        game,
        training.games if view is None else view.games,
        now,
        earlier[-1] if earlier else None,
        None if training.sample is None else training.sample.chance(),
        first,
        value,
        right,
        bands,
        heaviest[0] if heaviest and heaviest[0].weight else None,
        places,
    )


def _moves(moves: npt.NDArray[np.int32]) -> tuple[Move, ...]:
    return tuple(map(int, moves))


def _bands(listed: SampledTruth, wrong: npt.NDArray[np.bool_]) -> tuple[Band, ...]:
    """Return how many of the listed positions are wrong, by about as many plies in each group."""
    groups = [group.tolist() for group in np.array_split(np.unique(listed.plies), BANDS) if len(group)]
    places = [np.isin(listed.plies, group) for group in groups]
    return tuple(
        Band(group[0], group[-1], int((wrong & here).sum()), int(here.sum()))
        for group, here in zip(groups, places, strict=True)
    )


def sentences(summary: Summary, discs: tuple[str, str] = ("X", "O")) -> list[str]:
    """Return the summary in sentences; `discs` are the signs of the players' discs."""
    texts = [_right_moves(summary), _first_move(summary), _wrong(summary), _heaviest(summary, discs)]
    return [text for text in texts if text]


def _right_moves(summary: Summary) -> str:
    now, then = summary.now, summary.then
    if now is None or now.right_moves is None:
        return ""
    texts = [f"After {Named(now.games, 'game', 'games')} {Share(now.right_moves)} of its moves are right"]
    if then is not None and then.right_moves is not None:
        when = f"after {Count(then.games)}" if then.games else "before the first"
        texts.append(f"{when} it was {Share(then.right_moves)}")
    if summary.chance is not None:
        texts.append(f"a random player has {Share(summary.chance)}")
    return f"{', '.join(texts)}."


def _first_move(summary: Summary) -> str:
    def names(moves: Sequence[Move]) -> str:
        return several([summary.game.move_name(move, summary.game.start) for move in moves])

    when, value, right = f"After {Named(summary.games, 'game', 'games')}", summary.value, set(summary.right)
    plays = f"{when} it plays {names(summary.first)} first"
    if value is None:
        return ""
    if value < 0:
        return f"{plays}: every first move loses."
    if not set(summary.first) - right:
        rest = right - set(summary.first)
        also = f", as {names(sorted(rest))} does" if rest else f": nothing else {DOES[value]}"
        return f"{plays}. That is right, it {DOES[value]}{also}."
    verdict = "That is wrong" if not set(summary.first) & right else "Not all of them are right"
    return f"{plays}. {verdict}: {names(summary.right)} {DOES[value]}."


def _wrong(summary: Summary) -> str:
    if not summary.bands:
        return ""
    parts = ", ".join(
        f"{Count(each.wrong)} of {Count(each.positions)} after {each.first} to {each.last}" for each in summary.bands
    )
    return f"Of {Count(sum(band.positions for band in summary.bands))} solved positions it can err in {parts} plies."


def _heaviest(summary: Summary, discs: tuple[str, str]) -> str:
    pattern, game = summary.heaviest, summary.game
    if pattern is None:
        return ""
    name = known(game, pattern.values, pattern.side)
    called = "" if name is None else f", {name.said(discs)}"
    mover = discs[pattern.side] if hasattr(game.module, "side") else "the player"
    seen = described(game, summary.places, pattern, discs)
    return f"Its heaviest pattern{called}: {seen}. It adds {Result(pattern.weight)} when {mover} has just moved."


def described(game: Game, places: Sequence[Place], pattern: Pattern, discs: tuple[str, str]) -> str:
    """Return what a pattern sees: 'X in 3-1 4-1, filled next 5-1', each cell as column-row from below, or 'A 3'."""
    if not reasons.has_pictures(game, places):
        names = reasons.names(places)
        return ", ".join(f"{names[i]} {value}" for i, value in sorted(pattern.values.items()))
    height, empties = len(game.cells(game.start) or []), ("filled next", "empty")
    groups: dict[str, list[str]] = {what: [] for what in (f"{discs[0]} in", f"{discs[1]} in", *empties)}
    for i, value in sorted(pattern.values.items()):
        [(row, column)], content = places[i].cells, places[i].contents.get(value, 0)
        what = f"{discs[content - 1]} in" if content in (1, 2) else empties[value == 0]
        groups[what].append(f"{column + 1}-{height - row}")
    return ", ".join(f"{what} {' '.join(cells)}" for what, cells in groups.items() if cells)
