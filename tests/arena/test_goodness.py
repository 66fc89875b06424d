"""Whether ratings explain the results: known tables, false alarms, and fields where they do not."""

from __future__ import annotations

import numpy as np
import pytest

from nimtui.arena.rating.goodness import chi_squared
from nimtui.arena.rating.meetings import Meeting
from nimtui.arena.rating.ratings import rate
from tests.arena.fields import even, of_results, one_sided, tournament

# Upper points of χ²: M. Abramowitz and I. Stegun, "Handbook of Mathematical Functions", table 26.8.
TABLE = [
    (3.84146, 1, 0.05), (6.63490, 1, 0.01), (5.99147, 2, 0.05), (7.81473, 3, 0.05), (11.3449, 3, 0.01),
    (18.3070, 10, 0.05), (24.9958, 15, 0.05), (0.0157908, 1, 0.9), (43.7730, 30, 0.05), (124.342, 100, 0.05),
]  # fmt: skip


@pytest.mark.parametrize(("value", "freedom", "likely"), TABLE)
def test_chi_squared_as_printed(value: float, freedom: int, likely: float) -> None:
    assert chi_squared(value, freedom) == pytest.approx(likely, rel=2e-5)
    assert chi_squared(0, freedom) == 1.0 and chi_squared(5000, freedom) < 1e-100


@pytest.mark.slow
@pytest.mark.parametrize(("games", "draws", "openings"), [(100, 0.4, None), (100, 0.2, 1.0)], ids=["draws", "shared"])
def test_ratings_that_are_right_are_doubted_in_1_field_of_20(games: int, draws: float, openings: float | None) -> None:
    source = np.random.default_rng(11)
    found = []
    for _ in range(300):
        field = tournament(source, source.normal(0, 0.5, 4), games, 0.2, draws, openings)
        fit = rate(4, field).fit
        assert fit is not None and fit.freedom == 12 - 4
        found.append(fit.p_value)
    share = np.mean(np.array(found) < 0.05)
    least = 0.03 if openings is None else 0.01  # openings move all pairings together, and the seat takes that up
    assert least <= share <= 0.08
    assert np.mean(np.array(found) < 0.005) < 0.025


def test_a_circle_is_found_doubtful_and_its_pairings_are_named() -> None:
    """Rock, paper, scissors, and a fourth agent that is even with all of them."""
    circle = [even(0, 1, 160, 0, 40), even(1, 2, 160, 0, 40), even(2, 0, 160, 0, 40)]
    ratings = rate(4, [*circle, *(even(at, 3, 100, 0, 100) for at in range(3))])
    fit = ratings.fit
    assert fit is not None and fit.doubtful and fit.p_value < 1e-6
    assert {(one.first, one.second) for one in fit.worst} == {(0, 1), (1, 2), (2, 0)}
    for one in fit.worst:
        assert (one.observed, one.expected) == pytest.approx((0.8, 0.5)) and not one.seat and one.errors > 5
    assert fit.seat_by_strength == 0


@pytest.mark.parametrize("sign", [1, -1])
def test_a_seat_that_grows_with_strength_is_found(sign: int) -> None:
    source, strengths = np.random.default_rng(12), (1.0, 0.5, 0.0, -0.5, -1.0)
    field = []
    for one in range(5):
        for other in range(one + 1, 5):
            seat = sign * 0.6 * (strengths[one] + strengths[other])
            number = np.arange(600)
            log_odds = strengths[one] - strengths[other] + seat * (1 - 2 * (number % 2))
            results = np.where(source.random(600) < 1 / (1 + np.exp(-log_odds)), 1, -1).astype(np.int8)
            field.append(of_results(one, other, results))
    fit = rate(5, field).fit
    assert fit is not None and fit.doubtful and fit.seat_by_strength == sign
    assert any(one.seat for one in fit.worst)


@pytest.mark.parametrize(
    ("seed", "openings", "p_value", "worst"),
    [
        (2, None, 0.058748, []),
        (2, 0, 0.059343, []),
        (3, None, 0.00052107, [(0, 1, 0.66, 0.5514, 3.941), (0, 2, 0.55, 0.6354, -3.346)]),
        (3, 0, 0.00021755, [(0, 1, 0.66, 0.5514, 4.175), (0, 2, 0.55, 0.6354, -3.353), (1, 2, 0.685, 0.5863, 2.844)]),
    ],
)  # fmt: skip
def test_the_fit_of_a_field_is_as_recorded(
    seed: int, openings: int | None, p_value: float, worst: list[tuple[float, ...]]
) -> None:
    """Four agents whose openings matter, two of whom are not as their strength says; the false alarms are above."""
    drawn = tournament(np.random.default_rng(seed), (0.8, 0.2, -0.3, -0.7), 100, 0.5, 0.2, openings=1.0)
    rows = [np.array(one.results) for one in drawn]
    rows[1][:34] *= -1
    rows[3][:28:2] = 1
    field = [of_results(one.first, one.second, row, openings) for one, row in zip(drawn, rows, strict=True)]
    fit = rate(4, [*field, one_sided(3, 3, 30, 2, 28), one_sided(0, 3, 4, 0, 1)]).fit
    assert fit is not None and (fit.freedom, fit.seat_by_strength) == (9, 0)
    assert fit.p_value == pytest.approx(p_value, rel=1e-4)
    found = [(one.first, one.second, one.observed, one.expected, one.errors) for one in fit.worst]
    assert found == [pytest.approx(one, abs=5e-4) for one in worst] and not any(one.seat for one in fit.worst)


def test_a_misfit_counts_all_games_of_two_agents() -> None:
    """In two games, from either seat, in unequal numbers: the score of a misfit is points by games."""
    odd = Meeting(0, 1, (90, 20), (0, 0), (10, 70))  # 110 of 190
    field = [odd, odd._replace(wins=(90, 80), losses=(10, 10)), even(1, 2, 160, 0, 40), even(0, 2, 40, 0, 160)]
    fit = rate(3, field).fit
    assert fit is not None and fit.doubtful
    [found] = [one for one in fit.worst if (one.first, one.second, one.seat) == (0, 1, False)]
    assert found.observed == pytest.approx((90 + 20 + 90 + 80) / 380)


def test_too_few_games_or_no_freedom_are_not_tested() -> None:
    assert rate(2, [even(0, 1, 200, 0, 100)]).fit is None, "two cells, a difference and a seat"
    assert rate(3, [even(i, j, 10, 0, 8) for i, j in ((0, 1), (0, 2), (1, 2))]).fit is None
    ordered = [one_sided(i, j, 60, 0, 40) for i in range(3) for j in range(3)]
    fit = rate(3, ordered).fit
    assert fit is not None and fit.freedom == 9 - 3 and fit.p_value > 0.5
