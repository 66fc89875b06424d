"""The values of positions by brute force, which knows no theory, and what rows and runs count."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache, reduce
from operator import xor

from nimtui.games import Game, base, parse_game
from nimtui.games.base import State

Value = tuple[int, int]  # +1, 0 or −1 for the player to move, and the plies to the end with best play
SIGNS = {base.WON: -1, base.LOST: 1, base.DRAW: 0}  # of a game that is over, for the player who would be to move


def mex(values: set[int]) -> int:
    """The least number from 0 that is not among these."""
    return next(number for number in range(len(values) + 1) if number not in values)


class Force:
    """The values of a game's positions, by trying every move; it knows no theory."""

    def __init__(self, name: str | Game) -> None:
        self.game = parse_game(name) if isinstance(name, str) else name
        self.misere = self.game.name.endswith(":misere")
        self.known: dict[bytes, Value] = {}
        self._grundy: dict[bytes, int] = {}

    def after(self, state: State, move: int) -> State:
        return self.game.after(state, move)

    def value(self, state: State) -> Value:
        place = state.board.tobytes()
        if place not in self.known:
            if (end := int(base.outcome(state))) != base.GOING_ON:
                self.known[place] = SIGNS[end], 0
            else:
                moves = [self.value(self.after(state, move)) for move in base.legal_moves(state)]
                best = max(-sign for sign, _ in moves)
                plies = [plies for sign, plies in moves if -sign == best]
                self.known[place] = best, 1 + (min(plies) if best > 0 else max(plies))
        return self.known[place]

    def grundy(self, state: State) -> int:
        """The least number that no move reaches, 0 of a game that is over."""
        place = state.board.tobytes()
        if place not in self._grundy:
            self._grundy[place] = mex({self.grundy(self.after(state, move)) for move in base.legal_moves(state)})
        return self._grundy[place]

    def worth(self, state: State) -> dict[int, Value]:
        """The value of each move for the player who makes it, and the plies to the end, the move included."""
        after = {move: self.value(self.after(state, move)) for move in base.legal_moves(state)}
        return {move: (-sign, plies + 1) for move, (sign, plies) in after.items()}

    def best(self, state: State) -> list[int]:
        """The moves that keep the value of a position; all if it is lost."""
        return [move for move, (sign, _) in self.worth(state).items() if sign == self.value(state)[0]]

    def keeping(self, state: State) -> set[str]:
        return {self.game.move_name(move, state) for move in self.best(state)}

    def every(self, start: State | None = None) -> Iterator[State]:
        """All positions that follow one, the start's if none is given, each once, the finished ones too."""
        seen, queue = set(), [self.game.new() if start is None else base.copy(start)]
        for state in queue:  # it grows as it goes
            if state.board.tobytes() not in seen:
                seen.add(state.board.tobytes())
                queue += [self.after(state, move) for move in base.legal_moves(state)]
                yield state

    def positions(self, games: int) -> Iterator[State]:
        """All positions of random games, the finished ones too, each once."""
        chance, seen = random.Random(self.game.name), set()
        for _ in range(games):
            state = self.game.new()
            while True:
                if state.board.tobytes() not in seen:
                    seen.add(state.board.tobytes())
                    yield base.copy(state)
                if base.outcome(state) != base.GOING_ON:
                    break
                base.play(state, chance.choice(base.legal_moves(state)))


def limit_of(game: Game) -> int:
    return int(getattr(game.start, "limit", 99))


@cache
def grundy(size: int, limit: int, split: bool) -> int:
    """The Grundy value of one row, or of one run of neighbours."""
    options = set()
    for taken in range(1, min(limit, size) + 1):
        rest = size - taken
        for left in range(rest + 1) if split else (0,):
            options.add(grundy(left, limit, split) ^ grundy(rest - left, limit, split))
    return mex(options)


def runs(game: Game, state: State) -> list[list[int]]:
    """The lengths of the runs of each row; a row of a heap game is one run."""
    rows = ["".join("1" if cell else "0" for cell in row) for row in game.cells(state) or ()]
    split = game.board_kind == "runs"
    return [list(map(len, re.findall("1+", row))) if split else [row.count("1")] for row in rows]


def is_even(numbers: list[int]) -> bool:
    """Is the nim-sum 0, every binary column even?"""
    return reduce(xor, numbers, 0) == 0


def are_odd_ones(numbers: list[int]) -> bool:
    return max(numbers, default=0) < 2 and sum(numbers) % 2 == 1


def signs(force: Force, state: State) -> int:
    return force.value(state)[0]


def is_true(true: bool) -> None:
    assert true
