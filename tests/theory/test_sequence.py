"""Sequences of one row: known periods, and outcomes by an independent recursion."""

from __future__ import annotations

import pytest

from nimtui import theory
from nimtui.errors import InputError
from nimtui.games import parse_game
from nimtui.theory import families
from nimtui.theory.nim import mex
from nimtui.theory.periods import Period, Proof
from nimtui.theory.sequence import of_set, sequence


def test_kayles_has_period_12_from_71_on_proven_by_guy_and_smith() -> None:
    game = parse_game("kayles:9")
    assert sequence(game, 170).period == Period(71, 12, Proof.GUY_SMITH)
    assert sequence(game, 140).period == Period(71, 12, None)
    assert sequence(game, 12).grundy == (0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4)


@pytest.mark.parametrize("limit", [1, 2, 3, 5])
@pytest.mark.parametrize("form", ["", ":misere"])
def test_a_subtraction_game_has_period_limit_plus_1(limit: int, form: str) -> None:
    found = sequence(parse_game(f"subtraction:40,{limit}{form}"), 40)
    assert found.period == Period(0, limit + 1, Proof.WINDOW)
    lost = [matches for matches, value in enumerate(found.values) if value < 0]
    assert lost == list(range(1 if form else 0, 41, limit + 1))
    if not form:
        assert found.grundy == tuple(matches % (limit + 1) for matches in range(41))


def test_without_a_limit_nim_has_no_period() -> None:
    found = sequence(parse_game("nim:21"), 50)
    assert found.grundy == tuple(range(51)) and found.period is None


@pytest.mark.parametrize(
    "form", ["kayles:{}", "kayles:{}:misere", "adjacent:{}:max=3:misere", "subtraction:{},4:misere"]
)
def test_outcomes_are_those_of_the_solver(form: str) -> None:
    values = sequence(parse_game(form.format(12)), 12).values
    for matches in range(5, 13):
        game = parse_game(form.format(matches))
        assert (theory.solve(game, game.start).outcome is theory.Outcome.WIN) == (values[matches] > 0)


@pytest.mark.parametrize(
    ("name", "to", "said"), [("nim:1,3", 9, "is not one row"), ("kayles:9:misere", 99, "from 0 to 24")]
)
def test_other_games_are_refused_in_one_line(name: str, to: int, said: str) -> None:
    with pytest.raises(InputError, match=said):
        sequence(parse_game(name), to)


def test_the_bound_of_guy_and_smith_is_as_documented() -> None:
    game = parse_game("kayles:9")
    least = next(to for to in range(150, 200) if (found := sequence(game, to).period) and found.proven)
    assert least == 2 * 71 + 2 * 12 + 2 - 1 == 167


@pytest.mark.parametrize(
    ("takes", "preperiod", "length"),
    [([1, 3, 4], 0, 7), ([2, 5, 7], 0, 22), ([1, 2, 3], 0, 4), ([2, 3], 0, 5), ([3, 5], 0, 8), ([1, 4, 10], 16, 11)],
)
def test_a_subtraction_set_has_its_known_period(takes: list[int], preperiod: int, length: int) -> None:
    found = of_set(takes, False, 300)
    assert found.period == Period(preperiod, length, Proof.WINDOW)
    assert found.grundy is not None
    for matches, value in enumerate(found.grundy):
        assert value == mex(found.grundy[matches - take] or 0 for take in takes if take <= matches)


def test_in_misere_play_a_row_too_short_for_any_move_is_won() -> None:
    found = of_set([2, 3], True, 9)
    assert found.values == (1, 1, -1, -1, 1, 1, 1, -1, -1, 1)
    assert found.grundy is None and found.period == Period(0, 5, Proof.WINDOW)


def test_a_period_is_proven_only_once_as_many_values_repeat_as_the_largest_take() -> None:
    least = next(to for to in range(40) if of_set([1, 3, 4], False, to).period)
    assert least == 7 + 4 - 1


@pytest.mark.parametrize("takes", [[], [0], [2_001]])
def test_sets_out_of_range_are_refused(takes: list[int]) -> None:
    with pytest.raises(InputError, match="whole numbers from 1 to 2,000"):
        of_set(takes, False, 9)


def test_a_family_gives_the_values_of_its_games() -> None:
    found = families.values(families.family("nim:1,2,N"), 7)
    assert found.grundy == (None, *(1 ^ 2 ^ n for n in range(1, 8)))  # a row has one match at least
    towers = families.values(families.family("tower:16"), 16)
    assert [n for n, value in enumerate(towers.values) if value is not None] == [1, 4, 9, 16]
    assert towers.values[16] == -1 and towers.period is None


def test_a_drawn_family_has_zeros_and_no_grundy_values() -> None:
    found = families.values(families.family("connect:4xNx4"), 4)
    assert found.values[4] == 0 and found.grundy is None


def test_the_mark_also_names_one_row_whose_period_is_proven() -> None:
    row = families.row_of("subtraction:N,3")
    assert row is not None
    assert sequence(row, 20).period == Period(0, 4, Proof.WINDOW)
    assert families.row_of("nim:1,2,N") is None


def test_a_family_without_a_single_number_is_refused_with_an_example() -> None:
    with pytest.raises(InputError, match="write N for it, as in nim:N,2"):
        families.family("nim:1,2")
    with pytest.raises(InputError, match="unknown game 'nmi'"):
        families.values(families.family("nmi:3"), 3)


def test_a_family_too_large_says_which_number_is_the_largest() -> None:
    with pytest.raises(InputError, match=r"connect:9xNx4 with N = 3: .* Try --to 2"):
        families.values(families.family("connect:9xNx4"), 9)
