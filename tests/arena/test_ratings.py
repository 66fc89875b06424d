"""Ratings: against printed figures, their equations, a grid and formulas; and every sentence about them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations
from math import isnan, log10, sqrt
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from nimtui.arena.play.plan import plan
from nimtui.arena.rating.goodness import Fit, _trend, chi_squared
from nimtui.arena.rating.logistic import ELO
from nimtui.arena.rating.meetings import Meeting
from nimtui.arena.rating.ratings import Anchor, head_to_head, rate
from nimtui.arena.standings.statements import of_ratings
from nimtui.report.values import Elo
from tests.arena import facts
from tests.arena.crosstables import Field, fields
from tests.arena.fields import TEAMS, baseball, elos, even, many, of_results, one_sided, tournament
from tests.arena.formulas import Plain
from tests.arena.test_standings import of, results
from tests.examples import examples

# Printed figures.


def test_baseball_as_agresti_has_it() -> None:
    """The coefficients that BradleyTerry2 prints for its data set, relative to Baltimore, with at.home."""
    ratings = rate(len(TEAMS), many(baseball(), 1000))
    printed = (0, 1.1438, 0.7047, 1.4754, 1.6196, 1.2813, 1.3271)
    assert [(elo - ratings.ratings[0].elo) / ELO for elo in elos(ratings.ratings)] == pytest.approx(printed, abs=5e-4)
    assert ratings.seat.elo / ELO == pytest.approx(0.3023, abs=5e-4)
    once = rate(len(TEAMS), baseball())  # the prior moves 13 games a pair by less than a tenth of the standard error
    assert np.ptp(np.array(elos(once.ratings)) / ELO - np.array(printed)) < 0.03
    # summary() prints 0.1308 as the standard error of at.home; the sandwich of 273 games is near
    assert once.seat.error / ELO / 1.96 == pytest.approx(0.1308, rel=0.1)


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
    """Ordo's 202 points are a score of 76 %. The games are taken 1,000 times, so that the prior does not matter."""
    halves = [even(one, other, int(4 * won), 0, int(4 * (games - won))) for one, other, won, games in points]
    found = elos(rate(len(printed), many(halves, 1000)).ratings)
    scale = 202 / (400 * np.log10(0.76 / 0.24))
    for elo, next_elo, there, next_there in zip(found, found[1:], printed, printed[1:], strict=False):
        assert (elo - next_elo) * scale == pytest.approx(there - next_there, **near)


# The formulas.


def drawn(seed: int, strengths: Sequence[float], games: int, **more: float) -> list[Meeting]:
    return tournament(np.random.default_rng(seed), strengths, games, **more)


def bare(field: Sequence[Meeting]) -> list[Meeting]:
    return [one._replace(results=None) for one in field]


def odd(seed: int, openings: int | None) -> list[Meeting]:
    """Four agents whose openings matter, two of whom are not as their strength says; and self-play."""
    made = drawn(seed, (0.8, 0.2, -0.3, -0.7), 100, seat=0.5, draws=0.2, openings=1.0)
    rows = [np.array(one.results) for one in made]
    rows[1][:34] *= -1
    rows[3][:28:2] = 1
    field = [of_results(one.first, one.second, row, openings) for one, row in zip(made, rows, strict=True)]
    return [*field, one_sided(3, 3, 30, 2, 28), one_sided(0, 3, 4, 0, 1)]


def seats(sign: int, least: int = 20, agents: int = 4, games: int = 200) -> list[Meeting]:
    """Moving first is worth more, or less, to the stronger ones; the first two meet in so many games, and so on."""
    field = []
    for one, other in combinations(range(agents), 2):
        for first, second in ((one, other), (other, one)):
            number = games if one + other == 1 else 200
            won = round(number * (0.5 + 0.08 * (second - first) + 0.1 * sign * (3 - one - other)))
            field.append(one_sided(first, second, won, 0, number - won))
    return [*field, one_sided(0, 0, 15, 0, 5), one_sided(1, 1, least - 2, 0, 2), one_sided(2, 2, 40, 0, 160)]


SHARED = drawn(3, (0.5, 0, -0.5, 0.2), 70, seat=0.3, draws=0.3, openings=1.0)
CIRCLE = [even(0, 1, 160, 0, 40), even(1, 2, 152, 0, 48), even(2, 0, 164, 0, 36)]
ALIKE = [even(at, 3, 100, 0, 100) for at in range(3)]
LADDER = [even(0, 1, 8, 0, 8), even(0, 2, 16, 0, 0), even(1, 2, 16, 0, 0)]
ORDERED = drawn(5, (0.0, 0.4), 20, draws=0.2, openings=1.0)[0].results
UNEVEN = Meeting(0, 1, (90, 20), (0, 0), (10, 70))
FIELDS: dict[str, list[Meeting]] = {
    "draws": drawn(1, (0.5, 0, -0.5), 30, seat=0.3, draws=0.3),
    "all drawn": [even(0, 1, 0, 4, 0), even(1, 2, 2, 0, 2), even(0, 2, 0, 2, 0)],
    "no draws": drawn(6, (0.6, 0.0, -0.5), 100, seat=0.3), "shared openings": SHARED, "counted pairs": bare(SHARED),
    "missing games": [
        of_results(*one[:2], np.where(np.arange(70) % 7 == 3, -2, one.results).astype(np.int8), one.first % 2)
        for one in SHARED[:4]
    ],
    "one seat alone": [  # of the first two agents, whose second games are missing
        of_results(0, 1, np.where(np.arange(70) % 2, -2, SHARED[0].results).astype(np.int8), 0),
        *(one for one in SHARED[1:] if 3 not in one[:2]),
    ],
    "odd": odd(3, None),
    "odd with openings": odd(3, 0),
    "odd pairs": bare(odd(3, 0)),
    "hardly odd": odd(2, 0),
    "a circle": [*CIRCLE, *ALIKE],
    "two games": [UNEVEN, UNEVEN._replace(wins=(90, 80), losses=(10, 10)), even(1, 2, 160, 0, 40),
                  even(0, 2, 44, 0, 156)],
    "seats": seats(1), "other seats": seats(-1), "few of a cell": seats(1, 19), "seats of three": seats(1, agents=3),
    "seats in 20 games": seats(1, agents=3, games=20), "seats in 19 games": seats(1, agents=3, games=19),
    "seats of two": [*[one for one in seats(1) if 0 in one[:2]][:5], one_sided(2, 2, 40, 0, 160)],
    "no seat": [one_sided(0, 1, 60, 0, 40), one_sided(0, 2, 80, 0, 20), one_sided(3, 4, 1, 0, 0),
                one_sided(5, 5, 1, 1, 1)],
    "no seat in two games": [one_sided(0, 1, 60, 0, 40), one_sided(0, 1, 20, 0, 30), one_sided(1, 2, 50, 0, 20)],
    "self-play tells the seat": [one_sided(0, 1, 60, 0, 40), one_sided(1, 0, 50, 0, 50), one_sided(1, 1, 700, 10, 300)],
    "a seat that decides": [Meeting(i, j, (25, 0), (0, 0), (0, 25)) for i, j in ((0, 1), (0, 2), (1, 2))],
    "all won": [Meeting(0, 1, (20, 20), (0, 0), (0, 0))],
    "all won in pairs": [of_results(0, 1, np.ones(80, np.int8), openings=0)],
    "the only game": [even(1, 2, 100, 0, 100), even(1, 3, 60, 0, 4), even(2, 3, 60, 0, 4), one_sided(0, 3, 1, 0, 0)],
    "few from the better seat": [Meeting(1, 2, (45, 6), (0, 0), (5, 44)), one_sided(0, 2, 4, 0, 0)],
    "a ladder": [Meeting(i, j, (20, 20), (0, 0), (0, 0)) for i, j in ((0, 1), (1, 2), (0, 2))],
    "all lost": LADDER,
    "extremes": [*LADDER, even(3, 0, 4, 0, 0), Meeting(3, 1, (2, 1), (0, 0), (0, 1)), one_sided(3, 3, 3, 0, 1),
                 one_sided(2, 2, 3, 1, 1)],
    "first ones": [one_sided(one, other, 5 + one, other, 4) for one in range(3) for other in range(3)],
    "openings of first ones": [of_results(*two, ORDERED, 0, False) for two in ((0, 1), (1, 0), (1, 2), (0, 2))],
    "openings of some": [even(0, 1, 6, 2, 4), even(0, 1, 2, 0, 6), one_sided(1, 2, 3, 0, 2), one_sided(1, 2, 3, 0, 1),
                         one_sided(2, 0, 1, 0, 0), Meeting(0, 3, (2, 3), (0, 0), (0, 0), (0, 0, 0, 0, 2), 4),
                         Meeting(1, 3, (1, 1), (1, 0), (0, 1), (0, 1, 0, 1, 0), 4)],
    "enough pairs": [even(0, 1, 6, 0, 24, (12, 0, 0, 0, 3)), even(1, 2, 6, 0, 24, (12, 0, 0, 0, 3)),
                     even(3, 4, 20, 0, 20, (10, 0, 0, 0, 10))._replace(openings=0),
                     even(1, 3, 18, 2, 20, (10, 0, 0, 1, 9))._replace(openings=1)],
    "19 openings with pairs": [
        Meeting(0, 1, (1, 0), (0, 0), (0, 0), openings=1),
        *(even(0, other, 20, 0, 18, (9, 0, 0, 0, 10))._replace(openings=0) for other in (1, 2))],
    "enough pairs of few openings": [one._replace(openings=0) for one in (
        even(0, 1, 6, 0, 24, (12, 0, 0, 0, 3)), even(1, 2, 6, 0, 24, (12, 0, 0, 0, 3)))],
}  # fmt: skip


@pytest.mark.parametrize("name", FIELDS)
def test_ratings_scores_seat_superiority_and_fit_are_those_of_the_formulas(name: str) -> None:
    field = FIELDS[name]
    agents = 1 + max(max(one[:2]) for one in field)
    plain = Plain(agents, field)
    for anchor in (None, *(Anchor(at, 100.0) for at in range(agents))):
        rated = rate(agents, field, anchor)
        for one, other in zip(rated.ratings, plain.ratings(anchor), strict=True):
            found = (one.elo, one.low, one.high, one.at_least, one.at_most, one.few)
            assert found == tuple(near(each) for each in other)
    assert [*map(list, rated.superiority)] == [
        [near(plain.los(one, other)) for other in range(agents)] for one in range(agents)
    ]
    assert rated.scores == tuple(tuple(map(near, score)) for score in plain.scores)
    assert rated.seat == tuple(map(near, plain.seat))
    fit, wanted_fit = rated.fit, plain.fit()
    assert (fit is None) == (wanted_fit is None)
    if fit is not None and wanted_fit is not None:
        p_value, freedom, misfits, trend = wanted_fit
        assert (fit.p_value, fit.freedom) == (pytest.approx(p_value, abs=1e-12), freedom)
        doubtful = p_value < 0.005
        assert (fit.doubtful, fit.seat_by_strength) == (doubtful, trend * doubtful)
        assert fit.worst == tuple(tuple(map(near, misfit)) for misfit in misfits[: 3 * doubtful])
    assert not Fit(0.005, 1, (), 0).doubtful


def near(value: float | None) -> object:
    return value if value is None or isinstance(value, bool) else pytest.approx(value, rel=1e-6, abs=1e-5, nan_ok=True)


# Two agents.


def fastchess(values: Sequence[float], counts: Sequence[float]) -> tuple[float, float]:
    """Return Elo ± half-width as fastchess prints them, from the mean and the scatter of scores."""
    number = sum(counts)
    mean = sum(value * count for value, count in zip(values, counts, strict=True)) / number
    variance = sum((value - mean) ** 2 * count for value, count in zip(values, counts, strict=True)) / number
    reach = 1.959963985 * sqrt(variance / number)

    def elo(score: float) -> float:
        return -400 * log10(1 / score - 1)

    return elo(mean), (elo(mean + reach) - elo(mean - reach)) / 2


def test_many_matches_are_those_of_fastchess() -> None:
    for known, rounded in (((540, 460, 0), (210, 15)), ((100, 0, 100), (0, 49)), ((1040, 0, 960), (14, 15))):
        ahead = head_to_head([even(0, 1, *known)]).ahead
        assert (round(ahead.elo), round((ahead.high - ahead.low) / 2)) == rounded
    source = np.random.default_rng(1)
    for _ in range(80):
        share = source.dirichlet([1, 1, 1])
        won, drawn, lost = (2 * int(count) for count in source.multinomial(int(source.integers(100, 3000)), share))
        if min(won, lost) < 20:
            continue
        ahead = head_to_head([even(0, 1, won, drawn, lost)]).ahead
        elo, error = fastchess((0, 0.5, 1), (lost, drawn, won))
        assert ahead.elo == pytest.approx(elo, rel=0.02, abs=0.5)
        assert (ahead.high - ahead.low) / 2 == pytest.approx(error, rel=0.02)


# Extremes.


def test_the_interval_or_bound_of_a_difference_leaves_out_0_where_the_los_is_97_percent() -> None:
    """Drawn fields with whitewashes, gaps, draws, shared openings; an anchor gives the differences to one agent."""
    source, bounds = np.random.default_rng(0), 0
    for _ in range(20):
        agents = int(source.integers(2, 6))
        strengths = source.choice([-6, -2, 0, 0.0, 0.5, 3, 8], agents)
        openings = 1.0 if source.random() < 0.3 else None
        games, seat, draws = int(source.integers(1, 9)), source.choice([0, 1.5]), source.choice([0, 0.3])
        field = [one for one in tournament(source, strengths, games, seat, draws, openings) if source.random() < 0.8]
        superiority = rate(agents, field).superiority
        seen = [rate(agents, field, Anchor(at)).ratings for at in range(agents)]
        for one, other in permutations(range(agents), 2):
            rating, turned, los = seen[other][one], seen[one][other], superiority[one][other]
            if isnan(rating.elo) or isnan(los):
                continue
            assert (rating.low > 1e-6, rating.high < -1e-6) == (los > 0.975 + 1e-9, los < 0.025 - 1e-9), field
            assert los + superiority[other][one] == pytest.approx(1)
            assert (turned.elo, turned.low) == pytest.approx((-rating.elo, -rating.high), abs=1e-5)
            assert (turned.at_most is None) == (rating.at_least is None)
            bounds += rating.at_least is not None
    assert bounds > 15


def test_agents_that_never_met_have_no_common_ratings() -> None:
    for meetings in ([], [one_sided(at, at, 7, 1, 2) for at in range(3)]):  # nobody met another agent
        ratings = rate(3, meetings)
        assert all(isnan(one.elo) for one in ratings.ratings) and isnan(ratings.seat.elo) != bool(meetings)
    assert rate(3, []).fit is None


@settings(max_examples=examples(50), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(fields())
def test_every_sentence_about_ratings_is_true(field: Field) -> None:
    standings = field.view.standings
    said = list(of_ratings(standings.ratings, standings.meetings, field.names))
    facts.check_ratings(field, standings.ratings, said)


# Whether ratings explain the results: known tables, false alarms, and fields where they do not.


def test_chi_squared_as_printed() -> None:
    """Upper points: M. Abramowitz and I. Stegun, "Handbook of Mathematical Functions", table 26.8."""
    for value, freedom, likely in (
        (3.84146, 1, 0.05), (6.63490, 1, 0.01), (5.99147, 2, 0.05), (7.81473, 3, 0.05), (11.3449, 3, 0.01),
        (18.3070, 10, 0.05), (24.9958, 15, 0.05), (0.0157908, 1, 0.9), (43.7730, 30, 0.05), (124.342, 100, 0.05),
    ):  # fmt: skip
        assert chi_squared(value, freedom) == pytest.approx(likely, rel=2e-5)
        assert chi_squared(0, freedom) == 1.0 and chi_squared(5000, freedom) < 1e-100


def test_an_anchor_that_lost_every_game_bounds_the_others() -> None:
    field = [even(0, 1, 8, 0, 8), even(0, 2, 16, 0, 0), even(1, 2, 16, 0, 0)]
    anchored, free = rate(3, field, Anchor(2)), rate(3, field)
    most = free.ratings[2].at_most
    for rating in anchored.ratings[:2]:
        assert rating.at_least == pytest.approx(-(most or 0)) and rating.low == rating.at_least
    told = [list(of_ratings(each, field, ["perfect", "hard", "random"])) for each in (anchored, free)]
    extremes = [[text for text in lines if " all " in text] for lines in told]
    assert extremes == [[], [f"random lost all 32 games: at most {Elo(most)} Elo."]]


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


@pytest.mark.parametrize("away, variance, trend", [(1e-15, 0, 0), (0.0191, 1e-4, 0), (0.0192, 1e-4, 1), (-1, 1e-4, -1)])
def test_a_trend_is_a_gap_of_2_6_errors_of_which_there_is_one(away: float, variance: float, trend: int) -> None:
    """The limit here is 2.6 / 2 times 0.01 √(7² + 5² + 2²) / 6 = 0.01914, by hand from the agents' mean strengths."""
    first = np.array([0, 1, 1, 2, 2, 0])  # the stronger of two agents first, then the weaker one
    model: Any = SimpleNamespace(first=first, second=np.roll(first.reshape(3, 2), 1, 1).ravel(), games=np.full(6, 99))
    blocks, sure = [([at, at + 1], np.full((2, 2), variance)) for at in (0, 2, 4)], np.zeros((3, 3))
    surplus, x = away * np.array([1, 1, -1, -1, 0, 0]), np.array([1.0, 0.5, -1.0])
    assert _trend(model, x, blocks, surplus, np.zeros((6, 3)), sure) == trend


def test_ratings_are_those_of_all_games_together() -> None:
    """Two agents: Elo is what their score says, 400 log10(3) for three wins to one loss."""
    two = plan(["nim:3,5", "nim:1,2,3"], ["random", "perfect"], number=4)
    found = of(two, {0: results([1, 1, 1, 1]), 1: results([1, 1, -1, -1])})
    best, worst = found.rows
    assert (best.agent, best.points, worst.points) == ("random", 6.0, 2.0)
    apart = best.rating.elo - worst.rating.elo  # with a quarter of a point for each as the prior
    assert apart == pytest.approx(400 * log10(6.25 / 2.25), abs=1)
    likely = found.superiority[0][1]
    assert 0.5 < likely < 1 and found.superiority[1][0] == pytest.approx(1 - likely)


def test_agents_of_groups_that_never_met_have_ratings_within_their_group() -> None:
    ratings = rate(6, [even(0, 1, 6, 0, 4), even(1, 2, 6, 0, 4), even(3, 4, 6, 0, 4)])
    assert all(abs(one.elo) < 200 for one in ratings.ratings[:3])
    assert all(isnan(one.elo) and isnan(one.low) and isnan(one.high) for one in ratings.ratings[3:])
    assert isnan(ratings.superiority[0][3]) and isnan(ratings.superiority[0][5])
    assert 0.5 < ratings.superiority[3][4] < 1, "within a group it is known"
    assert ratings.scores[5] == (0, 0, 0.0, 1.0)
