"""Databases for the tests of the store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from nimtui.store import saved_games
from nimtui.store.database import Database
from tests.store.sample import begin, row, rows


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kept" / "nimtui.sqlite"


@pytest.fixture
def filled(path: Path) -> Path:
    """A database with a tournament of 400 games and one game of its own; nobody has it open."""
    with Database(path) as db:
        with begin(db) as kept:
            kept.append(0, rows(range(400)))
            kept.append(1, [])
        saved_games.save_game(db, "nim:1,2", "human", "perfect", row(3))
    return path


@pytest.fixture
def db(path: Path) -> Iterator[Database]:
    with Database(path) as db:
        yield db
