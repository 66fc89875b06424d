"""Follow the moves of many games of one kind from the start, each step computed once; and find moves to a position.

The payoffs of finished games are read from their moves, too; and their mean with its interval.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import pairwise
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.arena.play.batch import MOVES, Batch
from nimtui.errors import InputError
from nimtui.games import Game, base
from nimtui.games.base import Move, State

MOST = 100_000  # cached steps, of small boards
MOST_BYTES = 32 << 20  # of boards
MOST_TRIES = 20_000  # positions
MOST_MOVES = 400  # moves


class Step(NamedTuple):
    """A move in a position."""

    name: str  # as people type it
    reads: bool  # whether the name is read back as this move; True if nobody asks
    after: bytes  # the board after it
    outcome: int  # the outcome after it, as `base.outcome`


class Steps:
    """The steps of one game. Only its board changes during play, so a board and a move determine a step."""

    def __init__(self, game: Game, reading: bool = False) -> None:
        """Set up the steps of a game. `reading`: find out which names are read back."""
        self.game, self._reading = game, reading
        self._start = game.new().board.tobytes()
        self._outcome = int(base.outcome(game.start))
        self._most = min(MOST, MOST_BYTES // (2 * len(self._start) + 1))
        self._known: dict[tuple[bytes, Move], Step] = {}

    def follow(self, moves: Iterable[Move]) -> Iterator[Step]:
        """Return a step per move, from the game's start. InputError for a move against the present rules."""
        at, steps = self._start, self._known
        for ply, move in enumerate(moves):
            step = steps.get((at, move))
            if step is None:
                step = self._take(at, move, ply)
            yield step
            at = step.after

    def names(self, moves: Iterable[Move]) -> list[str]:
        """Return the moves as people type them."""
        return [step.name for step in self.follow(moves)]

    def outcome(self, moves: Iterable[Move]) -> int:
        """Return the outcome after these moves, as `base.outcome`."""
        outcome = self._outcome
        for step in self.follow(moves):
            outcome = step.outcome
        return outcome

    def _take(self, at: bytes, move: Move, ply: int) -> Step:
        game, state = self.game, self.game.new()
        state.board[:] = np.frombuffer(at, state.board.dtype)
        check(game, state, ply, move)
        name = game.move_name(move, state)
        reads = not self._reading
        if self._reading:
            with suppress(InputError):
                reads = game.parse_move(name, state) == move
        base.play(state, move)
        step = Step(name, reads, state.board.tobytes(), int(base.outcome(state)))
        if len(self._known) >= self._most:
            self._known.clear()
        self._known[at, move] = step
        return step


def check(game: Game, state: State, ply: int, move: Move) -> None:
    """Raise InputError for a move against the present rules: a user's own game may have changed."""
    if base.outcome(state) != base.GOING_ON or not 0 <= move < game.size or not base.legal(state, move):
        raise InputError(f"move {ply + 1} of this game (code {move}) is not legal in {game.name}")


def line_to(game: Game, target: State) -> tuple[Move, ...] | None:
    """Return moves to `target` that never change a cell that is the same at both ends; None if none are found.

    They need not be the moves that were played; only the position is the same.
    """
    wanted = target.board.tobytes()
    goal = game.cells(target)
    state = game.new()
    dead: set[bytes] = set()
    tries = 0

    def search(depth: int) -> list[Move] | None:
        nonlocal tries
        here = state.board.tobytes()
        if here == wanted:
            return []
        tries += 1
        if here in dead or tries > MOST_TRIES or depth > MOST_MOVES or base.outcome(state) != base.GOING_ON:
            return None
        moves = [move for move in base.legal_moves(state) if _leads_on(game, state, move, goal)]
        for move in sorted(moves, key=lambda move: -len(game.touched(state, move))):  # the shortest ways first
            base.play(state, move)
            rest = search(depth + 1)
            base.undo(state, move)
            if rest is not None:
                return [move, *rest]
        dead.add(here)
        return None

    moves = search(0)
    return None if moves is None else tuple(moves)


def _leads_on(game: Game, state: State, move: Move, goal: list[list[int]] | None) -> bool:
    """Return whether a move leaves all cells it touches as they are in the goal."""
    cells = game.cells(state)
    if goal is None or cells is None:
        return True
    after = base.copy(state)
    base.play(after, move)
    later = game.cells(after) or []
    return all(later[row][column] == goal[row][column] for row, column in game.touched(state, move))


MOST_CACHED = 100_000  # games whose payoff is cached
DEVIATIONS = 1.959964  # of a normal distribution: half of a 95 % interval


class Payoffs:
    """Reads payoffs in one game. Equal games are followed once."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._sizes: dict[bytes, int] = {}

    def of(self, games: Batch) -> npt.NDArray[np.int64]:
        """Return what each game pays the pairing's first agent, [n]. A game lost by a fault pays the largest payoff."""
        moves, ends = games.moves.astype(MOVES), games.ptr.tolist()
        sizes = [self._size(moves[begin:end]) for begin, end in pairwise(ends)]
        for place in games.faults:
            sizes[place] = int(base.largest_payoff(self._game.start))
        return games.result.astype(np.int64) * np.array(sizes, np.int64)

    def _size(self, moves: npt.NDArray[np.int16]) -> int:
        """Return the payoff after these moves without its sign, which is that of the result."""
        key = moves.tobytes()
        if (size := self._sizes.get(key)) is None:
            state = self._game.new()
            for move in moves.tolist():
                base.play(state, move)
            if len(self._sizes) >= MOST_CACHED:
                self._sizes.clear()
            size = self._sizes[key] = abs(int(base.payoff(state))) if base.outcome(state) else 0
        return size


class MeanPayoff(NamedTuple):
    """The payoffs of some games, for one agent."""

    games: int = 0
    total: int = 0
    squares: int = 0

    def __add__(self, other: object) -> MeanPayoff:
        assert isinstance(other, MeanPayoff)
        return MeanPayoff(*(mine + more for mine, more in zip(self, other, strict=True)))

    @classmethod
    def of(cls, payoffs: npt.NDArray[np.int64]) -> MeanPayoff:
        values = payoffs.tolist()
        return cls(len(values), sum(values), sum(value * value for value in values))

    @property
    def turned(self) -> MeanPayoff:
        """The same games for the opponent."""
        return self._replace(total=-self.total)

    @property
    def mean(self) -> float | None:
        """The mean payoff; None without games."""
        return self.total / self.games if self.games else None

    @property
    def error(self) -> float | None:
        """Half of the 95 % interval of the mean, by its standard error; None with fewer than two games."""
        if self.games < 2:
            return None
        deviation = (self.squares - self.total * self.total / self.games) / (self.games - 1)
        return DEVIATIONS * sqrt(max(0.0, deviation) / self.games)

    @property
    def keys(self) -> dict[str, Any]:
        """The mean and its interval for a document; null: unknown."""
        mean, error = self.mean, self.error
        unknown = mean is None or error is None
        return {
            "payoff": mean,
            "payoff_low": None if unknown else mean - error,  # type: ignore[operator]
            "payoff_high": None if unknown else mean + error,  # type: ignore[operator]
        }
