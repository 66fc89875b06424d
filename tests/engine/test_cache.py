"""The cache of compiled kernels is never stale and never breaks; paced kernels answer the same interpreted."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import Future
from pathlib import Path
from threading import get_ident
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba.core import serialize, types

from nimtui.agents import parse_agent
from nimtui.engine import activity, dispatch, evaluate, exact, jit, playouts
from nimtui.engine.rng import Pick, Stream
from nimtui.errors import InputError
from nimtui.games import base, parse_game
from nimtui.games.noughts import Noughts
from nimtui.learning.compiled import Compiled
from nimtui.learning.graph_table import on_graph
from nimtui.learning.learner import parse_learner
from nimtui.learning.table import Table
from nimtui.theory.truth import truth
from tests import forks
from tests.engine import astray, crowded
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


def test_versions_of_a_kernel_are_saved_by_one_process_at_a_time_and_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numba reads an index, changes it and writes it back: two at once could take one number for two files."""
    files, one, other = jit.KernelFiles(str(tmp_path), "kernel"), (("place",), ("stamp",)), (("another",), ("stamp",))
    save, free = jit.IndexDataCacheFile.save, list[bool]()

    def noted(files: jit.KernelFiles, key: Any, data: Any) -> None:
        with files.lock.open() as door:
            free.append(jit.owner.lock(door))
        save(files, key, data)

    monkeypatch.setattr(jit.IndexDataCacheFile, "save", noted)
    files.save(one, "first")
    files.save(other, "second")
    assert free == [False, False] and (files.load(one), files.load(other)) == ("first", "second")
    assert files.load((one[0], ("changed",))) is None
    shutil.copy(*sorted(tmp_path.glob("*.nbc")))
    assert [files.load(one), files.load(other)].count(None) == 1, "two with one number are noticed"


def test_a_stamp_has_what_is_compiled_into_a_kernel_and_the_rules_of_a_class_and_nothing_else() -> None:
    kernel, rules = jit._parts([playouts.playouts.py_func]), jit._parts([base.rule(Noughts, "outcome")])
    names = [{part.partition(" ")[0] for part in parts} for parts in (kernel, rules)]
    assert names[0] >= {"GAMMA", "nimtui.games.base.outcome", "nimtui.engine.rng.mix", "nimtui.engine.rng.below"}
    assert names[1] >= {"nimtui.games.noughts.outcome", "nimtui.games.bits.ones"}
    assert not any("heaps" in part or "mcts" in part for part in kernel | rules)
    own = {one.__name__ for one in jit._registered("nimtui.engine.dispatch")}  # Numba finds them by no name
    assert own == {"_with_helpers", "_register", "_draw_bits60", "_draw_below", "_draw_share"}


def test_a_stamp_names_all_that_the_code_of_a_function_leads_to_but_no_docstring() -> None:
    def scope(text: str) -> dict[str, Any]:
        names: dict[str, Any] = {"__name__": "own_file", "np": np, "MORE": 3, "TABLE": np.arange(3), "KINDS": {1, 2}}
        names |= {"lib": ModuleType("own_lib"), "play": base.play, "known": np.isscalar, "Pick": Pick}
        names["lib"].AHEAD = 5
        exec(text, names)
        return names

    text = "def helper(x): return x + MORE\ndef made(y):\n  def rule(x, n=2):\n    'Says it.'\n    play(x, Pick, np.e)"
    text += "\n    return helper(x) + n + y + TABLE[0] + known(lib.AHEAD) + sum((lambda a: -a)(b) for b in (1, 7))"
    text += "\n  return rule\nrule = made(4)"
    changes = [("Says it.", "Says more."), ("TABLE[0]", "TABLE[1]"), ("n=2", "n=1"), ("-a", "+a"), ("(1, 7)", "(1, 8)")]
    changes += [("made(4)", "made(5)"), ("x + MORE", "x - MORE"), ("lib.AHEAD", "lib.BEHIND"), ("(x, n", "(z, x, n")]
    texts = [text, *(text.replace(*change) for change in changes)]
    texts += [
        f"# Above.\n{text}\n{more}"
        for more in ("# Below.", "KINDS = {1}", "MORE = 4", "TABLE = np.arange(1, 4)", "lib.AHEAD = 6")
    ]
    parts = [jit._parts([scope(changed)["rule"]]) for changed in texts]
    assert [part == parts[0] for part in parts] == [True, True, *[False] * 8, True, True, *[False] * 3]
    names = {part.partition(" ")[0] for part in parts[0]}
    rule = "made.<locals>.rule"  # its code, its default, and y of the function around it
    assert names == {*(f"own_file.{rule}", rule, f"{rule}.y", "own_file.helper", "MORE", "TABLE", "own_lib.AHEAD")} | {
        *("nimtui.games.base.play", "numpy.isscalar", "nimtui.engine.rng.Pick")
    }
    assert {"MORE = int 3", "own_lib.AHEAD = int 5", jit._class(Pick)} < parts[0]
    told = [jit._constant(value) for value in ((1, {3, 2}, None), np.arange(2), Pick.UNIFORM_MOVE, object())]
    digest = hashlib.sha256(np.arange(2).tobytes()).hexdigest()
    assert told[:2] == ["(int 1, {int 2, int 3}, NoneType None)", f"int64 (2,) {digest}"]
    assert told[2:] == [f"Pick {Pick.UNIFORM_MOVE!r}", "object"]
    assert jit._class(Pick) == f"nimtui.engine.rng.Pick {[repr(pick) for pick in Pick]}"
    assert jit._class(astray.Astray) == "tests.engine.astray.Astray ('board', 'variant')"


def test_the_stamp_of_a_class_is_that_of_its_rules_and_of_its_own_file(monkeypatch: pytest.MonkeyPatch) -> None:
    stamp, own, built_in = jit.stamp_of_class.__wrapped__, astray.Astray, type(parse_game("nim:1").start)
    before = [stamp(own), stamp(built_in)]
    with monkeypatch.context() as patch:
        patch.setattr(jit.plugins, "text_of", lambda module: b"another")
        assert [stamp(own) == before[0], stamp(built_in) == before[1]] == [False, True]
    base.rule.cache_clear()
    monkeypatch.setattr(astray, "outcome", crowded.outcome)
    assert stamp(own) != before[0]
    base.rule.cache_clear()


def doubled(n: int) -> int:
    return 2 * n


@jit.kernel
def nonsense(n):  # type: ignore[no-untyped-def]
    return n + "one"


class Inner(NamedTuple):
    first: int


class Outer(NamedTuple):
    inner: Inner
    more: float


def first_of(pair: Outer) -> int:
    return pair.inner.first


def test_a_kernel_is_stored_by_its_types_and_the_stamps_of_their_classes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    function = first_of

    def cache() -> Any:
        made = jit._Cache(function)
        made.enable()
        made._cache_file = jit.KernelFiles(str(tmp_path), "kernel")
        return made

    def loads() -> bool:
        return cache().load_overload(signature, context) is not None

    kernel, options = jit.kernel(function), {"nopython": True, "nogil": True, "_nrt": False, "boundscheck": None}
    kernel._cache = cache()
    assert kernel(Outer(Inner(3), 0.5)) == 3 and kernel.targetoptions.items() >= options.items()
    [(signature, data)], context = kernel.overloads.items(), kernel.targetctx
    assert loads() and jit._Cache(function)._cache_file.lock.name.startswith(
        "test_cache.first_of.py"
    )  # no line's number
    (place, *names), stamps = cache()._index_key(signature, context.codegen())
    assert place == str(signature) and names[:2] == [f"{__name__}.Outer", f"{__name__}.Inner"]
    assert stamps == (jit.stamp_of(function), jit.stamp_of_class(Outer), jit.stamp_of_class(Inner))
    for path in tmp_path.glob("*.nb*"):
        path.write_bytes(b"damaged")
    assert not loads()
    cache().save_overload(signature, data)
    assert loads()
    monkeypatch.setattr(jit, "stamp_of_class", lambda kind: "changed")
    assert not loads()
    cache().save_overload(signature, data)
    assert loads() and len([*tmp_path.glob("*.nbc")]) == 1  # an older version is replaced
    loaded = jit.kernel(function)
    loaded._cache = cache()
    assert not jit._load(loaded, (types.int64,)) and jit._load(loaded, signature) and jit._load(loaded, signature)
    assert [*loaded.overloads] == [signature]
    monkeypatch.setattr(f"{__name__}.first_of", loaded)
    assert jit.compiled_bytes(__name__, "first_of", serialize.dumps(signature)) == b""
    place = type("Place", (jit._Place,), {"get_cache_path": lambda _: str(tmp_path / "new" / "folder")})()
    for _ in range(2):
        place.ensure_cache_path()
    with monkeypatch.context() as patch, pytest.raises(PermissionError):
        patch.setattr(os, "access", lambda folder, right: right != os.W_OK)
        place.ensure_cache_path()
    monkeypatch.setattr(jit.KernelFiles, "save", lambda *_: 1 // 0)
    cache().save_overload(signature, data)  # a cache that cannot be written only costs time


def test_a_process_waits_a_minute_for_another_and_then_enters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now, slept, handles = [0.0], list[float](), list[int]()
    monkeypatch.setattr(jit, "monotonic", lambda: now[0])
    monkeypatch.setattr(jit, "sleep", lambda seconds: now.append(now.pop() + 20.0) or slept.append(seconds))
    for free, pauses in ((0.0, 0), (40.0, 2), (60.0, 3), (99.0, 3)):
        now[:], slept[:] = [0.0], []
        monkeypatch.setattr(jit.owner, "lock", lambda handle, free=free: handles.append(handle) or now[0] >= free)
        with jit.alone(tmp_path / "lock"):
            os.fstat(handles[-1])
        assert slept == [0.01] * pauses
        with pytest.raises(OSError):
            os.fstat(handles[-1])


class Elsewhere:
    """A compiler that compiles here as soon as a thread waits, or fails; it notes what is asked for."""

    def __init__(self, fault: Exception | None = None) -> None:
        self.asked, self._fault = list[Any](), fault

    def order(self, *kernel: Any) -> Future[bytes]:
        self.asked.append(kernel)
        return Future()

    def hurry(self, order: Future[bytes]) -> None:
        assert activity.compiling() == "doubled" and activity.at_the_compiler(get_ident())
        activity.use(None)
        if self._fault:
            order.set_exception(self._fault)
        else:
            order.set_result(jit.compiled_bytes(*self.asked[-1]))


def test_a_paced_kernel_runs_interpreted_until_another_process_has_compiled_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("_total", 0), ("_done", 0), ("PATIENCE", float("inf"))):
        monkeypatch.setattr(activity, name, value)
    function, refused, announced, begin = doubled, InputError("refused"), list[str](), activity.begin
    monkeypatch.setattr(activity, "begin", lambda name: begin(name) or announced.append(name))

    def fresh(make: Any) -> Any:
        kernel = make(function)
        monkeypatch.setattr(kernel._cache, "load_overload", lambda *_: None)
        return kernel

    monkeypatch.setattr(f"{__name__}.doubled", fresh(jit.kernel))
    for make, fault in ((jit.paced_kernel, None), (jit.kernel, refused), (jit.kernel, OSError())):
        kernel, elsewhere = fresh(make), Elsewhere(fault)
        activity.use(elsewhere)
        with activity.interpreting():
            for _ in range(2 * (make is jit.paced_kernel)):
                assert (kernel(4), len(kernel.overloads), activity.orders()[:2]) == (8, 0, (1, 0))  # type: ignore[index]
            if fault is refused:
                with pytest.raises(InputError, match=r"^refused$"):
                    kernel(4)
        if fault is not refused:
            assert (kernel(4), kernel(5), len(kernel.overloads)) == (8, 10, 1)
        assert [words[:2] for words in elsewhere.asked] == [(__name__, "doubled")]
        assert (jit._orders, activity.orders(), activity.compiling()) == ({}, None, None)
        assert not activity.at_the_compiler(get_ident())
    with pytest.raises(InputError, match=r"^nonsense cannot be compiled: add\(.+\) in \S*test_cache.py, line \d+$"):
        nonsense(1)
    assert (announced, activity.compiling()) == (["doubled", "doubled", "nonsense"], None)


def test_a_thread_runs_a_kernel_interpreted_for_a_while_if_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(activity, "perf_counter", lambda: now[0])
    order, other = (activity.Order(Elsewhere(), "module", "kernel", b"types") for _ in range(2))
    run, may = (
        order.interpreted(lambda seconds: now.append(now.pop() + seconds) or np.int32(2**31 - 1) + np.int32(9)),
        [],
    )
    assert not order.may_wait
    with activity.interpreting():
        with activity.interpreting(False):
            may.append(order.may_wait)
        for seconds in (0.125, 0.125, 0.0625):
            may.append(order.may_wait)
            with np.errstate(all="raise"):
                assert run(seconds) < 0  # and no warning of it
        may.append(order.may_wait)
        other._future.set_result(b"")
        may.append(other.may_wait)
    assert may == [False, True, True, True, False, False] and not order.may_wait
    order._future.set_result(b"")
    assert activity.orders() is None


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
        told += [Compiled(graph, parse_learner("reward"), on_graph(table, known.graph), Stream(0).counter)._memory]
        folder = tempfile.mkdtemp()
        save(Path(folder, "f.npz"), name)
        by_function = [f"{how},value={folder}/f.npz" for how in ("mcts:simulations=40", "alphabeta:depth=3")]
        for agent in (*AGENTS, *(by_function if name == GAMES[1] else ())):  # compiled for each kind of game
            decision = parse_agent(agent, game).decide(base.copy(game.start), Stream(7))
            told += [decision.move, decision.thoughts, decision.nodes, decision.line]
    return told


def text(told: list[Any]) -> list[str]:
    with np.printoptions(threshold=sys.maxsize):
        return [str(answer) for answer in told]


def interpreted() -> None:
    """Print all answers of a process that compiles nothing, and the kernels that it asked for."""
    compiler = Elsewhere()  # it never delivers: a kernel that is not paced is not the one that it compiles
    activity.use(compiler)
    activity.PATIENCE = float("inf")
    print(json.dumps([[text(answers(game)) for game in GAMES], sorted({kernel for _, kernel, _ in compiler.asked})]))


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
