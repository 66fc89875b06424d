"""What can still be read of a damaged database is brought over into a new one, each row with the seal it has.

Rows that cannot be read are lost to the new one; the damaged file stays as it is. Afterwards the rows fit each other:
a tournament counts the games it still has, and can be resumed for the others.
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

FIRST, LAST = 0, MOST_NUMBERS - 1  # keys, of whatever table
PATIENCE = 500  # parts of a gap that are tried in vain, one after another
TOGETHER = 1_000  # rows written at a time
PAGES = slice(28, 40)  # of the header: how many pages there are, and two numbers of free ones
LATEST = len(schema.STEPS)


class Salvaged(NamedTuple):
    """Games that are in the new database, and that were in the old one as far as that can be known."""

    games: int
    before: int

    @property
    def said(self) -> str:
        """What there is now, as the end of a sentence."""
        if not self.games:
            return "a new one was started"
        if self.games >= self.before:
            return f"all {self.games:,} games are in a new one"
        return f"{self.games:,} of {self.before:,} games could be read and are in a new one"


def salvage(path: Path, target: Connection) -> Salvaged:
    """Fill an empty database with what can be read of the file, and bring it to the newest version.

    What SQLite says where the new one cannot be written; it is then empty.
    """

    with contextlib.closing(target.cursor()) as cursor:
        cursor.execute("PRAGMA foreign_keys = OFF")  # what a row refers to may be lost
    source = None
    try:
        with contextlib.suppress(*connections.faults(), OSError):
            source = _opened(path)
        version = 0 if source is None else _version(source)
        schema.carry_over(target, version or LATEST)
        target.execute("BEGIN IMMEDIATE")
        try:
            if source is not None:
                for table in ("boards", "agents", "tournaments", "pairings", "games"):
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
    """The damaged file, only to be read; where its first page is of no use, with that of a sound one."""

    connection = None
    try:
        connection = connections.connect_reading(path, alone=True)
        if not schema.different(connection, _version(connection)):  # a changed name of a column hides its table
            return connection
    except connections.faults():
        pass
    if connection is not None:
        connection.close()
    return _grafted(path.read_bytes())


def _grafted(whole: bytes) -> Connection:
    """A copy in memory whose tables are where this program puts them: it makes them first in every database."""
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
    rows = _games(source, target, chosen) if table == "games" else _between(source, f"{chosen} WHERE", "id")
    waiting: list[Row] = []
    for row in rows:
        waiting.append(row)
        if len(waiting) >= TOGETHER:
            _write(target, statement, waiting)
            waiting.clear()
    _write(target, statement, waiting)


def _write(target: Connection, statement: str, rows: Sequence[Row]) -> None:
    """Write rows; those alone are left out which the new tables refuse."""
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
    """All rows that can be read, in no order: from the first key on, from the last one back, and then within the gap.

    The gap is halved again and again, the wider parts first, so that little is left out around a damaged page.
    """
    place = chosen.removeprefix("SELECT ").partition(" FROM ")[0].split(", ").index(key)
    reached = [FIRST - 1, LAST + 1]

    def read(first: int, last: int, end: int) -> Iterator[Row]:
        """Rows between two keys; how far that went is in `reached` then. What SQLite says of a damaged page."""
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
    """These rows; then, did it end at a damaged page?"""

    while True:
        try:
            row = next(rows)
        except StopIteration:
            return False
        except connections.faults():
            return True
        yield row


def _make_good(target: Connection) -> Salvaged:
    """Let the rows that are there fit each other."""
    sound = seals.sound("pairings")
    (before,) = target.execute(f"SELECT coalesce(sum(CASE WHEN {sound} THEN played END), 0) FROM pairings").fetchone()
    target.execute("DELETE FROM games WHERE pairing NOT IN (SELECT id FROM pairings)")
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
