"""`nimtui.game`: a game whose positions and moves are names."""

from __future__ import annotations

import warnings
from types import ModuleType
from typing import TypeAlias

from nimtui import games
from nimtui.api import board_text
from nimtui.api.door import checked, reading
from nimtui.check.quarantine import add_own_files
from nimtui.errors import InputError
from nimtui.games import base, registry
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
        return "\n".join(board_text.lines(self.rules, self.state(position)))

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
