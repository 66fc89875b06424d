"""Write and read the games of a pairing, and single games outside any tournament.

What the players believed of their moves stands in a table beside the games: most games have no beliefs. A row there
belongs to a game and goes with it. Its bytes are those of `GameRow.beliefs`; `agents.belief` gives their meaning.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any
from zlib import crc32

from nimtui.store import row_values, seals
from nimtui.store.errors import StoreError
from nimtui.store.row_values import WRONG, game_row
from nimtui.store.rows import MOST_NUMBERS, Columns, GameInfo, GameRow, short_id

if TYPE_CHECKING:
    from sqlite3 import Connection

    from nimtui.store.database import Database

UNREADABLE = "the cause is damaged and cannot be read"  # shown instead of a damaged fault
PRESENT = "(deleted IS NULL OR :value IS NULL)"  # what was deleted can only be restored
_LAST = itemgetter(-1)
_SOUND_COLUMNS = f"({seals.sound_numbers('g.')} AND g.seconds BETWEEN 0 AND 1e300)"
_COLUMNS = ("pairing", *row_values.OF_A_GAME, "ended", "seal")
ROW = ", ".join(f"g.{name}" for name in row_values.OF_A_GAME)
_WIDTH, _MANY = len(_COLUMNS), 30  # games per statement: many take a third less time
_ONE = f"({', '.join('?' * _WIDTH)})"
_HEAD = f"INTO games ({', '.join(_COLUMNS)}) VALUES "
_TAIL = " ON CONFLICT (pairing, number) DO NOTHING"
_INSERT_ONE, _INSERT_MANY = f"INSERT {_HEAD}{_ONE}{_TAIL}", f"INSERT {_HEAD}{', '.join([_ONE] * _MANY)}{_TAIL}"
_REPLACE = f"REPLACE {_HEAD}{_ONE}"


def insert(connection: Connection, pairing: int, rows: Iterable[GameRow], ended: int) -> int:
    """Write games of a pairing (its id) that are not stored yet; return how many were written.

    A stored game that is damaged is replaced: the new one is right. Sound beliefs that are stored stay unchanged.
    """
    before = connection.total_changes
    flat: list[Any] = []
    beliefs: dict[int, bytes] = {}
    shared = crc32(seals.OF_ALL(pairing, ended))  # the start of the lower seal part of each of these games
    of_one, largest = seals.OF_ONE, seals.MOST
    for number, opener, opening, moves, result, both_own, both_chances, both_mistakes, fault, seconds, belief in rows:
        (own, own2), (chances, chances2), (mistakes, mistakes2) = both_own, both_chances, both_mistakes
        whole = of_one(number, opener, opening, result, own, own2, chances, chances2, mistakes, mistakes2, seconds)
        rest = crc32(moves, crc32(whole, shared))
        if belief:
            beliefs[number] = belief
        if fault:
            fault = writable(fault)
            rest = seals.with_texts(rest, fault.encode())
        # Computes the sum of seals.WEIGHTS inline: a million games need it a million times.
        weighted = number * 3 + opener * 5 + opening * 7 + result * 11 + own * 13 + own2 * 17
        weighted += chances * 19 + chances2 * 23 + mistakes * 29 + mistakes2 * 31
        flat += (pairing, number, opener, opening, moves, result, own, own2, chances, chances2, mistakes, mistakes2)
        flat += (fault, seconds, ended, (weighted & largest) << 32 | rest)
    step = _WIDTH * _MANY
    most = len(flat) // step * step
    connection.executemany(_INSERT_MANY, [flat[at : at + step] for at in range(0, most, step)])
    connection.executemany(_INSERT_ONE, [flat[at : at + _WIDTH] for at in range(most, len(flat), _WIDTH)])
    written = connection.total_changes - before
    if written < len(flat) // _WIDTH:
        _mend(connection, pairing, {flat[at + 1]: flat[at : at + _WIDTH] for at in range(0, len(flat), _WIDTH)})
    sealed = [(pairing, number, data, seals.of_row(pairing, number, data)) for number, data in beliefs.items()]
    connection.executemany(_WRITE_BELIEFS, sealed)
    _count(connection, pairing, written)
    return written


def _mend(connection: Connection, pairing: int, games: dict[int, list[Any]]) -> None:
    """Replace the damaged ones among these stored games."""
    damaged = f"SELECT number FROM games WHERE pairing = ? AND number BETWEEN ? AND ? AND NOT {seals.sound('games')}"
    for (number,) in connection.execute(damaged, (pairing, min(games), max(games))).fetchall():
        if number in games:
            connection.execute(_REPLACE, games[number])


def _count(connection: Connection, pairing: int, more: int) -> None:
    seals.change(connection, "pairings", "id = :id", {"played": "played + :more"}, {"id": pairing, "more": more})


def remove_from(connection: Connection, pairing: int, number: int) -> int:
    """Delete the games of a pairing (its id) from this number on; return how many were deleted."""
    number_deleted = connection.execute(
        "DELETE FROM games WHERE pairing = ? AND number >= ?", (pairing, number)
    ).rowcount
    _count(connection, pairing, -number_deleted)
    return number_deleted


def id_of(connection: Connection, table: str, name: str) -> int:
    """Return the id of a name among the boards or the agents; write the name if it is new."""
    name = writable(name)
    row = connection.execute(f"SELECT id FROM {table} WHERE name = ?", (name,)).fetchone()
    if row is not None:
        return int(row[0])
    id = connection.execute(f"INSERT INTO {table} (name) VALUES (?)", (name,)).lastrowid
    assert id is not None
    seals.seal(connection, table, id)
    return id


def add_pairing(
    connection: Connection, tournament: int | None, number: int, board: str, first: str, second: str
) -> int:
    """Write a pairing and return its id."""
    names = id_of(connection, "boards", board), id_of(connection, "agents", first), id_of(connection, "agents", second)
    statement = "INSERT INTO pairings (tournament, number, board, first, second) VALUES (?, ?, ?, ?, ?)"
    done = connection.execute(statement, (tournament, number, *names))
    assert done.lastrowid is not None
    seals.seal(connection, "pairings", done.lastrowid)
    return done.lastrowid


def rows(db: Database, tournament: int, pairing: int) -> list[GameRow]:
    """Return all games of a pairing of a tournament, in ascending order of their numbers.

    Damaged games are left out and reported.
    """

    def read(connection: Connection) -> list[tuple[Any, ...]]:
        of = row_values.pairing_of(connection, tournament, pairing)
        statement = f"SELECT {ROW}, {seals.sound('games', 'g.')} FROM games g WHERE g.pairing = ? ORDER BY g.number"
        records = connection.execute(statement, (of.id,)).fetchall()
        row_values.tell(db, of, [values[0] for values in records if not values[-1]], len(records))
        return records

    return [game_row(values[:-1]) for values in db.read(read) if values[-1]]


FIRST_MOVE = "CASE WHEN length(g.moves) < 2 THEN x'FFFF' ELSE substr(g.moves, 1, 2) END"


def columns(db: Database, tournament: int, pairing: int) -> Columns:
    """Return the games of a pairing as columns, with the first moves alone: some 300,000 games per second."""
    return db.read(lambda connection: _columns(db, connection, row_values.pairing_of(connection, tournament, pairing)))


def _columns(db: Database, connection: Connection, of: row_values.Pairing) -> Columns:
    parts: list[array[Any]] = [array(code) for code in "qbhbiiiiiiBd"]
    cursor = connection.execute(
        f"SELECT {', '.join(f'g.{name}' for name in seals.WEIGHTS)}, {FIRST_MOVE}, g.seconds, {_SOUND_COLUMNS}"
        " FROM games g WHERE g.pairing = ? ORDER BY g.number",
        (of.id,),
    )
    wrong: list[Any] = []
    stored = 0
    while some := cursor.fetchmany(5000):
        stored += len(some)
        sound = some
        if not all(map(_LAST, some)):
            sound = [values for values in some if values[-1]]
            wrong += [values[0] for values in some if not values[-1]]
        if not _extend(parts, sound):  # damage that the sum does not show, such as a text instead of 0
            fitting = [values for values in sound if _fits(values)]
            wrong += [values[0] for values in sound if not _fits(values)]
            if not _extend(parts, fitting):
                wrong += [values[0] for values in fitting]
    faults: dict[int, str] = {}
    for number, fault, sound_text in connection.execute(
        f"SELECT g.number, g.fault, {seals.sound('games', 'g.')} FROM games g WHERE g.pairing = ? AND g.fault <> ''"
        f" AND {_SOUND_COLUMNS}",
        (of.id,),
    ):
        faults[number] = fault if sound_text else UNREADABLE
        wrong += [] if sound_text else [number]
    row_values.tell(db, of, wrong, stored)
    number, opener, opening, result, own, own2, chances, chances2, mistakes, mistakes2, first, seconds = parts
    return Columns(
        number, opener, opening, result, (own, own2), (chances, chances2), (mistakes, mistakes2), first, seconds, faults
    )


def _extend(parts: list[array[Any]], rows: Sequence[Sequence[Any]]) -> bool:
    """Append rows to the columns. Return False, with the columns unchanged, if a value has the wrong type or size."""
    before = list(map(len, parts))
    try:
        for part, column in zip(parts, zip(*rows, strict=True), strict=False):
            part.extend(b"".join(column) if part.typecode == "B" else column)
    except (TypeError, OverflowError):
        for part, size in zip(parts, before, strict=True):
            del part[size:]
        return False
    return True


def _fits(values: Sequence[Any]) -> bool:
    *numbers, first, seconds, _ = values
    return all(isinstance(value, int) for value in numbers) and isinstance(first, bytes) and isinstance(seconds, float)


def save_game(db: Database, game: str, first: str, second: str, row: GameRow, name: str = "") -> int:
    """Save a game outside any tournament and return its id. Raise StoreError if that fails."""
    with db.writing() as connection:
        pairing = add_pairing(connection, None, 0, game, first, second)
        insert(connection, pairing, [row], int(time.time()))
        id = pairing * MOST_NUMBERS + row.number
        if name := clean_name(name):
            change(connection, id, "name", name)
    return id


def rename_game(db: Database, id: int, name: str) -> None:
    """Rename a game; '' removes its name. Raise StoreError if there is no such game."""
    with db.writing() as connection:
        change(connection, id, "name", clean_name(name))


def delete_game(db: Database, id: int) -> None:
    """Hide a game from the lists. It still counts for its tournament. Raise StoreError if there is no such game."""
    with db.writing() as connection:
        change(connection, id, "deleted", time.time())


def restore_game(db: Database, id: int) -> None:
    """Show a deleted game again. Raise StoreError if there is no such game, or it has been purged."""
    with db.writing() as connection:
        change(connection, id, "deleted", None)


def writable(text: str) -> str:
    """Return a text without characters that UTF-8 cannot encode; a file name may contain some."""
    return text.encode("utf-8", "replace").decode()


def clean_name(text: str) -> str:
    """Return a name that a person typed as one line that can be written."""
    return writable(" ".join(text.split()))


def change(connection: Connection, id: int, column: str, value: object) -> None:
    """Change a game's name or the time of its deletion. Raise StoreError if there is no such game, or it was deleted:
    then it can only be restored (`value` None).
    """
    pairing, number = divmod(id, MOST_NUMBERS)
    values = {"value": value, "pairing": pairing, "number": number}
    where = f"pairing = :pairing AND number = :number AND {PRESENT}"
    if not seals.change(connection, "games", where, {column: ":value"}, values):
        raise no_game(id)


def no_game(id: int) -> StoreError:
    return StoreError(f"game {short_id(id)} does not exist, or was deleted")


_WRITE_BELIEFS = (
    "INSERT INTO beliefs (pairing, number, data, seal) VALUES (?, ?, ?, ?) ON CONFLICT (pairing, number)"
    f" DO UPDATE SET data = excluded.data, seal = excluded.seal WHERE NOT {seals.sound('beliefs', 'beliefs.')}"
)
_READ_BELIEFS = f"SELECT data, {seals.sound('beliefs')} FROM beliefs WHERE pairing = ? AND number = ?"


def with_beliefs(db: Database, games: Iterable[GameInfo]) -> Iterator[GameInfo]:
    """Return these games with their beliefs. Damaged beliefs are left out and reported."""
    has_beliefs: dict[int, bool] = {}  # pairing -> whether any of its games has beliefs
    for game in games:
        pairing = game.id // MOST_NUMBERS
        if pairing not in has_beliefs:
            has_beliefs[pairing] = bool(db.query("SELECT 1 FROM beliefs WHERE pairing = ? LIMIT 1", (pairing,)))
        yield game._replace(row=game.row._replace(beliefs=_beliefs_of(db, game.id))) if has_beliefs[pairing] else game


def _beliefs_of(db: Database, id: int) -> bytes:
    """Return the beliefs of a game; b'' if there are none, or they are damaged."""
    for data, sound in db.query(_READ_BELIEFS, divmod(id, MOST_NUMBERS)):
        if sound and isinstance(data, bytes):
            return data
        db.notice(f"the thoughts of game {short_id(id)} are damaged and left out: {WRONG}")
    return b""


def damaged_beliefs(connection: Connection) -> tuple[list[str], int]:
    """Return the games whose beliefs are damaged, as people type their IDs, and the number of games with beliefs."""
    rows = connection.execute(f"SELECT pairing, number, {seals.sound('beliefs')} FROM beliefs").fetchall()
    return [_typed_id(pairing, number) for pairing, number, sound in rows if not sound], len(rows)


def _typed_id(pairing: object, number: object) -> str:
    numbered = isinstance(pairing, int) and isinstance(number, int)
    return short_id(pairing * MOST_NUMBERS + number) if numbered else "?"  # type: ignore[operator]
