"""The points of a learning curve, the game counts at which it has them, and how many games are played at a time.

A function plays games, moving first, against perfect play and against random moves, for the points that it takes. Those
that points of a curve have are played beside the training: by a copy of the function, in a thread that works for a
tenth of the time. So the training goes on, and the same run has the same points however fast the machine is. A run that
stops meanwhile lacks the unfinished points.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Event
from time import thread_time
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from nimtui import theory
from nimtui.engine.rng import Stream
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.learning.sample import wilson
from nimtui.progress import SILENT, Cancelled, Progress
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


CHUNK_SECONDS = 0.03  # a chunk of games should take about this long
FINE = (10, 12, 15, 20, 25, 30, 40, 50, 60, 80)  # the points of the curve, in each decade
COARSE = (10, 20, 50)  # the same for large tables, where a point takes as long as many games
LARGE, LARGE_FROM = 200_000, 1_000  # cells from which a table is large; games at its first point
HUGE, HUGE_FROM = 2_000_000, 100_000  # the same for huge tables
EVERY = 200  # checks for perfect play after every game at first, later after every 1/EVERY of the games so far
EVERY_OF_HUGE, FIRST_OF_HUGE = 20, 1_000  # the same for huge tables, where a check costs many games


class Point(NamedTuple):
    """One point of the learning curve of a table (see `evaluate.Standing`)."""

    games: int
    accuracy: float
    unbeaten: float


class FunctionPoint(NamedTuple):
    """One point of the learning curve of a function: the first three as for a table, None where positions are too many.

    None also for what is not measured.
    """

    games: int
    accuracy: float | None
    unbeaten: float | None
    right_moves: float | None  # share of right moves where moves differ in their result, in the sample or everywhere
    points_against_perfect: float | None  # moving first, see `points.measure`: exactly, or in games
    points_against_random: float | None = None  # the same against random moves


def column(curve: Sequence[Sequence[Any]], name: str) -> list[tuple[int, float]]:
    """Return the games and one share of each point of a saved curve that has it: 'accuracy', 'right_moves', …"""
    at = FunctionPoint._fields.index(name)
    return [(int(point[0]), float(point[at])) for point in curve if len(point) > at and point[at] is not None]


def curve_points(after: int, cells: int) -> Iterator[int]:
    """Yield the game counts above this one at which the curve of a table of this size has a point."""
    steps, least = (FINE, 1) if cells < LARGE else (COARSE, LARGE_FROM if cells < HUGE else HUGE_FROM)
    decade = 1
    while True:
        for step in steps:
            games, rest = divmod(step * decade, 10)
            if not rest and games > after and games >= least:
                yield games
        decade *= 10


def look_counts(after: int, cells: int) -> Iterator[int]:
    """Yield the fixed game counts above this one at which to check whether a table of this size is perfect."""
    every, games = (EVERY, 1) if cells < HUGE else (EVERY_OF_HUGE, FIRST_OF_HUGE)
    while True:
        if games > after:
            yield games
        games += max(1, games // every)


class Chunk:
    """The number of games that takes about CHUNK_SECONDS."""

    def __init__(self, games: int) -> None:
        self.games = games

    def took(self, games: int, seconds: float) -> None:
        if games == self.games or seconds > CHUNK_SECONDS:
            self.games = math.ceil(min(games * CHUNK_SECONDS / max(seconds, 1e-6), 4 * games))


SPARING = 10  # the thread may work 1/SPARING of the time
BRIEF = 0.05  # seconds between two reports to whoever waits for the games


class Sparing(Progress):
    """Rests after each piece of work, until its result is waited for."""

    def __init__(self) -> None:
        self.waited_for, self.dropped = Event(), False
        self._since = 0.0

    def report(self, done: float, total: float, what: str = "") -> None:
        if self.dropped:
            raise Cancelled("measure")
        self.waited_for.wait((SPARING - 1) * max(0.0, thread_time() - self._since))
        self._since = thread_time()


class CurveGames:
    """The games of all points of one curve that are not finished."""

    def __init__(self) -> None:
        self._pace = Sparing()
        self._player: ThreadPoolExecutor | None = None
        self._points: deque[tuple[int, Future[float]]] = deque()

    def play(self, games: int, estimator: Estimator) -> None:
        """Let a function that nobody changes play FEW games, for the point after `games` games of training."""
        self._player = self._player or ThreadPoolExecutor(1, "points")
        work = self._player.submit(lambda: against_perfect(estimator, FEW, self._pace).points)
        self._points.append((games, work))

    def finished(self, until: int) -> list[tuple[int, float]]:
        """Return the points finished since the last call, up to this one, each with its number of games of training."""
        done = []
        while self._points and self._points[0][0] <= until and self._points[0][1].done():
            games, work = self._points.popleft()
            done.append((games, work.result()))
        return done

    def wait(self, progress: Progress = SILENT) -> None:
        """Wait until all are finished, which work without rests meanwhile."""
        self._pace.waited_for.set()
        while pending := [work for _, work in self._points if not work.done()]:
            progress.report(len(self._points) - len(pending), len(self._points), "measuring: points")
            wait(pending, BRIEF)
        self._pace.waited_for.clear()

    def drop(self) -> None:
        """Stop; the unfinished points are lost."""
        self._pace.dropped = True
        self._pace.waited_for.set()
        if self._player is not None:
            self._player.shutdown(wait=False, cancel_futures=True)
        self._pace, self._player = Sparing(), None
        self._points.clear()
