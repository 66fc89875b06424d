"""Games and tournaments: their numbers from theory, the same on any way to them; and what is saved comes back."""

from __future__ import annotations

import json
import re
import sys
from itertools import product
from math import nan
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nimtui.arena.rating.ratings import Rating, Seat
from nimtui.arena.standings import games_report
from nimtui.arena.standings.statements import advantage
from nimtui.arena.transcripts.game_import import read_lines
from nimtui.arena.transcripts.transcript import parse
from nimtui.cli import games as games_command
from nimtui.cli import table
from nimtui.cli.bar import Bar
from nimtui.cli.saving import Saving
from nimtui.errors import InputError
from nimtui.games import heaps
from nimtui.store.database import Database
from nimtui.store.game_list import find_game, games
from nimtui.store.rows import MOST_NUMBERS, MOST_PAIRINGS, GameId, GameRow, parse_game_id, short_id
from nimtui.store.saved_games import save_game
from tests.arena.test_transcript import KEYS, SETTINGS
from tests.cli.conftest import Nimtui
from tests.examples import examples, few, with_slow

AGENTS = "-a random -a easy -a mc:playouts=5"


def test_elo_is_said_as_in_the_app() -> None:
    for rating, value, reach in (
        (Rating(-1595.2, -1604.2, -1586.2), "−1,595", "±9"),
        (Rating(0.3, -9, 9), "0", "±9"),
        (Rating(1200, 1161.4, 1238.6), "+1,200", "±39"),
        (Rating(1200, 1000, 2000, at_least=1000), "+1,200", "at least +1,000"),
        (Rating(-90, -900, -80, at_most=-80), "−90", "at most −80"),
        (Rating(nan, nan, nan), "–", ""),
        (Rating(100, 100, 100), "+100", ""),
        (Rating(1200, 1000, 2000, at_least=1000, by_seat=True), "–", ""),  # the seat won, not the agent
    ):
        assert (rating.value.text, rating.range.text) == (value, reach)
    assert advantage(Seat(-526.6, 41.2)) == "Moving second: +527 ± 41 Elo"
    assert advantage(Seat(12, 30)) == "Moving first: +12 ± 30 Elo"
    assert advantage(Seat(0.2, 3)) == "Moving first: 0 ± 3 Elo" and advantage(Seat(nan, nan)) == ""


def test_where_the_seat_decides_every_game_no_strength_is_claimed(nimtui: Nimtui) -> None:
    nothing = "The player who moved second won all 40 games. These games say nothing about strength."
    words = "match tower:16 --first perfect --second hard -n 40 --alternate"
    for said in (nimtui(words).out, nimtui("tournament tower:16 -a perfect -a hard -n 40 --no-save").out):
        assert nothing in " ".join(said.split()) and "±" not in said
    for words in ("tower:16 --first perfect --second hard", "nim:21:max=3 --first perfect --second random"):
        keys = nimtui(f"match {words} -n 20 --json").document  # without swapped seats
        assert keys["los"] is None and all(agent["decided_by_seat"] for agent in keys["agents"])
        text = " ".join(nimtui(f"match {words} -n 20").out.split())
        assert "--alternate swaps seats." in text
        assert not any(word in text for word in ("LOS", "±", "at least", "at most", "Too few"))


def test_balanced_openings_are_won_by_turns(nimtui: Nimtui) -> None:
    words = "match nim:7,5,3 --first perfect --second perfect --openings balanced:2 --alternate"
    keys = nimtui(f"{words} -n 40 --json").document
    assert (keys["first_wins"], keys["second_wins"]) == (20, 20)
    assert [score["wins"] for score in keys["agents"]] == [20, 20], "each opening is played from both seats"
    one = nimtui(f"{words} --json").document
    assert one["opening"] == 2 and len(one["transcript"]) == one["plies"] > 2


@pytest.mark.slow
def test_it_is_as_far_ahead_as_in_a_tournament_of_the_two(nimtui: Nimtui) -> None:
    """With draws as well: in the same games, twice what either is rated from the middle, the intervals too."""
    words = "-n 60 --seed 5 --json"
    two = "mcts:simulations=60", "mc:playouts=20"
    match = nimtui(f"match connect4:4x4 --first {two[0]} --second {two[1]} --alternate {words}").document
    whole = nimtui(f"tournament connect4:4x4 -a {two[0]} -a {two[1]} --no-save {words}").document
    assert match["draws"] > 10
    rows = {row["agent"]: row for row in whole["standings"]}
    for agent in match["agents"]:
        rated = rows[agent["agent"]]
        assert agent["elo"] == pytest.approx(2 * rated["elo"], abs=1e-6)
        reach = agent["elo_high"] - agent["elo_low"]
        assert reach == pytest.approx(2 * (rated["elo_high"] - rated["elo_low"]), rel=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("learned", ["hard", "reward:games=1000000,seed=7"])
def test_a_million_games_make_a_second_player_that_beats_perfect_play(nimtui: Nimtui, learned: str) -> None:
    # source: an independent re-run of the tower of 16: 1.0 of the games after 1,000,000, 0.003 after 10
    words = f"match tower:16 --first perfect --second {learned} -n 100 --json"
    assert nimtui(words).document["second_wins"] == 100
    beginner = nimtui("match tower:16 --first perfect --second easy -n 100 --json").document
    assert beginner["second_wins"] <= 5


# Tournaments.


def result(nimtui: Nimtui, words: str) -> dict[str, Any]:
    """Run a tournament; return its report without times and without its number."""
    answer = nimtui(f"{words} --json")
    assert answer.status == 0, answer.err
    return {key: one for key, one in answer.document.items() if key not in ("seconds", "games_per_second", "id")}


def moves(nimtui: Nimtui, tournament: int) -> dict[tuple[int, int], tuple[str, str, str]]:
    """Return agents and moves of every game, by its pairing and number."""
    games = nimtui(f"games list --tournament {tournament} --limit 100000 --json").document["games"]
    return {
        (game["pairing"], game["number"]): (game["first"], game["second"], " ".join(game["transcript"]))
        for game in games
    }


def test_the_same_seed_gives_the_same_answer_for_any_number_of_workers(nimtui: Nimtui) -> None:
    words = "tournament nim:3,5 -a mcts:simulations=50 -a random -n 40 --openings balanced:1 --no-save"
    answers = [result(nimtui, f"{words} --seed 7 --workers {workers}") for workers in (1, 2)]
    assert answers[0] == answers[1]
    assert result(nimtui, f"{words} --seed 8")["standings"] != answers[0]["standings"]


EVERY = list(product(("round-robin", "gauntlet", "ordered"), ("start", "random:2")))


@pytest.mark.slow
@pytest.mark.parametrize(("pairs", "openings"), few([EVERY[0], EVERY[3], EVERY[4]], EVERY))
def test_more_games_and_agents_are_those_of_a_longer_tournament(nimtui: Nimtui, pairs: str, openings: str) -> None:
    settings = f"tournament nim:3,5 kayles:4 {AGENTS} --pairs {pairs} --openings {openings} --seed 5 -w 1"
    result(nimtui, f"{settings} -n 3")
    before = moves(nimtui, 1)
    result(nimtui, "tournaments extend 1 --agent hard -w 1")
    extended = result(nimtui, "tournaments extend 1 --agent perfect --games 2 -w 1")
    assert extended == result(nimtui, f"{settings} -n 5 --join hard --join perfect")
    after = moves(nimtui, 1)
    assert after == moves(nimtui, 2) and len(after) == extended["games"]
    assert all(after[place] == game for place, game in before.items())
    assert nimtui("tournaments show 1 --json").document["standings"] == extended["standings"]


@pytest.mark.slow
def test_a_sequential_test_goes_on_as_if_it_had_been_longer(nimtui: Nimtui) -> None:
    settings = f"tournament nim:3,5 {AGENTS} --sprt elo0=0,elo1=60 --seed 5 -w 1"
    short = result(nimtui, f"{settings} -n 40")
    assert len({pairing["verdict"] for pairing in short["pairings"]}) > 1  # some ended, some did not
    longer = result(nimtui, "tournaments extend 1 --games 300 --agent perfect -w 1")
    assert longer == result(nimtui, f"{settings} -n 340 --join perfect")
    assert moves(nimtui, 1) == moves(nimtui, 2)
    for pairing in longer["pairings"]:
        assert pairing["pairs"] == pairing["played"] // 2 and (pairing["elo0"], pairing["elo1"]) == (0, 60)


def test_a_match_takes_more_games_but_no_agent(nimtui: Nimtui) -> None:
    match = "match nim:3,5 --first random --second mc:playouts=5 --seed 2 --save"
    assert nimtui(f"{match} -n 10").status == nimtui(f"{match} -n 16").status == 0
    assert result(nimtui, "tournaments extend 1 --games 6")["games"] == 16
    assert moves(nimtui, 1) == moves(nimtui, 2)
    wrong = nimtui("tournaments extend 1 --agent perfect")
    assert (wrong.status, wrong.err) == (2, "nimtui: a match has two agents: 'nimtui tournament' plays more\n")


def test_a_table_of_a_file_is_found_from_another_folder(
    nimtui: Nimtui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path)
    assert nimtui("train nim:2,3 --games 100 --headless --save t.npz").status == 0
    assert nimtui("tournament nim:2,3 -a table:t.npz -a random -n 4 --headless").status == 0
    monkeypatch.chdir(tmp_path / "there")
    keys = nimtui("tournament --resume 1 --json").document
    assert keys["agents"][0] == f"table:{tmp_path / 't.npz'}"


# What is saved, and what is not.


def test_what_is_left_over_and_where_it_is_saved_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    class Writer:
        id, fault = 3, ""

        class info:
            kind, played = "tournament", 7

    saving = Saving()
    assert (saving.name, saving.where, saving.document()) == ("", "", {"id": None, "saved_games": None})
    assert saving.say_how_to_resume(7, 9)
    saving._unkept = "x is full"
    assert saving.document() == {"id": None, "saved_games": 0} and not saving.say_how_to_resume(7, 9)
    saving.kept = Writer()  # type: ignore[assignment]
    assert saving.say_how_to_resume(7, 7) and saving.say_how_to_resume(7, 1009) and not saving.say_how_to_resume(8, 9)
    assert saving.document() == {"id": 3, "saved_games": 7}
    assert saving.where == "saved as tournament 3: nimtui games list --tournament 3"
    Writer.fault = "y is full"
    assert not saving.say_how_to_resume(8, 9)
    assert saving.where == "saved as tournament 3 (7 games only): nimtui games list --tournament 3"
    lines = re.sub("nimtui: ", "", capsys.readouterr().err).splitlines()
    assert lines == [
        "x is full: none of 7 games are saved",
        "1,002 of 1,009 games are left. Resume: nimtui tournament --resume 3",
        "another file replaced the database: 7 of 8 games are saved; nimtui tournament --resume 3 plays the others,"
        " once there is room",
        "y is full: 7 of 8 games are saved; nimtui tournament --resume 3 plays the others, once there is room",
    ]


# What is saved comes back: games by their IDs, files of games and tournaments, what agents believed.


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


# Files of tournaments.


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


TESTED = "--sprt elo0=0,elo1=60 -n 20 --join hard"


@pytest.mark.parametrize("ending", ["txt", "json"])
@pytest.mark.parametrize("more", with_slow([TESTED, "--pairs ordered --openings random:2"], TESTED))
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
