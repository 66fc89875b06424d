"""How much the results of a tournament scatter, and the intervals of 95 % around scores and strengths.

The fit of `logistic` sets sums of points equal to what was expected. Those sums are u = Σ x d over all games, x being
the first mover's points and d the cell's row of the design. Their covariance is found from the games themselves, with
no assumption about draws: each cell has its own mean, and games scatter around it.

**Pairs.** Games 2k and 2k + 1 of a pairing may have one opening, seats swapped, and every pairing plays opening k. Such
games depend on each other, so all games of opening k are one cluster, and Σk uk uk' is their covariance. Without shared
openings games are independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erf, log, sqrt

import numpy as np
import numpy.typing as npt

from nimtui.arena.rating.logistic import PRIOR, Floats, Ints, squared

Z95 = 1.959963984540054  # a standard normal number is within ± this with a probability of 95 %
ELO = 400 / log(10)  # Elo per natural unit: 400 Elo are odds of 10 to 1
MOST_CURVED = 0.1  # by how much a half-width grows at most
ALONE = 0.25  # variance of a game in a cell of one game: the largest there is


def variances(wins: Floats, draws: Floats, losses: Floats) -> Floats:
    """Return the variance of a game's points in each cell around the cell's mean, without bias; counts of any shape."""
    games = wins + draws + losses
    points = wins + draws / 2
    squares = wins + draws / 4 - points * points / np.maximum(games, 1)
    return np.where(games > 1, np.maximum(squares, 0) / np.maximum(games - 1, 1), ALONE)


def pair_covariance(pairs: Floats, one: Floats, other: Floats) -> Floats:
    """Return the covariance of the first movers' points in the two games of a pair.

    pairs: [..., 5], how many pairs gave one side 0, ½, 1, 1½, 2 points. one, other: the variances of the two cells.
    With x and y the first movers' points a side has x + 1 − y, so its variance is one + other − 2 covariance.
    """
    number = pairs.sum(-1)
    values = np.arange(5) / 2
    mean = (pairs * values).sum(-1) / np.maximum(number, 1)
    squares = (pairs * (values - mean[..., None]) ** 2).sum(-1)
    both = np.where(number > 1, squares / np.maximum(number - 1, 1), one + other)
    most = np.sqrt(one * other)
    return np.clip((one + other - both) / 2, -most, most)


def independent(design: Floats, games: Floats, variance: Floats) -> Floats:
    """Return the scatter of independent games, [..., parameters, parameters], from games and variances [..., cells]."""
    return squared(design, games * variance)


def of_pairs(design: Floats, one: Ints, other: Ints, number: Floats, covariance: Floats) -> Floats:
    """Return what pairs add to the scatter of independent games.

    one, other: the cells of each pairing, [pairings]; number: its complete pairs, and covariance: that of their two
    games, [..., pairings].
    """
    half = (design[one].T * (number * covariance)[..., None, :]) @ design[other]
    return half + np.swapaxes(half, -1, -2)


def clustered(design: Floats, cells: Sequence[tuple[int, npt.NDArray[np.int64], Floats]], clusters: int) -> Floats:
    """Return the scatter of games that share openings, [parameters, parameters].

    Each of `cells` is a cell's number, its games' clusters (openings), and the first mover's points in them.
    """
    sums = np.zeros((design.shape[1], clusters))
    for place, cluster, points in cells:
        games = len(points)
        away = (points - points.mean()) * np.sqrt(games / (games - 1)) if games > 1 else np.sqrt([ALONE])
        for parameter in np.flatnonzero(design[place]):
            sums[parameter] += np.bincount(cluster, design[place, parameter] * away, clusters)
    return sums @ sums.T


# Intervals. All take arrays, too.


def half_width(strength: Floats, error: Floats) -> Floats:
    """Return half of the interval of a difference in strength, both in natural units.

    fastchess and Ordo print half of the interval that s ± 1.96 s(1 − s) · error becomes on the scale of strengths, s
    being the expected score. Expanded at x = 1.96 · error that is x + x³ (1 − 3s + 3s²) / 3 + …: these two terms are
    returned, the second at most a tenth of the first. So there is an end for any error.
    """
    score = 1 / (1 + np.exp(-strength))
    x = Z95 * error
    width: Floats = x * (1 + np.minimum(MOST_CURVED, x * x * (1 - 3 * score * (1 - score)) / 3))
    return width


def score_interval(points: Floats, games: Floats, scatter: Floats, alone: Floats) -> tuple[Floats, Floats]:
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
