"""What becomes of runs when the app ends, and what it does with those of other programs: the deciding part, alone."""

from __future__ import annotations

import signal
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from nimtui.jobs import recording, runs_report
from nimtui.jobs.job import JobState, Snapshot
from nimtui.process import detached
from nimtui.store import run_files
from nimtui.store.errors import StoreError
from nimtui.store.run_files import RunFile
from nimtui.store.settings import Settings
from nimtui.ui.app.continuing import ASKS, HANG_UP, Continuing, Elsewhere

THERE = {"started": 1.0, "written": 2.0, "host": "there", "boot": "b", "pid": 7, "birth": "c"}
RUN = RunFile(
    **{"id": 3, "kind": "training", "name": "reward", "state": "going", "file": "/a.npz", "rate": 9.0, **THERE}
)  # type: ignore[arg-type]
NOWHERE = replace(RUN, file=None)


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
        (
            one := replace(RUN, **run_files.this_process()._asdict()),
            [("action_mode", "train"), ("notify", runs_report.sentence(one))],
        ),
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
