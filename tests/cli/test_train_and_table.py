from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Nimtui

KEYS = {
    "game", "learner", "games", "seconds", "games_per_second", "plies", "accuracy", "curve", "positions", "saved",
}  # fmt: skip


def test_training_says_what_it_learned(nimtui: Nimtui) -> None:
    keys = nimtui("train tower:16 --games 100000 --json").document
    assert set(keys) >= KEYS
    assert (keys["game"], keys["learner"], keys["games"]) == ("nim:1,3,5,7", "reward", 100_000)
    assert keys["positions"] == 383  # source: original 000
    assert 0.849 <= keys["accuracy"] <= 0.985  # the range of ten seeds, by an independent re-run of original 000
    games = [point["games"] for point in keys["curve"]]
    assert games == sorted(set(games)) and games[0] == 0 and games[-1] == 100_000
    assert keys["curve"][0]["accuracy"] == pytest.approx(0.188, abs=5e-4)
    assert keys["plies"] > 100_000 and keys["games_per_second"] > 0 and keys["saved"] is None


def test_a_resumed_run_is_the_same_run(nimtui: Nimtui, tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.npz", tmp_path / "parts.npz"
    nimtui(f"train nim:7,5,3 --games 3000 --seed 4 --save {whole} --json")
    nimtui(f"train nim:7,5,3 --games 1000 --seed 4 --save {parts} --json")
    keys = nimtui(f"train --resume {parts} --games 2000 --json").document
    assert (keys["games"], keys["saved"]) == (3000, str(parts))
    assert nimtui(f"table {whole} --json").document == nimtui(f"table {parts} --json").document


def test_resuming_something_else_is_refused(nimtui: Nimtui, tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    nimtui(f"train nim:7,5,3 --games 10 --save {file}")
    for words in ("nim:1,3", "nim:7,5,3 --seed 1", "nim:7,5,3 --learner reward:win=2"):
        answer = nimtui(f"train {words} --resume {file} --games 10 --json")
        assert (answer.status, answer.out) == (2, "")
        assert answer.err.startswith("nimtui: the run in") and answer.err.count("\n") == 1


@pytest.fixture
def table(nimtui: Nimtui, tmp_path: Path) -> Path:
    file = tmp_path / "table.npz"
    assert nimtui(f"train subtraction:21,3:misere --games 200000 --save {file}").status == 0
    return file


def test_one_position_of_a_table(nimtui: Nimtui, table: Path) -> None:
    keys = nimtui(f"table {table} -p 2 --json").document
    assert (keys["game"], keys["learner"], keys["games"]) == ("nim:21:max=3:misere", "reward", 200_000)
    assert keys["position"] == "2" and set(keys["scores"]) == {"a1", "a2"}
    assert keys["best_moves"] == keys["optimal_moves"] == ["a1"]
    assert keys["scores"]["a1"] > 0 >= keys["scores"]["a2"]


def test_every_position_of_a_table(nimtui: Nimtui, table: Path) -> None:
    keys = nimtui(f"table {table} --json").document
    rows = keys["positions"]
    assert [row["position"] for row in rows] == [str(n) for n in range(1, 22)]
    for row in rows:
        assert {"position", "scores", "best_moves", "optimal_moves"} <= set(row)
        most = max(row["scores"].values())
        assert row["best_moves"] == [move for move, score in row["scores"].items() if score == most]
    text = nimtui(f"table {table}").out
    assert all(f"\n{n:<8}" in text for n in range(1, 22))


def test_a_table_can_play(nimtui: Nimtui, table: Path) -> None:
    words = f"match subtraction:21,3:misere --first random --second table:{table} -n 50 --json"
    assert nimtui(words).document["second_wins"] > 45


def test_a_damaged_table_is_named_and_left_as_it_was(nimtui: Nimtui, table: Path) -> None:
    damaged = bytearray(table.read_bytes())
    damaged[len(damaged) // 2] ^= 255
    table.write_bytes(damaged)
    for words in (f"table {table}", f"train --resume {table} --games 5"):
        answer = nimtui(words)
        assert (answer.status, answer.out) == (2, "")
        assert str(table) in answer.err and answer.err.count("\n") == 1
    assert table.read_bytes() == damaged


def test_a_folder_that_cannot_be_written_is_named_before_the_training(
    nimtui: Nimtui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    answer = nimtui("train", "nim:1,2", "--games", "10", "--save", str(tmp_path / "run.npz"))
    assert answer.status == 2
    assert answer.err == f"nimtui: the folder {tmp_path} is read-only: nothing can be saved there\n"
    assert not list(tmp_path.glob("*.npz"))
