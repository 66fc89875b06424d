"""`nimtui sweep`, as a person uses it: run, stopped, gone on with, asked wrongly."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import forks
from tests.cli.conftest import Nimtui

KEYS = {"params", "games_to_perfect", "accuracy_mean", "accuracy_low", "accuracy_high"}
WORDS = "sweep nim:5,3 --learner quality --grid margin=20,90 --grid win=19,29 --repeats 2 --games 400"
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_a_sweep_says_what_each_cell_needs(nimtui: Nimtui, tmp_path: Path) -> None:
    table = tmp_path / "cells.csv"
    answer = nimtui(f"{WORDS} --json --workers 1 --csv {table}")
    keys = answer.document
    assert (answer.status, answer.err) == (0, "")
    assert (keys["game"], keys["learner"], keys["games"], keys["repeats"]) == ("nim:5,3", "quality", 400, 2)
    assert [cell["params"] for cell in keys["cells"]] == [
        {"margin": margin, "win": win} for margin in (20, 90) for win in (19, 29)
    ]
    for cell in keys["cells"]:
        assert set(cell) >= KEYS and len(cell["runs"]) == 2
        assert 0 <= cell["accuracy_low"] <= cell["accuracy_mean"] <= cell["accuracy_high"] <= 1
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["margin"], row["win"]) for row in rows] == [("20", "19"), ("20", "29"), ("90", "19"), ("90", "29")]
    assert [float(row["accuracy_mean"]) for row in rows] == [cell["accuracy_mean"] for cell in keys["cells"]]
    again = nimtui(f"{WORDS} --json --workers 2").document
    assert again["cells"] == keys["cells"]
    assert keys["saved"] is None and not list((tmp_path / "home" / "sweeps").iterdir())


@pytest.mark.slow
def test_a_sweep_in_text(nimtui: Nimtui) -> None:
    answer = nimtui(f"{WORDS} --workers 2")
    assert answer.status == 0
    assert "margin" in answer.out and "games to perfect" in answer.out and "accuracy" in answer.out
    assert all(len(line) <= 100 for line in answer.out.splitlines())


@pytest.mark.slow
def test_a_saved_sweep_is_not_done_again(nimtui: Nimtui, tmp_path: Path) -> None:
    file = tmp_path / "sweep.jsonl"
    first = nimtui(f"{WORDS} --json --save {file}").document
    assert first["saved"] == str(file)
    before = file.read_bytes()
    for words in (f"{WORDS} --save {file}", f"sweep --resume {file}", f"{WORDS} --resume {file}"):
        assert nimtui(f"{words} --json").document["cells"] == first["cells"]
    assert file.read_bytes() == before
    for words in (
        f"{WORDS} --seed 1 --save {file}",
        f"{WORDS} --seed 1 --resume {file}",
        f"sweep --resume {file} --games 7",
    ):
        answer = nimtui(words)
        assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert file.read_bytes() == before


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_keeps_and_prints_what_is_finished(tmp_path: Path) -> None:
    words = "sweep nim:7,5,3 --learner quality --grid margin=20..90:10 --repeats 2 --games 1000000 --json --workers 1"
    file = tmp_path / "sweep.jsonl"
    environment = {**os.environ, "NIMTUI_HOME": str(tmp_path / "home")}
    running = forks.Popen(
        [sys.executable, "-m", "nimtui", *words.split(), "--save", str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=ROOT,
        start_new_session=True,
    )
    until = time.monotonic() + 60
    while time.monotonic() < until and (not file.exists() or file.read_bytes().count(b"\n") < 2):
        time.sleep(0.02)
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does it: to the workers as well
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    keys = json.loads(out)
    assert 0 < keys["trainings"] < keys["of_trainings"] == 16
    assert f"Resume: nimtui sweep --resume {file}" in err and "Traceback" not in err
    kept = file.read_bytes()
    assert kept.count(b"\n") == 1 + keys["trainings"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("sweep", "name the game"),
        ("sweep nim:5,3", "name the learner"),
        ("sweep nim:5,3 --learner quality --grid margn=5", "did you mean margin?"),
        ("sweep nim:5,3 --learner quality --grid margin=5,5", "twice"),
        ("sweep nim:5,3 --learner quality --workers 0", "--workers"),
        ("sweep nim:5,3 --learner quality --workers 2 --scheduler tcp://x:1", "not both"),
        ("sweep nim:5,3 --learner quality --scheduler here", "expected tcp://HOST:8786"),
        ("sweep connect4 --learner quality", "too large"),
        ("sweep --resume nowhere.jsonl", "there is no file"),
        ("sweep nim:5,3 --learner quality --save nowhere/x.jsonl", "there is no folder"),
    ],
)
def test_what_is_asked_wrongly_is_one_line(nimtui: Nimtui, words: str, said: str, tmp_path: Path) -> None:
    answer = nimtui(words)
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert said in answer.err
    assert not list((tmp_path / "home").glob("sweeps/*"))
