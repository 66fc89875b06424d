"""Copy what is readable of a damaged database to a new one, each row with its seal.

SQLite reads a table from both ends up to the damaged pages. The pages between have cells with rows, whose seals prove
them, and indexes have most values of a lost row. Unreadable rows are missing in the new database; the damaged file
stays unchanged. Afterwards the rows are made consistent: a tournament counts the games it still has, and can be
resumed to play the others.

One damaged page of a tree hides all pages below it from SQLite, and one damaged cell hides its page. `records` reads
the pages without the trees: every cell that is whole gives its row. The format: https://sqlite.org/fileformat2.html.
"""

from __future__ import annotations

import contextlib
import secrets
import struct
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from nimtui.store import seals, sqlite
from nimtui.store.sqlite import PAGE

if TYPE_CHECKING:
    from sqlite3 import Connection

    Row = tuple[Any, ...]

TOGETHER = 1_000  # rows per write
PAGES = slice(28, 40)  # of the header: the number of pages, and two numbers of free pages
COPIED = ("boards", "agents", "tournaments", "pairings", "games", "beliefs")
LATEST = len(sqlite.STEPS)


class Salvaged(NamedTuple):
    """The number of games in the new database, and of those in the old one; None if that is unknown."""

    games: int
    before: int | None

    @property
    def summary(self) -> str:
        """Return the result, as the end of a sentence."""
        if not self.games:
            return "no games were readable; a new database was started"
        if self.games == self.before:
            every = "the only game was" if self.games == 1 else f"all {self.games:,} games were"
            return f"{every} copied to a new database"
        return f"{self.readable} {'was' if self.games == 1 else 'were'} readable and copied to a new database"

    @property
    def readable(self) -> str:
        """Return '342 of 401 games', or '342 games'."""
        if self.before is not None:
            return f"{self.games:,} of {self.before:,} games"
        return f"{self.games:,} {'game' if self.games == 1 else 'games'}"


def salvage(path: Path, target: Connection) -> Salvaged:
    """Fill an empty database with what is readable in the file, and update it to the newest version.

    Raise what SQLite raises if the new database cannot be written; it is then empty.
    """
    with contextlib.closing(target.cursor()) as cursor:
        cursor.execute("PRAGMA foreign_keys = OFF")  # a row may refer to a lost row
    source, with_log = None, False
    try:
        with contextlib.suppress(*sqlite.faults(), OSError):
            source, with_log = _opened(path)
        version = 0 if source is None else _version(source)
        sqlite.carry_over(target, version or LATEST)
        whole: dict[str, bool] = {}
        if source is not None:
            with sqlite.transaction(target):
                here = sqlite.tables(target)
                columns = {table: _columns(target, table) for table in COPIED if table in here}
                whole = {table: _copy(source, target, table, names) for table, names in columns.items()}
                _copy_cells(_contents(source, path), target, columns)
        sqlite.carry_over(target)
        with sqlite.transaction(target):
            complete = whole.get("pairings") and (with_log or not sqlite.has_log(path))
            played = _played(target) if complete else None
            for table in ("boards", "agents", "pairings"):
                if source is not None:
                    _rebuild(source, target, table)
            return _make_good(target, played)
    finally:
        target.execute("PRAGMA foreign_keys = ON")
        if source is not None:
            source.close()


def _opened(path: Path) -> tuple[Connection, bool]:
    """Open the damaged file for reading only; replace an unusable first page by that of a sound database.

    Return also whether what a log has is read, too.
    """
    if path.stat().st_size:  # when SQLite opens an empty file it deletes the log beside it
        with contextlib.suppress(*sqlite.faults()), contextlib.ExitStack() as stack:
            connection = stack.enter_context(contextlib.closing(sqlite.connect_reading(path, alone=True)))
            if not sqlite.different(connection, _version(connection)):  # a damaged column name would hide its table
                stack.pop_all()
                return connection, sqlite.is_log_readable(path)
            return _grafted(connection.serialize()), sqlite.is_log_readable(path)
    return _grafted(path.read_bytes()), False


def _grafted(whole: bytes) -> Connection:
    """Return a copy in memory with the tables at their usual pages: every database starts with the same pages."""
    import sqlite3

    version = int.from_bytes(whole[60:64], "big")
    template = sqlite3.connect(":memory:", isolation_level=None)
    seals.install(template)
    sqlite.carry_over(template, version if 0 < version <= LATEST else LATEST)
    first = bytearray(template.serialize()[:PAGE])
    template.close()
    first[PAGES] = (len(whole) // PAGE).to_bytes(4, "big") + bytes(8)
    copy = sqlite.connect(Path(":memory:"))
    copy.deserialize(bytes(first) + whole[PAGE:])
    copy.text_factory = sqlite.text
    return copy


def _contents(source: Connection, path: Path) -> bytes:
    """Return the bytes of the database with its log, or of the file alone if SQLite cannot tell how long it is."""
    with contextlib.suppress(*sqlite.faults()):
        return source.serialize()
    return path.read_bytes()


def _version(source: Connection) -> int:
    (version,) = source.execute("PRAGMA user_version").fetchone()
    return version if 0 < version <= LATEST else LATEST


def _columns(target: Connection, table: str) -> list[str]:
    return [name for _, name, *_ in target.execute(f"PRAGMA table_info({table})")]


def _copy(source: Connection, target: Connection, table: str, names: Sequence[str]) -> bool:
    """Copy what SQLite reads from the first row up, and if that ends at a damaged page, from the last row down.

    Return whether that was all.
    """
    statement = f"INSERT OR IGNORE INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
    key = "id" if "id" in names else "pairing, number"
    for order in (key, ", ".join(f"{name} DESC" for name in key.split(", "))):
        faults: list[Exception] = []
        rows = _readable(source, f"SELECT {', '.join(names)} FROM {table} ORDER BY {order}", faults)
        while some := list(islice(rows, TOGETHER)):
            _write(target, statement, some)
        if not faults:
            return True
    return False


def _readable(source: Connection, statement: str, faults: list[Exception]) -> Iterator[Row]:
    """Yield the rows up to the first damaged page, and add what SQLite says of it to the `faults`."""
    try:
        yield from source.execute(statement)
    except sqlite.faults() as fault:
        faults.append(fault)


def _copy_cells(whole: bytes, target: Connection, columns: Mapping[str, Sequence[str]]) -> None:
    """Copy the rows that SQLite did not reach and whose seals are right. Boards and agents look alike, so not those."""
    statements: dict[int, tuple[bool, str]] = {}
    for table, names in columns.items():
        if table in ("boards", "agents"):
            continue
        kinds = seals.TABLES[table]
        fields = ", ".join(f"{'CAST(? AS REAL)' if kinds.get(name) == seals.REAL else '?'} AS {name}" for name in names)
        sound = seals.sound(table) if "seal" in names else "1"
        statement = f"INSERT OR IGNORE INTO {table} SELECT * FROM (SELECT {fields}) WHERE {sound}"
        statements[len(names)] = "id" in names, statement
    for number, values in records(whole):
        if len(values) in statements:
            by_number, statement = statements[len(values)]
            _write(target, statement, [(number, *values[1:]) if by_number else values])


def _rebuild(source: Connection, target: Connection, table: str) -> None:
    """Write the rows that are lost but for the indexes, if those have all their values."""
    parts: dict[Any, dict[str, Any]] = {}
    for _, index, *_ in target.execute(f"PRAGMA index_list({table})").fetchall():
        names = [name for _, _, name in target.execute(f"PRAGMA index_info({index})")]
        for id, *values in _readable(source, f"SELECT id, {', '.join(names)} FROM {table} INDEXED BY {index}", []):
            parts.setdefault(id, {}).update(zip(names, values, strict=True))
    wanted = [name for name in _columns(target, table) if name not in ("id", "seal", "played")]
    statement = f"INSERT OR IGNORE INTO {table} (id, {', '.join(wanted)}) VALUES (?{', ?' * len(wanted)})"
    for id, part in parts.items():
        # A refused row would take its number from the sequence, and after the largest number none is left.
        if len(part) == len(wanted) and target.execute(statement, (id, *map(part.get, wanted))).rowcount:
            seals.seal(target, table, id)


def _write(target: Connection, statement: str, rows: Sequence[Row]) -> None:
    """Write rows; skip only the rows that the new tables refuse."""
    import sqlite3

    refused = (sqlite3.IntegrityError, sqlite3.InterfaceError, sqlite3.DataError, sqlite3.ProgrammingError)
    try:
        target.executemany(statement, rows)
    except (*refused, OverflowError):
        for row in rows:
            with contextlib.suppress(*refused, OverflowError):
                target.execute(statement, row)


def _played(target: Connection) -> int | None:
    """Return how many games the copied pairings had, or None if one of them is damaged."""
    sound = f"typeof(played) = 'integer' AND {seals.sound('pairings')}"  # rows of an old database are sealed as found
    rows = target.execute(f"SELECT played, {sound} FROM pairings").fetchall()
    return sum(games for games, _ in rows) if all(whole for _, whole in rows) else None


def _make_good(target: Connection, before: int | None) -> Salvaged:
    """Make the copied rows consistent. Rows that stand for lost ones have no seal: they are known to be damaged."""
    strays = target.execute("SELECT DISTINCT pairing FROM games WHERE pairing NOT IN (SELECT id FROM pairings)")
    (last,) = target.execute(
        "SELECT coalesce(max(id), 0) FROM (SELECT id FROM tournaments UNION SELECT tournament FROM pairings)"
    ).fetchone()
    target.executemany(
        "INSERT INTO pairings (id, tournament, number, board, first, second) VALUES (?, ?, ?, 0, 0, 0)",
        [(pairing, last + 1, number) for number, (pairing,) in enumerate(strays.fetchall())],
    )
    target.execute("DELETE FROM beliefs WHERE (pairing, number) NOT IN (SELECT pairing, number FROM games)")
    miscounts = target.execute(
        "SELECT id, tournament, (SELECT count(*) FROM games g WHERE g.pairing = p.id) AS games FROM pairings p"
        " WHERE played <> games"
    ).fetchall()
    for id, tournament, games in miscounts:
        seals.change(target, "pairings", "id = :id", {"played": ":games"}, {"id": id, "games": games})
        unended = "id = :id AND state = 'done' AND total > (SELECT sum(played) FROM pairings WHERE tournament = :id)"
        seals.change(target, "tournaments", unended, {"state": "'stopped'"}, {"id": tournament})
    target.execute("DELETE FROM pairings WHERE tournament IS NULL AND played = 0")
    lost = target.execute(
        "SELECT tournament, sum(played) FROM pairings WHERE tournament IS NOT NULL"
        " AND tournament NOT IN (SELECT id FROM tournaments) GROUP BY tournament"
    ).fetchall()
    for id, games in lost:
        target.execute(
            "INSERT OR IGNORE INTO tournaments (id, kind, name, document, state, made, changed, seconds, total, token)"
            " VALUES (?, 'tournament', 'lost', '{}', 'stopped', 0, 0, 0, ?, ?)",
            (id, games, secrets.token_hex(8)),
        )
    (games,) = target.execute("SELECT count(*) FROM games").fetchone()
    return Salvaged(games, before)


INNER, INDEX, TABLE = 2, 10, 13  # the kinds of pages whose cells have rows
HEADS = {INNER: 12, INDEX: 8, TABLE: 8}  # bytes before the places of the cells
WIDTHS = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)  # bytes of a value, by its type; 12 and more are texts and blobs
FLOAT, ONE, FIRST_BLOB = 7, 9, 12
LEAST = (PAGE - 12) * 32 // 255 - 23  # bytes of a long row that stay in its cell
MOST = {TABLE: PAGE - 35, INDEX: (PAGE - 12) * 64 // 255 - 23, INNER: (PAGE - 12) * 64 // 255 - 23}

Record = tuple[int, tuple[Any, ...]]


def records(whole: bytes) -> Iterator[Record]:
    """Yield the number (0 in an index) and the values of each row in the pages of a file, damaged rows too.

    Leaves out pages that are free: they have rows that were deleted.
    """
    free = _free(whole)
    for number in range(2, len(whole) // PAGE + 1):
        page = _page(whole, number)
        kind = page[0]
        if kind not in HEADS or number in free:
            continue
        for place in range(HEADS[kind], min(HEADS[kind] + 2 * _whole(page[3:5]), PAGE), 2):
            try:
                record = _record(whole, page, kind, _whole(page[place : place + 2]))
            except (LookupError, ValueError, struct.error):
                continue
            yield record


def _free(whole: bytes) -> set[int]:
    free, trunk = set[int](), _whole(whole[32:36])
    while 1 < trunk <= len(whole) // PAGE and trunk not in free:
        following, leaves, *pages = struct.unpack(f">{PAGE // 4}I", _page(whole, trunk))
        free |= {trunk, *pages[:leaves]}
        trunk = following
    return free


def _record(whole: bytes, page: bytes, kind: int, at: int) -> Record:
    size, at = _varint(page, at + 4 * (kind == INNER))
    number, at = _varint(page, at) if kind == TABLE else (0, at)
    here = size
    if size > MOST[kind]:
        here = LEAST + (size - LEAST) % (PAGE - 4)
        here = here if here <= MOST[kind] else LEAST
    data, following = page[at : at + here], page[at + here : at + here + 4]
    while len(data) < size:  # the rest is in further pages
        if not 1 < _whole(following) <= len(whole) // PAGE:
            raise ValueError("its row is longer than the file")
        more = _page(whole, _whole(following))
        data, following = data + more[4:], more[:4]
    return number, tuple(_values(data))


def _values(data: bytes) -> Iterator[Any]:
    end, at = _varint(data, 0)
    start = end
    while at < end:
        kind, at = _varint(data, at)
        part = data[start : start + (WIDTHS[kind] if kind < FIRST_BLOB else (kind - FIRST_BLOB) // 2)]
        start += len(part)
        if kind >= FIRST_BLOB:
            yield part.decode() if kind % 2 else part
        elif kind == FLOAT:
            yield struct.unpack(">d", part)[0]
        else:
            yield int.from_bytes(part, "big", signed=True) + (kind == ONE) if kind else None


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return a number of one to nine bytes, and the place after it."""
    value = 0
    for place in range(at, at + 8):
        value = value << 7 | data[place] & 127
        if data[place] < 128:
            return value, place + 1
    return value << 8 | data[at + 8], at + 9


def _page(whole: bytes, number: int) -> bytes:
    return whole[(number - 1) * PAGE : number * PAGE]


def _whole(data: bytes) -> int:
    return int.from_bytes(data, "big")
