from __future__ import annotations

from typing import Any

import pytest

from tests.cli.conftest import Nimtui

FIELD = "-a random -a easy -a mc:playouts=5"
OWN = {"seconds", "games_per_second", "id"}


def result(nimtui: Nimtui, words: str) -> dict[str, Any]:
    """Run a tournament; return its report without times and without its number."""
    answer = nimtui(f"{words} --json")
    assert answer.status == 0, answer.err
    return {key: value for key, value in answer.document.items() if key not in OWN}


def moves(nimtui: Nimtui, tournament: int) -> dict[tuple[int, int], tuple[str, str, str]]:
    """Return agents and moves of every game, by its pairing and number."""
    games = nimtui(f"games list --tournament {tournament} --limit 100000 --json").document["games"]
    return {
        (game["pairing"], game["number"]): (game["first"], game["second"], " ".join(game["transcript"]))
        for game in games
    }


@pytest.mark.parametrize("openings", ["start", "random:2"])
@pytest.mark.parametrize("pairs", ["round-robin", "gauntlet", "ordered"])
def test_more_games_are_those_of_a_longer_tournament(nimtui: Nimtui, pairs: str, openings: str) -> None:
    settings = f"tournament tower:16 nim:3,5 {FIELD} --pairs {pairs} --openings {openings} --seed 5"
    result(nimtui, f"{settings} -n 7")
    before = moves(nimtui, 1)
    extended = result(nimtui, "tournaments extend 1 --games 6")
    assert extended == result(nimtui, f"{settings} -n 13")
    after = moves(nimtui, 1)
    assert after == moves(nimtui, 2) and len(after) == extended["games"]
    assert all(after[place] == game for place, game in before.items())


@pytest.mark.parametrize("pairs", ["round-robin", "gauntlet", "ordered"])
def test_an_added_agent_plays_as_one_that_joined(nimtui: Nimtui, pairs: str) -> None:
    settings = f"tournament tower:16 nim:3,5 {FIELD} --pairs {pairs} --seed 5"
    result(nimtui, f"{settings} -n 8")
    before = moves(nimtui, 1)
    result(nimtui, "tournaments extend 1 --agent hard")
    extended = result(nimtui, "tournaments extend 1 --agent perfect --games 4")
    assert extended == result(nimtui, f"{settings} -n 12 --join hard --join perfect")
    after = moves(nimtui, 1)
    assert after == moves(nimtui, 2) and len(after) == extended["games"]
    assert all(after[place] == game for place, game in before.items())
    assert nimtui("tournaments show 1 --json").document["standings"] == extended["standings"]


def test_a_sequential_test_goes_on_as_if_it_had_been_longer(nimtui: Nimtui) -> None:
    settings = f"tournament tower:16 {FIELD} --sprt elo0=0,elo1=60 --seed 5"
    short = result(nimtui, f"{settings} -n 60")
    assert {pairing["verdict"] for pairing in short["pairings"]} == {None, "H0"}  # some ended, some did not
    longer = result(nimtui, "tournaments extend 1 --games 400 --agent perfect")
    assert longer == result(nimtui, f"{settings} -n 460 --join perfect")
    assert moves(nimtui, 1) == moves(nimtui, 2)
    [row] = [one for one in nimtui("tournaments list --json").document["tournaments"] if one["id"] == 1]
    assert row["state"] == "done" and row["played"] == row["total"] == longer["games"]


def test_a_match_takes_more_games_but_no_agent(nimtui: Nimtui) -> None:
    match = "match nim:3,5 --first random --second mc:playouts=5 --seed 2 --save"
    assert nimtui(f"{match} -n 10").status == nimtui(f"{match} -n 16").status == 0
    assert result(nimtui, "tournaments extend 1 --games 6")["games"] == 16
    assert moves(nimtui, 1) == moves(nimtui, 2)
    wrong = nimtui("tournaments extend 1 --agent perfect")
    assert wrong.status == 2 and "two agents" in wrong.err and wrong.err.count("\n") == 1


def test_wrong_extensions_change_nothing(nimtui: Nimtui) -> None:
    result(nimtui, f"tournament tower:16 {FIELD} -n 2")
    before = nimtui("tournaments list --json").out
    for words in ("", "--agent easy", "--agent nobody", "--games 0", "--games 10000000", "--games x"):
        wrong = nimtui(f"tournaments extend 1 {words}")
        assert wrong.status == 2 and wrong.err.splitlines()[-1].startswith("nimtui: "), words
    assert nimtui("tournaments list --json").out == before
    nimtui("tournaments delete 1 --yes")
    wrong = nimtui("tournaments extend 1 --games 2")
    assert wrong.status != 0 and "deleted" in wrong.err and wrong.err.count("\n") == 1
