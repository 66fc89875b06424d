"""Honest bounds for what is drawn at random."""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, exp, lgamma, log, log1p, sqrt

RARE = 1e-6  # a test that is right fails with this probability at most, were its seed not fixed


def plausible(wins: int, games: int, probability: float) -> bool:
    """Could so many wins come from that probability? Exact binomial tails; 0 and 1 must be met exactly."""
    if probability in (0.0, 1.0):
        return wins == games * probability

    def chance(k: int) -> float:
        ways = lgamma(games + 1) - lgamma(k + 1) - lgamma(games - k + 1)
        return exp(ways + k * log(probability) + (games - k) * log1p(-probability))

    at_most = sum(chance(k) for k in range(wins + 1))
    at_least = sum(chance(k) for k in range(wins, games + 1))
    return min(at_most, at_least) > RARE / 2


def uniform(counts: Sequence[int]) -> bool:
    """Could these counts come from equally likely cells? Chi-square, by Wilson and Hilferty's approximation."""
    cells, total = len(counts), sum(counts)
    if cells == 1:
        return True
    expected = total / cells
    square = sum((count - expected) ** 2 / expected for count in counts)
    freedom = cells - 1
    normal = ((square / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / sqrt(2 / (9 * freedom))
    return erfc(normal / sqrt(2)) / 2 > RARE
