"""Intervals of scores: figures that others have printed, and what must hold for any."""

from __future__ import annotations

from itertools import product
from math import comb

import numpy as np
import pytest

from nimtui.arena.rating.logistic import ELO, Z95, half_width, score_interval
from nimtui.arena.rating.meetings import Meeting
from nimtui.arena.rating.ratings import head_to_head, score
from tests.arena.fields import of_results

# n, successes, 95 % limits: Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in
# Medicine 17, 1998, table I, method 3 (score without continuity correction); 8 of 10 is the usual classroom example.
PRINTED = [
    (263, 81, 0.2553, 0.3662),
    (148, 15, 0.0624, 0.1605),
    (20, 0, 0.0000, 0.1611),
    (29, 1, 0.0061, 0.1718),
    (10, 8, 0.4902, 0.9433),
]


def plain(points: float, games: int) -> tuple[float, float]:
    """The interval of independent games without draws, the prior's half game included."""
    inner = (points + 0.25) / (games + 0.5)
    numbers = (float(points), games, (games + 0.5) * inner * (1 - inner), games)
    low, high = score_interval(*map(np.array, numbers))
    return float(low), float(high)


@pytest.mark.parametrize(("games", "points", "low", "high"), PRINTED)
def test_games_without_draws_have_wilsons_interval(games: int, points: float, low: float, high: float) -> None:
    assert plain(points, games) == pytest.approx((low, high), abs=0.008 if games < 50 else 0.0005)


def test_the_ends_solve_wilsons_equation() -> None:
    for points, games in ((3, 7), (0.5, 1), (99.5, 100), (1234, 5000)):
        for end in plain(points, games):  # of half a game more, the prior
            assert (points / games - end) ** 2 == pytest.approx(Z95**2 * end * (1 - end) / (games + 0.5))


def test_draws_make_a_score_surer() -> None:
    """800 draws of 1,000 games: the scatter, and with it the square of the width, is a fifth."""
    numbers = ((500.0, 1000, scatter, 1000) for scatter in (250.0, 50.0))
    decided, drawn = (score_interval(*map(np.array, four)) for four in numbers)
    assert (decided[1] - decided[0]) / (drawn[1] - drawn[0]) == pytest.approx(5**0.5, rel=0.01)


def test_no_games_tell_nothing_and_a_perfect_score_is_open_on_one_side() -> None:
    assert score_interval(*map(np.array, (0.0, 0, 0.0, 0))) == (0.0, 1.0)
    low, high = plain(100, 100)
    assert high == 1.0 and low == pytest.approx(0.9630, abs=5e-4)
    assert plain(0, 100) == pytest.approx((0.0, 1 - low))


def test_an_interval_holds_the_score_however_many_games() -> None:
    for games in (1, 2, 3, 1000, 10_000_000):
        for points in (0, 0.5, games / 3, games - 0.5, games):
            low, high = plain(points, games)
            assert 0 <= low <= points / games <= high <= 1


def test_a_half_width_is_that_of_the_score_on_the_scale_of_elo() -> None:
    """fastchess and Ordo: half the distance of the Elo of both ends, for a score of 60 % ± 3 %."""
    score, reach = 0.6, 0.03
    ends = [400 * np.log10((score + sign * reach) / (1 - score - sign * reach)) for sign in (-1, 1)]
    error = reach / Z95 / (score * (1 - score))
    found = ELO * half_width(np.log(score / (1 - score)), np.array(error))
    assert found == pytest.approx((ends[1] - ends[0]) / 2, rel=1e-3)
    assert np.isfinite(half_width(np.array(0.0), np.array(50.0)))


@pytest.mark.parametrize(("games", "low"), [(1, 0.2065), (3, 0.4385), (4, 0.5101), (10, 0.7225), (40, 0.9124)])
@pytest.mark.parametrize("alternate", [False, True])
def test_a_perfect_score_has_wilsons_interval_of_the_games_played(games: int, low: float, alternate: bool) -> None:
    """Wilson's lower limit of n of n is n / (n + z²)."""
    opened = (games - games // 2, games // 2) if alternate else (games, 0)
    won = Meeting(0, 1, opened, (0, 0), (0, 0), alternate=alternate)
    assert low == pytest.approx(games / (games + 1.959964**2), abs=5e-5)
    for one in (score(won), head_to_head([won]).score):
        assert (one.low, one.high) == pytest.approx((low, 1.0), abs=5e-5)
    lost = score(won.turned())
    assert (lost.low, lost.high) == pytest.approx((0.0, 1 - low), abs=5e-5)


def test_a_perfect_score_counts_two_games_of_an_opening_once() -> None:
    """The same opening may win both, so eight games say no more than four."""
    won = of_results(0, 1, np.ones(8, np.int8), openings=0)
    for one in (score(won), head_to_head([won]).score):
        assert (one.low, one.high) == pytest.approx((0.5101, 1.0), abs=5e-5)


def coverage(opened: tuple[int, int], draws: float, chances: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    """How often the interval holds the true score: the mean over all results of these games, for equal seats."""
    found = np.zeros(len(chances))
    drawn = draws * np.minimum(chances, 1 - chances)
    won, lost = chances - drawn / 2, 1 - chances - drawn / 2
    seats = [[(w, d, n - w - d) for w in range(n + 1) for d in range(n + 1 - w)] for n in opened]
    for one, other in product(*seats):
        ways = np.ones(len(chances))
        for w, d, n in (one, other):
            ways *= comb(w + d + n, w) * comb(d + n, d) * won**w * drawn**d * lost**n
        wins, drew, losses = zip(one, other, strict=True)
        interval = score(Meeting(0, 1, wins, drew, losses))  # type: ignore[arg-type]
        found += ways * ((interval.low <= chances) & (chances <= interval.high))
    return float(found.mean())


@pytest.mark.parametrize("opened", [(1, 0), (2, 0), (3, 0), (5, 0), (1, 1), (2, 1), (2, 2), (3, 3), (5, 5)])
@pytest.mark.parametrize("draws", [0.0, 0.6])
def test_few_games_have_an_interval_of_95_percent(opened: tuple[int, int], draws: float) -> None:
    """By all results of so few games; on average over the true scores, as for Wilson's own interval."""
    found = coverage(opened, draws, np.linspace(0.02, 0.98, 49))
    assert 0.94 < found < 0.98
