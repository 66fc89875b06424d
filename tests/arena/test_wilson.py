"""Wilson's interval: figures that others have printed, and what must hold for any."""

from __future__ import annotations

import pytest

from nimtui.arena.wilson import interval

# n, successes, 95 % limits: Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in
# Medicine 17, 1998, table I, method 3 (score without continuity correction); 8 of 10 is the usual classroom example.
PRINTED = [
    (263, 81, 0.2553, 0.3662),
    (148, 15, 0.0624, 0.1605),
    (20, 0, 0.0000, 0.1611),
    (29, 1, 0.0061, 0.1718),
    (10, 8, 0.4902, 0.9433),
]


@pytest.mark.parametrize(("games", "points", "low", "high"), PRINTED)
def test_as_printed(games: int, points: float, low: float, high: float) -> None:
    assert interval(points, games) == pytest.approx((low, high), abs=5e-5)


def test_the_ends_solve_what_they_are_said_to_solve() -> None:
    for points, games in ((3, 7), (0.5, 1), (99.5, 100), (1234, 5000)):
        for end in interval(points, games, z=2.5):
            assert (points / games - end) ** 2 == pytest.approx(2.5**2 * end * (1 - end) / games)


def test_no_games_tell_nothing() -> None:
    assert interval(0, 0) == (0.0, 1.0)


def test_a_perfect_score_leaves_room_on_one_side_only() -> None:
    low, high = interval(100, 100)
    assert high == 1.0 and low == pytest.approx(0.9630, abs=5e-5)
    assert interval(0, 100) == pytest.approx((0.0, 1 - low))


def test_it_stays_between_0_and_1_and_around_the_score_however_many_games() -> None:
    for games in (1, 2, 3, 1000, 10_000_000):
        for points in (0, 0.5, games / 3, games - 0.5, games):
            low, high = interval(points, games)
            assert 0 <= low <= points / games <= high <= 1
