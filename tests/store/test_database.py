"""The database opens whatever can be used, sets aside what is damaged, and leaves alone what is not its own."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest

from nimtui.store import StoreError, claims, database, game_list, saved_games, sqlite, tournaments
from nimtui.store import sqlite as raw_connection
from nimtui.store.claims import Claim
from nimtui.store.database import Database
from nimtui.store.errors import Unwritable
from tests.store.sample import begin, beside, child, games, raw, row, rows, said


def test_it_is_begun_where_there_is_none_and_found_again(path: Path) -> None:
    with Database(path) as db:
        assert db.faults == [] and game_list.games(db) == []
        assert db.query("PRAGMA journal_mode") == [("wal",)]
        assert db.query("PRAGMA foreign_keys") == [(1,)]
        id = saved_games.save_game(db, "nim:1,2", "human", "perfect", row(5), "a good one")
    with Database(path) as db:
        assert game_list.game(db, id).row == row(5)
    assert beside(path) == ["nimtui.sqlite"]


def test_an_older_one_is_carried_over(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    step = "ALTER TABLE games ADD COLUMN remark TEXT NOT NULL DEFAULT 'none'; CREATE TABLE remarks (text TEXT)"
    monkeypatch.setattr(sqlite, "STEPS", (*sqlite.STEPS, step))
    with Database(filled) as db:
        assert db.query("PRAGMA user_version") == [(len(sqlite.STEPS),)]
        assert db.query("SELECT count(*), min(remark), max(remark) FROM games") == [(401, "none", "none")]
        assert db.query("SELECT * FROM remarks") == []
        assert saved_games.rows(db, 1, 0) == rows(range(400))
    assert games(filled) == 401 and beside(filled) == ["nimtui.sqlite"]


def test_a_step_that_the_disk_refuses_changes_nothing(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = filled.read_bytes()
    connect = raw_connection.connect

    def small(path: Path) -> sqlite3.Connection:
        connection = connect(path)
        connection.execute("PRAGMA max_page_count = 1")  # no more than there are
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(
            sqlite,
            "STEPS",
            (*sqlite.STEPS, "CREATE TABLE remarks (text TEXT); CREATE TABLE more (text TEXT)"),
        )
        patch.setattr(raw_connection, "connect", small)
        with Database(filled) as db:  # it is shown all the same
            assert db.read_only == "the disk is full" and db.faults == []
            assert saved_games.rows(db, 1, 0) == rows(range(400))
            with pytest.raises(StoreError, match=r"nimtui\.sqlite cannot be written: the disk is full"):
                saved_games.save_game(db, "nim:1,2", "human", "perfect", row(3))
    assert filled.read_bytes() == before
    assert games(filled) == 401


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        (
            f"PRAGMA application_id = {sqlite.APPLICATION + 1}",
            "is a database of another program: nothing was changed",
        ),
        ("PRAGMA application_id = 0", "is a database of another program"),
        ("PRAGMA user_version = 99", "was written by a newer nimtui: it has version 99, this version reads up to"),
    ],
)
def test_what_is_not_for_this_program_is_left_alone(filled: Path, statement: str, says: str) -> None:
    with raw(filled) as other:
        other.execute(statement)
    before = filled.read_bytes()
    with pytest.raises(StoreError, match=says) as fault:
        Database(filled)
    assert str(filled) in str(fault.value) and "\n" not in str(fault.value)
    assert filled.read_bytes() == before and beside(filled) == ["nimtui.sqlite"]


def test_an_empty_database_of_another_program_is_not_begun(tmp_path: Path) -> None:
    path = tmp_path / "nimtui.sqlite"
    with raw(path) as other:
        other.execute("PRAGMA application_id = 1")
    with pytest.raises(StoreError, match="is a database of another program: nothing was changed"):
        Database(path)


def test_missing_tables_are_damage(filled: Path) -> None:
    with raw(filled) as other:
        other.execute("DROP TABLE games")
    with Database(filled) as db:
        assert "games is missing" in db.faults[0]


def test_one_that_is_taken_away_is_begun_anew(filled: Path) -> None:
    with Database(filled) as db, begin(db) as kept:
        kept.append(0, rows(range(10)))
        for end in ("", "-wal", "-shm"):
            Path(f"{filled}{end}").unlink()
        kept.append(1, rows(range(5)))
        assert (kept.fault, kept.info.played, kept.rows(1)) == ("", 5, rows(range(5)))
        assert db.faults == [f"{filled} was removed: a new database was started"]
    assert games(filled) == 5


@pytest.mark.slow
def test_a_full_disk_and_a_lock_are_no_damage(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raw_connection, "PATIENCE", 0.05)
    with Database(filled) as db:
        db.query("PRAGMA max_page_count = 1")
        with pytest.raises(StoreError, match="cannot be used: the disk is full"):
            for number in range(100):
                saved_games.save_game(db, "nim:1,2", "human", "perfect", row(number, 900))
        db.query("PRAGMA max_page_count = 1000000")
        with raw(filled) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match="cannot be used: another program has locked it"):
                saved_games.save_game(db, "nim:1,2", "human", "perfect", row(1))
            assert game_list.count(db) >= 401  # reading goes on
        before = game_list.count(db)
        saved_games.save_game(db, "nim:1,2", "human", "perfect", row(1))
        assert game_list.count(db) == before + 1 and db.faults == []
    assert beside(filled) == ["nimtui.sqlite"]


@pytest.mark.parametrize("name", ["PERM", "READONLY", "IOERR", "FULL", "CANTOPEN"])
def test_what_the_disk_refuses_is_unwritable_and_nothing_else_is(path: Path, name: str) -> None:
    refused, wrong = sqlite3.OperationalError("refused"), sqlite3.OperationalError("wrong")
    refused.sqlite_errorcode, wrong.sqlite_errorcode = getattr(sqlite3, f"SQLITE_{name}"), sqlite3.SQLITE_ERROR
    with Database(path) as db:
        assert isinstance(db._error_of(refused), Unwritable) and db._error_of(wrong) is wrong


def test_what_cannot_be_opened_is_one_line(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "PATIENCE", 0.05)
    monkeypatch.setattr(raw_connection, "PATIENCE", 0.05)
    path.mkdir(parents=True)
    with pytest.raises(StoreError, match="cannot be used: it is a folder"):
        Database(path)
    with raw(path / "other.sqlite") as other:
        other.execute("CREATE TABLE theirs (id)")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match="another program has locked it"):
            Database(path / "other.sqlite")


def test_where_none_can_be_begun_nothing_is_kept_and_whoever_writes_is_told(path: Path) -> None:
    path.parent.mkdir(parents=True)
    file = path.parent / "file"
    file.write_text("")
    with Database(file / "nimtui.sqlite") as db:
        assert (game_list.games(db), tournaments.tournaments(db)) == ([], [])
        assert db.faults == [f"{file} cannot be written: {file} is a file, not a folder"]
        with pytest.raises(StoreError, match=r"nimtui\.sqlite cannot be written: .*file is a file, not a folder"):
            begin(db)
        file.unlink()
        begin(db).close()  # as soon as it can be
    with Database(file / "nimtui.sqlite") as db:
        assert len(tournaments.tournaments(db)) == 1


def test_only_one_at_a_time_opens_it(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("fcntl")
    monkeypatch.setattr(database, "PATIENCE", 0.05)
    with Database(filled) as db:
        claim = Claim(db.locks / "opening", db.path, "")
    with pytest.raises(StoreError, match="is being opened by another nimtui"):
        Database(filled)
    claim.release()
    assert games(filled) == 401


@pytest.mark.slow
def test_several_processes_set_a_damaged_one_aside_once(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database " * 1000)
    code = "saved_games.save_game(db, 'nim:1,2', 'human', 'perfect', row(1))\nsay(len(db.faults))"
    lines = [said(process) for process in [child(code, path) for _ in range(4)]]
    assert sorted(line for (line,) in lines) == ["0", "0", "0", "1"]
    assert games(path) == 4  # closed alone: of processes that end at once, SQLite may let the last leave its journal
    assert beside(path) == ["nimtui.damaged-1.sqlite", "nimtui.sqlite"]


def test_several_threads_write_and_read_at_once(path: Path) -> None:
    wrong: list[BaseException] = []

    def work(pairing: int) -> None:
        try:
            for number in range(0, 100, 5):
                kept.append(pairing, rows(range(number, number + 5)))
                assert kept.rows(pairing) == rows(range(number + 5))
        except (StoreError, sqlite3.Error, AssertionError) as fault:
            wrong.append(fault)

    with Database(path) as db, begin(db) as kept:
        threads = [threading.Thread(target=work, args=(pairing,)) for pairing in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (wrong, kept.fault, kept.info.played, game_list.count(db)) == ([], "", 300, 300)


def test_after_it_was_closed_it_says_so(filled: Path) -> None:
    db = Database(filled)
    started, ended = threading.Event(), threading.Event()
    faults: list[str] = []

    def read() -> None:
        try:
            while True:
                saved_games.rows(db, 1, 0)
                started.set()
        except StoreError as fault:
            faults.append(str(fault))
        ended.set()

    threading.Thread(target=read).start()
    assert started.wait(60)
    db.close()
    assert ended.wait(60)
    with pytest.raises(StoreError, match="was closed"):
        game_list.count(db)
    assert faults == [f"{filled} was closed"]
    assert games(filled) == 401


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("PERM", "permission denied"),
        ("BUSY", "another program has locked it"),
        ("LOCKED", "another program has locked it"),
        ("READONLY", "it is read-only"),
        ("IOERR", "the disk reports an error, it may be full"),
        ("FULL", "the disk is full"),
        ("CANTOPEN", "it cannot be opened"),
        ("PROTOCOL", "another program has locked it"),
        ("NOLFS", "it is too large for this system"),
    ],
)
def test_each_reason_is_that_of_sqlites_own_result_code(name: str, reason: str) -> None:
    assert raw_connection.REASONS[getattr(sqlite3, f"SQLITE_{name}")] == reason
    assert {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB} == raw_connection.DAMAGED
