"""The tables of the database, and the steps that update an older database.

Never change a step once people may have a database with it: add a further step.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from nimtui.store import seals

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
