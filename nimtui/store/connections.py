"""Open connections to the database file, for writing or for reading only, wherever the file lies."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from nimtui.foreign.reading import kind_of
from nimtui.store import schema, seals
from nimtui.store.claims import PATIENCE
from nimtui.store.errors import Refused, unreadable

if TYPE_CHECKING:
    from sqlite3 import Connection

CHECKED = 8_000_000  # bytes; a larger file is not checked in full when it is opened
DAMAGED = {11, 26}  # SQLite's result codes CORRUPT and NOTADB
PAGE = 4096  # bytes, SQLite's default
REASONS = {
    3: "permission denied",
    5: "another program has locked it",
    6: "another program has locked it",
    8: "it is read-only",
    10: "the disk reports an error, it may be full",
    13: "the disk is full",
    14: "it cannot be opened",
    15: "another program has locked it",
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
        raise schema.Damage("it is empty: 0 bytes")
    return True


def connect(path: Path) -> Connection:
    """Return a connection that reads and writes; ':memory:' is empty. Raise what SQLite raises if that fails."""
    return _set(_open(str(path), uri=False))


def connect_reading(path: Path, alone: bool = False) -> Connection:
    """Return a connection that never changes the file. `alone`: nor anything beside it; no other process uses the file.

    Raise what SQLite raises if the file cannot be read.

    A killed writer may have left a log beside the file. SQLite reads the log only if it may write there, or without
    locks. Where it may not write, this opens without locks: nobody else can write there either.
    """
    name = f"file:{quote(str(path.absolute()))}"
    with_log = _has(path.with_name(f"{path.name}-wal"))
    addresses = [f"{name}?mode=ro&vfs=unix-none" if with_log else f"{name}?mode=ro&immutable=1"]
    if not alone:
        addresses.insert(0, f"{name}?mode=ro")  # another process may be writing
    for address in addresses[:-1]:
        with contextlib.suppress(*faults()):
            return _reading(address)
    return _reading(addresses[-1])


def _reading(address: str) -> Connection:
    connection = _open(address, uri=True)
    if "unix-none" in address:  # set first, so that the index of the log is in memory
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    _set(connection).execute("PRAGMA user_version").fetchone()
    return connection


def shared(name: str) -> Connection:
    """Return a connection to a database in memory that all connections of this name share; it ends with the last."""
    return _set(_open(f"file:{name}?mode=memory&cache=shared", uri=True))


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
            raise schema.Damage(" ".join(message.removeprefix("*** in database main ***").split()))


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
