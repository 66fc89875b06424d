"""Checksums of the database's rows, to detect a bit that flips on the disk when its row is read.

Every row has a `seal`. The seal of a game is two numbers in one. Its lower 32 bits are a CRC of all values. Above them
is a weighted sum of the whole numbers, which SQLite computes by itself: that checks the results of a million games
without their moves. Each weight is a different prime, so no single number changes without the sum, within the bounds of
the number. Several changes together can leave the sum unchanged; only the CRC shows them, and `sound` checks both.

The seals of all other tables are CRCs. A row that fails its seal keeps it through later changes, so that the damage
stays known.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from zlib import crc32

if TYPE_CHECKING:
    from sqlite3 import Connection

TEXT, REAL, WHOLE, BLOB = "TEXT", "REAL", "INTEGER", "BLOB"

GAMES = "games"
COUNTS = ("own_first", "own_second", "chances_first", "chances_second", "mistakes_first", "mistakes_second")
NUMBERS = ("number", "opener", "opening", "result", *COUNTS)
WEIGHTS = dict(zip(NUMBERS, (3, 5, 7, 11, 13, 17, 19, 23, 29, 31), strict=True))
TABLES: dict[str, dict[str, str]] = {  # the columns that a seal covers, in this order
    "boards": {"id": WHOLE, "name": TEXT},
    "agents": {"id": WHOLE, "name": TEXT},
    "tournaments": {
        "id": WHOLE,
        **dict.fromkeys(("kind", "name", "document", "state"), TEXT),
        **dict.fromkeys(("made", "changed", "seconds"), REAL),
        "total": WHOLE,
        "token": TEXT,
        "deleted": REAL,
    },
    "pairings": dict.fromkeys(("id", "tournament", "number", "board", "first", "second", "played"), WHOLE),
    GAMES: {
        "pairing": WHOLE,
        **dict.fromkeys(WEIGHTS, WHOLE),
        "moves": BLOB,
        "fault": TEXT,
        "seconds": REAL,
        "ended": WHOLE,
        "name": TEXT,
        "deleted": REAL,
    },
    "beliefs": {"pairing": WHOLE, "number": WHOLE, "data": BLOB},
}
MOST = (1 << 31) - 1  # the limit of a game's numbers, and of their sum
OF_ALL, OF_ONE = struct.Struct("<qq").pack, struct.Struct("<10qd").pack


def with_texts(crc: int, fault: bytes, name: bytes = b"", deleted: float | None = None) -> int:
    """Return the CRC extended by what few games have: a fault and a name, in UTF-8, and the time of deletion."""
    if fault or name or deleted is not None:
        return crc32(b"%b\0%b\0%b" % (fault, name, repr(deleted).encode()), crc)
    return crc


def _of_game(pairing: int, *values: Any) -> int | None:
    """Return the lower part of any game's seal, texts in UTF-8, or None if its values have the wrong types."""
    *whole, moves, fault, seconds, ended, name, deleted = values
    try:
        crc = crc32(moves, crc32(OF_ONE(*whole, seconds), crc32(OF_ALL(pairing, ended))))
        return with_texts(crc, fault, name, deleted)
    except (TypeError, struct.error):
        return None


def of_row(*values: object) -> int:
    """Return the seal of a row of any other table; its texts are in UTF-8."""
    return crc32(ascii(values).encode())


def install(connection: Connection) -> None:
    """Let SQL statements compute seals. A row with values of wrong types has none."""
    connection.create_function("seal_of_game", len(TABLES[GAMES]), _of_game, deterministic=True)
    connection.create_function("seal_of_row", -1, of_row, deterministic=True)


def numbers(alias: str = "") -> str:
    """Return SQL for the weighted sum of a game's whole numbers."""
    return f"({' + '.join(f'{alias}{name} * {weight}' for name, weight in WEIGHTS.items())} & {MOST})"


def expression(table: str, alias: str = "", instead: Mapping[str, str] | None = None) -> str:
    """Return SQL for the seal that a row should have; `instead` replaces some of its values by other expressions."""
    expressions = {name: _as_stored(value, TABLES[table][name]) for name, value in (instead or {}).items()}
    values = [expressions.get(name, _as_stored(alias + name, kind, True)) for name, kind in TABLES[table].items()]
    if table == GAMES:
        return f"({numbers(alias)} << 32 | seal_of_game({', '.join(values)}))"
    return f"seal_of_row({', '.join(values)})"


def sound(table: str, alias: str = "") -> str:
    """Return SQL that is 1 if a row passes its seal, otherwise 0; 0 for a row without a seal."""
    return f"coalesce({alias}seal = {expression(table, alias)}, 0)"


def sound_numbers(alias: str = "") -> str:
    """Return SQL that is true if a game's whole numbers pass their sum; NULL counts as false.

    SQLite computes the expression by itself.
    """
    within = [f" AND {alias}{name} BETWEEN 0 AND {MOST}" for name in WEIGHTS if name not in ("number", "result")]
    return f"({alias}seal >> 32 = {numbers(alias)}{''.join(within)})"


def seal(connection: Connection, table: str, id: int) -> None:
    """Seal a row that has just been written."""
    connection.execute(f"UPDATE {table} SET seal = {expression(table)} WHERE id = ?", (id,))


def change(
    connection: Connection, table: str, where: str, changes: Mapping[str, str], values: Mapping[str, object]
) -> int:
    """Set columns of rows to expressions of named values, and reseal the sound rows; return how many rows changed."""
    assigned = ", ".join(f"{column} = {value}" for column, value in changes.items())
    sealed = f"CASE WHEN {sound(table)} THEN {expression(table, instead=changes)} ELSE seal END"
    return connection.execute(f"UPDATE {table} SET {assigned}, seal = {sealed} WHERE {where}", values).rowcount


def _as_stored(value: str, kind: str, column: bool = False) -> str:
    """Return SQL for a value as its column will return it; texts as bytes, which may be invalid UTF-8."""
    if kind == TEXT:
        return f"CAST({value} AS BLOB)"
    return value if column or kind == BLOB else f"CAST({value} AS {kind})"
