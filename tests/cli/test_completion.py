"""What the shell offers: one's own names without running a file, parameters, saved items."""

from __future__ import annotations

from pathlib import Path

import pytest

from nimtui.cli import completion
from nimtui.games import parse_game
from nimtui.learning import opponents, saved_tables, taught
from nimtui.store import paths
from tests.cli.conftest import Nimtui
from tests.learning.helpers import random_record

OWN = {
    "games/euclid.py": 'NAMES = ("euclid",)\nraise SystemExit("run")',
    "learners/patient.py": 'NAME = "patient"\nABOUT = "waits"\nPARAMETERS = {"wait": 1}\nraise SystemExit("run")',
    "agents/greedy.py": 'NAMES = ("greedy",)\nraise SystemExit("run")',
}


def words(offers: completion.Offers) -> list[str]:
    return [word for word, _ in offers]


def test_own_files_are_offered_and_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    for name, text in OWN.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text)
    assert words(completion.games("eu")) == ["euclid"]
    assert words(completion.learners("pa")) == ["patient"]
    assert words(completion.agents("gr")) == ["greedy"]
    assert words(completion.learners("patient:")) == words(completion.agents("patient:w")) == ["patient:wait="]


def test_parameters_are_offered_once() -> None:
    assert {"mc:playouts=", "mc:policy="} <= set(words(completion.agents("mc:")))
    assert "quality:margin=" in words(completion.learners("quality:"))
    assert words(completion.agents("mc:playouts=50,po")) == ["mc:playouts=50,policy="]
    assert "mc:playouts=50,playouts=" not in words(completion.agents("mc:playouts=50,"))
    assert completion.agents("mc:playouts=5") == completion.agents("nobody:") == []


def test_taught_tables_are_offered_with_their_versions(nimtui: Nimtui) -> None:
    assert completion.tables("") == completion.agents("table:") == []
    game = parse_game("nim:3,5")
    for seed in (1, 2):
        lesson = taught.Lesson.of(random_record(game, seed), None, ("me", "easy"), 0.0)
        taught.keep(
            saved_tables.new_place("mine"), "easy", opponents.train_interpreted(game, "reward", 10, 1), [lesson]
        )
    assert completion.tables("m") == [("mine", "nim:3,5, Taught in 2 lessons (reward, 12 games)")]
    assert words(completion.tables("mine@")) == ["mine@2", "mine@1", "mine@0"]
    assert words(completion.agents("table:mi")) == ["table:mine"]
    assert words(completion.seats("table:mine@1")) == ["table:mine@1"]
    assert completion.tables("x") == completion.tables("mine@3") == []


def test_saved_items_are_offered_by_number_and_of_a_damaged_file_none(nimtui: Nimtui) -> None:
    assert completion.tournaments("") == completion.saved_games("") == []
    nimtui("match nim:3,5 --first random --second perfect -n 2 --save")
    nimtui("tournament nim:3,5 -a random -a perfect -n 1 --name finals")
    assert completion.tournaments("") == [("2", "tournament finals"), ("1", "match")]
    assert completion.saved_games("2") == [("2:1", "random – perfect")]
    found = words(completion.saved_games("1:"))
    assert len(found) == 2 and all(nimtui(f"games show {number}").status == 0 for number in found)
    damaged = b"no database" * 500
    paths.database().write_bytes(damaged)
    assert completion.tournaments("") == completion.saved_games("") == []
    assert paths.database().read_bytes() == damaged


def test_kinds_are_offered_with_their_meaning() -> None:
    assert completion.pairs("g") == [("gauntlet", "the first against all others, alternating seats")]
    assert words(completion.openings("")) == ["start", "random", "balanced"]
    assert ("tower:16", "Tower of 16") in completion.games("tow") and completion.games("zzz") == []
    assert words(completion.agents("p")) == ["proof", "perfect"] and ("mc", "") in completion.agents("")
    assert completion.seats("me") == [("me", "you"), ("medium", "")]
    assert completion.agents("ta") == [("table:", "a saved table: table:FILE")]
    assert completion.learners("Qu") == [("quality", "")]
