"""The likelihood of superiority of two agents: known figures, and how often it is right between equals."""

from __future__ import annotations

from math import erf, sqrt

import numpy as np
import pytest

from nimtui.arena.head_to_head import head_to_head, score, superiority
from nimtui.arena.meetings import Meeting
from nimtui.arena.ratings import rate
from tests.arena.fields import even, of_results, one_sided, tournament


@pytest.mark.parametrize(("wins", "draws", "losses"), [(279, 0, 21), (30, 50, 20), (12, 0, 10), (100, 100, 80)])
def test_it_is_the_common_formula(wins: int, draws: int, losses: int) -> None:
    """Φ((wins − losses) / √(wins + losses)): chessprogramming.org, 'Match Statistics'; draws do not matter."""
    wanted = (1 + erf((wins - losses) / sqrt(wins + losses) / sqrt(2))) / 2
    assert superiority([one_sided(0, 1, wins, draws, losses)]) == pytest.approx(wanted)
    if not (wins % 2 or draws % 2 or losses % 2):
        found = superiority([even(0, 1, wins, draws, losses)])
        assert found == pytest.approx(wanted)
        assert superiority([even(0, 1, wins, draws, losses).turned()]) == pytest.approx(1 - found)


def test_known_matches() -> None:
    assert superiority([one_sided(0, 1, 21, 0, 279)]) < 0.001
    assert superiority([one_sided(0, 1, 279, 0, 21)]) > 0.999
    assert superiority([one_sided(0, 1, 3, 0, 0)]) == pytest.approx(0.958, abs=0.001)
    assert superiority([one_sided(0, 1, 0, 20, 0)]) == superiority([]) == 0.5
    assert superiority([Meeting(0, 1, (50, 0), (0, 0), (0, 50))]) == 0.5, "the seat decides, the agents are even"


def test_two_agents_are_compared_by_their_own_games() -> None:
    """The field says that the first is far ahead; it lost 21 to 279 against the second."""
    pair = even(0, 1, 20, 0, 280)
    field = [pair, even(0, 2, 2000, 0, 100), even(1, 2, 100, 0, 2000)]
    assert rate(3, field).superiority[0][1] > 0.999
    assert head_to_head([pair]).los < 0.001


@pytest.mark.slow
@pytest.mark.parametrize(("games", "draws", "openings"), [(20, 0.0, None), (60, 0.4, None), (60, 0.2, 2.0)])
def test_between_equals_it_exceeds_95_percent_in_1_match_of_20(
    games: int, draws: float, openings: float | None
) -> None:
    source, found = np.random.default_rng(games), []
    for _ in range(4_000):
        number = np.arange(games)
        worth = 0.5 + (0.0 if openings is None else source.normal(0, openings, games // 2)[number // 2])
        share = 1 / (1 + np.exp(-worth * (1 - 2 * (number % 2))))
        drawn = np.minimum(draws, 2 * np.minimum(share, 1 - share))
        sample = source.random(games)
        results = np.where(sample < share - drawn / 2, 1, np.where(sample < share + drawn / 2, 0, -1)).astype(np.int8)
        found.append(superiority([of_results(0, 1, results, None if openings is None else 0)]))
    assert np.mean(np.array(found) > 0.95) == pytest.approx(0.05, abs=0.012)
    assert np.mean(np.array(found) < 0.05) == pytest.approx(0.05, abs=0.012)
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
