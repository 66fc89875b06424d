"""A tournament is kept game by game: nothing that was kept is lost, and only one nimtui writes it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Connection

import pytest

from nimtui.store import StoreError, tournaments
from nimtui.store.database import Database
from tests.store.sample import begin, child, rows


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
