"""Matches, tournaments and pools: their numbers from theory, and the same games on any way to them."""

from __future__ import annotations

import re
from itertools import product
from math import nan
from pathlib import Path
from typing import Any

import pytest

from nimtui.arena.rating.ratings import Rating, Seat
from nimtui.arena.standings.statements import advantage
from nimtui.cli.saving import Saving
from tests.cli.conftest import Nimtui
from tests.examples import few

FIELD = "-a random -a easy -a mc:playouts=5"


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


@pytest.mark.parametrize(("pairs", "openings"), few([EVERY[0], EVERY[3], EVERY[4]], EVERY))
def test_more_games_and_agents_are_those_of_a_longer_tournament(nimtui: Nimtui, pairs: str, openings: str) -> None:
    settings = f"tournament nim:3,5 kayles:4 {FIELD} --pairs {pairs} --openings {openings} --seed 5 -w 1"
    result(nimtui, f"{settings} -n 3")
    before = moves(nimtui, 1)
    result(nimtui, "tournaments extend 1 --agent hard -w 1")
    extended = result(nimtui, "tournaments extend 1 --agent perfect --games 2 -w 1")
    assert extended == result(nimtui, f"{settings} -n 5 --join hard --join perfect")
    after = moves(nimtui, 1)
    assert after == moves(nimtui, 2) and len(after) == extended["games"]
    assert all(after[place] == game for place, game in before.items())
    assert nimtui("tournaments show 1 --json").document["standings"] == extended["standings"]


def test_a_sequential_test_goes_on_as_if_it_had_been_longer(nimtui: Nimtui) -> None:
    settings = f"tournament nim:3,5 {FIELD} --sprt elo0=0,elo1=60 --seed 5 -w 1"
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
