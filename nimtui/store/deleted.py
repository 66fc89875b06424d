"""Which row of the database was deleted last, so that it can be brought back even by another run of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from nimtui.store import seals
from nimtui.store.rows import MOST_NUMBERS

if TYPE_CHECKING:
    from nimtui.store.database import Database


class Deleted(NamedTuple):
    """A tournament, or a game that belongs to none."""

    when: float  # unix time
    is_game: bool
    id: int


def last_deleted(db: Database) -> Deleted | None:
    """The one deleted last, if any is. StoreError where the database cannot be read."""
    found = [
        Deleted(when, bool(is_game), id)
        for when, is_game, id in db.query(
            f"SELECT deleted, 0, id FROM tournaments WHERE deleted IS NOT NULL AND {seals.sound('tournaments')}"
            " UNION ALL"
            f" SELECT g.deleted, 1, g.pairing * {MOST_NUMBERS} + g.number FROM games g JOIN pairings p"
            " ON p.id = g.pairing WHERE g.deleted IS NOT NULL AND p.tournament IS NULL"
            f" AND {seals.sound('games', 'g.')} ORDER BY 1 DESC LIMIT 1"
        )
    ]
    return found[0] if found else None
