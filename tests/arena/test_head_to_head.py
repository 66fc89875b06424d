"""The likelihood of superiority: known figures, how often it is right; and how often intervals hold the truth."""

from __future__ import annotations

from math import erf, isnan, sqrt
from pathlib import Path

import numpy as np
import pytest

from nimtui.arena.rating.meetings import Meeting, decided_by_seat, joined
from nimtui.arena.rating.ratings import head_to_head, rate, score
from tests.arena.fields import even, of_results, one_sided, tournament
from tests.benchmarks.coverage import ENOUGH, TOURNAMENTS, WORLDS, coverage, equals


@pytest.mark.parametrize(("wins", "draws", "losses"), [(30, 50, 20), (70, 0, 66), (100, 100, 80), (240, 0, 200)])
def test_it_is_nearly_the_common_formula(wins: int, draws: int, losses: int) -> None:
    """Φ((wins − losses) / √(wins + losses)): chessprogramming.org, 'Match Statistics'; draws do not matter."""
    wanted = (1 + erf((wins - losses) / sqrt(wins + losses) / sqrt(2))) / 2
    los = head_to_head([even(0, 1, wins, draws, losses)]).los
    assert los == pytest.approx(wanted, abs=0.012)
    assert head_to_head([even(0, 1, wins, draws, losses).turned()]).los == pytest.approx(1 - (los or 0.0))


def test_elo_and_los_of_two_agents_are_one_definition() -> None:
    source = np.random.default_rng(3)
    results = source.integers(0, 30, (40, 3, 2)).tolist()
    for won, drawn, lost in (*results, ((0, 1), (0, 0), (5, 4)), ((3, 0), (0, 0), (97, 9))):
        pair = head_to_head([Meeting(0, 1, tuple(won), tuple(drawn), tuple(lost))])
        z = 1.959964 * pair.ahead.elo / (pair.ahead.high - pair.ahead.elo)
        assert pair.los == pytest.approx((1 + erf(z / sqrt(2))) / 2, abs=1e-6)


def test_meetings_joined_are_all_their_games() -> None:
    source = np.random.default_rng(4)
    for openings in (None, 0.5):
        parts = [tournament(source, [0.4, 0.0], games, draws=0.2, openings=openings)[0] for games in (40, 12, 30)]
        whole = joined(parts)
        for seat in (0, 1):
            for name in ("wins", "draws", "losses"):
                assert getattr(whole, name)[seat] == sum(getattr(part, name)[seat] for part in parts)
        assert whole.pentanomial == tuple(sum(part.pentanomial[at] for part in parts) for at in range(5))
        assert whole.points == sum(part.points for part in parts) and whole.played == 82


def test_after_winning_all_it_is_the_rarity_of_that_between_equals() -> None:
    for games in (1, 5, 20):
        pair = head_to_head([Meeting(0, 1, (games, games), (0, 0), (0, 0))])
        assert pair.los == pytest.approx(1 - 0.25**games)
        assert pair.ahead.at_least is not None and (pair.ahead.at_least > 0) == (0.25**games < 0.025)


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
        ([Meeting(0, 1, (50, 1), (0, 0), (0, 49))], False),
        ([Meeting(0, 1, (30, 20), (0, 0), (20, 30), (0, 0, 50, 0, 0), 0)], True),
        ([Meeting(0, 1, (30, 20), (0, 0), (20, 30), (1, 0, 48, 0, 1), 0)], False),
        ([Meeting(0, 1, (0, 0), (50, 50), (0, 0), (0, 0, 50, 0, 0), 0)], False),
        ([], False),
    ],
)
def test_when_games_say_nothing_about_strength(meetings: list[Meeting], decided: bool) -> None:
    assert decided_by_seat(meetings) is decided
    if {(one.first, one.second) for one in meetings} == {(0, 1)}:
        assert (head_to_head(meetings).los is None) is decided
    agents = 1 + max((max(one[:2]) for one in meetings), default=0)
    assert all(rating.by_seat is decided for rating in rate(agents, meetings).ratings if not isnan(rating.elo))


def test_two_agents_are_compared_by_their_own_games() -> None:
    """The field says that the first is far ahead; it lost 21 to 279 against the second."""
    pair = even(0, 1, 20, 0, 280)
    field = [pair, even(0, 2, 2000, 0, 100), even(1, 2, 100, 0, 2000)]
    assert rate(3, field).superiority[0][1] > 0.999
    assert (head_to_head([pair]).los or 0.0) < 0.001


@pytest.mark.slow
def test_between_equals_it_exceeds_95_percent_in_at_most_1_short_match_of_20() -> None:
    """Long matches, draws and shared openings are below."""
    source, found = np.random.default_rng(20), list[float]()
    share = 1 / (1 + np.exp(-0.5 * (1 - 2 * (np.arange(20) % 2))))
    for _ in range(1_000):
        los = head_to_head([of_results(0, 1, np.where(source.random(20) < share, 1, -1).astype(np.int8))]).los
        found.append(0.5 if los is None else los)
    assert max(np.mean(np.array(found) > 0.95), np.mean(np.array(found) < 0.05)) < 0.062
    assert np.mean(found) == pytest.approx(0.5, abs=0.02)


def test_a_score_without_a_fit_is_that_of_the_fit() -> None:
    source = np.random.default_rng(5)
    for openings in (None, 1.5):
        for one in tournament(source, (0.6, 0.0, -0.3), 101, 0.3, 0.2, openings):
            plain = one._replace(results=None)
            assert score(plain) == pytest.approx(head_to_head([plain]).score, abs=2e-4)
    empty = Meeting(0, 1, (0, 0), (0, 0), (0, 0))
    assert score(empty) == (0, 0, 0, 1)
    perfect = score(Meeting(0, 1, (50, 50), (0, 0), (0, 0)))
    assert perfect.high == 1 and perfect.low == pytest.approx(0.963, abs=0.001)


PAGE = Path(__file__).resolve().parents[2] / "docs" / "ratings.md"
QUICK = 1_000  # tournaments: a share of 95 % then scatters by 0.7 %


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("agents", [2, 4])
def test_an_interval_contains_the_truth_95_times_in_100(world: str, agents: int) -> None:
    found = coverage(WORLDS[world](agents), 60, QUICK, 3)
    for share in (found.elo, found.score, found.seat):
        assert 0.93 <= share <= 0.975 if found.side >= ENOUGH else share >= 0.9
    if found.side >= ENOUGH:
        for width in (found.elo_width, found.score_width, found.seat_width):
            assert 0.85 <= width <= 1.15


@pytest.mark.slow
@pytest.mark.parametrize(("draws", "shared"), [(0.0, False), (0.3, True), (0.93, True)])
def test_the_los_of_equals_exceeds_95_percent_5_times_in_100(draws: float, shared: bool) -> None:
    assert 0.04 <= equals(draws, 40.0 * (draws < 0.9), 1_000, 2_000, 1, shared) <= 0.065


def test_the_page_has_a_row_for_each_world_and_none_is_wrong() -> None:
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in PAGE.read_text(encoding="utf-8").splitlines()]
    told = {world: [row for row in rows if len(row) == 8 and row[0] == world] for world in WORLDS}
    assert all(len(found) == 9 for found in told.values())
    for row in (row for found in told.values() for row in found):
        if "too few games" not in row[-1]:
            assert all(93 <= float(cell.split()[0]) <= 97 for cell in row[3:6]), row
            assert all(0.85 <= float(width) <= 1.15 for width in row[6].split(", ")), row
    assert f"{TOURNAMENTS:,} tournaments" in PAGE.read_text(encoding="utf-8")
