"""The database file: connections to it, its tables, and the steps that update an older database.

Never change a step once people may have a database with it: add a further step.
"""

from __future__ import annotations

import contextlib
import os
import struct
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from nimtui.foreign.reading import kind_of
from nimtui.store import seals
from nimtui.store.claims import PATIENCE
from nimtui.store.errors import Refused, unreadable

if TYPE_CHECKING:
    from sqlite3 import Connection

APPLICATION = 0x4E696D54  # "NimT", in the file's header

TABLES = """
CREATE TABLE boards (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

CREATE TABLE agents (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

CREATE TABLE tournaments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    document TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('running', 'stopped', 'done')),
    made REAL NOT NULL,
    changed REAL NOT NULL,
    seconds REAL NOT NULL,
    total INTEGER NOT NULL,
    token TEXT NOT NULL UNIQUE,
    deleted REAL
);

CREATE TABLE pairings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tournament INTEGER REFERENCES tournaments ON DELETE CASCADE,
    number INTEGER NOT NULL,
    board INTEGER NOT NULL REFERENCES boards,
    first INTEGER NOT NULL REFERENCES agents,
    second INTEGER NOT NULL REFERENCES agents,
    played INTEGER NOT NULL DEFAULT 0,
    UNIQUE (tournament, number)
);
CREATE INDEX pairings_board ON pairings (board);
CREATE INDEX pairings_first ON pairings (first);
CREATE INDEX pairings_second ON pairings (second);

CREATE TABLE games (
    pairing INTEGER NOT NULL REFERENCES pairings ON DELETE CASCADE,
    number INTEGER NOT NULL CHECK (number BETWEEN 0 AND 9999999),
    opener INTEGER NOT NULL,
    opening INTEGER NOT NULL,
    moves BLOB NOT NULL,
    result INTEGER NOT NULL CHECK (result BETWEEN -1 AND 1),
    own_first INTEGER NOT NULL,
    own_second INTEGER NOT NULL,
    chances_first INTEGER NOT NULL,
    chances_second INTEGER NOT NULL,
    mistakes_first INTEGER NOT NULL,
    mistakes_second INTEGER NOT NULL,
    fault TEXT NOT NULL,
    seconds REAL NOT NULL,
    ended INTEGER NOT NULL,
    name TEXT NOT NULL DEFAULT '',
    deleted REAL,
    PRIMARY KEY (pairing, number)
) WITHOUT ROWID;
CREATE INDEX games_fault ON games (pairing, number) WHERE fault <> '';
CREATE INDEX games_name ON games (pairing, number) WHERE name <> '';
CREATE INDEX games_deleted ON games (pairing, number) WHERE deleted IS NOT NULL
"""

# A checksum for every row. Older rows are sealed as they are found: only later damage can be detected.
SEALS = ";".join(
    f"ALTER TABLE {table} ADD COLUMN seal INTEGER; UPDATE {table} SET seal = {seals.expression(table)}"
    for table in ("boards", "agents", "tournaments", "pairings", "games")
)

# What the players believed of their moves, of the games that were saved with their thoughts: see `saved_games`.
BELIEFS = """
CREATE TABLE beliefs (
    pairing INTEGER NOT NULL,
    number INTEGER NOT NULL,
    data BLOB NOT NULL,
    seal INTEGER,
    PRIMARY KEY (pairing, number),
    FOREIGN KEY (pairing, number) REFERENCES games ON DELETE CASCADE
) WITHOUT ROWID
"""

STEPS: tuple[str, ...] = (
    TABLES,
    SEALS,
    BELIEFS,
)  # step k turns version k into version k + 1; semicolons separate its statements
NEEDED = {
    *("boards", "agents", "tournaments", "pairings", "games", "beliefs"),
    *("games_fault", "games_name", "games_deleted"),  # statements name these indexes
}


class Damage(Exception):
    """The file is damaged; the message is the end of a sentence."""


class Foreign(Exception):
    """The file is sound but must not be changed; the message is the end of a sentence."""


def check(connection: Connection) -> int:
    """Return the version of a usable database, 0 for an empty one; only read it. Raise Damage or Foreign otherwise."""
    version = _version(connection)
    if version == len(STEPS):
        _check_tables(connection)
        if wrong := different(connection, version):
            raise Damage(f"the definition of {wrong[0]} has changed")
    return version


def different(connection: Connection, version: int) -> list[str]:
    """Return the names of tables and indexes that differ from the database's version. Raise what SQLite raises."""
    definitions = _definitions(connection)
    return [name for name, sql in _expected(STEPS[:version]).items() if definitions.get(name) != sql]


def carry_over(connection: Connection, to: int | None = None) -> None:
    """Update an empty or older database to the newest version, or to `to`, or leave it unchanged.

    Raise Damage, Foreign, or what SQLite raises.
    """
    with transaction(connection):
        version = _version(connection)  # another process may have been quicker
        for step in STEPS[version:to]:
            for statement in step.split(";"):
                connection.execute(statement)
        if to is None or to >= len(STEPS):
            _check_tables(connection)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {max(version, len(STEPS[:to]))}")


@contextlib.contextmanager
def transaction(connection: Connection) -> Iterator[Connection]:
    """Yield the connection; save all that is written at the end of the block, or nothing if it raises."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _version(connection: Connection) -> int:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application == 0 and version == 0 and not tables(connection):
        return 0
    if application != APPLICATION:
        raise Foreign("is a database of another program: nothing was changed")
    if version < 1:
        raise Damage("it has no version number")
    if version > len(STEPS):
        raise Foreign(f"was written by a newer nimtui: it has version {version}, this version reads up to {len(STEPS)}")
    return int(version)


def _check_tables(connection: Connection) -> None:
    if missing := NEEDED - tables(connection):
        raise Damage(f"{min(missing)} is missing")


@cache
def _expected(steps: tuple[str, ...]) -> dict[str, str]:
    """Return the SQL of the tables and indexes that these steps create."""
    import sqlite3

    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as template:
        seals.install(template)
        for step in steps:
            for statement in step.split(";"):
                template.execute(statement)
        return _definitions(template)


def _definitions(connection: Connection) -> dict[str, str]:
    rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {name: " ".join(sql.split()) for name, sql in rows}


def tables(connection: Connection) -> set[str]:
    """Return the names of the tables and indexes."""
    return {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}


CHECKED = 8_000_000  # bytes; a larger file is not checked in full when it is opened
DAMAGED = {11, 26}  # SQLite's result codes CORRUPT and NOTADB
LOCKED = {5, 6, 15}  # BUSY, LOCKED and PROTOCOL: another connection keeps this one waiting
UNWRITABLE = {3, 8, 10, 13, 14}  # those for a problem with the disk or the file, not with a statement
PAGE = 4096  # bytes, SQLite's default
LOG_HEADER = 32  # bytes at the start of a log
LOG_MAGIC = {0x377F0682: "<", 0x377F0683: ">"}  # its first number, and the order of the bytes for its checksum
REASONS = {
    3: "permission denied",
    **dict.fromkeys(LOCKED, "another program has locked it"),
    8: "it is read-only",
    10: "the disk reports an error, it may be full",
    13: "the disk is full",
    14: "it cannot be opened",
    22: "it is too large for this system",
}
SETTINGS = ("foreign_keys = ON", "synchronous = NORMAL", "cell_size_check = ON", "wal_autocheckpoint = 4000")


def check_file(path: Path) -> bool:
    """Return whether there is a file. Raise Damage if it has no bytes, Refused if it is no regular file.

    Does not open it: closing it again would drop the locks of this process.
    """
    try:
        stat = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        if path.is_symlink():
            raise Refused(f"{path} cannot be used: it is a link to {path.readlink()}, which is not there") from None
        return False
    except OSError as fault:
        raise Refused(str(unreadable(path, fault))) from None
    if kind := kind_of(stat.st_mode):
        raise Refused(f"{path} cannot be used: {kind}. Move it away: nimtui then starts a new database")
    if not stat.st_size:
        raise Damage("it is empty: 0 bytes")
    return True


def connect(path: Path) -> Connection:
    """Return a connection that reads and writes; ':memory:' is empty. Raise what SQLite raises if that fails."""
    return _opened(str(path), uri=False)


def connect_reading(path: Path, alone: bool = False) -> Connection:
    """Return a connection that never changes the file. `alone`: nor adds anything beside it, if it has no log.

    Raise what SQLite raises if the file cannot be read.

    A killed writer may have left a log beside the file. SQLite reads the log only if it may write there, or without
    locks. Where it may not write, this opens without locks: nobody else can write there either.
    """
    name = _read_only(path)
    with_log = has_log(path)
    first = f"{name}&immutable=1" if alone and not with_log else name  # another process may be writing
    try:
        return _reading(first)
    except faults() as fault:
        if code(fault) not in UNWRITABLE and os.access(path.parent, os.W_OK):
            raise
    return _reading(f"{name}&vfs=unix-none" if with_log else f"{name}&immutable=1")


def log_of(path: Path) -> Path:
    """Return the file beside a database with what was written last: as much a part of the data as the database."""
    return Path(f"{os.path.realpath(path)}-wal")  # SQLite follows a link


def has_log(path: Path) -> bool:
    """Return whether a log with data lies beside a database."""
    return _has(log_of(path))


def is_log_readable(path: Path) -> bool:
    """Return whether the first 32 bytes of the log are whole: otherwise SQLite passes over it, and says nothing.

    The format: https://sqlite.org/fileformat2.html#walformat
    """
    try:
        with log_of(path).open("rb") as log:
            header = log.read(LOG_HEADER)
    except OSError:
        return False
    if len(header) < LOG_HEADER or (magic := int.from_bytes(header[:4], "big")) not in LOG_MAGIC:
        return False
    first = second = 0
    words = struct.unpack(f"{LOG_MAGIC[magic]}6I", header[:24])
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return struct.unpack(">2I", header[24:]) == (first, second)


@contextlib.contextmanager
def log_left(path: Path) -> Iterator[None]:
    """Leave a log that is there where it is: no connection that is closed in the block merges it into the file.

    SQLite does that at the last one, whatever it found in the file, and then deletes the log. Here one more stays open,
    for reading: that one may not. Raise what SQLite raises if another program has locked the file.
    """
    import sqlite3

    with contextlib.ExitStack() as stack:
        if _has(path) and has_log(path):
            other = sqlite3.connect(_read_only(path), PATIENCE, check_same_thread=False, uri=True)
            stack.enter_context(contextlib.closing(other))
            try:
                other.execute("PRAGMA user_version").fetchone()  # opens the file, also if it is damaged
            except faults() as fault:
                if code(fault) in LOCKED:
                    raise
        yield


def _read_only(path: Path) -> str:
    return f"file:{quote(os.fsencode(path.absolute()))}?mode=ro"


def _reading(address: str) -> Connection:
    connection = _opened(address)
    with _closed_if_it_fails(connection):
        connection.execute("PRAGMA user_version").fetchone()
    return connection


def shared(name: str) -> Connection:
    """Return a connection to a database in memory that all connections of this name share; it ends with the last."""
    return _opened(f"file:{name}?mode=memory&cache=shared")


def text(data: bytes) -> str:
    """Return a text for display, however damaged its bytes are."""
    return data.decode(errors="replace")


def faults(*more: type[Exception]) -> tuple[type[Exception], ...]:
    """Return the exceptions that SQLite raises, and more; a damaged file can make SQLite return invalid text."""
    import sqlite3

    return sqlite3.Error, UnicodeDecodeError, *more


def code(fault: Exception) -> int:
    """Return SQLite's primary result code."""
    return int(getattr(fault, "sqlite_errorcode", 0)) & 0xFF


def is_damage(fault: Exception) -> bool:
    """Return whether SQLite reports damage."""
    return code(fault) in DAMAGED or isinstance(fault, UnicodeDecodeError)


def check_whole(connection: Connection) -> None:
    """Check a small database in full. Raise Damage if its pages contradict each other."""
    (pages,), (size,) = (connection.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size"))
    if pages * size <= CHECKED:
        (message,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if message != "ok":
            raise Damage(" ".join(message.removeprefix("*** in database main ***").split()))


def _opened(name: str, uri: bool = True) -> Connection:
    import sqlite3

    connection = sqlite3.connect(name, timeout=PATIENCE, isolation_level=None, check_same_thread=False, uri=uri)
    with _closed_if_it_fails(connection):
        if uri and "vfs=unix-none" in name:  # set first, so that the index of the log is in memory
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.text_factory = text
        for setting in SETTINGS:
            connection.execute(f"PRAGMA {setting}")
        seals.install(connection)
    return connection


@contextlib.contextmanager
def _closed_if_it_fails(connection: Connection) -> Iterator[None]:
    """Close the connection if the block raises: left to be collected, it would hold the file for an unknown time."""
    try:
        yield
    except BaseException:
        connection.close()
        raise


def _has(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except OSError:
        return False
