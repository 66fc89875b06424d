"""Copy what is readable of a damaged database to a new one, each row with its seal.

Unreadable rows are missing in the new database; the damaged file stays unchanged. Afterwards the rows are made
consistent: a tournament counts the games it still has, and can be resumed to play the others.
"""

from __future__ import annotations

import contextlib
import secrets
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from nimtui.store import connections, schema, seals
from nimtui.store.rows import MOST_NUMBERS

if TYPE_CHECKING:
    from sqlite3 import Connection

    Row = tuple[Any, ...]

FIRST, LAST = 0, MOST_NUMBERS - 1  # the range of keys in every table
PATIENCE = 500  # parts of a gap that are tried in vain in a row
TOGETHER = 1_000  # rows per write
PAGES = slice(28, 40)  # of the header: the number of pages, and two numbers of free pages
COPIED = ("boards", "agents", "tournaments", "pairings", "games", "beliefs")
LATEST = len(schema.STEPS)


class Salvaged(NamedTuple):
    """The number of games in the new database, and of those in the old one as far as is known."""

    games: int
    before: int

    @property
    def said(self) -> str:
        """Return the result, as the end of a sentence."""
        if not self.games:
            return "a new database was started"
        if self.games >= self.before:
            return f"all {self.games:,} games were copied to a new database"
        return f"{self.games:,} of {self.before:,} games were readable and copied to a new database"


def salvage(path: Path, target: Connection) -> Salvaged:
    """Fill an empty database with what is readable in the file, and update it to the newest version.

    Raise what SQLite raises if the new database cannot be written; it is then empty.
    """

    with contextlib.closing(target.cursor()) as cursor:
        cursor.execute("PRAGMA foreign_keys = OFF")  # a row may refer to a lost row
    source = None
    try:
        with contextlib.suppress(*connections.faults(), OSError):
            source = _opened(path)
        version = 0 if source is None else _version(source)
        schema.carry_over(target, version or LATEST)
        target.execute("BEGIN IMMEDIATE")
        try:
            if source is not None:
                here = schema.tables(target)
                for table in (one for one in COPIED if one in here):
                    _copy(source, target, table)
            target.execute("COMMIT")
        finally:
            if target.in_transaction:
                target.execute("ROLLBACK")
        schema.carry_over(target)
        with _transaction(target):
            return _make_good(target)
    finally:
        target.execute("PRAGMA foreign_keys = ON")
        if source is not None:
            source.close()


def _opened(path: Path) -> Connection:
    """Open the damaged file for reading only; replace an unusable first page by that of a sound database."""

    connection = None
    try:
        connection = connections.connect_reading(path, alone=True)
        if not schema.different(connection, _version(connection)):  # a damaged column name would hide its table
            return connection
    except connections.faults():
        pass
    if connection is not None:
        connection.close()
    return _grafted(path.read_bytes())


def _grafted(whole: bytes) -> Connection:
    """Return a copy in memory with the tables at their usual pages: every database starts with the same pages."""
    import sqlite3

    version = int.from_bytes(whole[60:64], "big")
    template = sqlite3.connect(":memory:", isolation_level=None)
    seals.install(template)
    schema.carry_over(template, version if 0 < version <= LATEST else LATEST)
    first = bytearray(template.serialize()[: connections.PAGE])
    template.close()
    first[PAGES] = (len(whole) // connections.PAGE).to_bytes(4, "big") + bytes(8)
    copied = connections.in_memory()
    copied.deserialize(bytes(first) + whole[connections.PAGE :])
    copied.text_factory = connections.text
    return copied


def _version(source: Connection) -> int:
    (version,) = source.execute("PRAGMA user_version").fetchone()
    return version if 0 < version <= LATEST else LATEST


@contextlib.contextmanager
def _transaction(connection: Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _copy(source: Connection, target: Connection, table: str) -> None:
    names = [name for _, name, *_ in target.execute(f"PRAGMA table_info({table})")]
    statement = f"INSERT OR IGNORE INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
    chosen = f"SELECT {', '.join(names)} FROM {table}"
    rows = (
        _games(source, target, chosen) if table in ("games", "beliefs") else _between(source, f"{chosen} WHERE", "id")
    )
    waiting: list[Row] = []
    for row in rows:
        waiting.append(row)
        if len(waiting) >= TOGETHER:
            _write(target, statement, waiting)
            waiting.clear()
    _write(target, statement, waiting)


def _write(target: Connection, statement: str, rows: Sequence[Row]) -> None:
    """Write rows; skip only the rows that the new tables refuse."""
    import sqlite3

    try:
        target.executemany(statement, rows)
    except (sqlite3.IntegrityError, sqlite3.InterfaceError, sqlite3.DataError):
        for row in rows:
            with contextlib.suppress(sqlite3.IntegrityError, sqlite3.InterfaceError, sqlite3.DataError):
                target.execute(statement, row)


def _games(source: Connection, target: Connection, chosen: str) -> Iterator[Row]:
    for pairing, *_ in target.execute("SELECT id FROM pairings ORDER BY id").fetchall():
        yield from _between(source, f"{chosen} WHERE pairing = {pairing:d} AND", "number")


def _between(source: Connection, chosen: str, key: str) -> Iterator[Row]:
    """Yield all readable rows, in no order: from the first key up, from the last key down, and then within the gap.

    The gap is halved again and again, the wider parts first, so that few rows are lost around a damaged page.
    """
    place = chosen.removeprefix("SELECT ").partition(" FROM ")[0].split(", ").index(key)
    reached = [FIRST - 1, LAST + 1]

    def read(first: int, last: int, end: int) -> Iterator[Row]:
        """Yield the rows between two keys; `reached` is the last key. Raise what SQLite raises at a damaged page."""
        order = "DESC" if end else "ASC"
        for row in source.execute(f"{chosen} {key} BETWEEN ? AND ? ORDER BY {key} {order}", (first, last)):
            if isinstance(row[place], int):
                reached[end] = row[place]
            yield row

    failed = yield from _as_far_as_it_goes(read(FIRST, LAST, 0))
    if not failed:
        return
    yield from _as_far_as_it_goes(read(reached[0] + 1, LAST, 1))
    gaps, vain = deque([(reached[0] + 1, reached[1] - 1)]), 0
    while gaps and vain < PATIENCE:
        first, last = gaps.popleft()
        reached[0] = first - 1
        if (yield from _as_far_as_it_goes(read(first, last, 0))) and last > reached[0] + 1:
            middle = (reached[0] + 1 + last) // 2
            gaps += [(reached[0] + 1, middle), (middle + 1, last)]
        vain = vain + 1 if reached[0] < first else 0


def _as_far_as_it_goes(rows: Iterator[Row]) -> Generator[Row, None, bool]:
    """Yield these rows; return whether a damaged page ended them."""

    while True:
        try:
            row = next(rows)
        except StopIteration:
            return False
        except connections.faults():
            return True
        yield row


def _make_good(target: Connection) -> Salvaged:
    """Make the copied rows consistent."""
    sound = seals.sound("pairings")
    (before,) = target.execute(f"SELECT coalesce(sum(CASE WHEN {sound} THEN played END), 0) FROM pairings").fetchone()
    target.execute("DELETE FROM games WHERE pairing NOT IN (SELECT id FROM pairings)")
    target.execute("DELETE FROM beliefs WHERE (pairing, number) NOT IN (SELECT pairing, number FROM games)")
    counted = target.execute(
        "SELECT id, tournament, (SELECT count(*) FROM games g WHERE g.pairing = p.id) AS games FROM pairings p"
        " WHERE played <> games"
    ).fetchall()
    for id, tournament, games in counted:
        seals.change(target, "pairings", "id = :id", {"played": ":games"}, {"id": id, "games": games})
        unended = "id = :id AND state = 'done' AND total > (SELECT sum(played) FROM pairings WHERE tournament = :id)"
        seals.change(target, "tournaments", unended, {"state": "'stopped'"}, {"id": tournament})
    target.execute("DELETE FROM pairings WHERE tournament IS NULL AND played = 0")
    lost = target.execute(
        "SELECT tournament, sum(played) FROM pairings WHERE tournament NOT IN (SELECT id FROM tournaments)"
        " GROUP BY tournament"
    ).fetchall()
    for id, games in lost:  # without a seal: it is known to be damaged
        target.execute(
            "INSERT OR IGNORE INTO tournaments (id, kind, name, document, state, made, changed, seconds, total, token)"
            " VALUES (?, 'tournament', 'lost', '{}', 'stopped', 0, 0, 0, ?, ?)",
            (id, games, secrets.token_hex(8)),
        )
    (games,) = target.execute("SELECT count(*) FROM games").fetchone()
    return Salvaged(games, max(before, games))
