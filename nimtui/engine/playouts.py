"""Play random games to the end and count the wins of the player to move."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import inf
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.engine import dispatch  # noqa: F401 - lets kernels find the rules
from nimtui.engine.jit import kernel, paced_kernel
from nimtui.engine.limits import MOST_PLIES, Pace, endless, name_of
from nimtui.engine.rng import GAMMA, Counter, Stream, below, bits60, mix
from nimtui.engine.rng import Pick as Pick
from nimtui.games import base
from nimtui.games.base import DRAW, Board, Move, State, casual, count, nth, outcome, play, restore
from nimtui.progress import SILENT, Aloud, Progress, Relay, TimeUp

CHUNK = 2_000_000  # plies between two reports at most; fewer for slow rules, see `Pace`
FIRST_CHUNK = 20_000
FIRST_ROUND = 1_000  # playouts per move in the first round, without a clock
MOST_MORE = 3  # a small round adds at most so many times the playouts before it

DONE, WINS, DRAWS, PLY, NUMBERS = range(5)
"""The places in the numbers of some playouts: finished, won and drawn ones, for the player to move at the start; then
the plies of the current playout, 0 between two playouts."""


class Tally(NamedTuple):
    """The results of the playouts after one move, for the player who made it."""

    move: Move
    wins: int
    losses: int
    draws: int

    @property
    def playouts(self) -> int:
        """Return how many playouts there were: 0 if the time was up before."""
        return self.wins + self.losses + self.draws

    @property
    def value(self) -> float:
        """Return the mean result, −1 to 1, or 0 without playouts."""
        return (self.wins - self.losses) / self.playouts if self.playouts else 0.0


@paced_kernel
def playouts(
    state: State, start: Board, n: int, casually: bool, rng: Counter, at: npt.NDArray[np.int64], plies: int
) -> None:
    """Play until n playouts from `start`, which is not over, are done, but at most so many plies.

    `at` [NUMBERS] holds the counts, all 0 at first, and `state` the position of the current playout: the next call
    continues an interrupted playout. at[PLY] is MOST_PLIES if a playout has no end.
    """
    x = rng[0]
    done, wins, draws, ply = at[DONE], at[WINS], at[DRAWS], at[PLY]
    budget = plies
    while done < n:
        if ply == 0:
            restore(state, start)
        until = min(MOST_PLIES, ply + budget)
        budget += ply
        result = 0
        while ply < until:
            x += GAMMA
            if casually:
                play(state, casual(state, bits60(mix(x))))
            else:
                play(state, nth(state, below(mix(x), count(state))))
            ply += 1
            result = outcome(state)
            if result != 0:
                break
        budget -= ply
        if result == 0:
            break
        if result == DRAW:
            draws += 1
        else:
            wins += (ply & 1 == 1) == (result == 1)  # after an odd number of plies the first player made the last move
        done += 1
        ply = 0
    at[DONE], at[WINS], at[DRAWS], at[PLY] = done, wins, draws, ply
    rng[0] = x


@kernel
def reach(state: State, start: Board, plies: int, rng: Counter) -> bool:
    """Play so many random moves from `start`; return whether the game still goes on. It draws as a `Stream` does."""
    restore(state, start)
    for _ in range(plies):
        if outcome(state) != 0:
            return False
        rng[0] += GAMMA
        play(state, nth(state, below(mix(rng[0]), count(state))))
    return bool(outcome(state) == 0)


def count_playouts(
    state: State, n: int, stream: Stream, pick: Pick = Pick.UNIFORM_MOVE, progress: Progress = SILENT
) -> tuple[int, int]:
    """Play n random games from here; return how many the player to move wins, and how many are drawn.

    Raise InputError if a game has no end.
    """
    counts = np.zeros(NUMBERS, np.int64)
    play_on(state, n, stream, pick, counts, progress)
    return int(counts[WINS]), int(counts[DRAWS])


def play_on(
    state: State, n: int, stream: Stream, pick: Pick, counts: npt.NDArray[np.int64], progress: Progress = SILENT
) -> None:
    """Play random games from here until `counts` [NUMBERS], which is updated, holds n games.

    Raise InputError if a game has no end.
    """
    result = int(outcome(state))
    if result != base.GOING_ON:
        counts[:] = n, n * (result == base.LOST), n * (result == DRAW), 0
        return
    scratch, pace = base.copy(state), Pace((playouts, type(state)), FIRST_CHUNK, CHUNK)
    while counts[DONE] < n:
        plies = pace.begin(progress.seconds_left())
        playouts(scratch, state.board, n, pick is Pick.ROW_THEN_COUNT, stream.counter, counts, plies)
        pace.end(plies if counts[DONE] < n else 0)
        if counts[PLY] == MOST_PLIES:
            raise endless(name_of(state))
        progress.report(int(counts[DONE]), n, "playouts")


class Part(Relay):
    """Report one part of a longer work."""

    def __init__(self, whole: Progress, before: float, total: float) -> None:
        super().__init__(whole)
        self._before, self._total = before, total

    def report(self, done: float, total: float, what: str = "") -> None:
        self._progress.report(self._before + done, self._total, what)


def rounds(n: int, seconds_left: Callable[[], float]) -> Iterator[tuple[int, int]]:
    """Yield how many of a move's n playouts are done before each round and after it.

    A round doubles them. With a clock, read by `seconds_left`, small rounds find out how long a playout takes.
    If there is time for the usual first round, the rounds start again from 0, and are those without a clock. No round
    is longer than half of the time left.
    """
    at_first, first = seconds_left(), min(n, FIRST_ROUND)
    trying = at_first < inf
    before, after = 0, 1 if trying else first
    while before < n:
        yield before, after
        more = MOST_MORE * after if trying else after
        if at_first < inf:
            now = seconds_left()
            fits = int(after / max(at_first - now, 1e-9) * now / 2)
            if trying and fits >= first:
                trying, before, after = False, 0, first
                continue
            more = min(more, fits)
            if more < 1:
                return
        before, after = after, min(n, after + more)


def in_rounds(
    n: int,
    counts: npt.NDArray[np.int64],
    play: Callable[[int, int, Progress], object],
    stream: Stream,
    progress: Progress,
) -> None:
    """Play n playouts after each move, equally many for each; fewer if the time runs out.

    `play(i, until, progress)` fills `counts` [moves, NUMBERS] of the i-th move up to `until`. A round that the time
    interrupts does not count, unless it is the first. With enough time the playouts are those without a clock.
    """
    moves, whole, number = len(counts), counts.copy(), int(stream.counter[0])
    try:
        for before, until in rounds(n, progress.seconds_left):
            whole[:] = counts
            if not before:
                counts[:] = 0
                stream.counter[0] = number
            for i in range(moves):
                play(i, until, Part(progress, (moves - i - 1) * before + i * until, moves * n))
    except TimeUp:
        if whole[:, DONE].all():
            counts[:] = whole


def flat_monte_carlo(
    state: State, n: int, stream: Stream, pick: Pick = Pick.UNIFORM_MOVE, progress: Progress = SILENT
) -> list[Tally]:
    """Play n random playouts after each legal move, in the order of the moves; fewer if the time runs out.

    Offer the tallies so far by `Progress.think`.
    """
    moves = base.legal_moves(state)
    counts = np.zeros((len(moves), NUMBERS), np.int64)

    def play_after(i: int, until: int, part: Progress) -> None:
        after = base.copy(state)
        play(after, moves[i])
        play_on(after, until, stream, pick, counts[i], part)

    in_rounds(n, counts, play_after, stream, Aloud(progress, lambda: tallies_of(moves, counts)))
    return tallies_of(moves, counts)


def tallies_of(moves: Iterable[Move], counts: npt.NDArray[np.int64]) -> list[Tally]:
    """Return the results of all moves from their counts [moves, NUMBERS], in which the opponent moves first."""
    rows = zip(moves, counts[:, [DONE, WINS, DRAWS]].tolist(), strict=True)
    return [Tally(move, done - lost - drawn, lost, drawn) for move, (done, lost, drawn) in rows]
