"""What was deleted long ago goes for good."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from sqlite3 import Connection
from typing import Any, Protocol

from nimtui.store import seals

LASTING = 30.0  # days that something deleted can be restored
_TOURNAMENTS = f"tournaments WHERE deleted < ? AND {seals.sound('tournaments')}"
_GAMES = (
    f"pairings WHERE tournament IS NULL AND {seals.sound('pairings')} AND id IN"
    " (SELECT pairing FROM games INDEXED BY games_deleted WHERE deleted IS NOT NULL AND deleted < ?"
    f" AND {seals.sound('games')})"
)


class Purged(Protocol):
    """A database, as far as it is needed here."""

    def query(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]: ...
    def writing(self) -> AbstractContextManager[Connection]: ...


def purge(db: Purged, days: float = LASTING) -> int:
    """Take away for good what was deleted longer ago than this; how many tournaments and single games that were.

    A deleted game of a tournament goes with its tournament, which would have another result without it.
    """
    until = (time.time() - days * 86400,)
    if not any(db.query(f"SELECT 1 FROM {what} LIMIT 1", until) for what in (_TOURNAMENTS, _GAMES)):
        return 0
    with db.writing() as connection:
        return sum(connection.execute(f"DELETE FROM {what}", until).rowcount for what in (_TOURNAMENTS, _GAMES))
