"""Games come back as they were kept, however they were handed in, and are found by what is known of them."""

from __future__ import annotations

import sqlite3
from array import array
from contextlib import closing
from pathlib import Path

import pytest

from nimtui.store import StoreError, database, game_list, saved_games, sqlite, tournaments
from nimtui.store.check import Checked, check_database
from nimtui.store.database import Database
from nimtui.store.rows import MOST_NUMBERS
from nimtui.store.tournaments import TournamentWriter
from tests.store.sample import begin, row, rows


def test_on_a_full_disk_nothing_is_lost(db: Database) -> None:
    with begin(db) as kept:
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


def test_an_older_database_gets_the_table_and_keeps_its_games(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite.connect(path)) as old:
        sqlite.carry_over(old, 2)
        assert "beliefs" not in sqlite.tables(old)
        old.execute("INSERT INTO boards (id, name) VALUES (1, 'nim:1,2')")
        old.execute("INSERT INTO agents (id, name) VALUES (1, 'me')")
        old.execute("INSERT INTO pairings (id, number, board, first, second, played) VALUES (1, 0, 1, 1, 1, 1)")
        values = (1, 0, 0, 0, b"ab", 1, 1, 0, 0, 0, 0, 0, "", 0.5, 9, "", None, None)
        old.execute(f"INSERT INTO games VALUES ({', '.join('?' * len(values))})", values)
        for table in ("boards", "agents", "pairings", "games"):
            old.execute(f"UPDATE {table} SET seal = {sqlite.seals.expression(table)}")
    with Database(path) as db:
        assert db.query("PRAGMA user_version") == [(3,)] and saved(db, MOST_NUMBERS) == b""
        assert saved_games.save_game(db, "nim:1,2", "me", "mcts", thoughtful(0))  # type: ignore[arg-type]
        checked = Checked()
        check_database(checked, db)
        assert checked.damaged == [] and db.faults == []
        assert checked.counts["game"] == 2 and checked.counts["thoughts of a game"] == 1


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
