"""The database: one SQLite file for many threads and processes; a damaged file is set aside.

A database that cannot be written is read in place, or in a copy if it needs changes first. A deleted tournament or game
stays in it for a month, with the time of its deletion.
"""

from __future__ import annotations

import contextlib
import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from nimtui.process.stopping import undisturbed
from nimtui.store import files, paths, seals, sqlite
from nimtui.store.claims import PATIENCE, Claim
from nimtui.store.errors import Refused, StoreError, Unwritable, in_the_way, unwritable
from nimtui.store.rows import MOST_NUMBERS
from nimtui.store.salvage import Salvaged, salvage
from nimtui.store.sqlite import check_whole, code, is_damage
from nimtui.store.trash import DAY, DAYS

if TYPE_CHECKING:
    from sqlite3 import Connection

T = TypeVar("T")


class Replaced(StoreError):
    """The file was damaged; what could be read is in a new file. Repeat the request."""


class _Line:
    """A thread's connection; the lock is held while it is used."""

    def __init__(self, connection: Connection, generation: int) -> None:
        self.connection, self.generation, self.lock = connection, generation, threading.RLock()


class Database(contextlib.AbstractContextManager["Database"]):
    """The data in the one SQLite file. Any thread may use it; each gets its own connection.

    `faults` has a line for each damaged thing found. `generation` grows when the file is replaced, because it was set
    aside or removed. `read_only` says why nothing can be written, or is '' if writing works; reading still works.
    """

    def __init__(
        self, path: Path | None = None, tell: Callable[[str], object] = lambda line: None, replace: bool = True
    ) -> None:
        """Open the database, or create it; `tell` is called with each fault. Raise StoreError if it cannot be read.

        Without `replace` the file is only read, however damaged it is.
        """
        self.path = paths.database() if path is None else path
        self.locks = self.path.with_name(f"{self.path.name}-locks")
        self.faults: list[str] = []
        self.damaged_games: set[int] = set()  # ids of games reported as damaged
        self.generation = 0
        self.read_only = ""
        self._tell = tell
        self._change = replace
        self._identity: tuple[int, int]  # of the file that is used
        self._reader: Reader | None = None
        self._lock = threading.RLock()  # guards the one writer of this process, and the fields above and below
        self._lines: dict[threading.Thread, _Line] = {}
        self._closed = False
        self._begin()
        with contextlib.suppress(StoreError):  # such as a full disk: purge another time
            purge_rows(self)

    def check_writable(self) -> None:
        """Raise Unwritable, with the reason, if nothing can be written."""
        with self._lock:
            if self.read_only:
                with contextlib.suppress(StoreError):
                    self._begin()  # tries again
            if self.read_only:
                raise Unwritable(self.path, self.read_only)

    def notice(self, line: str) -> None:
        """Report damage, each line once."""
        with self._lock:
            if line in self.faults:
                return
            self.faults.append(line)
        self._tell(line)

    def query(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return all rows that a statement finds. Raise StoreError if the file cannot be read."""
        return self._again(lambda connection: connection.execute(statement, values).fetchall())

    def read(self, work: Callable[[Connection], T]) -> T:
        """Return the result of several statements on one snapshot. Raise StoreError if the file cannot be read."""

        def at_once(connection: Connection) -> T:
            if connection.in_transaction:
                return work(connection)
            connection.execute("BEGIN")
            try:
                return work(connection)
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

        return self._again(at_once)

    def _again(self, work: Callable[[Connection], T]) -> T:
        """Do the work, and repeat it once if the file was replaced meanwhile."""
        try:
            with self.reading() as connection:
                return work(connection)
        except Replaced:
            with self.reading() as connection:
                return work(connection)

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """Yield this thread's connection. A failure of the file inside the block becomes a StoreError."""
        line = self._line()
        with line.lock, self._translated_faults(line):
            yield line.connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """Yield a connection inside a transaction: all writes are saved at the end, or none if anything fails.

        Saved data survives the death of this process. Raise StoreError if the disk is full or the file is locked.
        """
        with undisturbed(), self._lock, self.reading():
            self.check_writable()
            with sqlite.transaction(self._line().connection) as connection:
                yield connection

    def close(self) -> None:
        """Close the database for all threads. Later use raises StoreError."""
        with self._lock:
            self._closed = True
            lines, self._lines = self._lines, {}
        for line in lines.values():
            with line.lock:  # the thread may still be reading
                line.connection.close()
        if self._reader is not None:
            self._reader.close()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _line(self) -> _Line:
        """Return this thread's connection to the file that is at the path now."""
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
                self._begin(f"{self.path} was removed: a new database was started")
            with self._translated_faults(None):
                connection = sqlite.connect(self.path) if self._reader is None else self._reader.connect()
                line = self._lines.setdefault(thread, _Line(connection, self.generation))
            return line

    def _begin(self, notice: str = "", damage: str = "") -> None:
        """Bring the file at the path to the newest version, and use it from now on.

        One process at a time does this. A damaged file is set aside, also if `damage` was found later and the file is
        still there. `notice` reports an earlier replacement. If nothing can be written, the file is only read.
        """
        try:
            if not self._change:
                raise Unwritable(self.path, "it was opened for reading only")
            paths.ensure(self.path.parent)
            opened = f"{self.path} is being opened by another nimtui"
            with Claim(self.locks / "opening", self.path, opened, PATIENCE):
                files.take_back(self.path)
                if damage and _identity(self.path) == self._identity:
                    notice = self._replace(damage)
                notice = self._make_ready() or notice
            reader, why = None, ""
        except Unwritable as fault:
            reader, why = Reader(self.path, damage, fault.reason), fault.reason
            notice = reader.fault or (str(fault) if in_the_way(self.path) else "")
        before, self._reader, self.read_only = self._reader, reader, why
        self.generation += 1  # first: a reader without the lock must not take the old file for the new one
        self._identity = _identity(self.path)
        if before is not None:
            before.close()
        if notice:
            self.notice(notice)

    def _make_ready(self, notice: str = "") -> str:
        """Check the file at the path and update it. Return a line if it was replaced, now or before (`notice`)."""
        try:
            if not sqlite.check_file(self.path):
                self._begin_file()
            with sqlite.log_left(self.path), contextlib.closing(sqlite.connect(self.path)) as connection:
                version = sqlite.check(connection)
                if version:
                    check_whole(connection)
                connection.execute("PRAGMA journal_mode = WAL")
                if version < len(sqlite.STEPS):
                    sqlite.carry_over(connection)
                connection.execute("SELECT count(*) FROM boards").fetchone()  # fails if the log's index is missing
            return notice
        except sqlite.Foreign as foreign:
            raise Refused(f"{self.path} {foreign}") from None
        except sqlite.faults(sqlite.Damage) as fault:
            # code 1: a statement does not fit the tables, so they are not those of the version
            if not isinstance(fault, sqlite.Damage) and not is_damage(fault) and code(fault) != 1:
                raise self._cannot(fault) from None
            if notice:
                raise Refused(f"{self.path} cannot be used: its new copy is damaged, too ({fault})") from None
            notice = self._replace(str(fault))
        return self._make_ready(notice)

    def _replace(self, why: str) -> str:
        """Set the file aside and put a new one with all readable rows in its place; return the line to report.

        The new one is whole before the damaged one is touched. Raise Unwritable if that fails, with nothing changed.
        """
        aside, salvaged = self._begin_file(damaged=True)
        return f"{self.path} is damaged ({why}): it was set aside as {aside.name}; {salvaged.summary}"

    def _begin_file(self, damaged: bool = False) -> tuple[Path, Salvaged]:
        """Put a new file at the path, with the rows of the `damaged` one that is there, which gets a new name."""
        fresh, aside = self.path.with_name(f".{self.path.name}.new"), files.free_aside(self.path)
        try:
            fresh.unlink(missing_ok=True)
            with contextlib.closing(sqlite.connect(fresh)) as connection:
                connection.execute("PRAGMA journal_mode = MEMORY")  # no file beside it
                salvaged = salvage(self.path, connection) if damaged else Salvaged(0, 0)
                sqlite.carry_over(connection)
            with contextlib.ExitStack() as undo:
                if damaged:
                    files.name_also(self.path, aside)
                    undo.callback(files.name_back, self.path, aside)
                for end in files.BESIDE:  # SQLite would add a log that is left here to the new file
                    log, log_aside = Path(f"{self.path}{end}"), Path(f"{aside}{end}")
                    with contextlib.suppress(FileNotFoundError):
                        log.rename(log_aside)
                        undo.callback(log_aside.rename, log)
                fresh.replace(self.path)
                undo.pop_all()
        except sqlite.faults() as fault:
            raise self._cannot(fault) from None
        except OSError as fault:
            raise unwritable(self.path, fault) from None
        finally:
            with contextlib.suppress(OSError):
                fresh.unlink(missing_ok=True)
        return aside, salvaged

    @contextlib.contextmanager
    def _translated_faults(self, line: _Line | None) -> Iterator[None]:
        """Turn SQLite's exceptions into one line; set the file aside if damage shows only now."""
        try:
            yield
        except sqlite.faults() as fault:
            if not is_damage(fault):
                raise self._error_of(fault) from None
            with self._lock:
                if line is None or line.generation == self.generation:  # otherwise another thread has replaced it
                    self._begin(f"{self.path} was damaged and has been set aside by another nimtui", str(fault))
                raise Replaced(self.faults[-1]) from None

    def _error_of(self, fault: Exception) -> Exception:
        """Return the error for what SQLite raised; a faulty statement keeps its own exception."""
        if self._closed:
            return StoreError(f"{self.path} was closed")
        return fault if code(fault) not in sqlite.REASONS else self._cannot(fault)

    def _cannot(self, fault: Exception) -> StoreError:
        reason = sqlite.REASONS.get(code(fault), str(fault))
        if code(fault) in sqlite.UNWRITABLE:
            return Unwritable(self.path, reason, "used")
        return Refused(f"{self.path} cannot be used: {reason}")


def _identity(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return (0, 0)
    return status.st_dev, status.st_ino


class Reader:
    """The content of a database file, or nothing if there is no file. `fault` is one line about its damage."""

    def __init__(self, path: Path, damage: str = "", why: str = "") -> None:
        """`damage`: the fault that was found earlier; `why`: why the file stays in place.

        Raise Refused if the file cannot be read, or is not a database of nimtui.
        """
        self.path = path
        self.fault = ""
        self._copy = ""  # the name of the copy in memory, if there is one
        self._held: Connection | None = None  # keeps the copy in memory alive
        self._left = contextlib.ExitStack()  # leaves the log where it is, whoever closes the file meanwhile
        try:
            self._read(damage, why)
        except BaseException:
            self.close()
            raise

    def _read(self, damage: str, why: str) -> None:
        path = self.path
        try:
            self._left.enter_context(sqlite.log_left(path))
            if not sqlite.check_file(path):
                sqlite.carry_over(self._begin_copy())
                return
            with_file = sqlite.connect_reading(path)
            try:
                version = sqlite.check(with_file)
                if version:
                    sqlite.check_whole(with_file)
                if damage:
                    raise sqlite.Damage(damage)
                if version < len(sqlite.STEPS):
                    copy = self._begin_copy()
                    with_file.backup(copy)
                    sqlite.carry_over(copy)
            finally:
                with_file.close()
        except sqlite.Foreign as foreign:
            raise Refused(f"{path} {foreign}") from None
        except sqlite.faults(sqlite.Damage) as fault:
            code = sqlite.code(fault)
            if not isinstance(fault, sqlite.Damage) and not sqlite.is_damage(fault) and code != 1:
                raise Refused(f"{path} cannot be used: {sqlite.REASONS.get(code, fault)}") from None
            salvaged = salvage(path, self._begin_copy())
            outcome = f"{salvaged.readable} could be read" if salvaged.games else "no games could be read"
            self.fault = f"{path} is damaged ({fault}) and cannot be set aside ({why}): {outcome}"
        except OSError as fault:
            raise Refused(f"{path} cannot be read: {fault.strerror or fault}") from None

    def connect(self) -> Connection:
        """Return a connection for one thread."""
        return sqlite.shared(self._copy) if self._copy else sqlite.connect_reading(self.path)

    def close(self) -> None:
        """Release the copy and the log."""
        self._left.close()
        self._release_copy()

    def _release_copy(self) -> None:
        if self._held is not None:
            self._held.close()
            self._held = None

    def _begin_copy(self) -> Connection:
        self._release_copy()
        self._copy = f"nimtui-{secrets.token_hex(8)}"
        self._held = sqlite.shared(self._copy)
        return self._held


_TOURNAMENTS = f"tournaments WHERE deleted < ? AND {seals.sound('tournaments')}"
_GAMES = (
    f"pairings WHERE tournament IS NULL AND {seals.sound('pairings')} AND id IN"
    " (SELECT pairing FROM games INDEXED BY games_deleted WHERE deleted IS NOT NULL AND deleted < ?"
    f" AND {seals.sound('games')})"
)


def purge_rows(db: Database, days: float = DAYS) -> int:
    """Delete for good what was deleted more than `days` ago; return how many tournaments and single games were purged.

    A deleted game of a tournament stays until its tournament goes: without it the result would change.
    """
    until = (time() - days * DAY,)
    if not any(db.query(f"SELECT 1 FROM {what} LIMIT 1", until) for what in (_TOURNAMENTS, _GAMES)):
        return 0
    with db.writing() as connection:
        return sum(connection.execute(f"DELETE FROM {what}", until).rowcount for what in (_TOURNAMENTS, _GAMES))


class Deleted(NamedTuple):
    """A deleted tournament, or a deleted game outside any tournament."""

    when: float  # Unix time
    is_game: bool
    id: int


def last_deleted(db: Database) -> Deleted | None:
    """Return the last deleted one, or None. Raise StoreError if the database cannot be read."""
    rows = db.query(
        f"SELECT deleted, 0, id FROM tournaments WHERE deleted IS NOT NULL AND {seals.sound('tournaments')}"
        " UNION ALL"
        f" SELECT g.deleted, 1, g.pairing * {MOST_NUMBERS} + g.number FROM games g JOIN pairings p"
        " ON p.id = g.pairing WHERE g.deleted IS NOT NULL AND p.tournament IS NULL"
        f" AND {seals.sound('games', 'g.')} ORDER BY 1 DESC LIMIT 1"
    )
    return next((Deleted(when, bool(is_game), id) for when, is_game, id in rows), None)
