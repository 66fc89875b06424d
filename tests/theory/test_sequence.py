"""Sequences of one row: known periods, and outcomes by an independent recursion."""

from __future__ import annotations

import pytest

from nimtui import theory
from nimtui.errors import InputError
from nimtui.games import parse_game
from nimtui.theory.sequence import Period, sequence


def test_kayles_has_period_12_from_71_on_proven_by_guy_and_smith() -> None:
    game = parse_game("kayles:9")
    assert sequence(game, 170).period == Period(71, 12, True)
    assert sequence(game, 140).period == Period(71, 12, False)
    assert sequence(game, 12).grundy == (0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4)


@pytest.mark.parametrize("limit", [1, 2, 3, 5])
@pytest.mark.parametrize("form", ["", ":misere"])
def test_a_subtraction_game_has_period_limit_plus_1(limit: int, form: str) -> None:
    found = sequence(parse_game(f"subtraction:40,{limit}{form}"), 40)
    assert found.period == Period(0, limit + 1, True)
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
