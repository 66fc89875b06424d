"""A home with something of every kind in it, damaged things too, made once and copied for every sequence."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nimtui.agents.belief import Belief, Kind, packed
from nimtui.games import Record, parse_game
from nimtui.learning import opponents, saved_tables, taught
from nimtui.learning.learner import parse_learner
from nimtui.store import paths, saved_games
from nimtui.store.database import Database
from tests.ui import shelving

HOME = "NIMTUI_HOME"
TAUGHT = "pupil"  # the table that a person taught
BELIEFS = (Belief(Kind.SCORE, -12.5, 40), Belief(Kind.ESTIMATE, -0.25, 10), Belief(Kind.EXACT, 1.0, 3))
PREFIX = "nimtui-fuzz-"


def furnish(folder: Path) -> None:
    """Put tables, runs, a sweep, tournaments and games into this folder."""
    with at_home(folder):
        shelving.furnish()
        shelving.keep_table(paths.tables(), "other.npz", "reward", 3)
        db = Database()
        shelving.keep_tournament(db, shelving.AGENTS[1:], "league", 2)
        for moves, result in (("a3 b2 c1", 1), ("a3 b1 b1 c1", -1), ("a1", 0)):
            saved_games.save_game(db, shelving.NIM, "me", "random", shelving.row(moves, result))
        thoughtful = shelving.row("a3 b2 c1", 1)._replace(beliefs=packed(BELIEFS))
        saved_games.save_game(db, shelving.NIM, "alphabeta", "mc:playouts=10", thoughtful)
        db.close()
        teach()
        (paths.tables() / "noise.npz").write_bytes(bytes(range(256)) * 8)


def teach() -> None:
    """Save a table of nim:1,1 that has learned from two games."""
    game = parse_game("nim:1,1")
    record = Record(game)
    for move in shelving.codes(game, "a1 b1"):
        record.push(move)
    base = opponents.train_interpreted(game, parse_learner("reward"), 40, 1)
    lessons = [taught.Lesson.of(record, None, ("me", "easy"), float(when)) for when in (0, 86_400)]
    taught.keep(saved_tables.new_place(TAUGHT), "easy", base, lessons)


@contextmanager
def at_home(folder: Path) -> Iterator[None]:
    """The program's home is this folder meanwhile."""
    before = os.environ.get(HOME)
    os.environ[HOME] = str(folder)
    try:
        yield
    finally:
        os.environ.pop(HOME)
        if before is not None:
            os.environ[HOME] = before


@contextmanager
def template() -> Iterator[Path]:
    """A furnished home, to be copied."""
    with tempfile.TemporaryDirectory(prefix=PREFIX) as folder:
        furnish(Path(folder))
        yield Path(folder)


@contextmanager
def copy_of(source: Path) -> Iterator[Path]:
    """A copy of that home, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as folder:
        shutil.copytree(source, folder, dirs_exist_ok=True)
        yield Path(folder)


def files_of(home: Path) -> list[str]:
    """The stored files, by their places in the home."""
    names = (path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file())
    return sorted(name for name in names if not name.endswith(("-wal", "-shm", "-locks", ".lock")))
