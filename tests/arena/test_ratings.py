"""Ratings: against printed figures, their equations, a grid and formulas; and every sentence about them."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, isnan, log10, sqrt

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from nimtui.arena.rating.goodness import chi_squared
from nimtui.arena.rating.logistic import ELO, PRIOR
from nimtui.arena.rating.meetings import Meeting
from nimtui.arena.rating.ratings import Anchor, Rating, head_to_head, rate
from nimtui.arena.standings.statements import of_ratings
from nimtui.report.values import Elo
from tests.arena import facts
from tests.arena.crosstables import Field, fields
from tests.arena.fields import TEAMS, baseball, elos, even, many, of_results, one_sided, tournament
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


# The fit.

Games = tuple[int, int, float, int]  # first mover, second mover, the first mover's points, games


def test_the_fit_is_where_the_quasi_likelihood_is_flat() -> None:
    """Each agent scores as many points as the fit expects, the prior's included, and so do the first movers."""
    meetings = [
        Meeting(0, 1, (7, 9), (2, 0), (3, 0)),
        Meeting(0, 2, (8, 6), (1, 2), (1, 2)),
        Meeting(1, 2, (5, 6), (4, 0), (1, 4)),
    ]
    cells: list[Games] = [
        (0, 1, 8, 12), (1, 0, 0, 9), (0, 2, 8.5, 10), (2, 0, 3, 10), (1, 2, 7, 10), (2, 1, 4, 10),
    ]  # fmt: skip
    rated = rate(3, meetings)
    strength, seat = [rating.elo / ELO for rating in rated.ratings], rated.seat.elo / ELO
    over = [0.0, 0.0, 0.0, 0.0]  # points above the expected ones: of the three agents, and of the first movers
    for first, second, points, games in cells:
        drawn = PRIOR / 2 / 2  # half a drawn game each, spread over two opponents and two seats
        share = 1 / (1 + exp(strength[second] - strength[first] - seat))
        more = points + drawn / 2 - (games + drawn) * share
        over[first] += more
        over[second] -= more
        over[3] += more
    assert over == pytest.approx([0] * 4, abs=1e-6) and sum(strength) == pytest.approx(0, abs=1e-9)


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


def test_self_play_moves_the_seat_alone() -> None:
    """With self-play that agrees with the rest of the games the ratings stay where they are."""
    ordered = [one_sided(i, j, *c) for i, j, c in ((0, 1, (60, 0, 40)), (1, 0, (50, 0, 50)))]
    plain = rate(2, ordered)
    share = 1 / (1 + exp(-plain.seat.elo / ELO))
    agrees = rate(2, [*ordered, one_sided(1, 1, round(1e6 * share), 0, round(1e6 * (1 - share)))])
    assert elos(agrees.ratings) == pytest.approx(elos(plain.ratings), abs=0.05)
    assert agrees.seat.elo == pytest.approx(plain.seat.elo, abs=0.5) and agrees.seat.error < plain.seat.error / 10
    decided = rate(2, [*ordered, one_sided(0, 0, 900, 0, 100)])
    assert decided.seat.elo > plain.seat.elo + 100
    assert decided.scores[0][:2] == plain.scores[0][:2] == (110, 200), "points of self-play do not count"


def test_one_seat_alone_cannot_be_told_from_strength() -> None:
    gauntlet = [one_sided(0, 1, 60, 0, 40), one_sided(0, 2, 80, 0, 20)]
    ratings = rate(3, gauntlet)
    assert isnan(ratings.seat.elo) and isnan(ratings.seat.error)
    apart = ratings.ratings[0].elo - ratings.ratings[1].elo
    assert apart == pytest.approx(400 * log10(60 / 40), rel=0.02)
    cycle = [*gauntlet, one_sided(1, 2, 50, 0, 50)]  # nowhere both ways, and yet the cycle tells the seat
    assert not isnan(rate(3, cycle).seat.elo)


def test_an_anchor_says_what_zero_is() -> None:
    field = tournament(np.random.default_rng(3), (0.5, 0.0, -0.5), 200)
    free, anchored = rate(3, field).ratings, rate(3, field, Anchor(1, 100)).ratings
    assert anchored[1].low == anchored[1].high == anchored[1].elo == 100
    for one, other in zip(free, anchored, strict=True):
        assert other.elo - 100 == pytest.approx(one.elo - free[1].elo, abs=1e-6)
    pair = head_to_head([field[0]]).ahead
    alone = rate(2, [field[0]], Anchor(1)).ratings[0]
    assert (pair.elo, pair.low, pair.high) == pytest.approx((alone.elo, alone.low, alone.high))


def test_ratings_do_not_depend_on_order_or_names() -> None:
    field = tournament(np.random.default_rng(4), (0.5, 0.0, -0.5, 0.2), 60, seat=0.3, draws=0.3)
    here, there = rate(4, field), rate(4, [one.turned() for one in reversed(field)])
    assert elos(there.ratings) == pytest.approx(elos(here.ratings), abs=1e-6)
    renamed = [one._replace(first=3 - one.first, second=3 - one.second) for one in field]
    assert elos(rate(4, renamed).ratings) == pytest.approx(elos(here.ratings)[::-1], abs=1e-6)


# Extremes.


@pytest.mark.parametrize("games", [2, 40, 1000])
def test_winning_every_game_gives_a_bound(games: int) -> None:
    """At the bound δ all games are won once in 40 times: σ(δ)^games = 0.025."""
    found = head_to_head([Meeting(0, 1, (games // 2, games // 2), (0, 0), (0, 0))]).ahead
    bound = 400 * log10(1 / (0.025 ** (-1 / games) - 1))
    assert found.at_least == pytest.approx(bound, abs=1e-6) and found.low == min(found.at_least, found.elo)
    assert found.elo == pytest.approx(400 * log10((games + 0.25) / 0.25), abs=games / 100)
    assert found.at_most is None and np.isfinite(found.high) and found.few
    assert found.turned().at_most == pytest.approx(-bound)
    field = rate(2, [Meeting(0, 1, (games // 2, games // 2), (0, 0), (0, 0))]).ratings
    assert field[0].at_least == pytest.approx(bound / 2) and field[1].at_most == pytest.approx(-bound / 2)
    paired = head_to_head([of_results(0, 1, np.ones(2 * games, np.int8), openings=0)]).ahead
    assert paired.at_least == pytest.approx(bound, abs=1e-6)  # two games of one opening count once


def agreement(rating: Rating, los: float) -> bool:
    """Whether a difference in strength and its LOS say the same: 0 Elo lies outside the interval where it is sure."""
    return (rating.low > 1e-6) == (los > 0.975 + 1e-9) and (rating.high < -1e-6) == (los < 0.025 - 1e-9)


def test_the_interval_or_bound_of_a_difference_leaves_out_0_where_the_los_is_97_percent() -> None:
    """Fields with whitewashes, gaps, draws, shared openings; an anchor gives the differences to one agent."""
    source, bounds = np.random.default_rng(0), 0
    for _ in range(30):
        agents = int(source.integers(2, 6))
        strengths = source.choice([-6, -2, 0, 0.0, 0.5, 3, 8], agents)
        openings = 1.0 if source.random() < 0.3 else None
        games, seat, draws = int(source.integers(1, 9)), source.choice([0, 1.5]), source.choice([0, 0.3])
        field = [one for one in tournament(source, strengths, games, seat, draws, openings) if source.random() < 0.8]
        superiority = rate(agents, field).superiority
        seen = [rate(agents, field, Anchor(at)).ratings for at in range(agents)]
        for one in range(agents):
            for other in range(agents):
                rating, los = seen[other][one], superiority[one][other]
                if one == other or isnan(rating.elo) or isnan(los):
                    continue
                assert agreement(rating, los), (field, one, other)
                assert los + superiority[other][one] == pytest.approx(1)
                turned = seen[one][other]
                assert (turned.elo, turned.low) == pytest.approx((-rating.elo, -rating.high), abs=1e-5)
                assert (turned.at_most is None) == (rating.at_least is None)
                bounds += rating.at_least is not None
    assert bounds > 25


def whitewash(agent: int, strength: float, strengths: Sequence[float], seat: float, field: Sequence[Meeting]) -> float:
    """The likelihood that an agent of this strength loses all its games, game by game."""
    found = 1.0
    for one in field:
        if agent not in one[:2]:
            continue
        opponent = one.second if agent == one.first else one.first
        for opener in (0, 1):
            worth = seat if one[opener] == agent else -seat
            for _ in range(one.wins[opener] + one.draws[opener] + one.losses[opener]):
                found *= 1 / (1 + exp(strength - strengths[opponent] + worth))
    return found


@pytest.mark.parametrize("games", [2, 4, 6, 20])
def test_bound_and_los_after_losing_every_game_are_those_of_a_grid(games: int) -> None:
    """Perfect play, Hard and Random at the tower of 16: the second player wins between the first two."""
    half = games // 2
    field = [
        Meeting(0, 1, (0, half), (0, 0), (half, 0)),
        Meeting(0, 2, (half, half), (0, 0), (0, 0)),
        Meeting(1, 2, (half, half), (0, 0), (0, 0)),
    ]
    rated = rate(3, field)
    strengths = [rating.elo / ELO for rating in rated.ratings]
    seat = rated.seat.elo / ELO
    grid = np.linspace(-10, 10, 4001)
    likely = np.array([whitewash(2, place, strengths, seat, field) for place in grid])
    bound = grid[likely >= 0.025].max()  # of strengths that lose so often
    assert (rated.ratings[2].at_most or 0) / ELO == pytest.approx(bound, abs=0.006)
    for other in (0, 1):
        rare = whitewash(2, strengths[other], strengths, seat, field)
        assert rated.superiority[other][2] == pytest.approx(max(0.5, 1 - rare))
        assert rated.superiority[2][other] == pytest.approx(min(0.5, rare))
        assert (rated.superiority[other][2] > 0.975) == (bound < strengths[other])


def test_an_anchor_that_lost_every_game_bounds_the_others() -> None:
    field = [even(0, 1, 8, 0, 8), even(0, 2, 16, 0, 0), even(1, 2, 16, 0, 0)]
    anchored, free = rate(3, field, Anchor(2)), rate(3, field)
    most = free.ratings[2].at_most
    for rating in anchored.ratings[:2]:
        assert rating.at_least == pytest.approx(-(most or 0)) and rating.low == rating.at_least
    told = [list(of_ratings(each, field, ["perfect", "hard", "random"])) for each in (anchored, free)]
    extremes = [[text for text in lines if " all " in text] for lines in told]
    assert extremes == [[], [f"random lost all 32 games: at most {Elo(most)} Elo."]]


def test_winning_the_only_game_against_a_weak_agent_is_no_sign_of_weakness() -> None:
    """The first beat the weakest once, the second did so 60 times of 60 and lost half against equals."""
    field = [even(1, 2, 100, 0, 100), even(1, 3, 60, 0, 4), even(2, 3, 60, 0, 4), one_sided(0, 3, 1, 0, 0)]
    los = rate(4, field).superiority[0][1]
    assert 0.05 < los <= 0.5


def test_a_ladder_is_finite_and_in_order() -> None:
    ladder = [Meeting(i, j, (20, 20), (0, 0), (0, 0)) for i, j in ((0, 1), (1, 2), (0, 2))]
    top, middle, bottom = rate(3, ladder).ratings
    assert top.elo > middle.elo == pytest.approx(0, abs=1e-6) and bottom.elo == pytest.approx(-top.elo)
    assert top.at_least is not None and bottom.at_most == pytest.approx(-top.at_least)
    assert middle.at_least is None and middle.at_most is None
    assert all(np.isfinite([one.low, one.high]).all() for one in (top, middle, bottom))


def test_agents_that_never_met_have_no_common_ratings() -> None:
    ratings = rate(6, [even(0, 1, 6, 0, 4), even(1, 2, 6, 0, 4), even(3, 4, 6, 0, 4)])
    assert all(abs(one.elo) < 200 for one in ratings.ratings[:3])
    assert all(isnan(one.elo) and isnan(one.low) and isnan(one.high) for one in ratings.ratings[3:])
    assert isnan(ratings.superiority[0][3]) and isnan(ratings.superiority[0][5])
    assert 0.5 < ratings.superiority[3][4] < 1, "within a group it is known"
    assert ratings.scores[5] == (0, 0, 0.0, 1.0)
    for meetings in ([], [one_sided(at, at, 7, 1, 2) for at in range(3)]):  # nobody met another agent
        ratings = rate(3, meetings)
        assert all(isnan(one.elo) for one in ratings.ratings) and isnan(ratings.seat.elo) != bool(meetings)
    assert rate(3, []).fit is None


def test_a_seat_that_decides_everything_is_finite_and_rates_all_alike() -> None:
    ratings = rate(3, [Meeting(i, j, (25, 0), (0, 0), (0, 25)) for i, j in ((0, 1), (0, 2), (1, 2))])
    assert elos(ratings.ratings) == pytest.approx([0, 0, 0], abs=1e-6)
    assert 0 < ratings.seat.error < np.inf and 300 < ratings.seat.elo < np.inf
    assert ratings.superiority[0][1] == pytest.approx(0.5) and ratings.fit is not None
    assert ratings.fit.p_value > 0.9, "nothing contradicts the ratings"


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
