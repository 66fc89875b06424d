"""How much results scatter: against plain loops, and against a bootstrap of whole tournaments."""

from __future__ import annotations

import numpy as np
import pytest

from nimtui.arena.rating import logistic
from nimtui.arena.rating.logistic import Z95
from nimtui.arena.rating.meetings import Meeting, few, pair_counts, sides
from nimtui.arena.rating.ratings import head_to_head, rate
from tests.arena.fields import of_results, tournament


def test_the_variance_of_a_cell_is_that_of_its_games() -> None:
    points = [1.0] * 7 + [0.5] * 4 + [0.0] * 3
    found = logistic.variances(np.array([7.0, 1, 0]), np.array([4.0, 0, 0]), np.array([3.0, 0, 5]))
    assert found == pytest.approx([np.var(points, ddof=1), 0.25, 0.0])


def test_clusters_are_those_of_a_double_loop() -> None:
    """Σ over openings of u u', u being Σ of (x − mean) d, as plain Python adds it up."""
    source = np.random.default_rng(1)
    design = np.array([[1.0, -1, 0, 1], [-1, 1, 0, 1], [1, 0, -1, 1]])
    cells = []
    for place in range(3):
        there = np.flatnonzero(source.random(30) < 0.8)
        cells.append((place, there, source.integers(0, 3, len(there)) / 2))
    wanted = np.zeros((4, 4))
    for opening in range(30):
        u = np.zeros(4)
        for place, there, points in cells:
            n = len(there)
            for cluster, point in zip(there.tolist(), points.tolist(), strict=True):
                if cluster == opening:
                    u += (point - sum(points) / n) * (n / (n - 1)) ** 0.5 * design[place]
        for i in range(4):
            for j in range(4):
                wanted[i, j] += u[i] * u[j]
    assert logistic.clustered(design, cells, 30) == pytest.approx(wanted)


def test_the_covariance_of_pairs_is_that_of_the_games() -> None:
    """From the five counts alone, without knowing which game of a pair was won."""
    source = np.random.default_rng(2)
    for draws in (0.0, 0.4):
        [meeting] = tournament(source, (0.3, 0.0), 2_000, 0.2, draws, openings=2.0)
        assert meeting.results is not None
        first = (meeting.results[::2] + 1) / 2
        second = 1 - (meeting.results[1::2] + 1) / 2  # of the second agent, who moved first there
        one, other = np.array([first.var(ddof=1)]), np.array([second.var(ddof=1)])
        found = logistic.pair_covariance(np.array([meeting.pentanomial], float), one, other)
        assert found == pytest.approx([np.cov(first, second)[0, 1]]) and found[0] > 0.05


def test_pairs_are_counted_where_both_games_are_there() -> None:
    results = np.array([1, 1, 0, 1, -1, 1, -2, 1, 0, -1, -1, -1, 1], np.int8)
    assert pair_counts(results) == (1, 1, 1, 1, 1)
    assert pair_counts(results[:1]) == (0, 0, 0, 0, 0)


def test_sides_of_the_mean() -> None:
    one = Meeting(0, 1, (0, 0), (0, 0), (0, 0), (3, 0, 5, 0, 4))  # mean 13/12
    assert sides([one]).tolist() == [[8, 4]]
    two = one._replace(pentanomial=(20, 0, 7, 0, 20))  # mean 1: 7 pairs are on neither side
    assert sides([two, two.turned()]).tolist() == [[20, 20], [20, 20]]
    assert few([one]) and not few([two]) and few([]) and not few([one, two])


def test_errors_are_those_of_a_jackknife_over_openings() -> None:
    """Without each opening in turn, in all pairings; as if the games were independent, the seat seems better known."""
    field = tournament(np.random.default_rng(8), (0.4, 0.0, -0.2), 160, 0.2, 0.3, openings=1.5)
    rated, estimates = rate(3, field), []
    for opening in range(80):
        rows = [np.delete(np.asarray(one.results), [2 * opening, 2 * opening + 1]) for one in field]
        less = rate(3, [of_results(one.first, one.second, row, 0) for one, row in zip(field, rows, strict=True)])
        estimates.append([*(one.elo for one in less.ratings), less.seat.elo])
    errors = np.sqrt(79 / 80 * ((np.array(estimates) - np.mean(estimates, 0)) ** 2).sum(0))
    found = [(one.high - one.low) / 2 / Z95 for one in rated.ratings] + [rated.seat.error / Z95]
    assert found == pytest.approx(list(errors), rel=0.05)
    blind = rate(3, [one._replace(openings=None, results=None) for one in field])
    assert blind.seat.error < 0.8 * rated.seat.error
    assert blind.ratings[0].high - blind.ratings[0].low > 1.1 * (rated.ratings[0].high - rated.ratings[0].low)


def test_openings_and_counted_pairs_say_the_same_of_two_agents() -> None:
    [field] = tournament(np.random.default_rng(10), (0.3, 0.0), 300, 0.4, 0.3, openings=1.5)
    for openings, results in ((0, field.results), (0, None), (None, None)):
        pair = head_to_head([field._replace(openings=openings, results=results)])
        if results is not None:
            wanted = pair
        elif openings is not None:
            assert (pair.ahead, pair.score) == (pytest.approx(wanted.ahead), pytest.approx(wanted.score))
        else:
            assert pair.ahead.high - pair.ahead.low > 1.1 * (wanted.ahead.high - wanted.ahead.low)


def test_missing_games_do_not_count() -> None:
    """Games 100 to 199 were not played: the same as without them, though their numbers are kept."""
    source = np.random.default_rng(9)
    field = tournament(source, (0.4, 0.0, -0.2), 300, 0.2, 0.2, openings=1.0)
    gaps, short = [], []
    for one in field:
        assert one.results is not None
        row = one.results.copy()
        row[100:200] = -2
        gaps.append(of_results(one.first, one.second, row, 0))
        short.append(of_results(one.first, one.second, row[row > -2], 0))
    with_gaps, without = rate(3, gaps), rate(3, short)
    for one, other in zip(with_gaps.ratings, without.ratings, strict=True):
        assert (one.elo, one.low, one.high) == pytest.approx((other.elo, other.low, other.high))
    assert with_gaps.seat == pytest.approx(without.seat)
    odd = [of_results(one.first, one.second, np.asarray(one.results)[:-1], 0) for one in field]
    assert np.isfinite(rate(3, odd).seat).all()
