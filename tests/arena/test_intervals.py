"""Intervals, and how probable it is that an agent is the stronger one: printed figures, formulas, and how often they
hold the truth; and how much results scatter, against plain loops and a jackknife."""

from __future__ import annotations

from dataclasses import astuple
from fractions import Fraction
from itertools import product
from math import comb, erf, isnan, nan, sqrt
from pathlib import Path

import numpy as np
import pytest

from nimtui.arena.rating import logistic
from nimtui.arena.rating.logistic import ELO, Z95, half_width, score_interval
from nimtui.arena.rating.meetings import Meeting, decided_by_seat, few, joined, pair_counts, seat_wins, sides
from nimtui.arena.rating.ratings import Anchor, Rating, Score, Seat, head_to_head, rate, score
from tests.arena.fields import even, of_results, one_sided, tournament
from tests.benchmarks.coverage import ENOUGH, TOURNAMENTS, WORLDS, coverage, equals

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "ratings.md").read_text(encoding="utf-8")

# n, successes, 95 % limits: Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in
# Medicine 17, 1998, table I, method 3 (score without continuity correction); 8 of 10 is the usual classroom example.
PRINTED = [
    (263, 81, 0.2553, 0.3662), (148, 15, 0.0624, 0.1605), (20, 0, 0.0000, 0.1611), (29, 1, 0.0061, 0.1718),
    (10, 8, 0.4902, 0.9433),
]  # fmt: skip


# Scores.


def plain(points: float, games: int) -> tuple[float, float]:
    """The interval of independent games without draws, the prior's half game included."""
    inner = (points + 0.25) / (games + 0.5)
    numbers = (float(points), games, (games + 0.5) * inner * (1 - inner), games)
    low, high = score_interval(*map(np.array, numbers))
    return float(low), float(high)


def test_games_without_draws_have_wilsons_interval() -> None:
    for games, points, *ends in PRINTED:
        assert plain(points, games) == pytest.approx(ends, abs=0.008 if games < 50 else 0.0005)
    for won, games in ((3, 7), (0.5, 1), (99.5, 100), (1234, 5000)):
        for end in plain(won, games):  # of half a game more, the prior
            assert (won / games - end) ** 2 == pytest.approx(Z95**2 * end * (1 - end) / (games + 0.5))
    for games in (1, 2, 3, 1000, 10_000_000):
        for won in (0, 0.5, games / 3, games - 0.5, games):
            low, high = plain(won, games)
            assert 0 <= low <= won / games <= high <= 1
    assert score_interval(*map(np.array, (0.0, 0, 0.0, 0))) == (0.0, 1.0)
    low, high = plain(100, 100)
    assert high == 1.0 and low == pytest.approx(0.9630, abs=5e-4)
    assert plain(0, 100) == pytest.approx((0.0, 1 - low))


def test_a_half_width_is_that_of_the_score_on_the_scale_of_elo() -> None:
    """fastchess and Ordo: half the distance of the Elo of both ends, for a score of 60 % ± 3 %."""
    ends = [400 * np.log10((0.6 + reach) / (0.4 - reach)) for reach in (-0.03, 0.03)]
    found = ELO * half_width(np.log(0.6 / 0.4), np.array(0.03 / Z95 / (0.6 * 0.4)))
    assert found == pytest.approx((ends[1] - ends[0]) / 2, rel=1e-3)
    assert np.isfinite(half_width(np.array(0.0), np.array(50.0)))


@pytest.mark.parametrize(("games", "low"), [(1, 0.2065), (3, 0.4385), (4, 0.5101), (10, 0.7225), (40, 0.9124)])
@pytest.mark.parametrize("alternate", [False, True])
def test_a_perfect_score_has_wilsons_interval_of_the_games_played(games: int, low: float, alternate: bool) -> None:
    """Wilson's lower limit of n of n is n / (n + z²); two games of an opening count once: the same may win both."""
    opened = (games - games // 2, games // 2) if alternate else (games, 0)
    won = Meeting(0, 1, opened, (0, 0), (0, 0), alternate=alternate)
    assert low == pytest.approx(games / (games + 1.959964**2), abs=5e-5)
    for one in (won, of_results(0, 1, np.ones(2 * games, np.int8), openings=0)):
        for found in (score(one), head_to_head([one]).score):
            assert (found.low, found.high) == pytest.approx((low, 1.0), abs=5e-5)
    lost = score(won.turned())
    assert (lost.low, lost.high) == pytest.approx((0.0, 1 - low), abs=5e-5)


# The likelihood of superiority.


@pytest.mark.parametrize(("wins", "draws", "losses"), [(30, 50, 20), (70, 0, 66), (100, 100, 80), (240, 0, 200)])
def test_it_is_nearly_the_common_formula(wins: int, draws: int, losses: int) -> None:
    """Φ((wins − losses) / √(wins + losses)): chessprogramming.org, 'Match Statistics'; draws do not matter."""
    wanted = (1 + erf((wins - losses) / sqrt(wins + losses) / sqrt(2))) / 2
    los = head_to_head([even(0, 1, wins, draws, losses)]).los
    assert los == pytest.approx(wanted, abs=0.012)
    assert head_to_head([even(0, 1, wins, draws, losses).turned()]).los == pytest.approx(1 - (los or 0.0))


@pytest.mark.parametrize(
    ("meetings", "decided"),
    [
        ([one_sided(0, 1, 0, 0, 1000)], True),
        ([one_sided(0, 1, 600, 100, 300)], True),
        ([one_sided(0, 1, 600, 100, 300), one_sided(1, 0, 500, 0, 500)], False),
        ([one_sided(0, 1, 6, 1, 3), one_sided(1, 2, 5, 2, 3)], True),  # 2 is two seats below 0
        ([one_sided(0, 1, 6, 1, 3), one_sided(1, 2, 5, 2, 3), one_sided(0, 2, 4, 4, 2)], False),
        ([one_sided(0, 1, 6, 1, 3), one_sided(1, 1, 5, 2, 3)], False),  # self-play tells the seat
        ([one_sided(0, 0, 10, 0, 0)], False),
        ([Meeting(0, 1, (50, 0), (0, 0), (0, 50))], True),
        ([Meeting(0, 1, (0, 3), (0, 1), (0, 2))], True),  # the second opened them all
        ([Meeting(0, 1, (1, 1), (1, 0), (0, 1))], False), ([Meeting(0, 1, (1, 1), (0, 0), (1, 1))], False),
        ([Meeting(0, 1, (50, 1), (0, 0), (0, 49))], False),
        ([Meeting(0, 1, (30, 20), (0, 0), (20, 30), (0, 0, 50, 0, 0), 0)], True),
        ([Meeting(0, 1, (30, 20), (0, 0), (20, 30), (1, 0, 48, 0, 1), 0)], False),
        ([Meeting(0, 1, (0, 0), (50, 50), (0, 0), (0, 0, 50, 0, 0), 0)], False), ([], False),
    ],
)  # fmt: skip
def test_when_games_say_nothing_about_strength(meetings: list[Meeting], decided: bool) -> None:
    assert decided_by_seat(meetings) is decided
    if {(one.first, one.second) for one in meetings} == {(0, 1)}:
        assert (head_to_head(meetings).los is None) is decided
    assert head_to_head([]).los is None
    agents = 1 + max((max(one[:2]) for one in meetings), default=0)
    assert all(rating.by_seat is decided for rating in rate(agents, meetings).ratings if not isnan(rating.elo))


# How often they hold the truth.


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("agents", [2, 4])
def test_an_interval_contains_the_truth_95_times_in_100(world: str, agents: int) -> None:
    found = coverage(WORLDS[world](agents), 60, 1_000, 3)  # tournaments: a share of 95 % then scatters by 0.7 %
    for share in (found.elo, found.score, found.seat):
        assert 0.93 <= share <= 0.975 if found.side >= ENOUGH else share >= 0.9
    if found.side >= ENOUGH:
        for width in (found.elo_width, found.score_width, found.seat_width):
            assert 0.85 <= width <= 1.15


def test_the_page_has_a_row_for_each_world_and_none_is_wrong() -> None:
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in PAGE.splitlines()]
    told = {world: [row for row in rows if len(row) == 8 and row[0] == world] for world in WORLDS}
    assert all(len(found) == 9 for found in told.values())
    for row in (row for found in told.values() for row in found):
        if "too few games" not in row[-1]:
            assert all(93 <= float(cell.split()[0]) <= 97 for cell in row[3:6]), row
            assert all(0.85 <= float(width) <= 1.15 for width in row[6].split(", ")), row
    assert f"{TOURNAMENTS:,} tournaments" in PAGE


# How much results scatter.


def test_pairs_are_counted_where_both_games_are_there_on_both_sides_of_the_mean() -> None:
    results = np.array([1, 1, 0, 1, -1, 1, -2, 1, 0, -1, -1, -1, 1], np.int8)
    assert (pair_counts(results), pair_counts(results[:1])) == ((1, 1, 1, 1, 1), (0, 0, 0, 0, 0))
    one = Meeting(0, 1, (0, 0), (0, 0), (0, 0), (3, 0, 5, 0, 4))  # mean 13/12
    assert sides([one]).tolist() == [[8, 4]]
    two = one._replace(pentanomial=(20, 0, 7, 0, 20))  # mean 1: 7 pairs are on neither side
    assert sides([two, two.turned()]).tolist() == [[20, 20], [20, 20]]
    for counts in product(range(3), repeat=5):
        mean = Fraction(sum(points * pairs for points, pairs in enumerate(counts)), sum(counts) or 1)
        below, above = (
            sum(pairs for points, pairs in enumerate(counts) if side * (points - mean) > 0) for side in (-1, 1)
        )
        assert sides([one._replace(pentanomial=counts)]).tolist() == [[below, above]]
    assert few([one]) and not few([two]) and few([]) and not few([one, two])


def test_a_meeting_turned_is_that_of_the_other_agent() -> None:
    one = Meeting(0, 1, (1, 2), (3, 4), (5, 9), (1, 2, 3, 4, 5), 7, np.zeros(1, np.int8), False)
    assert one.turned() == Meeting(1, 0, (9, 5), (4, 3), (2, 1), (5, 4, 3, 2, 1), 7, None, False)
    assert (one.played, one.points, seat_wins([one, one])) == (24, 6.5, (20, 14))
    assert one[:5] + Meeting(*one[:5])[5:] == (*one[:5], (0, 0, 0, 0, 0), None, None, True)
    points = Score(3.0, 4, 0.25, 0.875)
    assert points.turned() == (1.0, 4, 0.125, 0.75) and points.keys == {
        "score": 0.75, "score_low": 0.25, "score_high": 0.875,
    }  # fmt: skip
    assert (Score(0.0, 0, 0.0, 1.0).share, str(Score(0.0, 0, 0.0, 1.0).interval)) == (None, "")
    assert Seat(1.5, 2.5).keys == {"first_move_advantage": 1.5, "first_move_advantage_error": 2.5}


def test_a_rating_is_told_in_columns_in_a_line_and_from_both_sides() -> None:
    unknown = Rating(nan, nan, nan)
    for rating, turned, texts in (
        (Rating(100, 60, 140), Rating(-100, -140, -60), ("+100", "±40", "+100", "±40", "+100 ±40")),
        (
            Rating(9, 6, 40, 8, None, True),
            Rating(-9, -40, -6, None, -8, True),
            ("+9", "at least +8", "≥ +8", "", "≥ +8"),
        ),
        (Rating(9, 6, 40, None, 8), Rating(-9, -40, -6, -8, None), ("+9", "at most +8", "≤ +8", "", "≤ +8")),
        (Rating(9, 6, 40, 8, by_seat=True), Rating(-9, -40, -6, None, -8, by_seat=True), ("–", "", "?", "", "?")),
        (unknown, unknown, ("–", "", "?", "", "?")),
    ):
        assert tuple(map(str, (rating.value, rating.range, rating.brief, rating.error, rating.line))) == texts
        assert astuple(rating.turned()) == pytest.approx(astuple(turned), nan_ok=True)
        numbers = {"elo": rating.elo, "elo_low": rating.low, "elo_high": rating.high}
        assert rating.keys == {
            **(dict.fromkeys(numbers) if rating == unknown else numbers),
            "at_least": None if rating.by_seat else rating.at_least,
            "at_most": rating.at_most,
            "too_few_games": rating.few,
            "decided_by_seat": rating.by_seat,
        }
    assert Rating(1, 0, 2) == Rating(1, 0, 2, None, None, False, False) and Anchor(3) == (3, 0.0)


def test_meetings_joined_are_all_their_games() -> None:
    assert joined([alone := Meeting(0, 1, (1, 2), (3, 4), (5, 9), (1, 2, 3, 4, 5), 7, None, False)]) == alone
    source = np.random.default_rng(4)
    for openings in (None, 0.5):
        parts = [tournament(source, [0.4, 0.0], games, draws=0.2, openings=openings)[0] for games in (40, 12, 30)]
        whole = joined(parts)
        for name in ("wins", "draws", "losses", "pentanomial"):
            assert getattr(whole, name) == tuple(map(sum, zip(*(getattr(part, name) for part in parts), strict=True)))
        assert whole.points == sum(part.points for part in parts) and whole.played == 82


def held(opened: tuple[int, int], draws: float, chances: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
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
    assert 0.94 < held(opened, draws, np.linspace(0.02, 0.98, 49)) < 0.98


def test_a_score_without_a_fit_is_that_of_the_fit() -> None:
    source = np.random.default_rng(5)
    for openings in (None, 1.5):
        for one in tournament(source, (0.6, 0.0, -0.3), 101, 0.3, 0.2, openings):
            bare = one._replace(results=None)
            assert score(bare) == pytest.approx(head_to_head([bare]).score, abs=1e-7)
    for one in (
        one_sided(0, 1, 6, 2, 4),
        one_sided(0, 1, 0, 3, 0),
        Meeting(0, 1, (1, 0), (0, 0), (0, 3)),
        Meeting(0, 1, (2, 0), (0, 1), (1, 2), (0, 2, 1, 0, 0), 0),
        even(0, 1, 0, 8, 0),
    ):
        assert score(one) == pytest.approx(head_to_head([one]).score, abs=1e-7)
    assert score(Meeting(0, 1, (0, 0), (0, 0), (0, 0))) == (0, 0, 0, 1)


def test_two_agents_are_compared_by_their_own_games() -> None:
    """The field says that the first is far ahead; it lost 21 to 279 against the second."""
    pair = even(0, 1, 20, 0, 280)
    field = [pair, even(0, 2, 2000, 0, 100), even(1, 2, 100, 0, 2000)]
    assert rate(3, field).superiority[0][1] > 0.999
    assert (head_to_head([pair]).los or 0.0) < 0.001


@pytest.mark.slow
@pytest.mark.parametrize(("draws", "shared"), [(0.0, False), (0.3, True), (0.93, True)])
def test_the_los_of_equals_exceeds_95_percent_5_times_in_100(draws: float, shared: bool) -> None:
    assert 0.04 <= equals(draws, 40.0 * (draws < 0.9), 1_000, 2_000, 1, shared) <= 0.065


@pytest.mark.slow
def test_between_equals_it_exceeds_95_percent_in_at_most_1_short_match_of_20() -> None:
    source, found = np.random.default_rng(20), list[float]()
    share = 1 / (1 + np.exp(-0.5 * (1 - 2 * (np.arange(20) % 2))))
    for _ in range(1_000):
        los = head_to_head([of_results(0, 1, np.where(source.random(20) < share, 1, -1).astype(np.int8))]).los
        found.append(0.5 if los is None else los)
    assert max(np.mean(np.array(found) > 0.95), np.mean(np.array(found) < 0.05)) < 0.062
    assert np.mean(found) == pytest.approx(0.5, abs=0.02)


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
