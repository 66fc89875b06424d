"""A training of the app outlives its terminal, and another nimtui takes it over."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nimtui.learning.training import Training
from tests.cli.processes import PATIENCE, begin, end, left, listed, run, same
from tests.e2e.conftest import Open

pytestmark = pytest.mark.slow
TRAIN = ("train", "tower:16", "--games", "2000000000", "--seed", "7")


def becomes(home: Path, true: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Wait until this is true of the newest run, and return it."""
    latest = time.monotonic() + PATIENCE
    while not (runs := listed(home)) or not true(runs[0]):
        assert time.monotonic() < latest, runs
        time.sleep(0.02)
    return runs[0]


def equals_an_uninterrupted_one(home: Path, file: Path) -> bool:
    whole, games = home / "whole.npz", Training.load(file).games
    assert run(home, f"train tower:16 --seed 7 --games {games} --save {whole} --json").status == 0
    return same(file, whole)


def test_the_first_long_run_asks_once_and_continues_after_a_hang_up_if_that_is_the_answer(
    app: Open, tmp_path: Path
) -> None:
    terminal = app(*TRAIN)
    assert terminal.sees("If the link is cut") and terminal.sees("^n: never")
    row = becomes(tmp_path, lambda row: row["state"] == "going")
    assert row["pid"] == terminal.pid and not row["background"]
    becomes(tmp_path, lambda one: one["done"] > row["done"])  # it does not wait for the answer
    terminal.press("\x0f")
    assert terminal.sees("Long runs continue in the background")
    assert json.loads((tmp_path / "settings.json").read_text())["background"] == "always"
    terminal.hang_up()
    assert terminal.ends() == 129
    after = becomes(tmp_path, lambda row: row["state"] == "going" and row["background"])
    assert after["id"] == row["id"] and after["pid"] != row["pid"]
    becomes(tmp_path, lambda row: row["done"] > after["done"])
    assert "was stopped" in run(tmp_path, "runs stop").out
    assert equals_an_uninterrupted_one(tmp_path, Path(row["file"])) and not left(tmp_path)


def test_on_leaving_a_long_training_continues_in_the_background_if_asked_to(app: Open, tmp_path: Path) -> None:
    terminal = app(*TRAIN)
    row = becomes(tmp_path, lambda row: bool(row["rate"]))
    terminal.press("\x11")
    assert terminal.sees("b in the background") and terminal.sees("Run 1, training of reward, seed ")
    terminal.press("escape")
    assert terminal.becomes(lambda: "b in the background" not in terminal.text)
    terminal.press("\x11")
    assert terminal.sees("b in the background")
    terminal.press("b")
    assert terminal.ends() == 0
    after = becomes(tmp_path, lambda row: row["background"] and row["state"] == "going")
    assert after["id"] == row["id"] and after["pid"] != row["pid"]
    assert "was stopped" in run(tmp_path, "runs stop").out


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_nothing_continues_that_nobody_asked_for(app: Open, tmp_path: Path, number: signal.Signals) -> None:
    if number is signal.SIGTERM:
        (tmp_path / "settings.json").write_text(json.dumps({"format": 1, "background": "always"}))
    terminal = app(*TRAIN)
    becomes(tmp_path, lambda row: row["state"] == "going" and row["done"] > 0)
    terminal.signal(number)
    assert terminal.ends() == 128 + number
    time.sleep(1)  # a process in the background would be listed by then
    assert listed(tmp_path)[0]["state"] == "stopped"


def test_an_app_whose_training_is_taken_saves_it_and_ends_though_its_terminal_reads_nothing(
    app: Open, tmp_path: Path
) -> None:
    terminal = app(*TRAIN)
    row = becomes(tmp_path, lambda row: row["state"] == "going" and row["done"] > 0)
    terminal.stall()
    sent = terminal.sent
    time.sleep(2)  # its output fills the way to nobody
    assert terminal.sent == sent
    taker = begin(tmp_path, "runs", "take", "--json")
    assert terminal.ends() == 129
    becomes(tmp_path, lambda row: row["pid"] == taker.pid and row["done"] > 0)
    run(tmp_path, "runs stop")
    assert end(taker).document["games"] == Training.load(Path(row["file"])).games > row["done"]
    assert equals_an_uninterrupted_one(tmp_path, Path(row["file"]))


def test_the_start_screen_opens_with_a_run_that_is_shown_live_and_taken_over(app: Open, tmp_path: Path) -> None:
    file = tmp_path / "runs" / "mine.npz"
    file.parent.mkdir()
    words = f"train tower:16 --seed 7 -n 2000000000 --save {file} --background"
    assert run(tmp_path, words).status == 0
    row = becomes(tmp_path, lambda row: bool(row["rate"]))
    terminal = app()
    assert terminal.sees("x  Watch it")
    assert terminal.sees("reward, seed 7: ") and terminal.sees("since you left")
    terminal.press("enter")
    assert terminal.sees("T take over") and terminal.sees(" right ")
    becomes(tmp_path, lambda row: row["watchers"] == 1)
    terminal.press("T")
    after = becomes(tmp_path, lambda row: row["pid"] == terminal.pid and row["state"] == "going" and bool(row["rate"]))
    assert after["id"] == row["id"] and not after["background"] and terminal.sees("▌Train▐")
    terminal.signal(signal.SIGTERM)
    assert terminal.ends() == 143
    assert equals_an_uninterrupted_one(tmp_path, file) and not left(tmp_path)
