"""How much the results of a tournament scatter: what every interval rests on.

The fit of `logistic` sets sums of points equal to what was expected. Those sums are u = Σ x d over all games, x being
the first mover's points and d the cell's row of the design. Their covariance is found from the games themselves, with
no assumption about draws: each cell has its own mean, and games scatter around it.

**Pairs.** Games 2k and 2k + 1 of a pairing may have one opening, seats swapped, and every pairing plays opening k. Such
games depend on each other, so all games of opening k are one cluster, and Σk uk uk' is their covariance. Without shared
openings games are independent.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from nimtui.arena.logistic import Floats, Ints, squared

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
