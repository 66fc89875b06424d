"""Deleted tournaments and games: restore the last one, even in another run of the program, and purge old ones."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from sqlite3 import Connection
from typing import Any, NamedTuple, Protocol

from nimtui.store import seals
from nimtui.store.rows import MOST_NUMBERS

LASTING = 30  # days until a deletion is final
_TOURNAMENTS = f"tournaments WHERE deleted < ? AND {seals.sound('tournaments')}"
_GAMES = (
    f"pairings WHERE tournament IS NULL AND {seals.sound('pairings')} AND id IN"
    " (SELECT pairing FROM games INDEXED BY games_deleted WHERE deleted IS NOT NULL AND deleted < ?"
    f" AND {seals.sound('games')})"
)


class Queried(Protocol):
    """The part of a database that deletion needs."""

    def query(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]: ...
    def writing(self) -> AbstractContextManager[Connection]: ...


def purge(db: Queried, days: float = LASTING) -> int:
    """Delete for good what was deleted more than `days` ago; return how many tournaments and single games were purged.

    A deleted game of a tournament stays until its tournament goes: without it the result would change.
    """
    until = (time.time() - days * 86400,)
    if not any(db.query(f"SELECT 1 FROM {what} LIMIT 1", until) for what in (_TOURNAMENTS, _GAMES)):
        return 0
    with db.writing() as connection:
        return sum(connection.execute(f"DELETE FROM {what}", until).rowcount for what in (_TOURNAMENTS, _GAMES))


class Deleted(NamedTuple):
    """A deleted tournament, or a deleted game outside any tournament."""

    when: float  # Unix time
    is_game: bool
    id: int


def last_deleted(db: Queried) -> Deleted | None:
    """Return the last deleted one, or None. Raise StoreError if the database cannot be read."""
    rows = db.query(
        f"SELECT deleted, 0, id FROM tournaments WHERE deleted IS NOT NULL AND {seals.sound('tournaments')}"
        " UNION ALL"
        f" SELECT g.deleted, 1, g.pairing * {MOST_NUMBERS} + g.number FROM games g JOIN pairings p"
        " ON p.id = g.pairing WHERE g.deleted IS NOT NULL AND p.tournament IS NULL"
        f" AND {seals.sound('games', 'g.')} ORDER BY 1 DESC LIMIT 1"
    )
    return next((Deleted(when, bool(is_game), id) for when, is_game, id in rows), None)
