from __future__ import annotations

import pytest

from tests.cli.conftest import Nimtui


def test_flat_monte_carlo_knows_nothing_in_nim(nimtui: Nimtui) -> None:
    # source: flat Monte Carlo; every one of the 20 moves is worth exactly 1/2, that is 0, under random play
    keys = nimtui("moves nim:3,5,4,2,6 --agent mc:playouts=2000 --seed 3 --json").document
    assert {"game", "position", "agent", "best_move", "moves"} <= set(keys)
    assert keys["agent"] == "mc:playouts=2000"
    assert len(keys["moves"]) == 20
    for row in keys["moves"]:
        assert row["wins"] + row["losses"] == 2000
        assert row["value"] == pytest.approx((row["wins"] - row["losses"]) / 2000)
        assert abs(row["value"]) < 0.12, "more than five standard deviations from 0"
    assert [row["move"] for row in keys["moves"] if row["optimal"]] == ["b2", "c2", "e6"]
    best = max(row["value"] for row in keys["moves"])
    assert keys["best_move"] in [row["move"] for row in keys["moves"] if row["value"] == best]


def test_same_seed_same_answer(nimtui: Nimtui) -> None:
    words = "moves subtraction:21,3:misere -p 12 --agent mc:playouts=500 --json --seed"
    one, again, other = (nimtui(f"{words} {seed}").document["moves"] for seed in (5, 5, 6))
    assert one == again != other


@pytest.mark.parametrize("matches", [10, 11, 12, 14])
def test_flat_monte_carlo_picks_losing_moves(nimtui: Nimtui, matches: int) -> None:
    # source: the subtraction tournament, exact values of random playouts
    keys = nimtui(f"moves subtraction:21,3:misere -p {matches} --agent mc:playouts=40000 --json").document
    optimal = {row["move"]: row["optimal"] for row in keys["moves"]}
    assert not optimal[keys["best_move"]] and any(optimal.values())


def test_a_perfect_agent_values_moves_by_their_outcome(nimtui: Nimtui) -> None:
    keys = nimtui("moves tower:16 -p 1,3,5,6 --agent perfect --json").document
    assert all(row["optimal"] == (row["value"] == 1) for row in keys["moves"])
    assert keys["best_move"] in ("a1", "b1", "c1")


def test_a_learned_agent_shows_its_scores(nimtui: Nimtui) -> None:
    keys = nimtui("moves tower:16 --agent easy --json").document
    assert all(isinstance(row["score"], int) for row in keys["moves"])


def test_what_cannot_be_solved_has_no_truth(nimtui: Nimtui) -> None:
    keys = nimtui("moves connect4:8x6 --agent mc:playouts=10 --json").document
    assert {row["optimal"] for row in keys["moves"]} == {None}


def test_a_finished_position_has_no_move(nimtui: Nimtui) -> None:
    answer = nimtui("moves tower:16 -p 0,0,0,0 --agent random --json")
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.count("\n") == 1 and "over" in answer.err


def test_text_ranks_the_moves(nimtui: Nimtui) -> None:
    answer = nimtui("moves tower:16 -p 1,3,5,6 --agent perfect")
    lines = answer.out.splitlines()
    assert answer.status == 0 and "perfect plays" in lines[1]
    ranked = [line.split()[-4:] for line in lines if " best " in line or " mistake " in line]
    assert [words[0] for words in ranked] == ["best"] * 3 + ["mistake"] * 12
    # by the definition of remoteness, in tests/theory/test_remoteness.py: 1,3,5,6 is won in 15 plies
    assert [words[1:] for words in ranked if words[0] == "best"] == [["wins", "in", "15"]] * 3


@pytest.mark.slow
def test_perfect_is_asked_at_a_late_position_of_a_game_too_large_from_its_start(nimtui: Nimtui) -> None:
    place = "noughts:4x4x4 -p xoxo/oxox/xo../...."
    solved = nimtui(f"solve {place} --json").document["best_moves"]
    keys = nimtui(f"moves {place} --agent perfect --json").document
    assert [row["move"] for row in keys["moves"] if row["optimal"]] == solved
    beside = nimtui(f"compare {place} -a perfect -a random --json").document
    assert beside["agents"][0]["best_move"] in solved
