"""The tables of the database, and the steps that carry an older one over.

A step is never changed once people may have a database with it: what is to be different is a further step.
"""

from __future__ import annotations

import contextlib
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

# A checksum for every row. What was kept before is sealed as it is found: only later damage can be noticed.
SEALS = ";".join(
    f"ALTER TABLE {table} ADD COLUMN seal INTEGER; UPDATE {table} SET seal = {seals.expression(table)}"
    for table in seals.TABLES
)

STEPS: tuple[str, ...] = (
    TABLES,
    SEALS,
)  # step k makes version k + 1 of version k, in statements with semicolons between
NEEDED = {
    *("boards", "agents", "tournaments", "pairings", "games"),
    *("games_fault", "games_name", "games_deleted"),  # these are asked for by their names
}


class Damage(Exception):
    """The file is not what this program has written: why, as the end of a sentence."""


class Foreign(Exception):
    """The file is sound and not ours to change: why, as the end of a sentence."""


def check(connection: Connection) -> int:
    """The version of a database that may be used, 0 for an empty one; it is only read. Damage or Foreign otherwise."""
    version = _version(connection)
    if version == len(STEPS):
        _check_tables(connection)
        if wrong := different(connection, version):
            raise Damage(f"{wrong[0]} is not as it was made")
    return version


def different(connection: Connection, version: int) -> list[str]:
    """The names of the tables and indexes that are not as the database's version makes them. What SQLite raises."""
    made = _made(connection)
    return [name for name, sql in _as_made(STEPS[:version]).items() if made.get(name) != sql]


def carry_over(connection: Connection, to: int | None = None) -> None:
    """Make a database of the newest version, or of `to`, out of an empty or an older one, or leave it as it was.

    Damage, Foreign, or what SQLite raises.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = _version(connection)  # another process may have been quicker
        for step in STEPS[version:to]:
            for statement in step.split(";"):
                connection.execute(statement)
        _check_tables(connection)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {max(version, len(STEPS[:to]))}")
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
        raise Foreign("is a database of another program: it is left as it is")
    if version < 1:
        raise Damage("it names no version")
    if version > len(STEPS):
        raise Foreign(f"was written by a newer nimtui: it has version {version}, this one reads up to {len(STEPS)}")
    return int(version)


def _check_tables(connection: Connection) -> None:
    if missing := NEEDED - tables(connection):
        raise Damage(f"it has no {min(missing)}")


@cache
def _as_made(steps: tuple[str, ...]) -> dict[str, str]:
    """What the version that these steps make says of its tables and indexes."""
    import sqlite3

    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as template:
        seals.install(template)
        for step in steps:
            for statement in step.split(";"):
                template.execute(statement)
        return _made(template)


def _made(connection: Connection) -> dict[str, str]:
    found = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {name: " ".join(sql.split()) for name, sql in found}


def tables(connection: Connection) -> set[str]:
    """The names of its tables and indexes."""
    return {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
