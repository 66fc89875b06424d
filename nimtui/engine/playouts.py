"""Random games to the end: how many of them the player to move wins."""

from __future__ import annotations

from time import perf_counter
from typing import NamedTuple

from nimtui.engine import dispatch  # noqa: F401 - lets kernels find the rules
from nimtui.engine.jit import kernel
from nimtui.engine.pick import Pick as Pick
from nimtui.engine.rng import GAMMA, Counter, Stream, below, bits60, mix
from nimtui.games import base
from nimtui.games.base import DRAW, Board, Move, State, casual, count, nth, outcome, play, restore
from nimtui.progress import SILENT, Progress

CHUNK = 50_000  # playouts between two reports at most; in large games fewer, so that they take
CHUNK_SECONDS = 0.02  # about this long
FIRST_CHUNK = 200


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
def playouts(state: State, start: Board, n: int, casually: bool, rng: Counter) -> tuple[int, int]:
    """How many of n playouts from `start`, which is not over, its player to move wins; how many are drawn."""
    x = rng[0]
    wins = 0
    draws = 0
    for _ in range(n):
        restore(state, start)
        mine = False  # did the player to move at the start move last?
        result = 0
        while result == 0:
            x += GAMMA
            if casually:
                play(state, casual(state, bits60(mix(x))))
            else:
                play(state, nth(state, below(mix(x), count(state))))
            mine = not mine
            result = outcome(state)
        if result == DRAW:
            draws += 1
        else:
            wins += mine == (result == 1)
    restore(state, start)
    rng[0] = x
    return wins, draws


def count_playouts(
    state: State,
    n: int,
    stream: Stream,
    pick: Pick = Pick.UNIFORM_MOVE,
    progress: Progress = SILENT,
) -> tuple[int, int]:
    """Play n random games from here: how many the player to move wins, and how many are drawn."""
    scratch = base.copy(state)
    result = int(outcome(state))
    if result != base.GOING_ON:
        return (n, 0) if result == base.LOST else (0, n if result == DRAW else 0)
    wins = draws = done = 0
    wanted = FIRST_CHUNK
    while done < n:
        begun = perf_counter()
        chunk = min(wanted, CHUNK, n - done)
        won, drawn = playouts(scratch, state.board, chunk, pick is Pick.ROW_THEN_COUNT, stream.counter)
        taken = max(perf_counter() - begun, 1e-6)
        wanted = 1 + int(chunk * min(4.0, CHUNK_SECONDS / taken))
        wins, draws, done = wins + int(won), draws + int(drawn), done + chunk
        progress.report(done, n, "playouts")
    return wins, draws


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
