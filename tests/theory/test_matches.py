"""Games of matches: Grundy sequences, misère play without a simple rule, the largest boards, sequences and families."""

from __future__ import annotations

from functools import reduce
from operator import xor
from random import Random

import pytest

from nimtui.games import parse_game
from nimtui.progress import Cancelled
from nimtui.theory import Outcome, adjacent, is_instant, solve, why_unsolvable
from nimtui.theory.nim import grundy_values, mex
from nimtui.theory.sequence import Period, Proof, family_of, family_values, of_set, row_of, sequence
from tests.games.refusal import refusal
from tests.stops import StopAfter
from tests.theory.force import Force, grundy


def test_grundy_values_of_a_row_of_neighbours() -> None:
    for limit in (2, 3, 4):
        game, values = parse_game(f"adjacent:20:max={limit}"), tuple(grundy(size, limit, True) for size in range(21))
        assert values == grundy_values(limit)[:21] == sequence(game, 20).grundy
        assert solve(game, game.new()).grundy == values[20]
    game = parse_game("adjacent:63,40,17")
    assert solve(game, game.new()).grundy == 63 ^ 40 ^ 17, "with no limit a row is worth its length"


@pytest.mark.parametrize(("name", "limit"), [("kayles:1,5:misere", 2), ("adjacent:5:max=3:misere", 3)])
def test_where_the_simple_misere_rule_first_fails(name: str, limit: int) -> None:
    # source: theory.json; by that rule, of values alone, both would be won or lost the other way round
    force = Force(name)
    values = [grundy_values(limit)[int(row)] for row in name.split(":")[1].split(",")]
    by_the_rule = reduce(xor, values) == (0 if max(values) > 1 else 1)
    lost = force.value(force.game.new())[0] < 0
    assert (solve(force.game, force.game.new()).outcome is Outcome.LOSS) == lost != by_the_rule


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_simplified_runs_decide_like_the_runs_themselves_and_are_not_more_than_counted(limit: int) -> None:
    dice, force = Random(limit), Force(f"adjacent:4,4,5:max={limit}:misere")
    for _ in range(25):
        lengths = [dice.randint(0, size) for size in (4, 4, 5)]
        position = "/".join(
            "1" * length + "0" * (size - length) for length, size in zip(lengths, (4, 4, 5), strict=True)
        )
        lost = force.value(force.game.new(position))[0] < 0
        assert adjacent.lost([length for length in lengths if length], limit) == lost, lengths
    for lengths in ((1, 3, 5, 7), (9, 9), (20,), (5, 5, 5)):
        queue = [adjacent.simplified(lengths, limit)]
        for runs in queue:  # it grows as it goes
            queue += sorted(set(adjacent.options(runs, limit)) - set(queue))
        assert len(queue) <= adjacent.how_many(lengths, limit)


@pytest.mark.slow
def test_the_largest_boards_are_answered_by_formula() -> None:
    game = parse_game("nim:" + ",".join(["255"] * 25 + ["1"]))
    verdict = solve(game, game.new())
    assert why_unsolvable(game, game.new()) is None and is_instant(game, game.new()) and verdict.grundy == 254
    assert [game.move_name(move) for move in verdict.best_moves] == [f"{chr(97 + row)}254" for row in range(25)]
    for options in ("", ":misere", ":max=5"):
        game = parse_game("adjacent:" + ",".join(["63"] * 25) + options)
        verdict = solve(game, game.new())
        assert is_instant(game, game.new()) and verdict.outcome is Outcome.WIN and len(verdict.best_moves) >= 25


@pytest.mark.slow
def test_long_work_can_be_cancelled_and_taken_up_again() -> None:
    game = parse_game("adjacent:17,19:max=7:misere")
    with pytest.raises(Cancelled):
        solve(game, game.new(), StopAfter(1))
    assert solve(game, game.new()).outcome is Outcome.WIN


# Sequences of one row.


@pytest.mark.parametrize("form", ["", ":misere"])
def test_a_subtraction_game_has_period_limit_plus_1(form: str) -> None:
    for limit in (1, 2, 5):
        found = sequence(parse_game(f"subtraction:40,{limit}{form}"), 40)
        assert found.period == Period(0, limit + 1, Proof.WINDOW)
        lost = [matches for matches, value in enumerate(found.values) if value < 0]
        assert lost == list(range(1 if form else 0, 41, limit + 1))
        assert found.grundy == (None if form else tuple(matches % (limit + 1) for matches in range(41)))
    whole = sequence(parse_game("nim:21"), 50)
    assert whole.grundy == tuple(range(51)) and whole.period is None, "without a limit nim has no period"


@pytest.mark.parametrize("form", ["kayles:{}:misere", "adjacent:{}:max=3:misere", "subtraction:{},4:misere"])
def test_outcomes_are_those_of_the_solver(form: str) -> None:
    values = sequence(parse_game(form.format(12)), 12).values
    for matches in range(5, 13):
        game = parse_game(form.format(matches))
        assert (solve(game, game.start).outcome is Outcome.WIN) == (values[matches] > 0)


def test_a_subtraction_set_has_its_known_period() -> None:
    for takes, period in {
        (1, 3, 4): (0, 7), (2, 5, 7): (0, 22), (2, 3): (0, 5), (3, 5): (0, 8), (1, 4, 10): (16, 11)
    }.items():  # fmt: skip
        found = of_set(list(takes), False, 300)
        assert found.period == Period(*period, Proof.WINDOW) and found.grundy is not None
        for matches, value in enumerate(found.grundy):
            assert value == mex(found.grundy[matches - take] or 0 for take in takes if take <= matches)
    misere = of_set([2, 3], True, 9)  # a row too short for any move is won
    assert (misere.values, misere.grundy) == ((1, 1, -1, -1, 1, 1, 1, -1, -1, 1), None)
    assert misere.period == Period(0, 5, Proof.WINDOW)
    least = next(to for to in range(40) if of_set([1, 3, 4], False, to).period)
    assert least == 7 + 4 - 1, "as many values must repeat as the largest take"
    assert of_set([2_000], False, 1).values == (-1, -1)


def test_a_family_gives_the_values_of_its_games() -> None:
    found = family_values(family_of("nim:1,2,N"), 7)
    assert found.grundy == (None, *(1 ^ 2 ^ n for n in range(1, 8)))  # a row has one match at least
    towers = family_values(family_of("tower:16"), 16)
    assert [n for n, value in enumerate(towers.values) if value is not None] == [1, 4, 9, 16]
    assert towers.values[16] == -1 and towers.period is None
    drawn = family_values(family_of("connect:4xNx4"), 4)
    assert drawn.values[4] == 0 and drawn.grundy is None
    row = row_of("subtraction:N,3")
    assert row is not None and row.values(20).period == Period(0, 4, Proof.WINDOW)
    assert row_of("nim:1,2,N") is None


def test_what_is_no_sequence_is_refused() -> None:
    for call, line in (
        (lambda: sequence(parse_game("nim:1,3"), 9), "is not one row"),
        (lambda: sequence(parse_game("chomp:5x1"), 9), "is not one row"),
        *(
            (lambda takes=takes: of_set(takes, False, 9), "whole numbers from 1 to 2,000")
            for takes in ([], [0], [2_001])
        ),
        (lambda: family_of("nim:1,2"), "write N for it, as in nim:1,N"),
        (lambda: family_of("subtraction:21,3"), "write N for it, as in subtraction:21,N"),
        (lambda: family_of("connect4"), "write N for it, as in nim:1,2,N"),
        (lambda: family_values(family_of("nmi:3"), 3), "unknown game 'nmi'"),
        (lambda: family_values(family_of("connect:9xNx4"), 9), "connect:9xNx4 with N = 3: "),
    ):
        assert line in refusal(call)
    assert "Try --to 2" in refusal(family_values, family_of("connect:9xNx4"), 9)
