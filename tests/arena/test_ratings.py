"""Ratings of tournaments where everything is finite: against printed figures, and against a search without the code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import erf, exp, log, sqrt

import numpy as np
import pytest

from nimtui.arena.ratings import ELO, Result, rate
from nimtui.arena.wilson import interval
from tests.arena.fields import TEAMS, baseball, covered, elos, made, puddings, without_order

THREE = [
    Result(0, 1, 7, 2, 3),
    Result(1, 0, 4, 3, 5),
    Result(0, 2, 8, 1, 1),
    Result(2, 0, 2, 2, 6),
    Result(1, 2, 5, 4, 1),
    Result(2, 1, 4, 0, 6),
]


def likelihood(results: Sequence[Result], theta: Sequence[float], advantage: float, log_nu: float | None) -> float:
    """Of these results, game by game as the model has it, with the half games that keep ν finite."""
    nu = 0.0 if log_nu is None else exp(log_nu)
    total = 0.0 if log_nu is None else 0.5 * log(nu / (nu + 2)) + 0.5 * log(2 / (nu + 2))
    for first, second, wins, draws, losses in results:
        stronger, weaker = exp(theta[first] + advantage), exp(theta[second])
        tie = nu * sqrt(stronger * weaker)
        whole = stronger + weaker + tie
        total += wins * log(stronger / whole) + losses * log(weaker / whole)
        total += draws * log(tie / whole) if draws else 0
    return total


def climbed(value: Callable[[list[float]], float], size: int) -> tuple[list[float], float]:
    """The highest place of a concave function: steps along each axis, halved when none leads up."""
    at, step = [0.0] * size, 1.0
    best = value(at)
    while step > 1e-6:
        moved = False
        for axis in range(size):
            for change in (step, -step):
                there = [place + (change if axis == other else 0) for other, place in enumerate(at)]
                if (height := value(there)) > best:
                    at, best, moved = there, height, True
        step = step if moved else step / 2
    return at, best


def test_baseball_as_agresti_has_it() -> None:
    # The coefficients that BradleyTerry2 prints for its data set, relative to Baltimore, with and without at.home.
    ratings = rate(len(TEAMS), baseball())
    printed = (0, 1.1438, 0.7047, 1.4754, 1.6196, 1.2813, 1.3271)
    assert [(elo - ratings.ratings[0].elo) / ELO for elo in elos(ratings.ratings)] == pytest.approx(printed, abs=1e-4)
    assert ratings.advantage / ELO == pytest.approx(0.3023, abs=1e-4)
    assert ratings.draws == 0
    plain = rate(len(TEAMS), without_order(baseball()))
    printed = (0, 1.1077, 0.6839, 1.4364, 1.5814, 1.2476, 1.2945)
    assert [(elo - plain.ratings[0].elo) / ELO for elo in elos(plain.ratings)] == pytest.approx(printed, abs=1e-4)
    assert plain.advantage == pytest.approx(0, abs=1e-6)


def test_chocolate_puddings_as_davidson_has_them() -> None:
    # The worths, of sum 1, that PlackettLuce prints for Davidson's example; its ν is 0.7468.
    ratings = rate(6, without_order(puddings()))
    worths = np.exp(np.array(elos(ratings.ratings)) / ratings.scale)
    printed = (0.1388, 0.1730, 0.1617, 0.1654, 0.1587, 0.2024)
    assert worths / worths.sum() == pytest.approx(printed, abs=6e-5)
    assert ratings.draws == pytest.approx(0.7468, abs=1e-3)  # half a game more of 1,496


# Ordo's tables. Four chess engines, 32 games a pairing, from the notes on networks of LCZero with exchanged heads (in a
# round-robin only the points matter to Ordo: these are the printed ones, split over the pairings); two versions of
# Blunder, 2,000 games, its tuning notes; five of Goldfish, its README, where not all have met.
LCZERO = [(0, 1, 20.5, 32), (1, 2, 19, 32), (1, 3, 21.5, 32), (0, 2, 22.5, 32), (0, 3, 22.5, 32), (2, 3, 16.5, 32)]
BLUNDER = [(0, 1, 1078.5, 2000)]
GOLDFISH = [(0, 1, 26, 50), (0, 2, 29, 50), (1, 2, 43.5, 80), (1, 3, 28, 50), (2, 3, 17, 30), (3, 4, 18.5, 32)]


@pytest.mark.parametrize(
    ("points", "printed", "near"),
    [
        (LCZERO, (79.3, 0.0, -74.2, -94.7), {"abs": 0.1}),
        (BLUNDER, (2513.8, 2486.2), {"abs": 0.1}),
        (GOLDFISH, (2132.1, 2110.6, 2082.6, 2055.7, 2000.0), {"rel": 0.025}),  # with an advantage that is not printed
    ],
)
def test_scores_as_ordo_rates_them(
    points: Sequence[tuple[int, int, float, int]], printed: Sequence[float], near: dict[str, float]
) -> None:
    """Ordo takes a draw for half a win and half a loss, and its 202 points for a score of 76 %."""
    halves = [Result(one, other, int(2 * won), 0, int(2 * (games - won))) for one, other, won, games in points]
    found = elos(rate(len(printed), without_order(halves)).ratings)
    scale = 202 / (400 * np.log10(0.76 / 0.24))
    for elo, next_elo, there, next_there in zip(found, found[1:], printed, printed[1:], strict=False):
        assert (elo - next_elo) * scale == pytest.approx(there - next_there, **near)


def test_the_best_fit_is_the_one_that_a_search_finds() -> None:
    at, _ = climbed(lambda x: likelihood(THREE, (x[0], x[1], -x[0] - x[1]), x[2], x[3]), 4)
    ratings = rate(3, THREE)
    elo = ratings.scale
    assert elos(ratings.ratings) == pytest.approx([at[0] * elo, at[1] * elo, -(at[0] + at[1]) * elo], abs=0.01)
    assert ratings.advantage == pytest.approx(at[2] * elo, abs=0.01)
    assert ratings.draws == pytest.approx(exp(at[3]), abs=1e-4)


@pytest.mark.parametrize("side", [1, 2])
def test_an_end_of_an_interval_costs_192_hundredths(side: int) -> None:
    _, most = climbed(lambda x: likelihood(THREE, (x[0], x[1], -x[0] - x[1]), x[2], x[3]), 4)
    ratings = rate(3, THREE)
    for place, rating in enumerate(ratings.ratings):

        def held(x: list[float], end: float = rating[side] / ratings.scale, place: int = place) -> float:
            theta = [end] * 3
            theta[(place + 1) % 3], theta[(place + 2) % 3] = x[0] - end / 2, -x[0] - end / 2
            return likelihood(THREE, theta, x[1], x[2])

        assert most - climbed(held, 3)[1] == pytest.approx(1.9207, abs=0.001)


def test_superiority_is_the_signed_root_of_the_likelihood_ratio() -> None:
    _, most = climbed(lambda x: likelihood(THREE, (x[0], x[1], -x[0] - x[1]), x[2], x[3]), 4)
    _, equal = climbed(lambda x: likelihood(THREE, (x[0], x[0], -2 * x[0]), x[1], x[2]), 3)
    ratings = rate(3, THREE)
    assert ratings.superiority(0, 1) == pytest.approx((1 + erf(sqrt(most - equal))) / 2, abs=1e-4)
    assert ratings.superiority(1, 0) == 1 - ratings.superiority(0, 1)
    assert ratings.superiority(1, 1) == 0.5


@pytest.mark.parametrize("drawn", [0, 100, 400, 800])
def test_a_difference_means_a_score_however_many_games_are_drawn(drawn: int) -> None:
    """A score of 52 % of 2,000 games: 14 Elo on anybody's scale. Draws only make it surer."""
    decided = 1_000 - drawn
    ratings = rate(2, without_order([Result(0, 1, decided // 2 + 20, drawn, decided // 2 - 20)]))
    one, other = ratings.ratings
    assert one.elo - other.elo == pytest.approx(400 * np.log10(0.52 / 0.48), rel=0.02)
    low, high = interval(1_040, 2_000)
    by_score = 400 * np.log10(high / (1 - high)) - 400 * np.log10(low / (1 - low))
    assert 2 * (one.high - one.low) == pytest.approx(by_score * sqrt(decided / 1_000), rel=0.03)


@pytest.mark.parametrize(("wins", "draws", "losses"), [(124, 270, 6), (17, 179, 4), (1000, 5000, 10), (90, 10, 5)])
def test_the_elo_between_two_is_that_of_their_score(wins: int, draws: int, losses: int) -> None:
    """Far from equality as well. The interval is at least as wide as what was seen says."""
    games = wins + draws + losses
    score = (wins + draws / 2) / games
    ahead = rate(2, [Result(0, 1, wins, draws, losses)]).ahead()
    assert ahead.elo == pytest.approx(400 * np.log10(score / (1 - score)), abs=0.5)
    deviation = sqrt((wins / games + draws / games / 4 - score**2) / games)  # of the score, by what was seen
    slope = 400 / np.log(10) / (score * (1 - score))
    assert 0.95 * 2 * 1.96 * deviation * slope < ahead.high - ahead.low
    low, high = (400 * np.log10(end / (1 - end)) for end in interval(wins + draws / 2, games))
    assert ahead.high - ahead.low < 1.15 * (high - low)
    assert rate(2, [Result(1, 0, losses, draws, wins)]).ahead() == pytest.approx(ahead)


def test_seats_that_draw_unlike_each_other_are_told_as_scores_too() -> None:
    # mcts and mc on connect4:4x4: 49.5 % and 80.0 % of the points from the two seats
    ratings = rate(2, [Result(0, 1, 1, 97, 2), Result(1, 0, 1, 38, 61)])
    ahead, first = ratings.ahead().elo, ratings.advantage
    by_model = [1 / (1 + 10 ** (-elo / 400)) for elo in (ahead + first, ahead - first)]
    assert sum(by_model) / 2 == pytest.approx((0.495 + 0.8) / 2, abs=0.01)
    assert 0 < ratings.advantage_error < abs(first)


def test_two_entrants_and_no_draws_are_a_plain_share() -> None:
    ratings = rate(2, without_order([Result(0, 1, 60, 0, 40)]))
    difference = ratings.ratings[0].elo - ratings.ratings[1].elo
    assert difference == pytest.approx(400 * np.log10(60 / 40), abs=1e-3)
    assert ratings.superiority(0, 1) == pytest.approx((1 + erf(40 / sqrt(200) / sqrt(2))) / 2, abs=2e-4)


def test_ratings_do_not_depend_on_order_or_on_how_games_are_summed() -> None:
    split = [Result(r.first, r.second, *(count // 2 for count in r[2:])) for r in THREE]
    split += [Result(r.first, r.second, *(count - count // 2 for count in r[2:])) for r in reversed(THREE)]
    there, here = rate(3, split), rate(3, THREE)
    assert np.array(there.ratings) == pytest.approx(np.array(here.ratings), abs=1e-6)
    renamed = [Result(2 - r.first, 2 - r.second, *r[2:]) for r in THREE]
    assert elos(rate(3, renamed).ratings) == pytest.approx(elos(here.ratings)[::-1], abs=1e-6)


def test_games_against_oneself_change_nothing() -> None:
    assert rate(3, [*THREE, Result(1, 1, 50, 3, 2)]).ratings == rate(3, THREE).ratings


def test_a_gauntlet_is_rated_from_either_seat() -> None:
    true = np.array([1.0, 0.0, 0.5, -0.5])
    pairs = [(0, other) for other in (1, 2, 3)] + [(other, 0) for other in (1, 2, 3)]
    ratings = rate(4, made(np.random.default_rng(3), true, 200_000, 0.4, 0.7, pairs))
    assert elos(ratings.ratings) == pytest.approx(list((true - true.mean()) * ratings.scale), abs=4)
    assert (ratings.advantage / ratings.scale, ratings.draws) == pytest.approx((0.4, 0.7), abs=0.02)


def test_among_very_many_entrants_superiority_is_near_enough() -> None:
    true = np.random.default_rng(4).normal(0, 0.4, 12)
    results = made(np.random.default_rng(5), true, 10, 0.2)
    exact, near = rate(12, results), rate(45, results)  # 33 have not played
    assert np.array(near.ratings[:12]) == pytest.approx(np.array(exact.ratings), abs=0.01)
    pairs = [(one, other) for one in range(12) for other in range(one)]
    said = np.array([exact.superiority(*pair) for pair in pairs])
    assert [near.superiority(*pair) for pair in pairs] == pytest.approx(said, abs=0.005)
    assert ((said > 0.05) & (said < 0.95)).sum() > 10
    assert near.superiority(0, 40) == 0.5


@pytest.mark.slow
def test_intervals_hold_the_truth_19_times_of_20() -> None:
    share, count, _ = covered(np.random.default_rng(11), 240, 0.8, 25, 0.3, 0.5)
    assert count == 1200
    assert 0.935 < share < 0.965


@pytest.mark.slow
def test_superiority_is_even_between_equals() -> None:
    """Where both are equally strong any superiority is as likely as any other: 1 in 10 is above 0.95 or below 0.05."""
    source = np.random.default_rng(12)
    equals = np.zeros(2)
    found = np.array([rate(2, made(source, equals, 30, 0.3, 0.5)).superiority(0, 1) for _ in range(300)])
    assert found.mean() == pytest.approx(0.5, abs=0.04)
    for share in (0.05, 0.25, 0.5, 0.75, 0.95):
        assert (found < share).mean() == pytest.approx(share, abs=0.05)


@pytest.mark.slow
def test_a_superiority_is_right_as_often_as_it_says() -> None:
    """Strengths from a wide spread, as good as any before the games: of those said to be 80 % sure, 80 % are right."""
    source = np.random.default_rng(13)
    said, right = [], []
    for _ in range(150):
        true = source.normal(0, 0.7, 4)
        ratings = rate(4, made(source, true, 12, 0.3, 0.5))
        for one, other in combinations(range(4), 2):
            said.append(ratings.superiority(one, other))
            right.append(true[one] > true[other])
    sure, better = np.array(said), np.array(right)
    assert ((sure - better) ** 2).mean() == pytest.approx((sure * (1 - sure)).mean(), abs=0.02)  # Brier
    middle = (sure > 0.6) & (sure < 0.9)
    assert better[middle].mean() == pytest.approx(sure[middle].mean(), abs=0.06)
