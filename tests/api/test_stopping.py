"""Progress, and Ctrl+C, which gives what there is."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from threading import Timer
from time import monotonic, sleep
from types import SimpleNamespace

import pytest

import nimtui
from nimtui.api.door import Watcher
from nimtui.progress import Cancelled

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
