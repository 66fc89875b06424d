"""How the app ends: signals, also while it waits for what never comes; what it loses; what becomes of runs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from threading import Event, current_thread
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from nimtui.jobs import recording, runs_report
from nimtui.jobs.job import JobState, Snapshot
from nimtui.jobs.work import State
from nimtui.process import detached, stopping
from nimtui.store import run_files
from nimtui.store.errors import StoreError
from nimtui.store.run_files import RunFile
from nimtui.store.settings import Settings
from nimtui.ui.app import endings
from nimtui.ui.app.continuing import ASKS, HANG_UP, WORTH_ASKING, Conductors, Continuing, Elsewhere
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
    damage = list[str]()
    opened = Mock(side_effect=lambda tell: tell("damaged") or Mock())
    monkeypatch.setattr("nimtui.store.database.Database", opened)
    monkeypatch.setattr(Conductors, "tournament", SimpleNamespace(damage=damage))
    app.release()
    assert not opened.called
    db = app.database()
    assert app.database() is db and (opened.call_count, damage, db.close.called) == (1, ["damaged"], False)
    app.release()
    assert db.close.called


WORDS = {State.GOING: "running", State.PAUSED: "paused", State.STOPPING: "stopping", State.FINISHED: ""}


@pytest.mark.parametrize("state", WORDS)
def test_a_tournament_at_work_is_told_and_a_table_that_plays_is_in_use(
    app: Any, monkeypatch: Any, home: Path, state: State
) -> None:
    table, player = home / "t.npz", SimpleNamespace(spec=f"table:{home / 't.npz'}")
    table.write_bytes(b"")
    shown = SimpleNamespace(state=state, number=3, view=SimpleNamespace(done=7), plan=None)
    monkeypatch.setattr(Conductors, "tournament", shown)
    monkeypatch.setattr(Conductors, "game_played", SimpleNamespace(session=SimpleNamespace(players=[player])))
    assert app.tournament_at_work() == ((3, WORDS[state], 7) if WORDS[state] else None)
    assert app.use_of(table) == ""
    shown.plan = SimpleNamespace(agents=("random", player.spec))
    on = state in (State.GOING, State.PAUSED)
    in_use = "plays in the running tournament: stop the tournament first" if on else ""
    assert (app.use_of(table), app.use_of(home / "other.npz")) == (in_use, "")
    shown.plan, app.setup = None, "a game"
    assert app.use_of(table) == "plays on the Play screen: end that game first"
    for name in ("number", "view"):
        with monkeypatch.context() as patch:
            patch.setattr(shown, name, None)
            assert app.tournament_at_work() is None


# What becomes of runs at the end, and of those of other programs.

THERE = {"started": 1.0, "written": 2.0, "host": "there", "boot": "b", "pid": 7, "birth": "c"}
KNOWN = {"id": 3, "kind": "training", "name": "reward", "state": "going", "file": "/a.npz", "rate": 9.0}
RUN = RunFile(**KNOWN, **THERE)  # type: ignore[arg-type]
NOWHERE, OWN = replace(RUN, file=None), run_files.this_process()._asdict()


class Alone(Continuing):
    """The part of the app without the app: it notes what it would do."""

    def __init__(self, **more: Any) -> None:
        self.settings, self.done = Settings(**more), list[tuple[Any, ...]]()
        for name in ("notify", "begin", "action_mode", "clear_notifications"):
            setattr(self, name, lambda *words, _name=name, **_: self.done.append((_name, *words)))

    def change_settings(self, **values: Any) -> None:
        self.settings = self.settings.changed(**values)


@pytest.mark.parametrize(
    ("run", "done"),
    [
        (RUN, [("begin", "train", RUN)]),
        (one := replace(RUN, state="stopped"), [("begin", "train", one)]),
        (one := replace(RUN, state="finished"), [("notify", runs_report.sentence(one))]),
        (NOWHERE, [("begin", "train", NOWHERE)]),
        (one := replace(NOWHERE, state="cut"), [("action_mode", "train"), ("notify", runs_report.sentence(one))]),
        (one := replace(RUN, kind="book"), [("notify", runs_report.sentence(one))]),
        (one := replace(RUN, **OWN), [("action_mode", "train"), ("notify", runs_report.sentence(one))]),
    ],
)
def test_a_run_is_continued_if_it_is_elsewhere_and_saved_else_told(run: RunFile, done: list[tuple[Any, ...]]) -> None:
    (app := Alone()).show_run(run)
    assert app.done == done


def test_runs_of_other_programs_are_shown_as_jobs_while_they_are_on() -> None:
    app = Alone()
    app.others = [replace(RUN, done=5, goal=9), replace(RUN, state="paused", done=1), replace(RUN, state="failed")]
    assert app.elsewhere == [
        Elsewhere("training", JobState.RUNNING, Snapshot(5, 9)),
        Elsewhere("training", JobState.PAUSED, Snapshot(1, 0)),
    ]
    assert HANG_UP == 128 + signal.SIGHUP


@pytest.mark.parametrize("background", ["ask", "never"])
@pytest.mark.parametrize("ends", [False, True])
def test_the_first_long_run_is_asked_about_once(monkeypatch: pytest.MonkeyPatch, background: str, ends: bool) -> None:
    monkeypatch.setattr(detached, "ends_processes", lambda: ends)
    monkeypatch.setattr(detached, "prospect", lambda: "All ends.")
    app, long = Alone(background=background), recording.LONG
    some = [replace(RUN, seconds_left=long), replace(RUN, rate=None), replace(RUN, seconds_left=1.0)]
    monkeypatch.setattr(recording, "lasting", lambda: some)
    app.ask_once()
    assert app.long_runs() == [] == app.done and not app.may_answer()
    some += [one := replace(RUN, seconds_left=long + 1), other := replace(RUN, seconds_left=None)]
    for _ in range(2):
        app.ask_once()
    asked = [("notify", ASKS + " All ends." * ends)] if background == "ask" else []
    assert app.long_runs() == [one, other] and app.done == asked and app.may_answer() is bool(asked)
    if asked:
        app.answer("always")
        assert app.settings.background == "always" and not app.may_answer()
        assert app.done[1:] == [("clear_notifications",), ("notify", "Long runs continue in the background.")]
        app.answer("never")
        assert app.done[-1] == ("notify", "Runs end with the app.")


def test_the_runs_that_were_chosen_are_handed_over_once_and_what_is_lost_is_noted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started, lost = list[Any](), list[Any]()

    def start(words: list[str], id: int, output: Any) -> None:
        started.append((words, id, output))
        raise OSError("no room")

    def lose(*words: Any) -> None:
        lost.append(words)
        raise StoreError("no room")

    monkeypatch.setattr(recording, "lasting", lambda: [RUN, replace(RUN, id=4)])
    monkeypatch.setattr(detached, "start", start)
    monkeypatch.setattr(run_files, "lose", lose)
    app = Alone()
    app.choose_heirs()
    monkeypatch.setattr(recording, "lasting", list)
    app.choose_heirs()  # those that were going first
    app.hang_up([SimpleNamespace(name=f"{at} of it", snapshot=Snapshot(at, 9, "games")) for at in (1, 2)])  # type: ignore[list-item]
    for _ in range(2):
        app.continue_elsewhere()
    assert started == [(["runs", "take", str(id)], id, run_files.output(id)) for id in (3, 4)]
    assert lost == [(str(at), "of it", at, "games") for at in (1, 2)]
