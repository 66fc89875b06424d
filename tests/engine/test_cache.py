"""The cache of compiled kernels lasts between processes, is never stale, and never breaks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from nimtui.engine import jit
from tests import forks

RULES = """
from typing import NamedTuple
import numpy as np
NAMES = ("pile",)
class Pile(NamedTuple):
    board: np.ndarray
def helper(state): return {bonus}
def size(state): return 1
def legal(state, move): return state.board[0] > 0
def play(state, move): state.board[0] -= 1
def undo(state, move): state.board[0] += 1
def outcome(state): return 0 if state.board[0] else {result}
def evaluate(state): return helper(state)
def parse(word, fields): return Pile(np.array([3], np.int64))
def name(state): return "pile"
"""

PROGRAM = """
import sys
from pathlib import Path
from nimtui.games import parse_game, registry
print(registry.add_folder(Path(sys.argv[1])))
from tests.engine.first_moves import first_moves
print(first_moves(parse_game(sys.argv[2]).new()))
stats = first_moves.stats
print("hits", sum(stats.cache_hits.values()), "misses", sum(stats.cache_misses.values()))
"""
ROOT = Path(__file__).parents[2]


def surroundings(folder: Path) -> dict[str, str]:
    """The cache of a process is in this folder: the kernel is loaded there, in no process before."""
    return os.environ | {"NUMBA_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": str(ROOT)}


def run(folder: Path, game: str = "pile") -> list[str]:
    words = [sys.executable, "-c", PROGRAM, str(folder), game]
    done = forks.run(words, env=surroundings(folder), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()  # type: ignore[no-any-return]


@pytest.mark.slow
def test_kernels_are_kept_between_processes_and_compiled_again_when_a_game_changes(tmp_path: Path) -> None:
    rules = tmp_path / "pile.py"
    rules.write_text(RULES.format(bonus=0, result=1))
    assert run(tmp_path) == ["[]", "(3, 1)", "hits 0 misses 1"]  # three moves: the first player makes the last
    assert run(tmp_path) == ["[]", "(3, 1)", "hits 1 misses 0"]
    rules.write_text(RULES.format(bonus=0, result=-1))
    assert run(tmp_path) == ["[]", "(3, -1)", "hits 0 misses 1"]
    assert run(tmp_path, "nim:1,2")[2] == "hits 0 misses 1"
    files = sorted((tmp_path / "cache").rglob("first_moves.first_moves*.nbc"))
    assert len(files) == 2  # an older version of a game is replaced
    rules.unlink()  # a game that is gone must not break the others' cache
    assert run(tmp_path, "nim:1,2")[2] == "hits 1 misses 0"


@pytest.mark.slow
def test_a_damaged_cache_is_a_miss(tmp_path: Path) -> None:
    (tmp_path / "pile.py").write_text(RULES.format(bonus=0, result=1))
    run(tmp_path)
    files = [path for path in (tmp_path / "cache").rglob("*.nb*") if path.is_file()]
    assert files
    for path in files:
        path.write_bytes(path.read_bytes()[:40])
    assert run(tmp_path)[1] == "(3, 1)"
    assert run(tmp_path)[2] == "hits 1 misses 0"
    for path in files:
        path.write_bytes(b"")
    assert run(tmp_path)[1] == "(3, 1)"


@pytest.mark.slow
def test_processes_that_compile_at_once_keep_the_work_of_each(tmp_path: Path) -> None:
    """Each is held just after it has read the index, until the other waits at the door, too.

    And did they take the same number for their files all the same, that is noticed.
    """
    hold = """
import sys, time
from pathlib import Path
from nimtui.process import locks
from numba.core.caching import IndexDataCacheFile
here, other = Path(sys.argv[1], sys.argv[3]), Path(sys.argv[1], sys.argv[4])
taken, read, end = locks.lock, IndexDataCacheFile._load_index, time.monotonic() + 60
def locked(handle):
    here.touch()
    return taken(handle)
def load_index(files):
    found = read(files)
    while here.exists() and not other.exists() and time.monotonic() < end:
        time.sleep(0.005)
    return found
locks.lock, IndexDataCacheFile._load_index = locked, load_index
"""
    games = ("nim:1,2", "connect:3x3x3")
    at_once = [
        forks.Popen([sys.executable, "-c", hold + PROGRAM, str(tmp_path), game, *names], env=surroundings(tmp_path))
        for game, names in zip(games, (("one", "two"), ("two", "one")), strict=True)
    ]
    assert [process.wait(120) for process in at_once] == [0, 0]
    for game in games:
        assert run(tmp_path, game)[2] == "hits 1 misses 0"
    first, second = (tmp_path / "cache").rglob("first_moves.first_moves*.nbc")
    shutil.copy(first, second)
    assert [run(tmp_path, game)[2] for game in games].count("hits 0 misses 1") == 1


PLAYOUTS = """
from nimtui.engine import playouts
from nimtui.engine.rng import Stream
from nimtui.games import parse_game
print(playouts.count_playouts(parse_game("noughts:3x3x3").new(), 10, Stream(0)))
kernels = [one for one in vars(playouts).values() if hasattr(one, "stats")]
print(sum(sum(one.stats.cache_misses.values()) for one in kernels), "compiled")
"""
# What is changed in the package, and whether the kernels of playouts of noughts are made of it.
CHANGES = {
    "a rule": ("games/noughts.py", "            return WON", "            return DRAW", True),
    "a helper of a rule": ("games/bits.py", "    return ", "    return 0 + ", True),
    "a helper of the kernel": ("engine/rng.py", "x = (x ^ (x >> _30)) * _A", "x = (x ^ (x >> _31)) * _A", True),
    "a constant of the kernel": ("engine/rng.py", "0x9E3779B97F4A7C15", "0x9E3779B97F4A7C13", True),
    "a rule of another game": ("games/heaps.py", "return LOST if state.misere else WON", "return LOST", False),
    "another kernel": ("engine/mcts.py", "return 0.0 if outcome == DRAW", "return 1.0 if outcome == DRAW", False),
    "a name": ("games/noughts.py", "Noughts and crosses, ", "Crosses and noughts, ", False),
}


@pytest.mark.slow
def test_kernels_are_compiled_again_when_and_only_when_what_they_are_made_of_changes(tmp_path: Path) -> None:
    package = Path(jit.__file__).parents[1]
    shutil.copytree(package, tmp_path / "nimtui", ignore=shutil.ignore_patterns("__pycache__", "ui", "cli"))
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def compiled() -> int:
        words = [sys.executable, "-c", PLAYOUTS]  # a new interpreter: the server has loaded the package
        done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return int(done.stdout.splitlines()[1].split()[0])

    assert compiled() > 0
    assert compiled() == 0
    for path in (tmp_path / "nimtui").rglob("*.py"):
        path.write_text(f"# A comment that moves all lines.\n{path.read_text()}\n# And one below them.\n")
    assert compiled() == 0
    for what, (file, before, after, counts) in CHANGES.items():
        path = tmp_path / "nimtui" / file
        text = path.read_text()
        assert before in text, what
        path.write_text(text.replace(before, after, 1))
        assert (compiled() > 0) is counts, what
