"""Every value of the library's calls passes one door; progress, and Ctrl+C, which gives what there is."""

from __future__ import annotations

import inspect
import itertools
import signal
import threading
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from threading import Timer
from time import monotonic, sleep
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import nimtui
from nimtui.api.door import Watcher
from nimtui.errors import InputError
from nimtui.progress import Cancelled
from tests.examples import few, with_slow

GAME = "nim:1,2"
REAL = [1.5, 3 / 7, float("nan"), float("inf"), -float("inf"), np.float64(2.5), Fraction(1, 3), 10.0, 1j]
HUGE = [-1, -(2**63), 2**63, 2**64, 2**70, 10**400, np.int64(-1), np.uint64(2**64 - 1)]
TEXTS = ["", " ", "x", "many", "\0", "\ud800", "1,3", "é" * 9, "a\nb", "5", "x" * 5000]
ODD = [None, True, False, np.True_, b"", b"x", bytearray(b"x"), object(), object, int, Ellipsis, NotImplemented, print]
LISTS = [[], (), {}, set(), [1], ("x",), ("a", 2), {"a": 1}, range(3), np.arange(3), [None], [[]], iter(()), itertools]
WRONG: list[Any] = [*REAL, *HUGE, *TEXTS, *ODD, *LISTS, 5, 0, 2**31, itertools.count(), Path(), Exception(), slice(2)]
CALLS = [name for name in nimtui.__all__ if inspect.isfunction(getattr(nimtui, name))]
USUAL: dict[str, Any] = {
    "on": GAME, "one": "random", "first": "random", "second": "random", "agents": ["random", "perfect"],
    "moves": "a1", "name": GAME, "position": "1,2", "positions": ["1,2"], "games": 2, "learner": "reward",
    "file": "kept.run",
}  # fmt: skip


def raising(*_: Any, **__: Any) -> Any:
    raise RuntimeError("of the object")


ASKED = (
    "eq ne lt le bool len iter getitem contains str repr format hash index int float fspath array getattr "
    "getattribute class"
)
RIGHT: list[tuple[type, tuple[Any, ...]]] = [
    (object, ()), (int, (2,)), (float, (2.0,)), (str, ("random",)), (str, (GAME,)), (list, (["random", "perfect"],)),
]  # fmt: skip


def broken() -> list[Any]:
    """Return objects, each of which raises when one thing is asked of it, most of them right otherwise."""
    made: list[Any] = []
    for (kind, value), word in itertools.product(RIGHT, ASKED.split()):
        asked = property(raising) if word == "class" else raising
        own = {f"__{word}__": asked, **({"__hash__": object.__hash__} if word == "eq" else {})}
        made.append(type(f"{word}_of_{kind.__name__}", (kind,), own)(*value))
    parts = ["as_agent", "name", "title", "decide", "prepare", "ready", "_fields"]
    return [*made, *(type(f"part_{part}", (), {part: property(raising)})() for part in parts)]


BROKEN, TURN = broken(), itertools.count()


def attempt(call: Callable[..., Any], given: dict[str, Any], fault: list[str]) -> None:
    """Call with these values; note any exception but InputError."""
    try:
        call(**given)
    except InputError as wrong:
        if "\n" in str(wrong) or len(str(wrong)) > 1000:
            fault.append(f"{given}: {wrong}"[:300])
    except Exception as other:  # noqa: BLE001  # what the test looks for
        fault.append(f"{call.__qualname__} {given}: {type(other).__name__}: {other}"[:300])


def faults(call: Callable[..., Any]) -> list[str]:
    """Call with every wrong value of every parameter, and some objects that raise, the others being right."""
    fault: list[str] = []
    parameters = inspect.signature(call).parameters
    for name in parameters:
        usual = {other: USUAL[other] for other in parameters if other in USUAL and other != name}
        for value in WRONG:
            if name in ("games", "workers") and type(value) in (int, np.int64) and 1 <= value <= 10**12:
                continue  # right
            if name == "progress" and callable(value):
                continue  # what it raises is raised again
            attempt(call, {**usual, name: value}, fault)
        for thing in (thing for thing in BROKEN if next(TURN) % few(6, 1) == 0):  # the next parameter meets others
            attempt(call, {**usual, name: thing}, fault)
            if name in ("on", "agents", "moves", "players"):
                attempt(call, {**usual, name: [thing, "random"]}, fault)
    return fault


@pytest.mark.parametrize("name", with_slow(CALLS, "match", "tournament"))
@pytest.mark.filterwarnings("ignore")
def test_a_function_answers_any_wrong_value_with_an_input_error(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert not faults(getattr(nimtui, name))


@pytest.mark.filterwarnings("ignore")
def test_a_method_answers_any_wrong_value_with_an_input_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run, said = nimtui.train(GAME, games=10), []
    for thing in (nimtui.game(GAME), nimtui.agent("random"), run, run.table):
        for name, method in inspect.getmembers(thing, inspect.ismethod):
            if name[0] != "_" and type(thing).__module__.startswith("nimtui.api"):
                if any(one.kind is one.VAR_POSITIONAL for one in inspect.signature(method).parameters.values()):
                    for value in (*WRONG, *BROKEN):
                        attempt(lambda value, method=method: method("1,2", value), {"value": value}, said)
                        attempt(lambda value, method=method: method(value, "a1"), {"value": value}, said)
                elif name not in ("items", "keys", "values", "get"):
                    said += faults(method)
    for value in (*WRONG, *BROKEN):
        attempt(lambda value: run.table[value], {"value": value}, said)
    assert not said


WHOLE = "must be a whole number from 0 to 9,223,372,036,854,775,807, not"
FEW = "games must be from 1 to 1,000,000,000,000, not"
WATCH = "progress must be True, False, None or a function of done, total and what is counted, not"


class Broken:
    def __index__(self) -> int:
        raise RuntimeError("no number")


@pytest.mark.parametrize(
    ("call", "given", "said"),
    [
        (nimtui.train, {"games": 10 / 4}, "games must be a whole number from 1 to 1,000,000,000,000, not 2.5"),
        (nimtui.train, {"games": True}, "games must be a whole number from 1 to 1,000,000,000,000, not bool"),
        (nimtui.train, {"games": Broken()}, "games cannot be read: it raises RuntimeError: no number"),
        (nimtui.train, {"games": 0}, f"{FEW} 0"),
        (nimtui.train, {"games": 10**12 + 1}, f"{FEW} 1,000,000,000,001"),
        (nimtui.train, {"games": 1 - 10**30}, f"{FEW} -{'999,' * 9}999"),
        (nimtui.train, {"games": 10**30}, f"{FEW} a number of 100 bits"),
        (nimtui.train, {"seed": -1}, "seed must be from 0 to 9,223,372,036,854,775,807, not -1"),
        (nimtui.train, {"seed": "x"}, f"seed {WHOLE} 'x'"),
        (nimtui.train, {"seed": object()}, f"seed {WHOLE} object"),
        (nimtui.train, {"until_perfect": "no"}, "until_perfect must be True or False, not 'no'"),
        (nimtui.train, {"learner": 3}, "a learner is a name such as 'quality', not int"),
        *(
            (nimtui.train, {"progress": wrong}, f"{WATCH} {kind}")
            for wrong, kind in [(dict, "type"), (Broken, "type"), (Broken(), "Broken"), (lambda done: 0, "function")]
        ),
        (nimtui.match, {"move_time": "x"}, "move_time must be a number of seconds, not 'x'"),
        (nimtui.match, {"game_time": True}, "game_time must be a number of seconds, not bool"),
        (nimtui.match, {"game_time": 10**400}, "game_time must be a number of seconds, not int"),
        (nimtui.match, {"openings": 3}, "openings must be a text, not int"),
        (nimtui.solve, {"position": 3}, "position must be a text, not int"),
        (nimtui.tournament, {"agents": "random"}, "agents must be a list, not 'random'"),
        (nimtui.tournament, {"sprt": 3}, "sprt must be a text, not int"),
        (nimtui.review, {"moves": ["a1", 3]}, "a move must be a text, not int"),
        (nimtui.review, {"players": ("a", "b", "c")}, "players must be two names, not 3"),
        (nimtui.review, {"players": ("a", 3)}, "a player must be a text, not int"),
        (nimtui.load, {"file": 3}, "file must be a path as text or Path, not int"),
        (nimtui.load, {"file": b"x"}, "file must be a path as text or Path, not bytes"),
        (nimtui.load, {"file": "a\0b"}, "file must be the path of a file, not 'a‹00›b'"),
        (nimtui.load, {"file": "\ud800"}, "file must be the path of a file, not '‹D800›'"),
        (nimtui.load, {"file": " "}, "file must be the path of a file, not ''"),
    ],
)
def test_the_error_names_the_value_and_what_is_right(call: Any, given: dict[str, Any], said: str) -> None:
    usual = {name: USUAL[name] for name in inspect.signature(call).parameters if name in USUAL}
    with pytest.raises(InputError) as wrong:
        call(**{**usual, **given})
    assert str(wrong.value) == said


def test_numbers_and_times_are_taken_up_to_their_bounds_and_a_very_long_value_is_quoted_by_its_ends() -> None:
    assert nimtui.train(GAME, games=1, seed=2**63 - 1).games == 1
    assert nimtui.match(GAME, "random", "random", move_time=0.5, game_time=2, alternate=np.True_).games == 1  # type: ignore[arg-type]
    calls: list[Any] = []
    nimtui.train(GAME, games=5, progress=lambda *report: calls.append(report))
    assert calls and all(len(report) == 3 for report in calls)
    with pytest.raises(InputError, match=rf"'{'x' * 30}…{'x' * 12} \(5,000 characters\)': expected 2 rows"):
        nimtui.game(GAME).moves("x" * 5000)


def test_texts_and_numbers_of_other_libraries_are_those_of_python() -> None:
    ours = nimtui.train(GAME, games=np.int32(20), seed=np.int64(3))  # type: ignore[arg-type]
    assert dict(ours.table) == dict(nimtui.train(GAME, games=20, seed=3).table)
    again = nimtui.review(np.str_(GAME), np.str_("a1 b2"), players=(np.str_("me"), "random"))
    assert again.to_dict() == nimtui.review(GAME, ["a1", "b2"], players=("me", "random")).to_dict()


# Progress, and Ctrl+C, which gives what there is.


NIM = "nim:3,4,5"
Reports = list[tuple[float, float, str]]


def interrupting(unit: str = "games", after: float = 1) -> Callable[[float, float, str], None]:
    """Return a function that presses Ctrl+C once, when so many of these are done."""
    pressed: list[float] = []

    def take(done: float, total: float, what: str) -> None:
        if not pressed and done >= after and what.startswith(unit):
            pressed.append(done)
            signal.raise_signal(signal.SIGINT)

    return take


def test_progress_tells_a_function_how_far_it_is() -> None:
    seen: Reports = []
    nimtui.train(NIM, games=5_000, progress=lambda *report: seen.append(report))
    games = [report for report in seen if report[2] == "games"]
    assert games[-1][:2] == (5_000, 5_000) and [done for done, *_ in games] == sorted(done for done, *_ in games)


def test_what_the_function_raises_is_raised() -> None:
    def fail(done: float, total: float, what: str) -> None:
        raise LookupError("no place to show it")

    for call in (nimtui.train, lambda *given, **named: nimtui.tournament(NIM, ["random", "mc"], games=2_000, **named)):
        with pytest.raises(LookupError, match="no place to show it"):
            call(NIM, progress=fail)


def test_a_bar_is_shown_and_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[object] = []
    bar = SimpleNamespace(show=lambda *report: shown.append(report), close=lambda: shown.append("closed"))
    monkeypatch.setattr("nimtui.api.door.ProgressBar", lambda: bar)
    with Watcher("x", True) as watcher:
        watcher.report(1, 3)
        watcher.report(2, 3, "games")
    assert shown == [(1, 3, "x"), (2, 3, "games"), "closed"]
    assert nimtui.train(NIM, games=300, progress=False).games == 300 and len(shown) == 3


def test_what_looks_beside_the_progress_is_called_at_each_report_until_it_fails() -> None:
    looks: list[int] = []

    def look() -> None:
        looks.append(1)
        if len(looks) == 2:
            raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"), Watcher("x", None, look) as watcher:
        watcher.report(1, 3)
        with pytest.raises(Cancelled):
            watcher.report(2, 3)
        watcher.report(3, 3)
    assert len(looks) == 2
    with Watcher("x", lambda *report: looks.append(len(report[2]))) as watcher:
        watcher.report(1, 3)
        watcher.report(2, 3, "games")
    assert looks[2:] == [1, 5]
    with pytest.raises(KeyboardInterrupt), Watcher("x"):
        raise Cancelled("x")


@pytest.mark.slow
def test_what_is_stopped_returns_what_there_is_and_ctrl_c_belongs_to_python_again() -> None:
    before = signal.getsignal(signal.SIGINT)
    run = nimtui.train(NIM, games=10**9, progress=interrupting())
    assert run.stopped and 0 < run.games < 10**9
    assert repr(run).count("stopped") == 1
    assert nimtui.train(NIM, games=run.games).to_dict()["accuracy"] == run.accuracy  # a whole run, only shorter
    found = nimtui.search("connect4", "mcts:simulations=5000000", progress=interrupting("simulations"))
    assert not found.finished and found.best_move is not None and "stopped" in repr(found)
    agents = ["mc:playouts=50", "random"]
    result = nimtui.match("connect4:4x4", *agents, games=100_000, progress=interrupting())
    assert 0 < result.games < 100_000
    standings = nimtui.tournament("connect4:4x4", agents, games=100_000, progress=interrupting())
    assert 0 < standings.games < standings.of_games == 100_000
    assert signal.getsignal(signal.SIGINT) is before
    with pytest.raises(KeyboardInterrupt):
        nimtui.solve("connect4:6x6", progress=interrupting("moves", 0))


@pytest.mark.slow
def test_an_agent_that_never_reports_is_stopped_too() -> None:
    """It waits ten seconds for each of its moves; the games of the first ones are there."""
    moves = 0

    def slow(game: str, position: str) -> str:
        nonlocal moves
        moves += 1
        if moves > 20:
            sleep(10)
        return nimtui.game(game).moves(position)[0]

    began, main = monotonic(), threading.main_thread().ident or 0
    Timer(1.0, lambda: signal.pthread_kill(main, signal.SIGINT)).start()
    result = nimtui.match(NIM, slow, "random", games=1_000)
    assert 0 < result.games <= 20
    assert monotonic() - began < 10


def test_another_thread_may_call() -> None:
    found: list[object] = []
    thread = threading.Thread(target=lambda: found.append(nimtui.solve(NIM).outcome))
    thread.start()
    thread.join()
    assert found == ["win"]
