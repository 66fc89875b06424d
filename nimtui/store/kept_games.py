"""Games that were kept, one by one or in columns, and single games that belong to no tournament."""

from __future__ import annotations

import time
from array import array
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from nimtui.store.errors import StoreError
from nimtui.store.rows import MOST_NUMBERS, Columns, GameInfo, GameRow

if TYPE_CHECKING:
    from sqlite3 import Connection

    from nimtui.store.database import Database

ROW = (
    "g.number, g.opener, g.opening, g.moves, g.result, g.own_first, g.own_second, g.chances_first, g.chances_second,"
    " g.mistakes_first, g.mistakes_second, g.fault, g.seconds"
)
INFO = (
    f"SELECT g.pairing, p.tournament, t.kind, b.name, first.name, second.name, {ROW}, g.ended, g.name, p.number,"
    " g.deleted IS NOT NULL"
)
# The pairings from the newest to the oldest, and the games of each from the last to the first: nothing has to be
# sorted, and nothing more is read than is shown.
FROM = (
    " FROM pairings p LEFT JOIN tournaments t ON t.id = p.tournament JOIN boards b ON b.id = p.board"
    " JOIN agents first ON first.id = p.first JOIN agents second ON second.id = p.second"
)
GAMES = f"{FROM} CROSS JOIN games g ON g.pairing = p.id"
NEWEST_FIRST = " ORDER BY p.id DESC, g.number DESC"
INSERT = (
    "INSERT INTO games (pairing, number, opener, opening, moves, result, own_first, own_second, chances_first,"
    " chances_second, mistakes_first, mistakes_second, fault, seconds, ended)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (pairing, number) DO NOTHING"
)
OWN_GAME = "play"  # the kind of a game that belongs to no tournament


def insert(connection: Connection, pairing: int, rows: Iterable[GameRow], ended: int) -> int:
    """Write games of a pairing (its id) that are not there yet; how many these were."""
    before = connection.total_changes
    connection.executemany(
        INSERT,
        [
            (pairing, number, opener, opening, moves, result, *own, *chances, *mistakes, fault, seconds, ended)
            for number, opener, opening, moves, result, own, chances, mistakes, fault, seconds in rows
        ],
    )
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
    return [_row(values) for values in found]


def columns(db: Database, tournament: int, pairing: int) -> Columns:
    """The same without the moves: some 700,000 games a second."""
    wanted = "FROM pairings p CROSS JOIN games g ON g.pairing = p.id WHERE p.tournament = ? AND p.number = ?"
    parts: list[array[Any]] = [array(code) for code in "qbhbiiiiiid"]
    with db.reading() as connection:
        cursor = connection.execute(
            "SELECT g.number, g.opener, g.opening, g.result, g.own_first, g.own_second, g.chances_first,"
            f" g.chances_second, g.mistakes_first, g.mistakes_second, g.seconds {wanted} ORDER BY g.number",
            (tournament, pairing),
        )
        while some := cursor.fetchmany(5000):
            for part, values in zip(parts, zip(*some, strict=True), strict=True):
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
        dict(faults),
    )


def games(
    db: Database,
    tournament: int | None = None,
    pairing: int | None = None,
    agent: str | None = None,
    game: str | None = None,
    result: int | None = None,
    faults_only: bool = False,
    limit: int | None = 100,
    before: int | None = None,
    kind: str | None = None,
    text: str = "",
    deleted: bool = False,
) -> list[GameInfo]:
    """Kept games, the newest first: those of the latest tournament, its last pairing, its last game.

    `agent` and `game` are parts of their names, `text` of any name; `before` is the id of the last one already shown.
    """
    wanted, values = _wanted(tournament, pairing, agent, game, kind, text)
    more, further = _wanted_games(result, faults_only, deleted)
    if before is not None:
        more.append("p.id <= ? AND (p.id < ? OR g.number < ?)")
        further += [before // MOST_NUMBERS, before // MOST_NUMBERS, before % MOST_NUMBERS]
    ending = "" if limit is None else f" LIMIT {int(limit)}"
    statement = INFO + GAMES + _where(wanted + more) + NEWEST_FIRST + ending
    return [_info(found) for found in db.query(statement, values + further)]


def count(
    db: Database,
    tournament: int | None = None,
    pairing: int | None = None,
    agent: str | None = None,
    game: str | None = None,
    result: int | None = None,
    faults_only: bool = False,
    kind: str | None = None,
    text: str = "",
    deleted: bool = False,
) -> int:
    """How many games there are of those that `games` would give without a limit."""
    wanted, values = _wanted(tournament, pairing, agent, game, kind, text)
    if deleted or faults_only or result is not None:
        more, further = _wanted_games(result, faults_only, deleted)
        ((found,),) = db.query("SELECT count(*)" + GAMES + _where(wanted + more), values + further)
        return int(found)
    ((played,),) = db.query("SELECT coalesce(sum(p.played), 0)" + FROM + _where(wanted), values)  # quick
    ((hidden,),) = db.query(
        "SELECT count(*)" + GAMES + _where([*wanted, "g.deleted IS NOT NULL"]),
        values,
    )
    return int(played - hidden)


def game(db: Database, id: int) -> GameInfo:
    """One game, even a deleted one. StoreError where there is none of this id."""
    found = db.query(INFO + GAMES + " WHERE p.id = ? AND g.number = ?", divmod(id, MOST_NUMBERS))
    if not found:
        raise _no_game(id)
    return _info(found[0])


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


def plain(text: str) -> str:
    """A name as it is kept: one line that can be written."""
    return " ".join(text.split()).encode("utf-8", "replace").decode()


def part_of(text: str) -> str:
    """A pattern for LIKE: whatever has this text in it."""
    for special in "\\%_":
        text = text.replace(special, f"\\{special}")
    return f"%{plain(text)}%"


def _change(connection: Connection, id: int, column: str, value: object) -> None:
    done = connection.execute(
        f"UPDATE games SET {column} = ? WHERE pairing = ? AND number = ?", (value, *divmod(id, MOST_NUMBERS))
    )
    if not done.rowcount:
        raise _no_game(id)


def _no_game(id: int) -> StoreError:
    return StoreError(f"there is no game {id}")


def _wanted(
    tournament: int | None, pairing: int | None, agent: str | None, game: str | None, kind: str | None, text: str
) -> tuple[list[str], list[Any]]:
    """The conditions for pairings, and their values."""
    wanted, values = ["t.deleted IS NULL"], list[Any]()
    for condition, value in (("p.tournament = ?", tournament), ("p.number = ?", pairing)):
        if value is not None:
            wanted.append(condition)
            values.append(value)
    if kind is not None:
        wanted.append(f"coalesce(t.kind, '{OWN_GAME}') = ?")
        values.append(kind)
    if game:
        wanted.append("b.name LIKE ? ESCAPE '\\'")
        values.append(part_of(game))
    if agent:
        wanted.append("(first.name LIKE ? ESCAPE '\\' OR second.name LIKE ? ESCAPE '\\')")
        values += [part_of(agent)] * 2
    for word in text.split():
        names = ("b.name", "first.name", "second.name", "coalesce(t.name, '')")
        wanted.append("(" + " OR ".join(f"{name} LIKE ? ESCAPE '\\'" for name in names) + ")")
        values += [part_of(word)] * len(names)
    return wanted, values


def _wanted_games(result: int | None, faults_only: bool, deleted: bool) -> tuple[list[str], list[Any]]:
    """The conditions for games, and their values."""
    wanted = [f"g.deleted IS {'NOT ' if deleted else ''}NULL"]
    if faults_only:
        wanted.append("g.fault <> ''")
    if result is None:
        return wanted, []
    return [*wanted, "g.result = ?"], [result]


def _where(conditions: Sequence[str]) -> str:
    return " WHERE " + " AND ".join(conditions)


def _row(values: Sequence[Any]) -> GameRow:
    number, opener, opening, moves, result, own, own2, chances, chances2, mistakes, mistakes2, fault, seconds = values
    return GameRow(
        number,
        opener,
        opening,
        moves,
        result,
        (own, own2),
        (chances, chances2),
        (mistakes, mistakes2),
        fault,
        seconds,
    )


def _info(found: Sequence[Any]) -> GameInfo:
    pairing, tournament, kind, board, first, second = found[:6]
    ended, name, number, deleted = found[-4:]
    row = _row(found[6:-4])
    return GameInfo(
        pairing * MOST_NUMBERS + row.number,
        tournament,
        kind or OWN_GAME,
        board,
        first,
        second,
        row,
        float(ended),
        name,
        number,
        bool(deleted),
    )
