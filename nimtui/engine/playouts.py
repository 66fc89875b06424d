"""Random games to the end: how many of them the player to move wins."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.engine import dispatch  # noqa: F401 - lets kernels find the rules
from nimtui.engine.jit import kernel
from nimtui.engine.pace import Pace
from nimtui.engine.pick import Pick as Pick
from nimtui.engine.plies import MOST_PLIES, endless, name_of
from nimtui.engine.rng import GAMMA, Counter, Stream, below, bits60, mix
from nimtui.games import base
from nimtui.games.base import DRAW, Board, Move, State, casual, count, nth, outcome, play, restore
from nimtui.progress import SILENT, Progress

CHUNK = 2_000_000  # plies between two reports at most; where rules are slow fewer, see `Pace`
FIRST_CHUNK = 20_000

DONE, WINS, DRAWS, PLY, NUMBERS = range(5)
"""What the numbers of some playouts are: how many are done, and of these won and drawn by the player to move at the
start; how many plies the one at hand has, 0 between two."""


class Tally(NamedTuple):
    """What playouts after one move gave its player."""

    move: Move
    wins: int
    losses: int
    draws: int

    @property
    def value(self) -> float:
        """The mean result, −1 to 1."""
        played = self.wins + self.losses + self.draws
        return (self.wins - self.losses) / played if played else 0.0


@kernel
def playouts(
    state: State, start: Board, n: int, casually: bool, rng: Counter, at: npt.NDArray[np.int64], plies: int
) -> None:
    """Play on, until n playouts from `start`, which is not over, are done, but at most so many plies.

    `at` [NUMBERS] is where they stand, all 0 at first, and `state` where the playout at hand is: so a playout that is
    cut off goes on with the next call. at[PLY] is MOST_PLIES where a playout has no end.
    """
    x = rng[0]
    done, wins, draws, ply = at[DONE], at[WINS], at[DRAWS], at[PLY]
    left = plies
    while done < n:
        if ply == 0:
            restore(state, start)
        until = min(MOST_PLIES, ply + left)
        left += ply
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
        left -= ply
        if result == 0:
            break
        if result == DRAW:
            draws += 1
        else:
            wins += (ply & 1 == 1) == (result == 1)  # after an odd number of plies the first to move has moved last
        done += 1
        ply = 0
    at[DONE], at[WINS], at[DRAWS], at[PLY] = done, wins, draws, ply
    rng[0] = x


def count_playouts(
    state: State,
    n: int,
    stream: Stream,
    pick: Pick = Pick.UNIFORM_MOVE,
    progress: Progress = SILENT,
) -> tuple[int, int]:
    """Play n random games from here: how many the player to move wins, and how many are drawn.

    InputError where one of them has no end.
    """
    scratch = base.copy(state)
    result = int(outcome(state))
    if result != base.GOING_ON:
        return (n, 0) if result == base.LOST else (0, n if result == DRAW else 0)
    at, pace = np.zeros(NUMBERS, np.int64), Pace((playouts, type(state)), FIRST_CHUNK, CHUNK)
    while at[DONE] < n:
        playouts(scratch, state.board, n, pick is Pick.ROW_THEN_COUNT, stream.counter, at, pace.begin())
        pace.end(pace.units if at[DONE] < n else 0)
        if at[PLY] == MOST_PLIES:
            raise endless(name_of(state))
        progress.report(int(at[DONE]), n, "playouts")
    return int(at[WINS]), int(at[DRAWS])


class _Part(Progress):
    """Reports one stretch of a longer work."""

    def __init__(self, whole: Progress, before: float, total: float) -> None:
        self.whole, self.before, self.total = whole, before, total

    def report(self, done: float, total: float, what: str = "") -> None:
        self.whole.report(self.before + done, self.total, what)


def flat_monte_carlo(
    state: State,
    n: int,
    stream: Stream,
    pick: Pick = Pick.UNIFORM_MOVE,
    progress: Progress = SILENT,
) -> list[Tally]:
    """n random playouts after each legal move, in the order of the moves."""
    moves = base.legal_moves(state)
    after = base.copy(state)
    tallies = []
    for i, move in enumerate(moves):
        play(after, move)
        part = _Part(progress, i * n, len(moves) * n)
        lost, drawn = count_playouts(after, n, stream, pick, part)
        base.undo(after, move)
        tallies.append(Tally(move, n - lost - drawn, lost, drawn))
    return tallies
