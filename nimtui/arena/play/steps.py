"""Follow the moves of many games of one kind from the start, each step computed once; and find moves to a position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

import numpy as np

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
