"""A tournament is kept game by game: nothing that was kept is lost, and only one nimtui writes it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Connection

import pytest

from nimtui.store import StoreError, database, game_list, saved_games, seals, tournaments
from nimtui.store.database import Database
from tests.store.sample import DOCUMENT, begin, child, row, rows


def test_it_is_listed_as_it_is(db: Database) -> None:
    before = time.time()
    with begin(db, "the  first\none") as kept:
        kept.seconds = 1.5
        kept.append(1, rows(range(20)))
        (found,) = tournaments.tournaments(db)
        assert found == kept.info == tournaments.info(db, kept.id)
        assert (found.id, found.kind, found.name, found.document) == (1, "tournament", "the first one", DOCUMENT)
        assert (found.state, found.seconds, found.played, found.total) == ("running", 1.5, 20, 300)
        assert before <= found.made < found.changed <= time.time()
        kept.set_total(250)
        kept.ended("done", 2.5)
        found = tournaments.info(db, 1)
        assert (found.state, found.seconds, found.played, found.total) == ("done", 2.5, 20, 250)
    assert tournaments.info(db, 1).state == "done"
    begin(db).close()
    assert tournaments.info(db, 2).state == "stopped"


def test_it_is_resumed_where_it_stood(db: Database) -> None:
    with pytest.raises(StoreError, match="there is no unfinished tournament"):
        tournaments.resume(db)
    with begin(db) as kept:
        kept.append(2, rows(range(7)))
        kept.ended("stopped", 3.0)
    with begin(db, kind="match"), pytest.raises(StoreError, match="there is no unfinished sweep"):
        tournaments.resume(db, kind="sweep")
    with tournaments.resume(db) as kept:
        assert (kept.id, kept.info.played, kept.seconds, kept.info.document) == (1, 7, 3.0, DOCUMENT)
        assert tournaments.info(db, 1).state == "running"
        kept.append(2, rows(range(5, 12)))
        assert kept.rows(2) == rows(range(12)) and kept.rows(0) == []
        kept.ended("done", 5.0)
    with pytest.raises(StoreError, match="there is no unfinished tournament"):
        tournaments.resume(db)
    with tournaments.resume(db, 1) as kept:
        assert kept.rows(2) == rows(range(12))
    with pytest.raises(StoreError, match="tournament 9 does not exist"):
        tournaments.resume(db, 9)


def test_the_latest_that_nobody_plays_is_resumed(db: Database) -> None:
    begin(db).close()
    begin(db).close()
    with tournaments.resume(db, 1) as first:
        first.append(0, rows(range(3)))  # the latest to change
    with tournaments.resume(db) as latest:
        assert latest.id == 1
        with tournaments.resume(db) as other:
            assert other.id == 2
            with pytest.raises(StoreError, match="tournament 2 is in use by another nimtui"):
                tournaments.resume(db)


@pytest.mark.slow
def test_only_one_process_plays_it_and_death_sets_it_free(db: Database, path: Path) -> None:
    pytest.importorskip("fcntl")
    process = child("kept = begin(db)\nsay(kept.id)\nsys.stdin.read()", path)
    assert process.stdout is not None
    assert process.stdout.readline() == "1\n"
    assert tournaments.info(db, 1).state == "running"
    for way in (lambda: tournaments.resume(db, 1), lambda: tournaments.resume(db)):
        with pytest.raises(StoreError, match="tournament 1 is in use by another nimtui"):
            way()
    with pytest.raises(StoreError, match="tournament 1 is being played: stop it first"):
        tournaments.delete(db, 1)
    process.kill()
    process.communicate(timeout=60)
    assert tournaments.info(db, 1).state == "stopped"
    with tournaments.resume(db) as kept:
        assert (kept.id, kept.info.state) == (1, "running")
    assert list((path.parent / "nimtui.sqlite-locks").iterdir()) == []


def test_what_was_kept_survives_a_kill(db: Database, path: Path) -> None:
    code = """
kept = begin(db)
for start in range(0, 9_999_999, 7):
    kept.append(1, rows(range(start, start + 7)))
    say(start + 7)
"""
    process = child(code, path)
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(40)]
    process.kill()
    lines += process.stdout.readlines()
    process.communicate(timeout=60)
    told = max(int(line) for line in lines if line.endswith("\n"))
    with tournaments.resume(db) as kept:
        found = kept.rows(1)
        assert told <= len(found) <= told + 7 and len(found) % 7 == 0
        assert found == rows(range(len(found)))
        assert kept.info.played == len(found) and db.faults == []
        kept.append(1, rows(range(len(found) + 50)))
        assert kept.rows(1) == rows(range(len(found) + 50))
    assert db.query("PRAGMA integrity_check") == [("ok",)]


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


def test_lists_are_searched_and_paged(db: Database) -> None:
    for name in ("alpha", "50% off", "Beta_1", "beta 2"):
        begin(db, name, "match" if name == "alpha" else "tournament").close()

    def ids(**wanted: object) -> list[int]:
        return [found.id for found in tournaments.tournaments(db, **wanted)]  # type: ignore[arg-type]

    assert ids() == [4, 3, 2, 1]
    assert ids(limit=2) == [4, 3]
    assert (ids(kind="match"), ids(kind="tournament")) == ([1], [4, 3, 2])
    assert (ids(text="beta"), ids(text="%"), ids(text="a_1"), ids(text="off 50")) == ([4, 3], [2], [3], [2])
    assert (ids(text="quality nim:1,2"), ids(text="tower")) == ([4, 3, 2, 1], [])


def test_a_name_is_one_line_that_can_be_written(db: Database) -> None:
    begin(db).close()
    tournaments.rename(db, 1, " a\nname\udcff ")
    assert tournaments.info(db, 1).name == "a name?"
    with pytest.raises(StoreError, match="tournament 2 does not exist"):
        tournaments.rename(db, 2, "other")


def test_what_is_deleted_is_restored_with_its_games(db: Database) -> None:
    with begin(db) as kept:
        kept.append(0, rows(range(5)))
    tournaments.delete(db, 1)
    assert (tournaments.tournaments(db), game_list.games(db), game_list.count(db)) == ([], [], 0)
    assert [found.deleted for found in tournaments.tournaments(db, deleted=True)] == [True]
    with pytest.raises(StoreError, match="tournament 1 was deleted: restore it first"):
        tournaments.resume(db, 1)
    tournaments.restore(db, 1)
    assert (tournaments.tournaments(db, deleted=True), game_list.count(db)) == ([], 5)
    assert [found.row for found in game_list.games(db)] == rows(range(4, -1, -1))
    for change in (tournaments.delete, tournaments.restore):
        with pytest.raises(StoreError, match="tournament 3 does not exist"):
            change(db, 3)


def test_what_was_deleted_long_ago_goes_when_it_is_opened(db: Database, path: Path) -> None:
    for _ in range(3):
        with begin(db) as kept:
            kept.append(0, rows(range(5)))
    own = [saved_games.save_game(db, "nim:1,2", "human", "perfect", row(number)) for number in range(3)]
    tournaments.delete(db, 1)
    tournaments.delete(db, 2)
    for id in (*own[:2], game_list.games(db, tournament=3)[0].id):
        saved_games.delete_game(db, id)
    long_ago = time.time() - 31 * 86400
    with db.writing() as connection:
        then, value = {"deleted": ":then"}, {"then": long_ago}
        seals.change(connection, "tournaments", "id = 1", then, value)
        seals.change(connection, "games", "deleted AND number <> 1", then, value)
    with Database(path) as other:
        assert [found.id for found in tournaments.tournaments(other, deleted=True)] == [2]
        assert other.query("SELECT count(*) FROM games") == [(5 + 5 + 2,)]
        assert len(saved_games.rows(other, 3, 0)) == 5  # a tournament keeps its result
        assert [found.row for found in game_list.games(other, kind="play")] == [row(2)]
        assert [found.row for found in game_list.games(other, kind="play", deleted=True)] == [row(1)]
        assert database.purge_rows(other, 0) == 2
        assert other.query("SELECT count(*) FROM games") == [(5 + 1,)]
    begin(db).close()
    assert tournaments.tournaments(db)[0].id == 4  # no id is given twice


def test_wrong_calls_are_refused(db: Database) -> None:
    with begin(db) as kept:
        with pytest.raises(ValueError, match="has no pairing 3"):
            kept.append(3, rows([1]))
        with pytest.raises(ValueError, match="invalid state of a tournament: over"):
            kept.ended("over", 1.0)
