"""`nimtui.game`: a game whose positions and moves are names, and its board as lines: what is on it, row by row."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from itertools import groupby
from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias

from nimtui import games
from nimtui.api.door import checked, reading
from nimtui.check.quarantine import add_own_files
from nimtui.errors import InputError
from nimtui.games import base, registry
from nimtui.games.base import State
from nimtui.games.notation import plural

if TYPE_CHECKING:
    from nimtui.games import Game as Rules
    from nimtui.games.base import State

handed_in: list[ModuleType] = []  # modules of games, learners and agents that only this process knows
WORDS = {base.WON: "loss", base.LOST: "win", base.DRAW: "draw"}  # for the player to move


class Game:
    """A game with its start. It keeps no position: positions go in and out as names. It never changes."""

    def __init__(self, rules: games.Game) -> None:
        self.rules = rules

    @property
    def name(self) -> str:
        """The canonical name, 'nim:3,4,5'."""
        return self.rules.name

    @property
    def title(self) -> str:
        """The name people use, and who wins: 'Nim 3,4,5 · the last match wins'."""
        return self.rules.title

    def start(self) -> str:
        """Return the position at the start."""
        return self.rules.position_name(self.rules.start)

    def moves(self, position: str | None = None) -> list[str]:
        """Return the legal moves of a position [default: the start]; [] if the game is over there.

        Raises InputError for an invalid position.
        """
        state = self.state(position)
        if base.outcome(state) != base.GOING_ON:
            return []
        return [self.rules.move_name(move, state) for move in base.legal_moves(state)]

    @checked
    def play(self, position: str, *moves: str) -> str:
        """Return the position after these moves: `play("3,4,5", "b2")` is '3,2,5'.

        Raises InputError for an invalid position and an illegal move.
        """
        state = self.state(position)
        for move in moves:
            base.play(state, self.rules.parse_move(move, state))
        return self.rules.position_name(state)

    def outcome(self, position: str | None = None) -> str | None:
        """Return 'win', 'loss' or 'draw' for the player to move if the game is over; None if it is not."""
        return WORDS.get(int(base.outcome(self.state(position))))

    def show(self, position: str | None = None) -> str:
        """Return the board of a position as lines of text."""
        return "\n".join(board_lines(self.rules, self.state(position)))

    @checked
    def state(self, position: str | None) -> State:
        """Return a state of the rules at a position [default: the start]. Raises InputError if it is invalid."""
        return self.rules.new(position)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.rules == other.rules

    def __hash__(self) -> int:
        return hash(self.rules)

    def __repr__(self) -> str:
        return f"{self.title}  ({self.name})\n{self.show()}"


GameLike: TypeAlias = str | Game | games.Game | ModuleType
"""A game wherever one is taken: its name, a game, or the module of your own rules (its first form)."""


@reading("a game")
def game(name: GameLike) -> Game:
    """Return the game of this name: `nimtui.game("nim:3,4,5")`.

    `nimtui play --help` lists the names. Instead of a name, a module with your own rules (docs/extending.md) gives the
    first of its FORMS, and makes all its names known. Your files in the data folder are known too; a file that cannot
    be used gives a warning. Raises InputError for an unknown or invalid name, and for rules that lack something.
    """
    if isinstance(name, Game):
        return name
    own_files()
    if isinstance(name, games.Game):
        return Game(name)
    if isinstance(name, ModuleType):
        registry.add(name)
        handed_in.append(name)
        name = registry.forms_of(name)[0]
    if not isinstance(name, str):
        raise InputError(f"a game is a name such as 'tower:16', not {type(name).__name__}")
    return Game(games.parse_game(name))


def own_files() -> None:
    """Load the person's own games, learners and agents, once. Warns of each file that cannot be used."""
    global _loaded
    if not _loaded:
        _loaded = True
        for fault in add_own_files():
            warnings.warn(fault, stacklevel=3)


_loaded = False


DISCS = ".XO"  # an empty cell, and the discs of both players
GRID = ".XO#!"  # the same on a grid, then a piece of neither player, and a poisoned one


def board_lines(game: Rules, state: State) -> list[str]:
    """Return the board: 'A: 1 match', 'B: 2 matches, at 1 and 3', 'Row 1: . X O .', 'A: # # #'."""
    cells = game.cells(state)
    if game.board_kind == "heaps":
        heaps = [plural(int(heap), "match", "matches") for heap in game.position_name(state).split(",")]
        return [f"{chr(ord('A') + at)}: {heap}" for at, heap in enumerate(heaps)] if len(heaps) > 1 else heaps
    if cells is None or game.board_kind not in ("rows", "runs", "columns", "grid"):
        return [f"Position: {game.position_name(state) or 'the start'}"]
    if game.board_kind == "columns":
        return _discs(cells)
    if game.board_kind == "grid":
        return _grid(cells)
    what = ("marble", "marbles") if game.pays else ("match", "matches")  # the rows of red-blue Nim
    rows = [_matches(row, what, where=game.board_kind == "runs") for row in cells]
    if len(rows) == 1:
        return [rows[0][:1].upper() + rows[0][1:]]
    return [f"{chr(ord('A') + at)}: {row}" for at, row in enumerate(rows)]


def _grid(cells: Sequence[Sequence[int]]) -> list[str]:
    """Return the rows of a grid under the numbers of its columns; a blank where there is no cell."""
    signs = [[" " if n < 0 else GRID[n] if n < len(GRID) else str(n) for n in row] for row in cells]
    rows = [(f"{chr(ord('A') + at)}:", row) for at, row in enumerate(signs)]
    return _aligned([("", _numbers(max(map(len, signs), default=0))), *rows], 3)


def _discs(cells: Sequence[Sequence[int]]) -> list[str]:
    rows = [(f"Row {len(cells) - at}:", [DISCS[disc] for disc in discs]) for at, discs in enumerate(cells)]
    return _aligned([*rows, ("Column:", _numbers(len(cells[0])))], 8)


def _numbers(columns: int) -> list[str]:
    return [str(column + 1) for column in range(columns)]


def _aligned(rows: Sequence[tuple[str, Sequence[str]]], margin: int) -> list[str]:
    """Return rows of signs behind their names, in columns of one width."""
    wide = max((len(sign) for _, signs in rows for sign in signs), default=0)
    return [f"{name:<{margin}}{' '.join(f'{sign:>{wide}}' for sign in signs)}".rstrip() for name, signs in rows]


def _matches(row: Sequence[int], what: tuple[str, str], where: bool) -> str:
    """Return the matches of a row; with `where`, a row with gaps tells at which places they stand."""
    count = sum(map(bool, row))  # a blue marble is a 2
    matches = plural(count, *what)
    return f"{matches}, at {_joined(list(_runs(row)))}" if where and 0 < count < len(row) else matches


def _runs(row: Sequence[int]) -> Iterator[str]:
    """Yield the runs of neighbours: '1', '3 to 5'."""
    for stands, run in groupby(enumerate(row, 1), key=lambda cell: bool(cell[1])):
        first, *_, last = [place for place, _ in run] * 2
        if stands:
            yield str(first) if first == last else f"{first} to {last}"


def _joined(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
