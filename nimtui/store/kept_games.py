"""The games of a pairing, written and read; and single games that belong to no tournament."""

from __future__ import annotations

import time
from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from nimtui.foreign.values import fit_text
from nimtui.store.errors import StoreError
from nimtui.store.rows import MOST_NUMBERS, Columns, GameRow
from nimtui.store.stored import game_columns, game_row

if TYPE_CHECKING:
    from sqlite3 import Connection

    from nimtui.store.database import Database

ROW = (
    "g.number, g.opener, g.opening, g.moves, g.result, g.own_first, g.own_second, g.chances_first, g.chances_second,"
    " g.mistakes_first, g.mistakes_second, g.fault, g.seconds"
)
_HEAD = (
    "INSERT INTO games (pairing, number, opener, opening, moves, result, own_first, own_second, chances_first,"
    " chances_second, mistakes_first, mistakes_second, fault, seconds, ended) VALUES "
)
_WIDTH, _MANY = 15, 30  # many games a statement cost a third less time
_ONE = f"({', '.join('?' * _WIDTH)})"
_TAIL = " ON CONFLICT (pairing, number) DO NOTHING"
_INSERT_ONE, _INSERT_MANY = _HEAD + _ONE + _TAIL, _HEAD + ", ".join([_ONE] * _MANY) + _TAIL


def insert(connection: Connection, pairing: int, rows: Iterable[GameRow], ended: int) -> int:
    """Write games of a pairing (its id) that are not there yet; how many these were."""
    before = connection.total_changes
    flat: list[Any] = []
    for number, opener, opening, moves, result, own, chances, mistakes, fault, seconds in rows:
        flat += pairing, number, opener, opening, moves, result, *own, *chances, *mistakes
        flat += fault and writable(fault), seconds, ended
    step = _WIDTH * _MANY
    most = len(flat) // step * step
    connection.executemany(_INSERT_MANY, [flat[at : at + step] for at in range(0, most, step)])
    connection.executemany(_INSERT_ONE, [flat[at : at + _WIDTH] for at in range(most, len(flat), _WIDTH)])
    written = connection.total_changes - before
    connection.execute("UPDATE pairings SET played = played + ? WHERE id = ?", (written, pairing))
    return written


def remove_from(connection: Connection, pairing: int, number: int) -> int:
    """Take away the games of a pairing (its id) from this number on; how many these were."""
    gone = connection.execute("DELETE FROM games WHERE pairing = ? AND number >= ?", (pairing, number)).rowcount
    connection.execute("UPDATE pairings SET played = played - ? WHERE id = ?", (gone, pairing))
    return gone


def id_of(connection: Connection, table: str, name: str) -> int:
    """The id of a name among the boards or the agents, which is written where it is new."""
    name = writable(name)
    connection.execute(f"INSERT INTO {table} (name) VALUES (?) ON CONFLICT (name) DO NOTHING", (name,))
    (found,) = connection.execute(f"SELECT id FROM {table} WHERE name = ?", (name,)).fetchone()
    return int(found)


def add_pairing(
    connection: Connection, tournament: int | None, number: int, board: str, first: str, second: str
) -> int:
    """Write a pairing; its id."""
    done = connection.execute(
        "INSERT INTO pairings (tournament, number, board, first, second) VALUES (?, ?, ?, ?, ?)",
        (
            tournament,
            number,
            id_of(connection, "boards", board),
            id_of(connection, "agents", first),
            id_of(connection, "agents", second),
        ),
    )
    assert done.lastrowid is not None
    return done.lastrowid


def rows(db: Database, tournament: int, pairing: int) -> list[GameRow]:
    """All games of a pairing of a tournament, in ascending order of their numbers."""
    found = db.query(
        f"SELECT {ROW} FROM pairings p CROSS JOIN games g ON g.pairing = p.id"
        " WHERE p.tournament = ? AND p.number = ? ORDER BY g.number",
        (tournament, pairing),
    )
    return [game_row(values) for values in found]


def columns(db: Database, tournament: int, pairing: int) -> Columns:
    """The same without the moves, a column a thing: some 500,000 games a second."""
    wanted = "FROM pairings p CROSS JOIN games g ON g.pairing = p.id WHERE p.tournament = ? AND p.number = ?"
    parts: list[array[Any]] = [array(code) for code in "qbhbiiiiiid"]
    with db.reading() as connection:
        cursor = connection.execute(
            "SELECT g.number, g.opener, g.opening, g.result, g.own_first, g.own_second, g.chances_first,"
            f" g.chances_second, g.mistakes_first, g.mistakes_second, g.seconds {wanted} ORDER BY g.number",
            (tournament, pairing),
        )
        while some := cursor.fetchmany(5000):
            for part, values in zip(parts, game_columns(some), strict=True):
                part.extend(values)
        faults = connection.execute(
            f"SELECT g.number, g.fault {wanted} AND g.fault <> ''", (tournament, pairing)
        ).fetchall()
    number, opener, opening, result, own, own2, chances, chances2, mistakes, mistakes2, seconds = parts
    return Columns(
        number,
        opener,
        opening,
        result,
        (own, own2),
        (chances, chances2),
        (mistakes, mistakes2),
        seconds,
        {number: fit_text(fault) for number, fault in faults if isinstance(number, int)},
    )


def save_game(db: Database, game: str, first: str, second: str, row: GameRow, name: str = "") -> int:
    """Keep a game that belongs to no tournament; its id. StoreError where that fails."""
    with db.writing() as connection:
        pairing = add_pairing(connection, None, 0, game, first, second)
        insert(connection, pairing, [row], int(time.time()))
        id = pairing * MOST_NUMBERS + row.number
        _change(connection, id, "name", plain(name))
    return id


def rename_game(db: Database, id: int, name: str) -> None:
    """Call a game something else; '' takes its name away. StoreError where there is none of this id."""
    with db.writing() as connection:
        _change(connection, id, "name", plain(name))


def delete_game(db: Database, id: int) -> None:
    """Hide a game from the lists. It still counts for its tournament. StoreError where there is none of this id."""
    with db.writing() as connection:
        _change(connection, id, "deleted", time.time())


def restore_game(db: Database, id: int) -> None:
    """Show a deleted game again. StoreError where there is none of this id, or none any more."""
    with db.writing() as connection:
        _change(connection, id, "deleted", None)


def writable(text: str) -> str:
    """A text without what UTF-8 cannot say: the name of a file may have such things in it."""
    return text.encode("utf-8", "replace").decode()


def plain(text: str) -> str:
    """What a person typed as a name: one line that can be written."""
    return writable(" ".join(text.split()))


def _change(connection: Connection, id: int, column: str, value: object) -> None:
    done = connection.execute(
        f"UPDATE games SET {column} = ? WHERE pairing = ? AND number = ?", (value, *divmod(id, MOST_NUMBERS))
    )
    if not done.rowcount:
        raise no_game(id)


def no_game(id: int) -> StoreError:
    return StoreError(f"there is no game {id}")
