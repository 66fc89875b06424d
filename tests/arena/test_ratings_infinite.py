"""Ratings where something is infinite, or cannot be known."""

from __future__ import annotations

from itertools import product
from math import inf, isnan, log

import numpy as np
import pytest

from nimtui.arena.ratings import ELO, Rating, Result, rate
from nimtui.arena.separation import separation
from tests.arena.fields import elos, made, without_order

NOTHING = (-inf, inf)


def beats(winner: int, loser: int, games: int = 10) -> list[Result]:
    """So many games from either seat, all won."""
    return [Result(winner, loser, games, 0, 0), Result(loser, winner, 0, 0, games)]


def even(one: int, other: int) -> list[Result]:
    return [Result(one, other, 6, 0, 4), Result(other, one, 5, 0, 5)]


def test_perfect_against_random() -> None:
    ratings = rate(2, beats(0, 1, 50))
    # 100 won of 100 with e^(−θ) per loss: 100 ln(1 + e^−θ) = 1.92
    low = -log(np.expm1(1.9207 / 100)) * ELO
    assert ratings.ratings[0] == (inf, pytest.approx(low, abs=0.3), inf)
    assert ratings.ratings[1] == Rating(0, 0, 0)
    assert isnan(ratings.advantage)  # the seat never mattered: it may be worth anything
    assert ratings.superiority(0, 1) == 1 and ratings.superiority(1, 0) == 0


def test_one_game_tells_little() -> None:
    ratings = rate(2, [Result(0, 1, 1, 0, 0)])
    assert ratings.ratings[0] == (inf, pytest.approx(-log(np.expm1(1.9207)) * ELO, abs=0.3), inf)
    assert ratings.superiority(0, 1) == pytest.approx(0.8805, abs=1e-3)  # Φ(√(2 ln 2))


def test_a_ladder_has_its_middle_at_0() -> None:
    ratings = rate(3, beats(0, 1) + beats(1, 2) + beats(0, 2)).ratings
    assert elos(ratings) == [inf, 0, -inf]
    assert ratings[0].low == pytest.approx(-ratings[2].high, abs=0.1)
    assert 300 < ratings[0].low < inf


def test_two_groups_one_above_the_other() -> None:
    across = [result for one, other in product((0, 1), (2, 3, 4)) for result in beats(one, other, 3)]
    lower = even(2, 3) + even(3, 4) + even(2, 4)
    ratings = rate(5, even(0, 1) + lower + across)
    assert elos(ratings.ratings)[:2] == [inf, inf]
    assert all(rating.low > 100 for rating in ratings.ratings[:2])
    # what is finite is what it is without the others
    alone = rate(3, [Result(r.first - 2, r.second - 2, *r[2:]) for r in lower])
    together = rate(5, even(0, 1) + lower)  # one advantage for all, the groups apart
    assert elos(ratings.ratings)[2:] == pytest.approx(elos(together.ratings)[2:], abs=0.01)
    assert elos(ratings.ratings)[2:] == pytest.approx(elos(alone.ratings), abs=1)
    assert ratings.superiority(0, 1) == pytest.approx(together.superiority(0, 1), abs=1e-3)
    assert ratings.superiority(1, 2) > 0.999


def test_groups_that_never_met_know_nothing_of_each_other() -> None:
    ratings = rate(5, even(0, 1) + even(2, 3))
    assert all(abs(rating.elo) < 100 for rating in ratings.ratings[:2])
    for rating in ratings.ratings[2:]:  # the last one has not played at all
        assert isnan(rating.elo) and rating[1:] == NOTHING
    assert ratings.superiority(0, 2) == 0.5 and ratings.superiority(0, 4) == 0.5
    assert ratings.superiority(2, 3) == pytest.approx(ratings.superiority(0, 1), abs=1e-6)


def test_two_winners_that_never_met_are_not_compared() -> None:
    ratings = rate(3, beats(0, 2) + beats(1, 2))
    assert elos(ratings.ratings) == [inf, inf, 0]
    assert ratings.superiority(0, 1) == 0.5


@pytest.mark.parametrize(("wins", "losses", "worth"), [(5, 0, inf), (0, 5, -inf)])
def test_the_seat_decides_everything(wins: int, losses: int, worth: float) -> None:
    pairs = [(i, j) for i in range(3) for j in range(3) if i != j]
    ratings = rate(3, [Result(i, j, wins, 0, losses) for i, j in pairs])
    assert ratings.advantage == worth
    assert set(ratings.ratings) == {Rating(0, *NOTHING)}
    assert ratings.superiority(0, 2) == 0.5


def test_the_seat_decides_but_for_one_who_wins_from_either() -> None:
    ratings = rate(3, [Result(0, 1, 5, 0, 0), Result(1, 0, 5, 0, 0), *beats(0, 2), *beats(1, 2)])
    assert ratings.advantage == inf
    assert elos(ratings.ratings) == [inf, inf, 0]
    assert ratings.superiority(0, 2) > 0.99 and ratings.superiority(0, 1) == 0.5


def test_self_play_alone_tells_nothing() -> None:
    ratings = rate(3, [Result(place, place, 7, 1, 2) for place in range(3)])
    assert all(isnan(rating.elo) and rating[1:] == NOTHING for rating in ratings.ratings)
    assert isnan(ratings.advantage) and isnan(ratings.draws)
    assert ratings.superiority(0, 1) == 0.5
    assert isnan(rate(1, []).ratings[0].elo)


def test_one_seat_alone_cannot_be_told_from_strength() -> None:
    gauntlet = [Result(0, 1, 6, 0, 4), Result(0, 2, 8, 0, 2)]
    ratings = rate(3, gauntlet)
    assert isnan(ratings.advantage)
    assert ratings.ratings[0].elo - ratings.ratings[1].elo == pytest.approx(400 * np.log10(6 / 4), abs=1e-3)
    cycle = [*gauntlet, Result(1, 2, 5, 0, 5)]  # 0 first, 0 first, 1 first: nowhere both ways, and yet it can be told
    assert abs(rate(3, cycle).advantage) < inf


def test_a_draw_is_a_point_taken_and_makes_it_finite() -> None:
    sure, drawn = beats(0, 1, 50), [Result(0, 1, 49, 1, 0), Result(1, 0, 0, 1, 49)]
    lost = [Result(0, 1, 49, 0, 1), Result(1, 0, 1, 0, 49)]
    elo = [rate(2, games).ratings[0] for games in (sure, drawn, lost)]
    assert elo[0].elo == inf > elo[1].elo > elo[2].elo > 0
    assert elo[1].low < elo[1].elo < elo[1].high < inf


def test_nothing_but_draws_is_even() -> None:
    ratings = rate(2, [Result(0, 1, 0, 50, 0), Result(1, 0, 0, 50, 0)])
    rating = ratings.ratings[0]
    assert (rating.elo, rating.low, rating.high) == (0, pytest.approx(-3.9, abs=0.1), pytest.approx(3.9, abs=0.1))
    assert ratings.draws / (ratings.draws + 2) == pytest.approx(100.5 / 101)
    assert ratings.superiority(0, 1) == pytest.approx(0.5, abs=1e-6)


@pytest.mark.slow
def test_the_lower_end_of_an_infinite_rating_is_below_the_truth() -> None:
    """A true difference of 1,000 Elo loses 1 game of 317: most tournaments of 60 see none of them."""
    source = np.random.default_rng(6)
    found = [rate(2, made(source, np.array([1000 / ELO, 0.0]), 30)).ratings[0] for _ in range(60)]
    infinite = [rating for rating in found if rating.elo == inf]
    assert len(infinite) > 40
    assert all(0 < rating.low < 1000 for rating in infinite)


def test_separation_is_what_all_directions_say() -> None:
    """Against a search of the cone itself: all directions of small whole numbers, for four entrants."""
    source = np.random.default_rng(8)
    directions = np.array(list(product(range(-3, 4), repeat=3)))
    directions = np.column_stack([np.zeros(len(directions), int), directions])  # only differences matter
    for _ in range(150):
        took = (source.random((2, 4, 4)) < source.choice([0.15, 0.3, 0.5])) & ~np.eye(4, dtype=bool)
        found = separation(took[0], took[1])
        rises, moves = np.zeros((4, 4), bool), set()
        for h in (-1, 0, 1) if found.order else (0,):
            s = directions[:, :, None] - directions[:, None, :] + h
            there = directions[((s >= 0) | ~took[0]).all((1, 2)) & ((s <= 0) | ~took[1]).all((1, 2))]
            if len(there):
                moves.add(h)
                rises |= (there[:, :, None] > there[:, None, :]).any(0)
        assert (found.above == (rises & ~rises.T)).all()
        assert (found.finite == (~rises & ~rises.T)).all()
        decided = [inf * h for h in moves if h]
        if found.order and len(decided) < 2:
            assert found.advantage == (decided[0] if decided else 0)
        else:
            assert isnan(found.advantage)


def test_what_is_finite_is_fitted_as_if_the_rest_had_not_played() -> None:
    small = without_order([Result(0, 1, 6, 1, 3), Result(1, 2, 5, 2, 3), Result(0, 2, 4, 3, 3)])
    alone = rate(3, small).ratings
    among = rate(5, small + [game for place in range(3) for game in beats(3, place) + beats(place, 4)] + beats(3, 4))
    assert elos(among.ratings) == [*(pytest.approx(rating.elo, abs=0.01) for rating in alone), inf, -inf]
    assert np.array(among.ratings[:3]) == pytest.approx(np.array(alone), abs=0.3)
