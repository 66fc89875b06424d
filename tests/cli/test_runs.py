"""Runs outlive their terminal: listed, watched, stopped, taken over and killed, they end as an uninterrupted one."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nimtui.games import parse_game
from nimtui.jobs import recording, runs_report
from nimtui.jobs.work import Work
from nimtui.learning.run import Run
from nimtui.learning.training import Training
from nimtui.process import detached, owner
from nimtui.progress import Cancelled, Progress
from nimtui.store import claims, run_files
from tests.cli.conftest import Nimtui
from tests.cli.processes import PATIENCE, begin, end, left, listed, run, same, until

if sys.platform == "win32":
    pytest.skip("needs sessions", allow_module_level=True)


def waited(home: Path, **wanted: Any) -> dict[str, Any]:
    """Wait until the newest run has these values, and return it."""
    latest = time.monotonic() + PATIENCE
    while True:
        first = next(iter(listed(home)), {})
        if wanted.items() <= first.items() and (first["state"] != "going" or first["done"]):
            return first
        assert time.monotonic() < latest, first
        time.sleep(0.02)


class UpTo(Progress):
    """Stops a training after so many games, once it is listed."""

    def __init__(self, games: int) -> None:
        self.games = games

    def report(self, done: float, total: float, what: str = "") -> None:
        while done >= self.games:
            if any(one.file is not None for one in recording.going):
                raise Cancelled("stopped here")
            time.sleep(0.01)


def stopped(path: Path, games: int, goal: int) -> None:
    """Save a training of tower:16 that was stopped after these games, with this goal, as a listed run."""
    training = Run(Training(parse_game("tower:16"), "reward", 7), path)
    training.goal(goal)
    training.set_speed(20_000)
    with pytest.raises(Cancelled):
        Work.here(training, UpTo(games))


def test_a_stopped_run_is_listed_and_taken_to_its_goal_by_one(nimtui: Nimtui, tmp_path: Path) -> None:
    file, whole = tmp_path / "run.npz", tmp_path / "whole.npz"
    assert nimtui("runs").out == "No run yet: training, tournaments and sweeps stand here.\n"
    stopped(file, 500, 30_000)
    (row,) = nimtui("runs list reward --json").document["runs"]
    games = Training.load(file).games
    assert row["state"] == "stopped" and 500 <= row["done"] == games < 30_000 == row["goal"]
    assert (row["id"], row["kind"], row["game"], row["file"]) == (1, "training", "nim:1,3,5,7", str(file))
    assert nimtui("runs list tournament --json").document["runs"] == []
    assert nimtui("runs list tournament").out == "No run has these words.\n"
    assert nimtui("runs list Stopped run.npz --json").document["runs"] == [row]
    assert nimtui(f"runs list {tmp_path.name} --json").document["runs"] == []  # a folder's name is no word of a run
    assert f"was stopped: {games:,} of 30,000 games." in " ".join(nimtui("runs watch 1").out.split())
    assert nimtui("runs stop 1").err == "nimtui: run 1 was stopped already\n"
    text = (run_files.folder() / "1.json").read_text()
    for number, wrong in enumerate(("", "{}", "[" * 99, text, text.replace("stopped", "sitting")), 2):
        (run_files.folder() / f"{number}.json").write_text(wrong)  # nobody can read it
    assert nimtui("runs --json").document["runs"] == [row]
    assert run_files.new_id("training", None) == 7  # no number is used for two runs
    with claims.Claim(run_files.folder() / ".1.take.lock", tmp_path, ""):
        answer = nimtui("runs take 1")
    assert (answer.status, answer.err) == (2, "nimtui: another nimtui takes run 1 over\n")
    assert nimtui("runs take 1 --json").document["games"] == 30_000
    nimtui(f"train tower:16 --seed 7 --games 30000 --save {whole}")
    assert same(file, whole)
    row = next(one for one in nimtui("runs --json").document["runs"] if one["file"] == str(file))
    assert (row["id"], row["state"], row["done"]) == (1, "finished", 30_000)
    assert nimtui("runs take 1").err == "nimtui: run 1 is finished: there is nothing to continue\n"
    assert not left(tmp_path / "home")


def test_a_run_is_told_in_its_unit_and_in_the_background_since_when_nobody_watches() -> None:
    for kind, far in (("training", "44 games"), ("sweep", "44 trainings"), ("book", "44 positions")):
        run = run_files.described(id=1, kind=kind, name="", state="going", done=44, started=0.0)
        assert runs_report.far(run) == far and runs_report.far(replace(run, unit="nodes")) == "44 nodes"
    run = run_files.described(id=1, kind="training", name="q:alpha=0.5, seed 2", state="going", started=time.time())
    run = replace(run, done=24, goal=100)
    for seconds, since in ((59, "less than a minute"), (61, "1 minute"), (200, "3 minutes"), (7300, "2 hours")):
        ago = replace(run, background=True, started=run.started - seconds)
        assert runs_report.brief(ago) == f"q, seed 2: 24 %, {since} since you left"
    assert runs_report.brief(replace(run, seconds_left=130.0)) == "training of q, seed 2: 24 %, 2:10 left"


def test_what_a_cut_link_ended_is_said(nimtui: Nimtui) -> None:
    run_files.lose("search", "minimax", 1382, "nodes")
    line = "Run 1, search minimax, was cut off: 1,382 nodes. The link was cut, and this work has no saved state."
    assert " ".join(nimtui("runs show").out.split()) == line
    assert nimtui("runs take 1").err == "nimtui: run 1 is not saved in a file: nothing of it is left to continue\n"


def test_a_run_whose_process_or_machine_is_gone_is_cut_off_and_taken_to_the_same_end(
    nimtui: Nimtui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def row() -> dict[str, Any]:
        return next(one for one in nimtui("runs --json").document["runs"] if one["id"] == 1)

    nimtui("runs")
    stopped(tmp_path / "run.npz", 500, 30_000)
    path = run_files.folder() / "1.json"
    values = json.loads(path.read_text()) | {"state": "going", "rate": 5.0, "seconds_left": 1.0}
    for gone, another in (("boot", "another"), ("birth", "9" if values["birth"] else "x"), ("pid", 2**22 + 1)):
        path.write_text(json.dumps(values))
        assert row()["state"] == "going"  # of this process
        path.write_text(json.dumps(values | {gone: another}))
        assert (row()["state"], row()["rate"], row()["seconds_left"]) == ("cut", None, None)
    path.write_text(json.dumps(values))
    (tmp_path / "boot").write_text("another\n")
    monkeypatch.setattr(owner, "BOOT", tmp_path / "boot")
    assert row()["state"] == "cut"
    assert nimtui("runs take --json").status == 0
    assert nimtui(f"train tower:16 --games 30000 --seed 7 --save {tmp_path / 'whole.npz'}").status == 0
    assert same(tmp_path / "run.npz", tmp_path / "whole.npz")
    assert row()["state"] == "finished" and json.loads(path.read_text())["boot"] == "another"


def test_a_run_in_the_background_stops_after_its_hours(
    nimtui: Nimtui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nimtui("runs")
    monkeypatch.setenv(detached.BACKGROUND, "1")
    monkeypatch.setattr(recording, "HOUR", 0.0)
    training = Run(Training(parse_game("tower:16"), "reward", 7), tmp_path / "run.npz")
    training.set_speed(20_000)  # without a goal
    with pytest.raises(Cancelled):
        Work.here(training, Progress())
    (row,) = nimtui("runs --json").document["runs"]
    assert (row["id"], row["state"], row["background"]) == (1, "stopped", True)
    assert row["done"] == Training.load(tmp_path / "run.npz").games > 0


@pytest.mark.slow
def test_in_the_background_a_training_is_watched_stopped_taken_and_killed(nimtui: Nimtui, tmp_path: Path) -> None:
    file, whole, home = tmp_path / "run.npz", tmp_path / "whole.npz", tmp_path / "home"
    words = f"train tower:16 --seed 7 -n 2000000000 --save {file}"
    assert run(home, f"{words} --background").out == "Run 1 works in the background: nimtui runs watch 1\n"
    row = waited(home, state="going", id=1)
    assert row["background"] and os.getsid(row["pid"]) == row["pid"] and os.getpriority(os.PRIO_PROCESS, row["pid"]) > 0
    assert run(home, f"{words} --force").err == f"nimtui: {file} is in use by another nimtui: stop that one first\n"
    two = run(home, f"train tower:16 -n 10 --save {file} --force --background")
    assert (two.status, two.err) == (2, f"nimtui: run 1 works on {file}: stop it first\n")
    watcher = begin(home, "runs", "watch", "1")
    assert watcher.stdout is not None and watcher.stdout.readline().startswith("Run 1, training of reward, seed 7 on")
    end(watcher, signal.SIGKILL)
    taker = begin(home, "runs", "take", "1", "--json")
    until(lambda: listed(home)[0]["pid"] == taker.pid and listed(home)[0]["done"] > row["done"], taker)
    assert "was stopped" in run(home, "runs stop 1").out
    assert end(taker).document["games"] == Training.load(file).games == listed(home)[0]["done"]
    taker = begin(home, "runs", "take", "1")
    until(lambda: listed(home)[0]["pid"] == taker.pid, taker)
    end(taker, signal.SIGKILL)
    assert listed(home)[0]["state"] == "cut" and not left(home)
    games = Training.load(file).games
    assert run(home, f"train --resume {file} --games 1000 --json").document["games"] == games + 1000
    nimtui(f"train tower:16 --seed 7 --games {games + 1000} --save {whole} --json")
    assert same(file, whole) and len(listed(home)) == 2
