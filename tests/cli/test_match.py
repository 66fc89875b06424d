from __future__ import annotations

import pytest

from nimtui.games import Record, parse_game
from tests.cli.conftest import Nimtui


def test_one_game_is_written_down_move_by_move(nimtui: Nimtui) -> None:
    keys = nimtui("match tower:16 --first random --second perfect --json").document
    assert {"first_wins", "second_wins", "draws", "agents", "seconds", "plies"} <= set(keys)
    game = parse_game(keys["game"])
    record = Record(game)
    for move in keys["transcript"]:
        record.push(game.parse_move(move, record.state))
    assert record.over and record.winner == 1, "the tower is lost for who begins"
    assert (keys["first_wins"], keys["second_wins"], keys["draws"]) == (0, 1, 0)
    assert keys["plies"] == len(keys["transcript"])


def test_text_of_one_game_shows_every_position(nimtui: Nimtui) -> None:
    answer = nimtui("match subtraction:21,3:misere --first random --second perfect")
    assert answer.status == 0
    assert "perfect has won" in answer.out
    lines = answer.out.splitlines()[2:-2]
    positions = [int(line.split()[-1]) for line in lines]
    assert positions == sorted(positions, reverse=True) and positions[-1] == 0


@pytest.mark.parametrize(("matches", "first_wins"), [(21, 0), (22, 40)])
def test_perfect_players_decide_by_who_begins(nimtui: Nimtui, matches: int, first_wins: int) -> None:
    # source: original 002: 0-100 from 21 matches, 100-0 from 22
    keys = nimtui(f"match subtraction:{matches},3:misere --first perfect --second perfect -n 40 --json").document
    assert (keys["first_wins"], keys["second_wins"]) == (first_wins, 40 - first_wins)
    assert "transcript" not in keys


@pytest.mark.parametrize("first", ["random", "easy", "mc:playouts=50", "value"])
def test_perfect_moving_second_beats_everybody(nimtui: Nimtui, first: str) -> None:
    keys = nimtui(f"match subtraction:21,3:misere --first {first} --second perfect -n 30 --json").document
    assert (keys["first_wins"], keys["second_wins"]) == (0, 30)


def test_two_random_players_are_about_even(nimtui: Nimtui) -> None:
    # source: original 002; exactly 1/2. 2,000 games have a standard deviation of 22.4
    words = "match subtraction:21,3:misere --first random --second random -n 2000 --json"
    keys = nimtui(words).document
    assert keys["first_wins"] + keys["second_wins"] == 2000
    assert abs(keys["first_wins"] - 1000) < 112
    assert keys["first_wins"] == nimtui(words).document["first_wins"], "same seed"


def test_alternating_seats_are_told_apart_from_agents(nimtui: Nimtui) -> None:
    keys = nimtui("match subtraction:22,3:misere --first perfect --second random -n 20 --alternate --json").document
    perfect, random = keys["agents"]
    assert (perfect["agent"], random["agent"]) == ("perfect", "random")
    assert perfect["wins"] == random["losses"] and perfect["wins"] + perfect["losses"] == 20
    assert keys["first_wins"] + keys["second_wins"] == 20
    assert perfect["wins"] > 15


@pytest.mark.parametrize("learned", ["hard", "reward:games=1000000,seed=7"])
def test_a_million_games_make_a_second_player_that_beats_perfect_play(nimtui: Nimtui, learned: str) -> None:
    # source: an independent re-run of original 000: 1.0 of the games after 1,000,000, 0.003 after 10
    words = f"match tower:16 --first perfect --second {learned} -n 100 --json"
    assert nimtui(words).document["second_wins"] == 100
    beginner = nimtui("match tower:16 --first perfect --second easy -n 100 --json").document
    assert beginner["second_wins"] <= 5
