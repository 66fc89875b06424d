"""How the app ends: what quitting would lose, and signals, even while it waits for something that never comes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event, current_thread
from types import SimpleNamespace
from typing import Any

import pytest

from nimtui.jobs.work import State
from nimtui.process import stopping
from nimtui.ui.app import endings
from nimtui.ui.app.continuing import WORTH_ASKING, Conductors
from nimtui.ui.app.endings import PATIENCE, SIGNALS, EndSignals

STUCK = """
import pathlib, queue, sys
from nimtui.ui.app import endings
endings.PATIENCE = 0.1
endings.EndSignals(lambda status: None, lambda: pathlib.Path(sys.argv[1]).write_text("saved")).listen()
print("ready", flush=True)
queue.Queue().get()
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="has no such signals")
def test_what_does_not_end_by_itself_is_ended_after_it_has_saved(home: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STUCK, str(home / "note")], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 143
    assert (home / "note").read_text() == "saved"


def test_afterwards_signals_do_what_they_did_before() -> None:
    assert sys.platform == "win32" or SIGNALS == [signal.SIGHUP, signal.SIGTERM, signal.SIGINT, signal.SIGQUIT]
    before = [signal.getsignal(number) for number in SIGNALS]
    signals = EndSignals(lambda status: None, Event)
    signals.listen()
    assert [signal.getsignal(number) for number in SIGNALS] == [signals._come] * len(SIGNALS)
    signals.leave()
    assert [signal.getsignal(number) for number in SIGNALS] == before and not signals._before


class Ending:
    """What is done at an end, in order; nothing of it is done to this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, terminal: bool) -> None:
        self.did, self.ended = list[str](), Event()
        for place, name in (("guard", "end"), ("stopping", "put_right"), ("children", "silence")):
            monkeypatch.setattr(endings, place, SimpleNamespace(**vars(getattr(endings, place))))
            monkeypatch.setattr(getattr(endings, place), name, lambda name=name: self.did.append(name))
        monkeypatch.setattr(endings.stopping, "heard", lambda number: self.did.append(f"heard {number}"))
        monkeypatch.setattr(endings.stopping, "end", self.end)
        monkeypatch.setattr(endings.time, "sleep", lambda seconds: self.did.append(f"slept {seconds}"))
        ignored = {(signal.SIGCONT, signal.SIG_IGN): "ignored"}
        monkeypatch.setattr(endings.signal, "signal", lambda *given: self.did.append(ignored[given]))
        monkeypatch.setattr(os, "_exit", self.end)
        monkeypatch.setattr(os, "isatty", lambda number: terminal and number == 2)
        self.signals = EndSignals(lambda status: self.did.append(f"end {status}"), lambda: self.did.append("last"))

    def end(self, status: int) -> None:
        assert current_thread().daemon
        self.did.append(f"exit {status}")
        self.ended.set()


@pytest.mark.parametrize(("terminal", "taken"), [(True, True), (False, False)])
def test_a_signal_asks_the_app_to_end_and_then_ends_it(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, taken: bool
) -> None:
    ending = Ending(monkeypatch, terminal)
    monkeypatch.setattr(endings, "UNTAKEN", 0.05)
    if taken:
        ending.signals.taken()
    ending.signals._come(15, None)
    assert ending.ended.wait(20)
    asked = [] if terminal else ["ignored", "silence"]
    waits = [f"slept {PATIENCE}"] if taken else []  # in an orderly way
    done = [each for each in ending.did if each != "end 143"]
    assert done == ["heard 15", *asked, *waits, "last", "put_right", "end", "exit 143"] and "end 143" in ending.did


def test_a_key_that_asks_to_quit_ends_an_app_whose_thread_stays_in_own_code(monkeypatch: pytest.MonkeyPatch) -> None:
    ending, reacted, looks = Ending(monkeypatch, True), Event(), iter((False, True))
    monkeypatch.setattr(stopping.Inside, "stays", lambda self: next(looks))
    ending.signals.insist_unless(reacted)
    assert ending.ended.wait(20) and ending.did == ["last", "exit 130"] and not [*looks]
    reacted.set()
    ending.signals._insist_unless(reacted)
    assert ending.did == ["last", "exit 130"]


# What quitting would lose.


class Trade:
    """A conductor."""

    def __init__(self, jobs: Any) -> None:
        self.jobs, self.lost_by_leaving, self.kept_jobs = jobs, "", list[Any]()


class Craft(Trade):
    """Another one."""


@pytest.fixture
def app() -> Any:
    app: Any = Conductors()
    app.jobs, app.setup = SimpleNamespace(running=list), None
    return app


def test_there_is_one_conductor_of_a_kind_and_leaving_loses_what_it_says(app: Any) -> None:
    trade, craft = app.conductor(Trade), app.conductor(Craft)
    assert app.conductor(Trade) is trade is not craft and (trade.jobs, trade.database) == (app.jobs, app.database)
    young, old = (SimpleNamespace(name=name, age=WORTH_ASKING + by) for name, by in (("young", 0), ("old", 0.1)))
    assert app.at_work == "" and not app.playing
    base = type("Base", (), {"__init__": lambda self, given, more: setattr(self, "given", (given, more))})
    assert type("Both", (Conductors, base), {})("a", more="b").given == ("a", "b")
    app.jobs.running = lambda: [young, old]
    assert app.at_work == "Still running: old."
    trade.kept_jobs = [old]
    assert app.at_work == ""
    craft.lost_by_leaving = "A craft ends."
    assert app.at_work == "A craft ends."
    app.setup = "a game"
    assert app.playing


def test_the_database_is_opened_once_tells_the_tournament_of_damage_and_is_closed_at_the_end(
    app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, closed, damage = list[Any](), list[Any](), list[str]()

    class Opened:
        def __init__(self, tell: Any) -> None:
            tell("damaged")
            opened.append(self)

        def close(self) -> None:
            closed.append(self)

    monkeypatch.setattr("nimtui.store.database.Database", Opened)
    monkeypatch.setattr(Conductors, "tournament", SimpleNamespace(damage=damage))
    app.release()
    assert app.database() is app.database() is opened[0] and (len(opened), damage, closed) == (1, ["damaged"], [])
    app.release()
    assert closed == opened


WORDS = {State.GOING: "running", State.PAUSED: "paused", State.STOPPING: "stopping", State.FINISHED: ""}


@pytest.mark.parametrize("state", WORDS)
def test_a_tournament_at_work_is_told_with_its_number_and_games(app: Any, monkeypatch: Any, state: State) -> None:
    word = WORDS[state]
    shown = SimpleNamespace(state=state, number=3, view=SimpleNamespace(done=7))
    monkeypatch.setattr(Conductors, "tournament", shown)
    assert app.tournament_at_work() == ((3, word, 7) if word else None)
    for name in ("number", "view"):
        with monkeypatch.context() as patch:
            patch.setattr(shown, name, None)
            assert app.tournament_at_work() is None


def test_a_table_that_plays_is_in_use(app: Any, monkeypatch: Any, home: Path) -> None:
    table, player = home / "t.npz", SimpleNamespace(spec=f"table:{home / 't.npz'}")
    table.write_bytes(b"")
    tournament = SimpleNamespace(plan=None, state=State.GOING)
    monkeypatch.setattr(Conductors, "tournament", tournament)
    monkeypatch.setattr(Conductors, "game_played", SimpleNamespace(session=SimpleNamespace(players=[player])))
    assert app.use_of(table) == ""
    tournament.plan = SimpleNamespace(agents=("random", player.spec))
    assert app.use_of(table) == "plays in the running tournament: stop the tournament first"
    assert app.use_of(home / "other.npz") == ""
    tournament.state = State.STOPPED
    assert app.use_of(table) == ""
    app.setup = "a game"
    assert app.use_of(table) == "plays on the Play screen: end that game first"
