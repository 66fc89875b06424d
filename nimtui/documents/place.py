"""The keys of a position."""

from __future__ import annotations

from nimtui.games import Game
from nimtui.games.base import State


def place_keys(game: Game, state: State, given: str | None) -> dict[str, str]:
    """Return the keys of a position in a document: as it was given, and as the game names it."""
    canonical = game.position_name(state)
    return {"position": canonical if given is None else given, "canonical": canonical}
