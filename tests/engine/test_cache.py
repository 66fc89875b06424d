"""The cache of compiled kernels is never stale and never breaks; paced kernels answer the same interpreted."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import Future
from itertools import pairwise
from operator import ne
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nimtui.agents import parse_agent
from nimtui.engine import activity, dispatch, evaluate, exact, jit, playouts
from nimtui.engine.rng import Pick, Stream
from nimtui.games import base, parse_game
from nimtui.learning.compiled import Compiled
from nimtui.learning.learner import parse_learner
from nimtui.learning.table import Table
from nimtui.theory.truth import truth
from tests import forks
from tests.learning.functions import save

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
    for kept in (40, 0):  # bytes: a damaged cache is a miss
        for path in (tmp_path / "cache").rglob("first_moves*.nb*"):
            path.write_bytes(path.read_bytes()[:kept])
        assert run(tmp_path, "nim:1,2")[1:] == ["(3, 1)", "hits 0 misses 1"]
    assert run(tmp_path, "nim:1,2")[2] == "hits 1 misses 0"


@pytest.mark.slow
def test_processes_that_compile_at_once_keep_the_work_of_each(tmp_path: Path) -> None:
    """Each is held just after it has read the index, until the other waits at the door, too.

    And did they take the same number for their files all the same, that is noticed.
    """
    hold = """
import sys, time
from pathlib import Path
from nimtui.process import owner
from numba.core.caching import IndexDataCacheFile
here, other = Path(sys.argv[1], sys.argv[3]), Path(sys.argv[1], sys.argv[4])
taken, read, end = owner.lock, IndexDataCacheFile._load_index, time.monotonic() + 60
def locked(handle):
    here.touch()
    return taken(handle)
def load_index(files):
    found = read(files)
    while here.exists() and not other.exists() and time.monotonic() < end:
        time.sleep(0.005)
    return found
owner.lock, IndexDataCacheFile._load_index = locked, load_index
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


STAMPS = """
import importlib, json, sys
from pathlib import Path
changes = json.loads(sys.argv[1])

def stamps():
    for name in [name for name in sys.modules if name.partition(".")[0] == "nimtui"]:
        del sys.modules[name]
    importlib.invalidate_caches()
    jit, noughts, playouts = (importlib.import_module(f"nimtui.{name}")
        for name in ("engine.jit", "games.noughts", "engine.playouts"))
    return [jit.stamp_of(playouts.playouts.py_func), jit.stamp_of_class(noughts.Noughts)]

found = [stamps()]
for path in Path("nimtui").rglob("*.py"):
    path.write_text(f"# A comment that moves all lines.\\n{path.read_text()}\\n# And one below them.\\n")
for change in changes:
    for file, before, after in change:
        path = Path("nimtui", file)
        assert before in path.read_text()
        path.write_text(path.read_text().replace(before, after, 1))
    found.append(stamps())
print(json.dumps(found))
"""
# What is changed in the package, and whether the stamps of the kernel of playouts and of the rules of noughts change.
CHANGES = {
    (  # and comments, which move all lines
        ("games/heaps.py", "return LOST if state.misere else WON", "return LOST"),
        ("engine/mcts.py", "return 0.0 if outcome == DRAW", "return 1.0 if outcome == DRAW"),
        ("games/noughts.py", "Noughts and crosses, ", "Crosses and noughts, "),
    ): (False, False),
    (("games/noughts.py", "            return WON", "            return DRAW"),): (False, True),
    (("games/bits.py", "    return ", "    return 0 + "),): (False, True),
    (("engine/rng.py", "x = (x ^ (x >> _30)) * _A", "x = (x ^ (x >> _31)) * _A"),): (True, False),
    (("engine/rng.py", "0x9E3779B97F4A7C15", "0x9E3779B97F4A7C13"),): (True, False),
}


@pytest.mark.slow
def test_a_stamp_changes_when_and_only_when_what_is_compiled_changes(tmp_path: Path) -> None:
    package = Path(jit.__file__).parents[1]
    shutil.copytree(package, tmp_path / "nimtui", ignore=shutil.ignore_patterns("__pycache__", "ui", "cli"))
    # A new interpreter: the server of forks has loaded the package.
    words = [sys.executable, "-B", "-c", STAMPS, json.dumps(list(CHANGES))]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    pairs = list(pairwise(json.loads(done.stdout)))
    assert dict(zip(CHANGES, [tuple(map(ne, *pair)) for pair in pairs], strict=True)) == CHANGES


def test_a_stamp_names_functions_constants_and_classes_but_no_docstring() -> None:
    def scope(text: str) -> dict[str, Any]:
        names: dict[str, Any] = {"__name__": "own_file", "np": np, "MORE": 3, "TABLE": np.arange(3), "KINDS": {1, 2}}
        exec(text, names)
        return names

    base = "def helper(x): return x + MORE\ndef rule(x, n=2):\n    'Says it.'\n    return helper(x) + n + TABLE[0]"
    texts = {
        base: True,
        base.replace("Says it.", "Says more."): True,
        base.replace("x + MORE", "x - MORE"): False,
        base.replace("n=2", "n=1"): False,
        base + "\nMORE = 4": False,
        base + "\nTABLE = np.arange(1, 4)": False,
        base + "\nKINDS = {1}": True,
    }
    parts = {text: jit._parts([scope(text)["rule"]]) for text in texts}
    assert {text: parts[text] == parts[base] for text in texts} == texts
    assert any(part.startswith("own_file.helper ") for part in parts[base]) and "MORE = int 3" in parts[base]
    assert jit._constant((1, {2, 3}, None)) == "(int 1, {int 2, int 3}, NoneType None)"
    assert jit._class(Pick) == f"nimtui.engine.rng.Pick {[repr(pick) for pick in Pick]}"


def test_a_stamp_stays_when_rules_of_other_games_have_been_compiled() -> None:
    def others(state: object) -> object:
        return state

    function, rule = playouts.playouts.py_func, eval("lambda state: others(state)", {"others": others})
    before = jit.stamp_of.__wrapped__(function)
    dispatch._with_helpers(rule)
    assert others in dispatch._compilable and jit.stamp_of.__wrapped__(function) == before


def test_the_innermost_cause_of_a_failed_compilation_is_one_line() -> None:
    report = """Failed in nopython mode pipeline
  >>> add(int64, unicode_type)
During: typing of intrinsic-call at /games/mine.py (12)

File "mine.py", line 12:
"""
    where = f"in {Path('/games/mine.py').resolve()}, line 12"
    assert jit.first_cause(report) == f"add(int64, unicode_type) {where}"
    inner = 'NRT required but not enabled\nFile "/x/numba/core/a.py", line 3:\nFile "/a/b.py", line 4:'
    assert jit.first_cause(inner) == "compiled rules may not create a list, dict, set, text or array in /a/b.py, line 4"
    assert jit.first_cause("Something  else\n") == "Something else" and jit.first_cause("") == "Numba gives no reason"


# Paced kernels give the same answers interpreted as compiled: play may start before anything is compiled.


GAMES = ("nim:1,3,4", "nim:2,3:misere", "noughts:3x2x3")  # no connect: its solver would be compiled
AGENTS = (
    "mcts:simulations=40,c=1.0",
    "mcts:simulations=40,c=1.0,proven=yes",
    "alphabeta:depth=3",
    "alphabeta:depth=3,table=64",
    "minimax:depth=3",
    "mc:playouts=9",
    "mc:playouts=9,pick=row-then-count",
    "mc:playouts=9,policy=perfect-opponent",
    "perfect",
)
PACED = {
    *("discover", "join", "arrange", "grow", "search", "playouts", "playouts_against_perfect", "fill_notes"),
    *("_fill_values", "_fill_keeps", "_fill_distances", "_fill_timely", "_fill_grundy", "_fill_heights"),
    *("_judge", "_reach", "_fill_odds"),
}


class Never:
    """A compiler that never delivers, and notes what is asked for."""

    def __init__(self) -> None:
        self.asked: set[str] = set()

    def order(self, module: str, kernel: str, signature: bytes) -> Future[bytes]:
        self.asked.add(kernel)
        return Future()

    def hurry(self, order: Future[bytes]) -> None:
        raise AssertionError("a kernel that is not paced was asked for")


def answers(name: str) -> list[Any]:
    """What the engine answers about a game: positions, values, moves, thoughts and chances."""
    game = parse_game(name)
    with activity.interpreting():
        known = truth(game)
        graph, values = known.graph, known.values
        scores = np.arange(len(graph.to)) * 7919 % 13
        table = Table.empty(game, "reward", 0)
        told: list[Any] = [*graph[:-2], values, known.keeps, exact.heights(graph)]
        told += [exact.distances(graph, values), exact.timed(graph, values, known.keeps, 1), exact.grundy(graph)]
        told += [*evaluate.judge(graph, values, known.keeps, scores), evaluate.reached(graph, scores, (True, True))]
        told += [evaluate.against_perfect(graph, known.keeps, scores, True)]
        told += [evaluate.between(graph, scores, scores[::-1])]
        told += [Compiled(graph, parse_learner("reward"), table_on(table, known), Stream(0).counter)._memory]
        folder = tempfile.mkdtemp()
        save(Path(folder, "f.npz"), name)
        by_function = [f"{how},value={folder}/f.npz" for how in ("mcts:simulations=40", "alphabeta:depth=3")]
        for agent in (*AGENTS, *by_function):
            decision = parse_agent(agent, game).decide(base.copy(game.start), Stream(7))
            told += [decision.move, decision.thoughts, decision.nodes, decision.line]
    return told


def table_on(table: Table, known: Any) -> Table:
    from nimtui.learning.graph_table import on_graph

    return on_graph(table, known.graph)


def text(told: list[Any]) -> list[str]:
    with np.printoptions(threshold=sys.maxsize):
        return [str(answer) for answer in told]


def interpreted() -> None:
    """Print all answers of a process that compiles nothing, and the kernels that it asked for."""
    compiler = Never()
    activity.use(compiler)
    activity.PATIENCE = float("inf")
    print(json.dumps([[text(answers(game)) for game in GAMES], sorted(compiler.asked)]))


@pytest.mark.slow
def test_interpreted_and_compiled_kernels_give_the_same_answers(tmp_path: Path) -> None:
    program = "from tests.engine.test_cache import interpreted; interpreted()"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={"PYTHONPATH": ":".join([str(ROOT), *sys.path]), "NUMBA_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found, asked = json.loads(done.stdout)
    assert set(asked) == PACED
    for game, told in zip(GAMES, found, strict=True):
        assert told == text(answers(game))
