"""What the players of a saved game believed of its moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nimtui.arena.beliefs import of_game

if TYPE_CHECKING:
    from nimtui.agents.belief import Belief
    from nimtui.store.database import Database


def beliefs_of(database: Database, id: int, plies: int) -> list[Belief | None]:
    """Return the beliefs of a saved game of so many moves; [] if they were not saved. Raise StoreError."""
    from nimtui.store.tournaments import game, with_beliefs

    [found] = with_beliefs(database, [game(database, id)])
    return of_game(found.row.beliefs, plies)
