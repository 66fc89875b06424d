"""The log beside a database is as much a part of the data: it is read, set aside with its file, and else stays."""

from __future__ import annotations

import gc
import os
import shutil
import sqlite3
import struct
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path

import pytest

from nimtui.store import StoreError, files, game_list, sqlite
from nimtui.store.database import Database
from tests.opened import open_files, opened_since
from tests.store.sample import begin, beside, flipped_page, raw, rows

LOGGED = (290, 3)  # games in the file, and those that only its log has


def crashed(folder: Path, application: int = sqlite.APPLICATION) -> Path:
    """What a crash leaves: a database and its log, which has a few of its pages."""
    source, left = folder / "source" / "nimtui.sqlite", folder / "left" / "nimtui.sqlite"
    left.parent.mkdir()
    with Database(source) as db, begin(db) as kept:
        kept.append(0, rows(range(LOGGED[0])))
        with raw(source) as one:
            one.execute(f"PRAGMA application_id = {application}")
            one.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            one.execute("UPDATE boards SET name = name")
        if application == sqlite.APPLICATION:
            kept.append(0, rows(range(LOGGED[0], sum(LOGGED))))
        for path in (source, sqlite.log_of(source)):
            shutil.copy(path, left.parent)
    return left


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder, without what SQLite keeps for the processes at work."""
    return {
        file.name: file.read_bytes() for file in folder.iterdir() if file.is_file() and file.suffix != ".sqlite-shm"
    }


@contextmanager
def nameless() -> Iterator[None]:
    """No new file gets the name of one that is there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "replace", lambda *_: Path("nowhere").stat())
        yield


@pytest.fixture
def uncollected() -> Iterator[None]:
    """What is left to be collected stays open; and nothing may be left open."""
    before = open_files()
    gc.disable()
    yield
    gc.enable()
    assert not opened_since(before)


HARMS = {
    "no database": lambda whole: b"x" * 5000,
    "no bytes": lambda whole: b"",
    "a flipped page": flipped_page,
    "of another program": bytes,
}


@pytest.mark.parametrize("kind", HARMS)
@pytest.mark.parametrize("log", ["of the database", "damaged"])
def test_a_damaged_one_and_its_log_stay_if_the_new_one_gets_no_name(
    tmp_path: Path, kind: str, log: str, uncollected: None
) -> None:
    path = crashed(tmp_path, 7 if kind == "of another program" else sqlite.APPLICATION)
    path.write_bytes(HARMS[kind](path.read_bytes()))
    if log == "damaged":
        sqlite.log_of(path).write_bytes(b"x" * 5000)
    before = contents(path.parent)
    refused = pytest.raises(StoreError) if kind == "of another program" else nullcontext()
    with nameless(), refused, Database(path) as db:
        assert db.read_only and "cannot be set aside" in db.faults[0]
    assert contents(path.parent) == before


def test_a_log_stays_also_if_the_damage_is_met_later_by_an_open_connection(
    tmp_path: Path, uncollected: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = crashed(tmp_path)
    path.write_bytes(flipped_page(path.read_bytes()))
    before = contents(path.parent)
    monkeypatch.setattr(sqlite, "CHECKED", 0)
    with nameless(), Database(path) as db:
        assert not db.faults and not db.read_only

        def read() -> None:
            with db.reading() as connection:
                connection.execute("SELECT * FROM games").fetchall()

        with ThreadPoolExecutor(1) as another, pytest.raises(StoreError, match="cannot be set aside"):
            another.submit(read).result()
    assert contents(path.parent) == before


def test_games_that_only_the_log_has_are_in_the_copy_of_a_file_whose_first_page_is_damaged(tmp_path: Path) -> None:
    path = crashed(tmp_path)
    path.write_bytes(whole := path.read_bytes().replace(b"own_first INTEGER", b"oun_first INTEGER", 1))
    written = sqlite.log_of(path).read_bytes()
    with Database(path) as db:
        assert game_list.count(db) == sum(LOGGED) and f"all {sum(LOGGED)} games were copied" in db.faults[0]
    aside = path.with_name("nimtui.damaged-1.sqlite")
    assert (aside.read_bytes(), sqlite.log_of(aside).read_bytes()) == (whole, written)


def by_big_endian(log: bytes) -> bytes:
    """The same log as a machine of the other byte order writes it: its checksums are over words of that order."""
    header, size = struct.pack(">I", 0x377F0683) + log[4:24], 4096
    first = second = 0

    def check(data: bytes) -> bytes:
        nonlocal first, second
        for even, odd in struct.iter_unpack(">2I", data):
            first = (first + even + second) % 2**32
            second = (second + odd + first) % 2**32
        return struct.pack(">2I", first, second)

    parts = [header + check(header)]
    for start in range(32, len(log), 24 + size):
        head, page = log[start : start + 24], log[start + 24 : start + 24 + size]
        parts += [head[:16], check(head[:8] + page), page]
    return b"".join(parts)


def test_a_log_is_readable_if_sqlite_reads_it(tmp_path: Path) -> None:
    path = crashed(tmp_path)
    log = sqlite.log_of(path).read_bytes()
    readable = {log: True, by_big_endian(log): True, log[:31]: False, b"": False, b"x" * 5000: False}
    readable |= {log[:byte] + bytes([log[byte] ^ 1 << byte % 8]) + log[byte + 1 :]: False for byte in range(32)}
    for number, (data, wanted) in enumerate(readable.items()):
        one = tmp_path / f"{number}" / path.name
        one.parent.mkdir()
        shutil.copy(path, one)
        assert not sqlite.is_log_readable(one), "it has none"
        sqlite.log_of(one).write_bytes(data)
        assert sqlite.is_log_readable(one) is wanted and sqlite.has_log(one) is bool(data)
        with raw(one) as other:
            assert other.execute("SELECT count(*) FROM games").fetchone() == (LOGGED[0] + LOGGED[1] * wanted,)


@pytest.mark.parametrize("first_page", [b"own_first INTEGER", b"SQLite format 3"], ids=["its text", "its kind"])
@pytest.mark.parametrize("log", ["none", "unreadable", "unread"])
def test_all_games_were_copied_is_said_only_if_no_log_may_have_more(
    tmp_path: Path, first_page: bytes, log: str
) -> None:
    path = crashed(tmp_path)
    written = sqlite.log_of(path).read_bytes()
    with raw(path) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    path.write_bytes(path.read_bytes().replace(first_page, first_page.upper()[::-1], 1))
    sqlite.log_of(path).write_bytes({"none": b"", "unreadable": b"x" * 5000, "unread": written}[log])
    with Database(path) as db:
        assert game_list.count(db) == sum(LOGGED)
        unknown = log == "unreadable" or (log == "unread" and first_page.startswith(b"SQLite"))
        said = "games were readable and copied" if unknown else "games were copied"
        assert f"; {'' if unknown else 'all '}{sum(LOGGED)} {said} to a new database" in db.faults[0]


KILLED = """
import os, sys
from pathlib import Path
from nimtui.store.database import Database
Path.replace = lambda *_: os._exit(9)
Database(Path(sys.argv[1]))
"""


def test_a_kill_while_it_is_set_aside_loses_no_log(tmp_path: Path) -> None:
    path = crashed(tmp_path)
    path.write_bytes(path.read_bytes().replace(b"own_first INTEGER", b"oun_first INTEGER", 1))
    before = contents(path.parent)
    for again in (False, True):
        assert subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False).returncode == 9
        assert "nimtui.damaged-1.sqlite" in beside(path) and not sqlite.log_of(path).exists()
        for _ in range(0 if again else 2):
            files.take_back(path)
            assert {name: data for name, data in contents(path.parent).items() if name[0] != "."} == before
    with Database(path) as db:
        assert game_list.count(db) == sum(LOGGED)
    assert "nimtui.damaged-2.sqlite" not in beside(path)
    shutil.copy(path, same := path.with_name("same.damaged-1.sqlite"))
    files.take_back(path)
    assert same.exists(), "another file, however alike"


def test_no_name_is_free_for_a_file_if_something_is_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    for at, end in enumerate(("", *files.BESIDE), start=1):
        assert files.free_aside(path).name == f"a.damaged-{at}.sqlite"
        Path(f"{files.free_aside(path)}{end}").touch()


def test_an_old_journal_is_set_aside_and_not_rolled_into_the_new_database(tmp_path: Path) -> None:
    path, journal = tmp_path / "nimtui.sqlite", tmp_path / "nimtui.sqlite-journal"
    with closing(sqlite3.connect(path, isolation_level=None)) as one:
        one.executescript("PRAGMA journal_mode = PERSIST; CREATE TABLE x (y); BEGIN; INSERT INTO x VALUES (1)")
        old = journal.read_bytes()
        one.execute("ROLLBACK")
    path.write_bytes(b"")
    journal.write_bytes(old)
    with Database(path) as db:
        assert "it is empty: 0 bytes" in db.faults[0] and game_list.count(db) == 0
    assert (tmp_path / "nimtui.damaged-1.sqlite-journal").read_bytes() == old


@pytest.mark.parametrize("by", ["a link", "a name that is no text"])
def test_a_log_belongs_to_the_file_however_that_is_named(tmp_path: Path, by: str) -> None:
    path = crashed(tmp_path, 7)
    if by == "a link":
        (name := tmp_path / "link.sqlite").symlink_to(path)
    else:
        name = path.parent.rename(tmp_path / os.fsdecode(b"\xff")) / path.name
    before = contents(name.resolve().parent)
    with pytest.raises(StoreError, match="is a database of another program"):
        Database(name)
    assert contents(name.resolve().parent) == before


def test_while_another_program_has_it_locked_nothing_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = crashed(tmp_path)
    monkeypatch.setattr(sqlite, "PATIENCE", 0)
    with raw(path) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        before = contents(path.parent)
        for change in (True, False):
            with pytest.raises(StoreError, match="another program has locked it"):
                Database(path, replace=change)
        with pytest.raises(sqlite3.OperationalError, match="locked"), sqlite.log_left(path):
            pass
        assert contents(path.parent) == before
    monkeypatch.setattr(sqlite.os, "access", lambda *_: False)
    faults = iter([sqlite3.OperationalError("busy")])
    plain = sqlite._reading

    def busy_once(address: str) -> sqlite3.Connection:
        for fault in faults:
            fault.sqlite_errorcode = 5  # type: ignore[attr-defined]
            raise fault
        return plain(address)

    monkeypatch.setattr(sqlite, "_reading", busy_once)
    with closing(sqlite.connect_reading(path)) as one:  # where nobody can write, nobody has it locked
        assert one.execute("SELECT count(*) FROM games").fetchone() == (sum(LOGGED),)
