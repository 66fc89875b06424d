from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nimtui.arena.transcripts.transcript import parse
from nimtui.errors import InputError
from tests.cli.conftest import Nimtui

FIELD = "-a random -a easy -a mc:playouts=5"
PLAN = {
    "kind": "tournament",
    "name": "",
    "made": 1.5e9,
    "seconds": 1.0,
    "total": 30,
    "settings": {
        "games": ["nim:3,5"],
        "agents": ["random", "easy", "perfect"],
        "pairs": "round-robin",
        "number": 10,
        "openings": "start",
        "seed": 0,
        "sprt": None,
        "move_time": None,
        "game_time": 0.0,
    },
}


@pytest.mark.parametrize("ending", ["txt", "json"])
@pytest.mark.parametrize(
    "more", ["", "--sprt elo0=0,elo1=60 -n 60", "--pairs ordered --openings random:2", "--join hard"]
)
def test_an_exported_tournament_comes_back_with_its_standings(
    nimtui: Nimtui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: str, ending: str
) -> None:
    played = nimtui(f"tournament tower:16 {FIELD} -n 12 --name tower {more} --json").document
    file = tmp_path / f"games.{ending}"
    assert nimtui("tournaments", "export", "1", "--to", str(file)).status == 0
    again = nimtui("games", "import", str(file), "--json").document
    assert again == {"games": 0, "already": played["games"], "ids": [], "tournaments": []}
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "other"))
    back = nimtui("games", "import", str(file), "--json").document
    assert back == {"games": played["games"], "already": 0, "ids": [], "tournaments": [1]}
    assert nimtui("tournaments show 1 --json").document == played
    [row] = nimtui("tournaments list --json").document["tournaments"]
    assert (row["name"], row["state"], row["played"]) == ("tower", "done", played["games"])
    second = tmp_path / f"second.{ending}"
    assert nimtui("tournaments", "export", "1", "--to", str(second)).status == 0
    assert second.read_text("utf-8") == file.read_text("utf-8")
    assert nimtui("games check").status == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"games": []}', "JSON without games"),
        ('\n {"transcripts": [1]}', "JSON without games"),
        ('{"transcripts": []}', "it contains no games"),
        ('{"transcripts": ["Game: nim:1\\nKind: x"]}', "line 2: unknown key 'kind'"),
        ('{"transcripts": [', "it is not JSON"),
        ("\n\nno game", "line 3: expected 'Game: NAME'"),
    ],
)
def test_json_that_holds_no_games_is_one_line(nimtui: Nimtui, tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(text, "utf-8")
    refused = nimtui("games", "import", str(file))
    assert refused.status == 2 and refused.err.count("\n") == 1 and said in refused.err


def test_a_part_of_a_tournament_can_be_resumed_and_is_not_mixed(
    nimtui: Nimtui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nimtui(f"tournament tower:16 {FIELD} -n 8 --json")
    whole = nimtui("games export").out
    games = re.split(r"\n\n(?=Game: )", whole)
    file = tmp_path / "part.txt"
    file.write_text("\n\n".join(games[:10]) + "\n", "utf-8")
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "other"))
    assert nimtui("games", "import", str(file)).out == "10 games imported, tournament 1 with 10 of them\n"
    [row] = nimtui("tournaments list --json").document["tournaments"]
    assert (row["state"], row["played"], row["total"]) == ("stopped", 10, 24)
    everything = tmp_path / "whole.txt"
    everything.write_text(whole, "utf-8")
    refused = nimtui("games", "import", str(everything))
    assert refused.status == 2 and "earlier state" in refused.err and refused.err.count("\n") == 1
    assert nimtui("tournament --resume 1 --json").document["games"] == 24
    again = nimtui("games", "import", str(everything), "--json")
    assert again.document["already"] == 24 and again.document["games"] == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Pairing: 2", "Pairing: 9"),
        ("Pairing: 2", "Pairing: 1"),
        ("Number: 3", "Number: 2"),
        ("Number: 3", "Number: 9"),
        ('"number": 4', '"number": 4.5'),
        ('"agents": ["random"', '"agents": ["nobody"'),
        ('"total": 12', '"total": 13'),
        ("Tournament: 1", "Name: none"),
    ],
)
def test_a_wrong_plan_is_one_line_and_saves_nothing(
    nimtui: Nimtui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str
) -> None:
    nimtui(f"tournament nim:3,5 {FIELD} -n 4 --json")
    text = nimtui("games export").out
    assert old in text
    file = tmp_path / "wrong.txt"
    file.write_text(text.replace(old, new, 1), "utf-8")
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "other"))
    refused = nimtui("games", "import", str(file))
    assert refused.status == 2 and refused.err.count("\n") == 1 and str(file) in refused.err
    assert nimtui("games list").out == "no games saved yet\n"


ANY = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_any_changed_plan_is_read_or_refused_in_one_line(data: st.DataObject) -> None:
    keys = json.loads(json.dumps(PLAN))
    inside = data.draw(st.sampled_from([keys, keys["settings"]]))
    inside[data.draw(st.sampled_from(sorted(inside)))] = data.draw(ANY)
    try:
        _, plan = parse(json.dumps(keys))
    except InputError as fault:
        assert "\n" not in str(fault)
    else:
        assert len(plan.pairings) * plan.number == plan.total


@pytest.fixture
def old_easy(nimtui: Nimtui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Import a tournament as version 0.2.0 saved it: easy, there the reward learner in every game. Return that."""
    learner, text = "reward:games=10,seed=1", tmp_path / "old.txt"
    assert not nimtui(f"tournament noughts:3x3x3 -a {learner} -a random -n 20 --headless").status
    assert not nimtui(f"tournaments export 1 --to {text}").status
    text.write_text(text.read_text("utf-8").replace(learner, "easy"), "utf-8")
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "other"))
    assert not nimtui(f"games import {text}").status
    return learner


def test_a_level_of_version_0_2_0_stays_the_agent_that_played(nimtui: Nimtui, old_easy: str) -> None:
    assert not nimtui("tournament noughts:3x3x3 -a easy -a random -n 20 --headless").status
    old, new = (nimtui(f"ratings {id} --json").document["agents"] for id in (1, 2))
    assert (old, new) == ([old_easy, "random"], ["easy", "random"])
    assert nimtui("ratings 1 2 --json").document["agents"] == [old_easy, "random", "easy"]
    shown = nimtui("tournaments show 1 --json").document["standings"]
    assert {one["agent"] for one in shown} == {old_easy, "random"}
    again = nimtui("tournaments extend 1 --games 5 --json").document
    assert again["agents"] == [old_easy, "random"] and again["games"] == 25
    assert nimtui("ratings 1 2 --json").document["agents"] == [old_easy, "random", "easy"]
    assert nimtui("tournaments show 2 --json").document["recipes"] == {
        "easy": {"noughts:3x3x3": "mcts:simulations=10,c=1.0"}
    }


def test_a_level_joins_an_old_tournament_only_by_its_recipe(nimtui: Nimtui, old_easy: str) -> None:
    refused = nimtui("tournaments extend 1 --agent hard")
    assert refused.status == 2 and "name the agent of today by its recipe" in refused.err
    assert not nimtui("tournaments extend 1 --headless --agent mcts:simulations=10,c=1.0").status
