"""The database opens what can be used, sets damage aside, leaves alone what is not its own, and loses nothing."""

from __future__ import annotations

import sqlite3
import threading
from array import array
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from sqlite3 import Connection

import pytest

from nimtui.errors import InputError
from nimtui.store import StoreError, claims, database, game_list, saved_games, sqlite, tournaments
from nimtui.store.check import Checked, check_database
from nimtui.store.claims import Claim
from nimtui.store.database import Database
from nimtui.store.errors import Unwritable
from nimtui.store.rows import MOST_NUMBERS, GameId
from nimtui.store.tournaments import TournamentWriter
from tests.store.sample import begin, beside, child, games, older, raw, row, rows


def test_it_is_begun_where_there_is_none_and_found_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check, versions = sqlite.check, list[int]()
    with monkeypatch.context() as patch:
        patch.setattr(sqlite, "check", lambda connection: versions.append(check(connection)) or versions[-1])
        db = Database(path)
    assert versions == [len(sqlite.STEPS)], "it has its tables when it gets its name"
    with db:
        assert db.faults == [] and game_list.games(db) == [] and database.purge_rows(db) == 0
        assert db.query("PRAGMA journal_mode") == [("wal",)]
        assert db.query("PRAGMA foreign_keys") == [(1,)]
        id = saved_games.save_game(db, "nim:1,2", "human", "perfect", row(5), "a good one")
    with Database(path) as db:
        assert game_list.game(db, id).row == row(5)
    assert beside(path) == ["nimtui.sqlite"]


def test_a_step_that_the_disk_refuses_changes_nothing(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = filled.read_bytes()
    connect = sqlite.connect

    def small(path: Path) -> sqlite3.Connection:
        connection = connect(path)
        connection.execute("PRAGMA max_page_count = 1")  # no more than there are
        return connection

    with monkeypatch.context() as patch:
        step = "CREATE TABLE remarks (text TEXT); CREATE TABLE more (text TEXT)"
        patch.setattr(sqlite, "STEPS", (*sqlite.STEPS, step))
        patch.setattr(sqlite, "connect", small)
        with Database(filled) as db:  # it is shown all the same
            assert db.read_only == "the disk is full" and db.faults == []
            assert saved_games.rows(db, 1, 0) == rows(range(400))
            with pytest.raises(StoreError, match=r"nimtui\.sqlite cannot be written: the disk is full"):
                saved_games.save_game(db, "nim:1,2", "human", "perfect", row(3))
            with pytest.raises(StoreError, match=r"nimtui\.sqlite cannot be written: the disk is full"):
                tournaments.resume(db, 1)
    assert filled.read_bytes() == before
    assert games(filled) == 401


@pytest.mark.parametrize(("statement", "says"), [
    ("PRAGMA application_id = 0", "is a database of another program"),
    ("PRAGMA application_id = 7", "is a database of another program: nothing was changed"),
    ("PRAGMA user_version = 99", "was written by a newer nimtui: it has version 99, this version reads up to"),
])  # fmt: skip
def test_what_is_not_for_this_program_is_left_alone(filled: Path, statement: str, says: str) -> None:
    with raw(filled) as other:
        other.execute(statement)
    before = filled.read_bytes()
    with pytest.raises(StoreError, match=says) as fault:
        Database(filled)
    assert str(filled) in str(fault.value) and "\n" not in str(fault.value)
    assert filled.read_bytes() == before and beside(filled) == ["nimtui.sqlite"]
    filled.unlink()
    with raw(filled) as other:  # an empty one
        other.execute("PRAGMA application_id = 1")
    with pytest.raises(StoreError, match="is a database of another program: nothing was changed"):
        Database(filled)


def test_several_statements_read_one_snapshot(filled: Path) -> None:
    def twice(connection: Connection) -> object:
        first = connection.execute("SELECT count(*) FROM games").fetchone()
        saved_games.save_game(other, "nim:1,2", "human", "perfect", row(1))
        assert db.read(lambda one: one.execute("SELECT count(*) FROM games").fetchone()) == first
        return first if connection.in_transaction else None

    with Database(filled) as db, Database(filled) as other:
        assert db.read(twice) == (401,) and game_list.count(db) == 402


def test_each_living_thread_has_a_connection_and_a_copy_in_memory_goes_when_it_is_closed(filled: Path) -> None:
    with Database(filled) as db, ThreadPoolExecutor(1) as lasting:
        assert lasting.submit(game_list.count, db).result() == 401
        for _ in range(2):
            with ThreadPoolExecutor(1) as ended:
                assert ended.submit(game_list.count, db).result() == 401
        assert lasting.submit(game_list.count, db).result() == 401 and len(db._lines) == 3
    db = Database(filled.with_name("gone"), replace=False)
    name = db._reader._copy  # type: ignore[union-attr]
    before, _ = [db._reader._begin_copy() for _ in range(2)]  # type: ignore[union-attr]
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        before.execute("SELECT 1")
    db.close()
    with closing(sqlite.shared(name)) as other:
        assert sqlite.tables(other) == set()


def test_one_that_is_taken_away_is_begun_anew_and_missing_tables_are_damage(filled: Path) -> None:
    with Database(filled) as db, begin(db) as kept:
        kept.append(0, rows(range(10)))
        for end in ("", "-wal", "-shm"):
            Path(f"{filled}{end}").unlink()
        kept.append(1, rows(range(5)))
        assert (kept.fault, kept.info.played, kept.rows(1)) == ("", 5, rows(range(5)))
        assert db.faults == [f"{filled} was removed: a new database was started"]
    assert games(filled) == 5
    with raw(filled) as other:
        other.execute("DROP TABLE games")
    with Database(filled) as db:
        assert "games is missing" in db.faults[0]


def test_a_full_disk_and_a_lock_are_no_damage(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "PATIENCE", 0.05)
    with Database(filled) as db:
        for number, most, said in ((1, 1, "the disk is full"), (2, 1_000_000, "another program has locked it")):
            db.query(f"PRAGMA max_page_count = {most}")
            with raw(filled) as other:
                other.execute("BEGIN IMMEDIATE" if number == 2 else "SELECT 1")
                with pytest.raises(StoreError, match=f"cannot be used: {said}"):
                    saved_games.save_game(db, "nim:1,2", "human", "perfect", row(number, 90_000))
                assert game_list.count(db) == 401  # reading goes on
        saved_games.save_game(db, "nim:1,2", "human", "perfect", row(1))
        assert game_list.count(db) == 402 and db.faults == []
    assert beside(filled) == ["nimtui.sqlite"]


def test_what_the_disk_refuses_is_unwritable_and_nothing_else_is_each_for_its_reason(path: Path) -> None:
    locked = "another program has locked it"
    with Database(path) as db:
        for name, reason, unwritable in (
            ("PERM", "permission denied", True), ("READONLY", "it is read-only", True),
            ("FULL", "the disk is full", True), ("CANTOPEN", "it cannot be opened", True),
            ("IOERR", "the disk reports an error, it may be full", True),
            *((name, locked, False) for name in ("BUSY", "LOCKED", "PROTOCOL")),
            ("NOLFS", "it is too large for this system", False),
        ):  # fmt: skip
            refused = sqlite3.OperationalError("refused")
            refused.sqlite_errorcode = getattr(sqlite3, f"SQLITE_{name}")
            found = db._error_of(refused)
            assert reason in str(found) and isinstance(found, Unwritable) is unwritable
        wrong = sqlite3.OperationalError("wrong")
        wrong.sqlite_errorcode = sqlite3.SQLITE_ERROR
        assert db._error_of(wrong) is wrong
    assert {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB} == sqlite.DAMAGED


def test_what_cannot_be_opened_is_one_line(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "PATIENCE", 0.05)
    monkeypatch.setattr(sqlite, "PATIENCE", 0.05)
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


def test_several_at_once_set_a_damaged_one_aside_once(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database " * 1000)
    with ThreadPoolExecutor(4) as pool:
        opened = list(pool.map(Database, [path] * 4))
    for db in opened:
        db.close()
    assert sorted(len(db.faults) for db in opened) == [0, 0, 0, 1]
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


# A tournament is kept game by game: nothing that was kept is lost, and only one nimtui writes it.


def test_only_one_process_plays_it_and_what_was_kept_survives_its_death(db: Database, path: Path) -> None:
    code = """
kept = begin(db)
for start in range(0, 9_999_999, 7):
    kept.append(1, rows(range(start, start + 7)))
    say(start + 7)
"""
    process = child(code, path)
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(40)]
    assert tournaments.info(db, 1).state == "running"
    for way in (lambda: tournaments.resume(db, 1), lambda: tournaments.resume(db), lambda: tournaments.delete(db, 1)):
        with pytest.raises(StoreError, match=r"^tournament 1 is (in use by another nimtui|being played)"):
            way()
    process.kill()
    lines += process.stdout.readlines()
    process.communicate(timeout=60)
    told = max(int(line) for line in lines if line.endswith("\n"))
    assert tournaments.info(db, 1).state == "stopped"
    with tournaments.resume(db) as kept:
        assert (kept.id, kept.info.state) == (1, "running")
        found = kept.rows(1)
        assert told <= len(found) <= told + 7 and len(found) % 7 == 0
        assert found == rows(range(len(found)))
        assert kept.info.played == len(found) and db.faults == []
        kept.append(1, rows(range(len(found) + 50)))
        assert kept.rows(1) == rows(range(len(found) + 50))
    assert db.query("PRAGMA integrity_check") == [("ok",)] and list(db.locks.iterdir()) == []


def test_an_interrupt_at_any_point_leaves_the_count_right(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    writing = db.writing

    @contextmanager
    def interrupted(before: bool) -> Iterator[Connection]:
        with writing() as connection:
            yield connection
            if before:
                raise KeyboardInterrupt
        raise KeyboardInterrupt

    with begin(db) as kept:
        for start, before in ((0, True), (10, False)):
            with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
                patch.setattr(db, "writing", lambda before=before: interrupted(before))
                kept.append(0, rows(range(start, start + 10)))
        kept.append(0, rows(range(15, 25)))
        assert kept.rows(0) == rows(range(25))
        assert kept.info.played == tournaments.info(db, kept.id).played == 25


# Games come back as they were kept, however they were handed in, and are found by what is known of them.


def test_on_a_full_disk_nothing_is_lost(db: Database) -> None:
    with begin(db) as kept:
        assert tournaments.info(db, kept.id) == kept.info
        kept.append(0, rows(range(10)))
        ((pages,),) = db.query("PRAGMA page_count")
        db.query(f"PRAGMA max_page_count = {pages + 2}")
        for start in range(10, 1000, 10):
            kept.append(0, rows(range(start, start + 10)))
        assert kept.fault == f"{db.path} cannot be used: the disk is full"
        on_disk = len(kept.rows(0))
        assert 10 < on_disk < 1000 and on_disk % 10 == 0
        assert kept.info.played == on_disk and not kept.flush()
        kept.drop_from(0, 950)
        kept.drop_from(0, 980)
        kept.ended("done", 4.0)
        kept.append(1, rows(range(5)))
        assert kept.fault and tournaments.info(db, kept.id).state == "running"
        db.query("PRAGMA max_page_count = 1000000")
        kept.append(1, rows(range(5, 8)))
        assert kept.flush() and kept.fault == ""
        assert (kept.rows(0), kept.rows(1)) == (rows(range(950)), rows(range(8)))
        assert tournaments.info(db, kept.id) == kept.info
        assert (kept.info.state, kept.info.played) == ("done", 958)


def test_vain_tries_take_a_tenth_of_the_time(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    now, tries = 0.0, 0

    def vain(kept: TournamentWriter, counted: bool) -> None:
        nonlocal now, tries
        tries += 1
        now += 0.02
        raise StoreError("the disk is full")

    with begin(db) as kept, monkeypatch.context() as patch:
        patch.setattr("nimtui.store.tournaments.time.monotonic", lambda: now)
        patch.setattr(TournamentWriter, "_write", vain)
        while now < 10:
            kept.append(0, rows([round(now * 100)]))
            now += 0.01
        assert 40 <= tries <= 50, "one in ten times as long"
        patch.undo()
        waiting = len(kept.rows(0))
        assert kept.flush() and waiting == 0 and len(kept.rows(0)) > 500


def test_columns_of_many_games_are_their_rows_and_a_long_list_is_not_sorted(db: Database) -> None:
    with begin(db) as kept:
        kept.append(1, rows(range(6_345, 0, -1)))  # more than are read at once
        found = kept.columns(1)
        assert kept.rows(1) == rows(range(1, 6_346)) and found.number == array("q", range(1, 6_346))
        assert list(found.seconds) == [game.seconds for game in kept.rows(1)]
    asked: list[str] = []
    with db.reading() as connection:
        connection.set_trace_callback(asked.append)
        for wanted in ({}, {"agent": "x"}, {"faults_only": True}, {"deleted": True}, {"text": "x"}, {"tournament": 1}):
            game_list.games(db, **wanted)  # type: ignore[arg-type]
        connection.set_trace_callback(None)
    assert len(asked) == 6
    for statement in asked:
        assert not [step for step in db.query(f"EXPLAIN QUERY PLAN {statement}") if "TEMP B-TREE" in step[3]]


def test_a_game_is_found_by_what_a_person_types(filled: Path) -> None:
    with Database(filled) as db:
        assert game_list.find_game(db, GameId(1, 29)).row == row(29)
        assert game_list.pairs(db, 1) == {0: (0, 67, 67, 66, 0)}, "of results −1, 0, 1, −1, 0, …"
        for typed in (GameId(4), GameId(4, 0), GameId(4, 3)):
            assert game_list.find_game(db, typed).row == row(3), "the only one"
        for typed, why, said in (
            (GameId(1), InputError, "pairing 1 has several games: name one, for example 1:1"),
            (GameId(2), StoreError, "game 2 does not exist"),
            (GameId(9, 0), StoreError, "game 9:1 does not exist, or was deleted"),
        ):
            with pytest.raises(why, match=f"^{said}$"):
                game_list.find_game(db, typed)


def test_what_does_not_exist_or_cannot_be_is_refused(db: Database) -> None:
    for missing in (game_list.game, saved_games.delete_game, saved_games.restore_game):
        with pytest.raises(StoreError, match="game 0:8 does not exist"):
            missing(db, 7)
    with pytest.raises(StoreError, match="game 0:8 does not exist"):
        saved_games.rename_game(db, 7, "x")
    for change in (tournaments.delete, tournaments.restore, tournaments.resume, tournaments.info):
        with pytest.raises(StoreError, match="tournament 3 does not exist"):
            change(db, 3)
    with pytest.raises(StoreError, match="tournament 3 does not exist"):
        tournaments.rename(db, 3, "other")
    with pytest.raises(StoreError, match="there is no unfinished sweep"):
        tournaments.resume(db, kind="sweep")
    with begin(db) as kept:
        with pytest.raises(ValueError, match="has no pairing 3"):
            kept.append(3, rows([1]))
        with pytest.raises(ValueError, match="invalid state of a tournament: over"):
            kept.ended("over", 1.0)


# Beliefs beside saved games: written and read, migrated, checked, and gone when their game is gone.


KNOWN = bytes([4, 16, 39, 0])


def thoughtful(number: int) -> object:
    return row(number)._replace(beliefs=KNOWN + bytes([number % 3 + 1]))


def saved(db: Database, id: int) -> bytes:
    [found] = saved_games.with_beliefs(db, [game_list.game(db, id)])
    return found.row.beliefs


def count(path: Path) -> int:
    with closing(sqlite3.connect(path)) as raw:
        return int(raw.execute("SELECT count(*) FROM beliefs").fetchone()[0])


def test_they_are_read_as_they_were_written(path: Path) -> None:
    with Database(path) as db:
        id = saved_games.save_game(db, "nim:1,2", "me", "mcts", thoughtful(0))  # type: ignore[arg-type]
        plain = saved_games.save_game(db, "nim:1,2", "me", "mcts", row(0))
        with begin(db) as kept:
            kept.append(0, [thoughtful(number) for number in range(70)])  # type: ignore[misc]
            kept.append(1, rows(range(5)))
    with Database(path) as db:
        assert saved(db, id) == KNOWN + b"\1" and saved(db, plain) == b""
        found = list(saved_games.with_beliefs(db, game_list.games(db, tournament=1, limit=None)))
        assert {one.row.number: one.row.beliefs for one in found if one.pairing == 0} == {
            number: KNOWN + bytes([number % 3 + 1]) for number in range(70)
        }
        assert not any(one.row.beliefs for one in found if one.pairing == 1)
        saved_games.rename_game(db, id, "mine")
        saved_games.delete_game(db, id)
        assert saved(db, id) == KNOWN + b"\1"  # a deleted game can be restored
        saved_games.restore_game(db, id)
        assert saved(db, id) == KNOWN + b"\1" and db.faults == []


def test_they_go_with_their_game_and_come_again_with_it(path: Path) -> None:
    with Database(path) as db:
        id = saved_games.save_game(db, "nim:1,2", "me", "mcts", thoughtful(0))  # type: ignore[arg-type]
        with begin(db) as kept:
            kept.append(0, [thoughtful(number) for number in range(10)])  # type: ignore[misc]
            kept.drop_from(0, 4)
            assert count(path) == 1 + 4
            kept.append(0, [thoughtful(number) for number in range(10)])  # type: ignore[misc]
            assert count(path) == 1 + 10
        tournaments.delete(db, 1)
        saved_games.delete_game(db, id)
        assert count(path) == 11
        assert database.purge_rows(db, days=-1) == 2
    assert count(path) == 0


@pytest.mark.parametrize("version", [1, 2])
def test_an_older_database_keeps_its_games_gets_the_table_and_is_sealed_as_found(path: Path, version: int) -> None:
    with Database(older(path, version)) as db:
        assert db.query("PRAGMA user_version") == [(3,)] and saved(db, MOST_NUMBERS) == b""
        assert game_list.game(db, MOST_NUMBERS).row.moves == b"ab"
        assert saved_games.save_game(db, "nim:1,2", "me", "mcts", thoughtful(0))  # type: ignore[arg-type]
        checked = Checked()
        check_database(checked, db)
        assert checked.damaged == [] and db.faults == []
        assert checked.counts["game"] == 2 and checked.counts["thoughts of a game"] == 1
        db.query("UPDATE games SET moves = x'6163'")
        with pytest.raises(StoreError, match="game 1:1 is damaged"):
            game_list.game(db, MOST_NUMBERS)


@pytest.mark.parametrize("statement", ["data = x'0410270001'", "seal = seal + 1", "seal = NULL", "data = 'text'"])
def test_a_flipped_bit_is_noticed_and_costs_only_the_thoughts(path: Path, statement: str) -> None:
    with Database(path) as db:
        for number in range(3):
            saved_games.save_game(db, "nim:1,2", "me", "mcts", thoughtful(number))  # type: ignore[arg-type]
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        assert raw.execute(f"UPDATE beliefs SET {statement} WHERE pairing = 2").rowcount == 1
    with Database(path) as db:
        found = list(saved_games.with_beliefs(db, game_list.games(db, limit=None)))
        assert len(found) == 3 and sum(bool(one.row.beliefs) for one in found) == 2
        assert db.faults == ["the thoughts of game 2:2 are damaged and left out: its checksum is wrong"]
        checked = Checked()
        check_database(checked, db)
        assert [(one.what, one.id) for one in checked.damaged] == [("thoughts of game", "2:2")]
