"""What is saved comes back: games by their IDs, files of games and tournaments, what agents believed."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nimtui.agents.belief import of_game
from nimtui.arena.review.history import Believed
from nimtui.arena.standings import games_report
from nimtui.arena.transcripts.game_import import read_lines
from nimtui.arena.transcripts.transcript import parse
from nimtui.cli import games as games_command
from nimtui.cli import table
from nimtui.cli.bar import Bar
from nimtui.errors import InputError
from nimtui.games import heaps
from nimtui.store.database import Database
from nimtui.store.game_list import find_game, games
from nimtui.store.rows import MOST_NUMBERS, MOST_PAIRINGS, GameId, GameRow, parse_game_id, short_id
from nimtui.store.saved_games import save_game
from tests.arena.test_transcript import KEYS, SETTINGS
from tests.cli.conftest import Nimtui
from tests.examples import examples

ROW = GameRow(0, 0, 0, b"\0\0", 1, (1, 0), (0, 0), (0, 0), "", 0.0)
SINGLE = "Game: nim:1,2\nFirst: a\nSecond: b\nTournament: 9\nPairing: 3\nNumber: 62\n\n1. b1 a1 2. b1 1-0\n"
FIELD = "-a random -a easy -a mc:playouts=5"


@pytest.fixture
def several(nimtui: Nimtui, tmp_path: Path) -> Nimtui:
    """Save two tournaments, one with a single game per pairing, a match, an imported game and a saved game."""
    nimtui("tournament nim:3,5 -a random -a perfect -a easy -n 4 --json")
    nimtui("tournament nim:3,5 -a random -a perfect -a easy -n 1 --json")
    nimtui("match nim:3,5 --first random --second perfect -n 3 --save --json")
    (tmp_path / "single.txt").write_text(SINGLE, "utf-8")
    assert nimtui("games", "import", str(tmp_path / "single.txt")).status == 0
    with Database() as database:
        save_game(database, "nim:1", "me", "perfect", ROW)
    return nimtui


def of(keys: dict[str, Any]) -> tuple[object, ...]:
    """Return what tells a game from the others of these."""
    return tuple(keys[name] for name in ("tournament", "pairing", "number", "game", "first", "second", "transcript"))


def test_each_id_that_is_printed_shows_its_game(several: Nimtui, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_command, "PAGE", 7)
    listed = several("games list --limit 1000 --json").document["games"]
    ids = {game["id"]: of(game) for game in listed}
    assert len(ids) == len(listed) == 20 and {"1:1", "3:4", "7:1", "9", "8"} <= set(ids)
    for id, wanted in ids.items():
        assert of(several(f"games show {id} --json").document) == wanted, id
    exported = several("games export").out
    assert re.findall(r"^Id: (.*)$", exported, re.MULTILINE) == [game["id"] for game in reversed(listed)]
    assert json.loads(several("games export --format json").out)["games"] == listed[::-1]
    with Database() as database:
        for info in games(database, limit=None):  # the other forms
            for id in (short_id(info.id), f" {info.id:,} ", str(info.id)):
                if "," not in id or info.id >= MOST_NUMBERS:
                    assert find_game(database, parse_game_id(id)).id == info.id
            if info.tournament in (None, 2):  # the only game of its pairing
                assert find_game(database, GameId(info.id // MOST_NUMBERS)).id == info.id
                assert find_game(database, GameId(info.id // MOST_NUMBERS, 0)).id == info.id


@given(st.integers(1, MOST_PAIRINGS), st.integers(0, MOST_NUMBERS - 1))
def test_an_id_is_read_as_it_is_written(pairing: int, number: int) -> None:
    id = pairing * MOST_NUMBERS + number
    assert parse_game_id(short_id(id)) == (pairing, number) == parse_game_id(str(id))
    assert str(parse_game_id(short_id(id))) == short_id(id)
    alone = (pairing, None) if pairing < MOST_NUMBERS else (pairing, number)
    assert parse_game_id(short_id(id, alone=True)) == alone


@settings(max_examples=examples(50))
@given(st.text(st.sampled_from("0123456789:,_-+. \nx²")) | st.text())
def test_any_text_is_an_id_or_one_line(text: str) -> None:
    try:
        id = parse_game_id(text)
    except InputError as fault:
        assert "\n" not in str(fault)
    else:
        assert parse_game_id(str(id)) == id


def test_lists_are_narrowed(several: Nimtui) -> None:
    def number(words: str) -> int:
        count: int = several(f"games list {words} --json").document["of_games"]
        return count

    assert number("--tournament 1") == 12 and number("--game nim:1") == 2 and number("--agent value") == 0
    assert number("--game nim:3,5:max=9") == 18, "another name of the same game"
    by_result = [number(f"--tournament 1 --result {result}") for result in ("first", "second", "draw")]
    listed = several("games list --tournament 1 --json").document["games"]
    won = [game["result"] for game in listed]
    assert by_result == [won.count("1-0"), won.count("0-1"), 0] and sum(by_result) == 12


def test_an_export_shows_a_bar_unless_it_is_printed_on_a_terminal(
    several: Nimtui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[bool] = []

    class Watched(Bar):
        def __init__(self, what: str, shown_too: bool = True, **named: bool) -> None:
            super().__init__(what)
            shown.append(named.get("shown", shown_too))

    several(f"train nim:1,2 -n 5 --save {tmp_path}/run.npz")
    for module in (games_command, table):
        monkeypatch.setattr(module, "Bar", Watched)
    for words in ("games export", f"export {tmp_path}/run.npz"):
        for number, (terminal, more) in enumerate(((False, ""), (True, ""), (True, f" --to {tmp_path}/0.csv --force"))):
            monkeypatch.setattr(type(sys.stdout), "isatty", lambda _, terminal=terminal: terminal)
            assert several(f"{words}{more}").status == 0
            assert shown.pop() == (number != 1)


def test_imported_games_keep_their_dates_and_their_source(
    several: Nimtui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "games.txt"
    several(f"games export --tournament 1 --to {file}")
    nothing = {"games": 0, "already": 12, "ids": [], "tournaments": []}
    text = re.sub("Plan: .*\n", "", file.read_text("utf-8"))  # each game by itself
    file.write_text(text, "utf-8")
    assert several(f"games import {file} --json").document == nothing
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "other"))
    file.write_text(text.replace("Date: 20", "Date: 19"), "utf-8")
    keys = several(f"games import {file} --json").document
    assert (keys["games"], keys["already"], len(set(keys["ids"]))) == (12, 0, 12)
    again = read_lines((several("games export").out).splitlines())
    for one, other in zip(read_lines(file.read_text("utf-8").splitlines()), again, strict=True):
        assert one.row == other.row and one.ended == other.ended
        assert (one.game, one.first, one.second) == (other.game, other.first, other.second)
        assert one.pairing is not None and other.tournament is None, "a game of its own"
        assert other.name == f"tournament {one.tournament}, pairing {one.pairing + 1}, game {one.row.number + 1}"


def test_games_that_are_not_known_here_any_more_are_listed_all_the_same(
    several: Nimtui, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = several("games list --json").document["games"]
    monkeypatch.setattr(heaps, "NAMES", ())
    games_report.steps_of.cache_clear()
    after = several("games list --json").document["games"]
    assert after == [game | {"transcript": None} for game in before]
    shown = several(f"games show {before[0]['id']}")
    assert (shown.status, shown.err) == (0, "") and "shown as codes: unknown game 'nim'" in shown.out


def test_a_file_that_cannot_be_read_is_named(nimtui: Nimtui, tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(b"\xfe\xfd\xff")
    (tmp_path / "empty.txt").write_text("")
    for name, why in (("x.bin", "not text in UTF-8"), ("no.txt", "no such file"), ("empty.txt", "contains no games")):
        answer = nimtui("games", "import", str(tmp_path / name))
        assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
        assert f"{name}: " in answer.err and why in answer.err


# Tournaments.


def test_a_person_is_asked_before_a_tournament_is_deleted(nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch) -> None:
    questions: list[str] = []
    answers = iter([False, True])

    def confirm(question: str, err: bool) -> bool:
        questions.append(question)
        return next(answers)

    nimtui("match nim:3,5 --first random --second perfect -n 2 --save")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("typer.confirm", confirm)
    assert nimtui("tournaments delete 1").out == "nothing deleted\n"
    assert nimtui("tournaments delete 1").out.startswith("deleted match 1 with 2 games. For 30 days,")
    assert questions == ["Delete match 1 with 2 games?"] * 2


@pytest.mark.parametrize("ending", ["txt", "json"])
@pytest.mark.parametrize("more", ["--sprt elo0=0,elo1=60 -n 20 --join hard", "--pairs ordered --openings random:2"])
def test_an_exported_tournament_comes_back_with_its_standings(
    nimtui: Nimtui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: str, ending: str
) -> None:
    played = nimtui(f"tournament nim:3,5 {FIELD} -n 4 --name tower {more} -w 1 --json").document
    file, second = tmp_path / f"games.{ending}", tmp_path / f"second.{ending}"
    assert nimtui("tournaments", "export", "1", "--to", str(file)).status == 0
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "other"))
    back = nimtui("games", "import", str(file), "--json").document
    assert back == {"games": played["games"], "already": 0, "ids": [], "tournaments": [1]}
    assert nimtui("tournaments show 1 --json").document == played
    [row] = nimtui("tournaments list --json").document["tournaments"]
    assert (row["name"], row["state"], row["played"]) == ("tower", "done", played["games"])
    assert nimtui("tournaments", "export", "1", "--to", str(second)).status == 0
    assert second.read_text("utf-8") == file.read_text("utf-8")
    assert nimtui("games check").status == 0


def test_a_part_of_a_tournament_can_be_resumed_and_is_not_mixed(
    nimtui: Nimtui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nimtui(f"tournament nim:3,5 {FIELD} -n 8 -w 1 --json")
    whole = nimtui("games export").out
    part, everything = tmp_path / "part.txt", tmp_path / "whole.txt"
    part.write_text("\n\n".join(re.split(r"\n\n(?=Game: )", whole)[:10]) + "\n", "utf-8")
    everything.write_text(whole, "utf-8")
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "other"))
    assert nimtui("games", "import", str(part)).out == "10 games imported, tournament 1 with 10 of them\n"
    [row] = nimtui("tournaments list --json").document["tournaments"]
    assert (row["state"], row["played"], row["total"]) == ("stopped", 10, 24)
    refused = nimtui("games", "import", str(everything))
    assert refused.status == 2 and "earlier state" in refused.err and refused.err.count("\n") == 1
    assert nimtui("tournament --resume 1 --json").document["games"] == 24
    again = nimtui("games", "import", str(everything), "--json")
    assert again.document["already"] == 24 and again.document["games"] == 0


def test_a_wrong_plan_is_one_line_and_saves_nothing(
    nimtui: Nimtui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nimtui(f"tournament nim:3,5 {FIELD} -n 4 -w 1 --json")
    text, file = nimtui("games export").out, tmp_path / "wrong.txt"
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "other"))
    for old, new in (
        ("Pairing: 2", "Pairing: 9"),
        ("Pairing: 2", "Pairing: 1"),
        ("Number: 3", "Number: 2"),
        ("Number: 3", "Number: 9"),
        ('"number": 4', '"number": 4.5'),
        ('"agents": ["random"', '"agents": ["nobody"'),
        ('"total": 12', '"total": 13'),
        ("Tournament: 1", "Name: none"),
    ):
        assert old in text
        file.write_text(text.replace(old, new, 1), "utf-8")
        refused = nimtui("games", "import", str(file))
        assert refused.status == 2 and refused.err.count("\n") == 1 and str(file) in refused.err
        assert nimtui("games list").out == "no games saved yet\n"


SCALAR = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | st.text()
ANY = st.recursive(SCALAR, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3))


@settings(max_examples=examples(50), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_any_changed_plan_is_read_or_refused_in_one_line(data: st.DataObject) -> None:
    keys = json.loads(json.dumps({**KEYS, "settings": SETTINGS}))
    inside = data.draw(st.sampled_from([keys, keys["settings"]]))
    inside[data.draw(st.sampled_from(sorted(inside)))] = data.draw(ANY)
    try:
        _, plan = parse(json.dumps(keys))
    except InputError as fault:
        assert "\n" not in str(fault)
    else:
        assert len(plan.pairings) * plan.number == plan.total


def test_a_level_of_version_0_2_0_stays_the_agent_that_played(
    nimtui: Nimtui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learner, text = "reward:games=10,seed=1", tmp_path / "old.txt"  # what easy was, in every game
    assert not nimtui(f"tournament noughts:2x3x2 -a {learner} -a random -n 4 --headless").status
    assert not nimtui(f"tournaments export 1 --to {text}").status
    text.write_text(text.read_text("utf-8").replace(learner, "easy"), "utf-8")
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "other"))
    assert not nimtui(f"games import {text}").status
    assert not nimtui("tournament noughts:2x3x2 -a easy -a random -n 4 --headless").status
    assert nimtui("ratings 1 2 --json").document["agents"] == [learner, "random", "easy"]
    shown = nimtui("tournaments show 1 --json").document["standings"]
    assert {one["agent"] for one in shown} == {learner, "random"}
    assert nimtui("tournaments extend 1 --games 2 --json").document["agents"] == [learner, "random"]
    recipe = nimtui("tournaments show 2 --json").document["recipes"]["easy"]["noughts:2x3x2"]
    refused = nimtui("tournaments extend 1 --agent hard")
    assert refused.status == 2 and "name the agent of today by its recipe" in refused.err
    assert not nimtui(f"tournaments extend 1 --headless --agent {recipe}").status


# What agents believed.

MATCH = "match nim:2,3 --first mcts:simulations=30 --second alphabeta:depth=1 -n 3 --seed 2 --openings random:1"


def test_a_match_keeps_its_thoughts_and_plays_the_same_games(nimtui: Nimtui, tmp_path: Path) -> None:
    assert nimtui(f"{MATCH} --save --json").status == nimtui(f"{MATCH} --save-thoughts --json").status == 0
    listed = nimtui("games list --json").document["games"]
    plain, told = ([one["transcript"] for one in listed if one["tournament"] == number] for number in (1, 2))
    assert plain == told and len(told) == 3
    assert all(one["belief"] is None for one in nimtui("games show 1:1 --json").document["history"])
    history = [nimtui(f"games show 2:{number} --json").document["history"] for number in (1, 2, 3)]
    kinds = {one["player"]: one["belief"] and one["belief"]["kind"] for game in history for one in game}
    assert kinds["opening"] is None and kinds["alphabeta:depth=1"] in ("score", "exact")
    for game, beliefs in zip(read_lines(nimtui("games export --tournament 2").out.splitlines()), history, strict=True):
        beliefs_in_text = of_game(game.row.beliefs, len(game.row.codes()))
        assert [Believed(one).raw for one in beliefs_in_text] == [one["belief"] for one in beliefs]
    file = tmp_path / "games.txt"
    assert nimtui(f"games export --tournament 2 --to {file}").status == 0
    assert nimtui("tournaments delete 2 --yes").status == 0
    assert nimtui(f"games import {file} --json").document["games"] == 3
    assert history == [nimtui(f"games show 3:{number} --json").document["history"] for number in (1, 2, 3)]


def test_a_tournament_keeps_its_thoughts_when_it_is_extended(nimtui: Nimtui) -> None:
    play = "tournament nim:1,3 -a perfect -a mc:playouts=10 -n 2 --save-thoughts --headless --json"
    assert nimtui(play).status == nimtui("tournaments extend 1 --games 2 --json").status == 0
    exported = nimtui("games export --format json").document["games"]
    assert len(exported) == 4 and all(one["beliefs"] for one in exported)
