"""Connections to the database's file: to one that may be written, or may only be read wherever it lies."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from nimtui.store import schema, seals
from nimtui.store.claims import PATIENCE

if TYPE_CHECKING:
    from sqlite3 import Connection

CHECKED = 8_000_000  # bytes; a larger file is not read whole when it is opened
DAMAGED = {11, 26}  # what SQLite calls CORRUPT and NOTADB
PAGE = 4096  # bytes, SQLite's default
REASONS = {
    3: "permission denied",
    5: "another program keeps it locked",
    6: "another program keeps it locked",
    8: "it is read-only",
    10: "the disk reports an error, it may be full",
    13: "the disk is full",
    14: "it cannot be opened",
    15: "another program keeps it locked",
    22: "it is too large for this system",
}
SETTINGS = ("foreign_keys = ON", "synchronous = NORMAL", "cell_size_check = ON", "wal_autocheckpoint = 4000")


def connect(path: Path) -> Connection:
    """A connection that reads and writes; what SQLite says where that cannot be."""
    return _set(_open(str(path), uri=False))


def connect_reading(path: Path, alone: bool = False) -> Connection:
    """A connection that changes nothing in the file; `alone`: nor beside it, nobody else being at work on it.

    What SQLite says where it cannot be read.
    SQLite reads what a killed writer left in the log beside the file only where it may write there, or where nobody is
    asked for a lock; so where it may not write, the locks are left out: nobody else can write there either.
    """

    name = f"file:{quote(str(path.absolute()))}"
    with_log = _has(path.with_name(f"{path.name}-wal"))
    addresses = [f"{name}?mode=ro&vfs=unix-none" if with_log else f"{name}?immutable=1"]
    if not alone:
        addresses.insert(0, f"{name}?mode=ro")  # somebody may be writing it
    for address in addresses[:-1]:
        with contextlib.suppress(*faults()):
            return _reading(address)
    return _reading(addresses[-1])


def _reading(address: str) -> Connection:
    connection = _open(address, uri=True)
    if "unix-none" in address:  # first of all, so that the index of its log is in memory
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    _set(connection).execute("PRAGMA user_version").fetchone()
    return connection


def in_memory() -> Connection:
    """An empty database of this connection alone, which is gone with it."""
    return _set(_open(":memory:", uri=False))


def shared(name: str) -> Connection:
    """A connection to a database in memory that all connections of this name share; it goes with the last of them."""
    return _set(_open(f"file:{name}?mode=memory&cache=shared", uri=True))


def text(data: bytes) -> str:
    """A text as it can be shown, however damaged its bytes are."""
    return data.decode(errors="replace")


def faults(*more: type[Exception]) -> tuple[type[Exception], ...]:
    """What SQLite raises, and more; of a damaged file it may say something that is no text."""
    import sqlite3

    return sqlite3.Error, UnicodeDecodeError, *more


def code(fault: Exception) -> int:
    """SQLite's result code, without what it says more exactly."""
    return int(getattr(fault, "sqlite_errorcode", 0)) & 0xFF


def is_damage(fault: Exception) -> bool:
    """Does SQLite say that the file is not as it was written?"""
    return code(fault) in DAMAGED or isinstance(fault, UnicodeDecodeError)


def check_whole(connection: Connection) -> None:
    """Read a small database whole. Damage where its pages contradict each other."""
    (pages,), (size,) = (connection.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size"))
    if pages * size <= CHECKED:
        (said,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if said != "ok":
            raise schema.Damage(" ".join(said.split()))


def _open(name: str, uri: bool) -> Connection:
    import sqlite3

    return sqlite3.connect(name, timeout=PATIENCE, isolation_level=None, check_same_thread=False, uri=uri)


def _set(connection: Connection) -> Connection:
    connection.text_factory = text
    for setting in SETTINGS:
        connection.execute(f"PRAGMA {setting}")
    seals.install(connection)
    return connection


def _has(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except OSError:
        return False
