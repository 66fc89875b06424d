"""Games of a function, moving first, against perfect play and against random moves: the points that it takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from nimtui import theory
from nimtui.engine.rng import Stream
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.learning.sample import wilson
from nimtui.progress import SILENT, Progress
from nimtui.theory.answers import timely_moves

if TYPE_CHECKING:
    from nimtui.learning.estimator import Estimator

FEW, FEW_FROM = 20, 100_000  # games of a measure, and the games of training from which it is worth its time
MANY, MANY_FROM = 200, 1_000_000
CURVE_FROM = 500_000  # games of training from which a point of a curve has FEW games against perfect play
MOST_OPENING = 2  # plies of an opening: half of the games have one, half two
SEED = 1

Opponent: TypeAlias = Callable[[State, Stream], Move]


class Opening(NamedTuple):
    """A position to play from."""

    state: State
    first_to_move: bool  # is it the turn of the first seat?


class Share(NamedTuple):
    """The share of the points that were taken, and the interval that holds the long run in 19 of 20 cases."""

    points: float
    low: float
    high: float


class Points(NamedTuple):
    """What a function takes from perfect play, moving first."""

    games: int  # of each kind
    perfect: Share | None  # from the start of the game; None where there is no perfect play
    openings: Share | None  # the same from openings of one and two random plies
    worth: float | None  # the share of the points that these openings are worth with perfect play on both sides


def games_of_measure(games: int) -> int:
    """Return how many games of each kind measure a function after so many games of training; 0: none.

    It depends on nothing else, so that the same run reports the same points. Against perfect play in Connect Four a
    game takes up to a second: that of a weak player soon leaves the book of openings. So most points are measured once,
    when a run is done; its curve has FEW games at some of its points, from CURVE_FROM games of training on.
    """
    return 0 if games < FEW_FROM else FEW if games < MANY_FROM else MANY


def measure(estimator: Estimator, number: int, progress: Progress = SILENT) -> Points:
    """Play so many games of each kind. The same function takes the same points."""
    game = estimator.game
    if theory.why_unsolvable(game, game.first) is not None:
        return Points(number, None, None, None)
    perfect = _perfect(game, progress)
    from_start = _share(_played(estimator, _starts(game, number), perfect, progress))
    openings = _openings(game, number)
    if not openings:
        return Points(number, from_start, None, None)
    worth = sum(_worth(game, opening, progress) for opening in openings) / number
    return Points(number, from_start, _share(_played(estimator, openings, perfect, progress)), worth)


def against_random(estimator: Estimator) -> Share:
    """Return what a function takes from random moves in MANY games from the start."""
    return _share(_played(estimator, _starts(estimator.game, MANY), _any, SILENT))


def against_perfect(estimator: Estimator, number: int, progress: Progress = SILENT) -> Share:
    """Return what a function takes from perfect play in so many games from the start."""
    game = estimator.game
    return _share(_played(estimator, _starts(game, number), _perfect(game, progress), progress))


def _starts(game: Game, number: int) -> list[Opening]:
    return [Opening(game.new(), True)] * number


def _perfect(game: Game, progress: Progress) -> Opponent:
    """Return perfect play that wins as soon and loses as late as possible, and solves each position once."""
    replies: dict[bytes, Sequence[Move]] = {}

    def reply(state: State, stream: Stream) -> Move:
        if (moves := replies.get(place := state.board.tobytes())) is None:
            moves = replies[place] = timely_moves(game, state, True, True, progress)
        return stream.choose(moves)

    return reply


def _any(state: State, stream: Stream) -> Move:
    return base.nth(state, stream.below(base.count(state)))


def _openings(game: Game, number: int) -> list[Opening]:
    """Return openings of one and of two random plies; none if a game can be over by then."""
    openings, stream = [], Stream(SEED)
    for at in range(number):
        state, plies = game.new(), 1 + at % MOST_OPENING
        for _ in range(plies):
            base.play(state, _any(state, stream))
            if base.outcome(state) != base.GOING_ON:
                return []
        openings.append(Opening(state, plies % 2 == 0))
    return openings


def _worth(game: Game, opening: Opening, progress: Progress) -> float:
    """Return the points of the first seat with perfect play on both sides."""
    worth = theory.solve(game, opening.state, progress).outcome.worth
    return (1 + (worth if opening.first_to_move else -worth)) / 2


def _played(estimator: Estimator, openings: Sequence[Opening], opponent: Opponent, progress: Progress) -> list[float]:
    """Return the points of the function, which has the first seat, in games side by side."""
    stream, points = Stream(SEED), [0.0] * len(openings)
    waiting = {at: base.copy(opening.state) for at, opening in enumerate(openings) if not opening.first_to_move}
    to_move = {at: base.copy(opening.state) for at, opening in enumerate(openings) if opening.first_to_move}
    while to_move or waiting:
        for state in waiting.values():
            progress.report(len(openings) - len(to_move) - len(waiting), len(openings), "measuring: games")
            base.play(state, opponent(state, stream))
        replied = _going_on(waiting, points, by_opponent=True)
        if to_move:
            values = estimator.all_values(np.stack([state.board for state in to_move.values()]))
            for state, row in zip(to_move.values(), values, strict=True):
                base.play(state, stream.choose(np.flatnonzero(row == row.max()).tolist()))
        waiting, to_move = _going_on(to_move, points, by_opponent=False), replied
    return points


def _going_on(games: dict[int, State], points: list[float], by_opponent: bool) -> dict[int, State]:
    """Return the games that go on after a move of one player; note the points of the others."""
    going = {}
    for at, state in games.items():
        if (result := base.outcome(state)) == base.GOING_ON:
            going[at] = state
        else:
            points[at] = 0.5 if result == base.DRAW else float((result == base.WON) != by_opponent)
    return going


def _share(points: list[float]) -> Share:
    return share_in(sum(points) / len(points), len(points))


def share_in(points: float, games: int | None) -> Share:
    """Return this share of the points of so many games, None for an exact one, with its interval."""
    return Share(points, *(wilson(points, games) if games else (points, points)))
