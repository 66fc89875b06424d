"""The database: one SQLite file for many threads and processes, sound or set aside."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nimtui.foreign.values import reason
from nimtui.store import files, paths, schema
from nimtui.store.claims import PATIENCE, Claim
from nimtui.store.errors import StoreError
from nimtui.store.purge import purge
from nimtui.store.rows import GameRow

if TYPE_CHECKING:
    from sqlite3 import Connection, Error

__all__ = ["Database", "GameRow"]

CHECKED = 8_000_000  # bytes; a larger file is not read whole when it is opened
BESIDE = ("-wal", "-shm")  # what SQLite keeps beside a database

# SQLite's result codes that say something about the world and not about a statement.
_DAMAGED = {11, 26}  # CORRUPT, NOTADB
_REASONS = {
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


class _Line:
    """A thread's connection; the lock is held while it is used."""

    def __init__(self, connection: Connection, generation: int) -> None:
        self.connection, self.generation, self.lock = connection, generation, threading.RLock()


class Database:
    """What is kept in the one SQLite file. Any thread may use it: each gets a connection of its own.

    `faults` has a line for each file that was damaged and set aside. `generation` grows when the file behind it has
    become another one, because it was set aside or taken away: what refers to rows of the old one must begin again.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Open it, or begin one. StoreError where it cannot be used; it is then as it was."""
        self.path = paths.database() if path is None else path
        self.locks = self.path.with_name(f"{self.path.name}-locks")
        self.faults: list[str] = []
        self.generation = 0
        self._identity = (0, 0)
        self._lock = threading.RLock()  # the one writer of this process, and changes of the fields above and below
        self._lines: dict[threading.Thread, _Line] = {}
        self._closed = False
        paths.ensure(self.path.parent)
        self._begin()
        with contextlib.suppress(StoreError):  # a full disk, say: then another time
            purge(self)

    def query(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows that a statement finds. StoreError where the file cannot be read."""
        with self.reading() as connection:
            return connection.execute(statement, values).fetchall()

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """This thread's connection. What goes wrong with the file in the meantime is a StoreError."""
        line = self._line()
        with line.lock, self._told(line):
            yield line.connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction: what is written in it is kept when it is left, or nothing of it where anything goes wrong.

        What is kept survives the death of this process. StoreError where the disk is full or the file is locked.
        """
        with self._lock, self.reading() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    def close(self) -> None:
        """Close it for all threads. Whatever is used later is a StoreError."""
        with self._lock:
            self._closed = True
            lines = list(self._lines.values())
            self._lines.clear()
        for line in lines:
            with line.lock:  # its thread may still be reading
                line.connection.close()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _line(self) -> _Line:
        """This thread's connection to the file that is at the path now."""
        thread = threading.current_thread()
        line = self._lines.get(thread)
        if line is not None and line.generation == self.generation and _identity(self.path) == self._identity:
            return line
        with self._lock:
            if self._closed:
                raise StoreError(f"{self.path} was closed")
            for other in [other for other in self._lines if other is thread or not other.is_alive()]:
                self._lines.pop(other).connection.close()
            if _identity(self.path) != self._identity:
                self._begin(f"{self.path} was taken away: a new one was begun")
            with self._told(None):
                line = self._lines.setdefault(thread, _Line(self._connect(), self.generation))
            return line

    def _connect(self) -> Connection:
        import sqlite3

        connection = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
        connection.text_factory = _text
        for setting in (
            "foreign_keys = ON",
            "synchronous = NORMAL",
            "cell_size_check = ON",
            "wal_autocheckpoint = 4000",
        ):
            connection.execute(f"PRAGMA {setting}")
        return connection

    def _begin(self, said: str = "", damage: str = "") -> None:
        """Bring the file at the path to the newest version, and count it as the one that is used from now on.

        One process at a time does that. What is damaged is set aside, and so is what was found to be `damage` later,
        if it is still there; `said` is a line for the faults.
        """
        claim = Claim(self.locks / "opening", f"{self.path} is being opened by another nimtui", PATIENCE)
        try:
            if damage and _identity(self.path) == self._identity:
                said = self._put_aside(damage)
            said = self._make_ready() or said
            self.generation += 1  # first: whoever compares both without the lock must not take the old for the new
            self._identity = _identity(self.path)
        finally:
            claim.release()
        if said:
            self.faults.append(said)

    def _make_ready(self, again: bool = True) -> str:
        """Check the file at the path and carry it over. What is to be said where it had to be set aside first."""
        import sqlite3

        connection = None
        try:
            connection = self._connect()
            version = schema.check(connection)
            if version:
                _check_whole(connection)
            connection.execute("PRAGMA journal_mode = WAL")
            if version < len(schema.STEPS):
                schema.carry_over(connection)
        except schema.Foreign as foreign:
            raise StoreError(f"{self.path} {foreign}") from None
        except (schema.Damage, sqlite3.Error) as fault:
            # 1 is a statement that does not fit the tables: they are not those of the version
            if isinstance(fault, sqlite3.Error) and not _is_damage(fault) and _code(fault) != 1:
                raise StoreError(f"{self.path} cannot be used: {_REASONS.get(_code(fault)) or reason(fault)}") from None
            said = self._put_aside(str(fault))  # before its connection is closed, which would tidy it up
        else:
            return ""
        finally:
            if connection is not None:
                connection.close()
        if again:
            self._make_ready(again=False)
        return said

    def _put_aside(self, why: str) -> str:
        """Rename the file and what is beside it; the line to say. StoreError where that fails."""
        aside = files.set_aside(self.path)
        for end in BESIDE:
            with contextlib.suppress(FileNotFoundError):
                self.path.with_name(self.path.name + end).rename(aside.with_name(aside.name + end))
        return f"{self.path} is damaged ({why}): it was set aside as {aside.name}; a new one was begun"

    @contextlib.contextmanager
    def _told(self, line: _Line | None) -> Iterator[None]:
        """Say in one line what SQLite says about the file; damage that shows only now is put away."""
        import sqlite3

        try:
            yield
        except sqlite3.Error as fault:
            if not _is_damage(fault):
                raise self._said(fault) from None
            raise self._damaged(fault, line) from None

    def _damaged(self, fault: Error, line: _Line | None) -> StoreError:
        with self._lock:
            if line is None or line.generation == self.generation:  # else another thread has seen to it
                self._begin(f"{self.path} was damaged and has been set aside by another nimtui", str(fault))
            return StoreError(self.faults[-1])

    def _said(self, fault: Error) -> Exception:
        """The error for what SQLite says; a wrong use of it stays what it is."""
        if self._closed:
            return StoreError(f"{self.path} was closed")
        if isinstance(fault, _statement_faults()):
            return fault
        return StoreError(f"{self.path} cannot be used: {_REASONS.get(_code(fault)) or reason(fault)}")


def _text(data: bytes) -> str:
    """A text as far as it is one: one letter that is none makes no other row unreadable."""
    return data.decode("utf-8", "replace")


def _statement_faults() -> tuple[type[Exception], ...]:
    import sqlite3

    return sqlite3.ProgrammingError, sqlite3.InterfaceError


def _code(fault: Error) -> int:
    return int(getattr(fault, "sqlite_errorcode", 0)) & 0xFF


def _is_damage(fault: Error) -> bool:
    return _code(fault) in _DAMAGED


def _check_whole(connection: Connection) -> None:
    """Read a small database whole. Damage where its pages contradict each other."""
    (pages,), (size,) = (connection.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size"))
    if pages * size <= CHECKED:
        (said,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if said != "ok":
            raise schema.Damage(" ".join(said.split()))


def _identity(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return (0, 0)
    return found.st_dev, found.st_ino
