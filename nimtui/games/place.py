"""A position as it was given, and as its game names it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from nimtui.games.base import State
from nimtui.games.game import Game
from nimtui.games.rule_text import named


class Place(NamedTuple):
    """A position of a game, for reports: `typed` is None for the start."""

    game: Game
    state: State
    typed: str | None

    @property
    def canonical(self) -> str:
        return self.game.position_name(self.state)

    @property
    def title(self) -> str:
        """The game's title, and its name in brackets."""
        return self.game.title if self.game.title == self.game.name else f"{self.game.title}  ({self.game.name})"

    @property
    def text(self) -> str:
        """The position for people: as it was given, the canonical name in brackets if that differs."""
        canonical = self.canonical or "the start"
        return canonical if self.typed in (None, self.canonical) else f"{self.typed}  (= {canonical})"

    @property
    def line(self) -> str:
        """The position for people, after the game's name: 'position 1,3,5,7'."""
        return place_line(self.keys)

    @property
    def keys(self) -> dict[str, str]:
        """The keys of game and position in a document."""
        typed = self.canonical if self.typed is None else self.typed
        return {"game": self.game.name, "position": typed, "canonical": self.canonical}

    def move(self, move: int) -> str:
        """Return the name of a move here."""
        return self.game.move_name(move, self.state)

    def named(self, move: int) -> str:
        """Return a move as it is said: 'b2', 'column 3'."""
        return named(self.game, self.state, move)


def place_line(keys: Mapping[str, str]) -> str:
    """Return the position of a document's keys for people."""
    typed, canonical = keys["position"], keys["canonical"]
    if typed == canonical:
        return f"position {typed or 'the start'}"
    return f"position {typed} (= {canonical or 'the start'})"
