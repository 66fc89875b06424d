"""Intervals of 95 % around estimated scores and strengths, from their standard errors. All take arrays, too."""

from __future__ import annotations

from math import erf, log, sqrt
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from nimtui.arena.logistic import PRIOR

Numbers: TypeAlias = npt.NDArray[np.float64]

Z95 = 1.959963984540054  # a standard normal number is within ± this with a probability of 95 %
ELO = 400 / log(10)  # Elo per natural unit: 400 Elo are odds of 10 to 1
MOST_CURVED = 0.1  # by how much a half-width grows at most


def half_width(strength: Numbers, error: Numbers) -> Numbers:
    """Return half of the interval of a difference in strength, both in natural units.

    fastchess and Ordo print half of the interval that s ± 1.96 s(1 − s) · error becomes on the scale of strengths, s
    being the expected score. Expanded at x = 1.96 · error that is x + x³ (1 − 3s + 3s²) / 3 + …: these two terms are
    returned, the second at most a tenth of the first. So there is an end for any error.
    """
    score = 1 / (1 + np.exp(-strength))
    x = Z95 * error
    found: Numbers = x * (1 + np.minimum(MOST_CURVED, x * x * (1 - 3 * score * (1 - score)) / 3))
    return found


def score_interval(points: Numbers, games: Numbers, scatter: Numbers, alone: Numbers) -> tuple[Numbers, Numbers]:
    """Return the interval of long-run points per game; (0, 1) without games.

    `scatter` is the variance of the sum of points, the prior's half game included. The interval is Wilson's for n games
    without draws that would scatter as much: the two solutions q of (p − q)² = 1.96² q (1 − q) / n (E. B. Wilson,
    "Probable inference, the law of succession, and statistical inference", Journal of the American Statistical
    Association 22, 1927). It never leaves 0 to 1. A perfect score shows no scatter: there n is `alone`, the games, or
    half of them if two share an opening. So 4 of 4 games have 51.0–100 %, which is Wilson's own interval.
    """
    played = np.maximum(games, 1)
    share = points / played
    inner = (points + PRIOR / 2) / (games + PRIOR)
    number = inner * (1 - inner) * (games + PRIOR) ** 2 / np.maximum(scatter, 1e-300)
    square = Z95 * Z95 / np.where((share <= 0) | (share >= 1), np.maximum(alone, 0.5), number)
    middle = share + square / 2
    reach = np.sqrt(square * (share * (1 - share) + square / 4))
    low = np.where(share <= 0, 0.0, np.clip((middle - reach) / (1 + square), 0.0, share))
    high = np.where(share >= 1, 1.0, np.clip((middle + reach) / (1 + square), share, 1.0))
    return np.where(games > 0, low, 0.0), np.where(games > 0, high, 1.0)


def normal(z: float) -> float:
    """Return the probability that a standard normal number is below z."""
    return (1 + erf(z / sqrt(2))) / 2
