"""What the players of saved games believed of their moves, in a table beside the games: most games have none.

A row belongs to a game and goes with it. The bytes are those of `GameRow.beliefs`; their meaning is `arena.beliefs`'.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from nimtui.store import seals
from nimtui.store.damage import WRONG
from nimtui.store.rows import MOST_NUMBERS, GameInfo, short_id

if TYPE_CHECKING:
    from sqlite3 import Connection

    from nimtui.store.database import Database

_WRITE = (
    "INSERT INTO beliefs (pairing, number, data, seal) VALUES (?, ?, ?, ?) ON CONFLICT (pairing, number)"
    f" DO UPDATE SET data = excluded.data, seal = excluded.seal WHERE NOT {seals.sound('beliefs', 'beliefs.')}"
)
_READ = f"SELECT data, {seals.sound('beliefs')} FROM beliefs WHERE pairing = ? AND number = ?"


def write(connection: Connection, pairing: int, beliefs: Mapping[int, bytes]) -> None:
    """Write the beliefs of a pairing's stored games, by their numbers. Sound ones that are stored stay unchanged."""
    connection.executemany(
        _WRITE,
        [(pairing, number, data, seals.of_row(pairing, number, data)) for number, data in beliefs.items()],
    )


def with_beliefs(db: Database, games: Iterable[GameInfo]) -> Iterator[GameInfo]:
    """Return these games with their beliefs. Damaged beliefs are left out and reported."""
    has_beliefs: dict[int, bool] = {}  # pairing -> whether any of its games has beliefs
    for game in games:
        pairing = game.id // MOST_NUMBERS
        if pairing not in has_beliefs:
            has_beliefs[pairing] = bool(db.query("SELECT 1 FROM beliefs WHERE pairing = ? LIMIT 1", (pairing,)))
        yield game._replace(row=game.row._replace(beliefs=_of(db, game.id))) if has_beliefs[pairing] else game


def _of(db: Database, id: int) -> bytes:
    """Return the beliefs of a game; b'' if there are none, or they are damaged."""
    for data, sound in db.query(_READ, divmod(id, MOST_NUMBERS)):
        if sound and isinstance(data, bytes):
            return data
        db.notice(f"the thoughts of game {short_id(id)} are damaged and left out: {WRONG}")
    return b""


def damaged_beliefs(connection: Connection) -> tuple[list[str], int]:
    """Return the games whose beliefs are damaged, as people type their IDs, and the number of games with beliefs."""
    rows = connection.execute(f"SELECT pairing, number, {seals.sound('beliefs')} FROM beliefs").fetchall()
    return [_named(pairing, number) for pairing, number, sound in rows if not sound], len(rows)


def _named(pairing: object, number: object) -> str:
    numbered = isinstance(pairing, int) and isinstance(number, int)
    return short_id(pairing * MOST_NUMBERS + number) if numbered else "?"  # type: ignore[operator]
