"""The model behind all ratings: the expected score is a logistic function of a difference in strength and the seat.

Games of one first mover against one opponent are a **cell**. The first mover i is expected to score
E = 1 / (1 + e^−(θi − θj + g)) points a game against j, a draw being half a point. θ is a strength, g what moving first
is worth, both in natural units; 400 / ln 10 Elo are one unit (A. E. Elo, "The Rating of Chessplayers, Past and
Present", 1978). Games of an agent against itself have E = 1 / (1 + e^−g): they count for the seat alone.

The fit makes the expected points of every agent, and of all first movers, equal to the points they scored. Those are
the likelihood equations of R. A. Bradley and M. E. Terry (Biometrika 39, 1952) where no game is drawn, and a
quasi-likelihood where some are (R. W. M. Wedderburn, Biometrika 61, 1974): the estimate is right whenever the expected
scores are, however often equals draw. So no draw model is needed, and none can be wrong. Ordo (M. A. Ballicora) solves
the same equations; BayesElo (R. Coulom) assumes how often equals draw; fastchess uses them for two agents.

Prior: half a drawn game for each agent, spread over its opponents, so that every estimate is finite (BayesElo's prior
is the same with two draws). For two agents that is a quarter of a point on each side.

Arrays have a leading axis of fits: many tournaments of the same cells and numbers of games are fitted at once.

**Scatter**: how much the results of a tournament scatter, and the intervals of 95 % around scores and strengths.

The fit sets sums of points equal to what was expected. Those sums are u = Σ x d over all games, x being
the first mover's points and d the cell's row of the design. Their covariance is found from the games themselves, with
no assumption about draws: each cell has its own mean, and games scatter around it.

**Pairs.** Games 2k and 2k + 1 of a pairing may have one opening, seats swapped, and every pairing plays opening k. Such
games depend on each other, so all games of opening k are one cluster, and Σk uk uk' is their covariance. Without shared
openings games are independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import erf, log, sqrt

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

PRIOR = 0.5  # drawn games per agent
SMALL = 1e-10  # of a step: the fit has converged
STEPS = 200  # at most; a fit takes 4 to 15


@dataclass(frozen=True, eq=False)
class Logistic:
    """The cells of a tournament. Parameters x are θ of each agent, then g: [fits, agents + 1]."""

    agents: int
    first: Ints  # [cells]: who moved first
    second: Ints  # [cells]
    games: Floats  # [cells], above 0

    @cached_property
    def design(self) -> Floats:
        """Return what each parameter adds to the log odds of a cell, [cells, agents + 1]."""
        cells = np.arange(len(self.first))
        design = np.zeros((len(cells), self.agents + 1))
        design[cells, self.first] += 1
        design[cells, self.second] -= 1
        design[:, -1] = 1.0
        return design

    @cached_property
    def prior(self) -> Floats:
        """Return the prior's drawn games, [cells]."""
        prior = np.zeros(len(self.first))
        met = np.zeros((self.agents, self.agents), bool)
        met[self.first, self.second] = met[self.second, self.first] = True
        others = (met & ~np.eye(self.agents, dtype=bool)).sum(1)
        own = self.first == self.second
        alone = np.zeros_like(met)
        alone[self.first, self.second] = True
        seats = 1 + (alone & alone.T)[self.first, self.second]  # a pairing of both seats has two cells
        kinds = self.first * self.agents + self.second
        tables = np.bincount(kinds, minlength=self.agents**2)[kinds]  # cells of the same two, in several games
        apart = ~own
        share = (1 / np.maximum(others, 1)[self.first] + 1 / np.maximum(others, 1)[self.second]) / 2
        prior[apart] = (PRIOR * share / seats / tables)[apart]
        prior[own] = PRIOR / max(1, int(own.sum()))
        return prior

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Return the agents that met, directly or through others; each agent is in one group. Largest first."""
        label = np.arange(self.agents)
        for _ in range(self.agents):
            low = np.minimum(label[self.first], label[self.second])
            before = label.copy()
            np.minimum.at(label, self.first, low)
            np.minimum.at(label, self.second, low)
            if (label == before).all():
                break
        groups = [tuple(map(int, np.flatnonzero(label == one))) for one in np.unique(label)]
        return tuple(sorted(groups, key=lambda group: (-len(group), group)))

    @cached_property
    def seat_known(self) -> bool:
        """Return whether the seat can be told from the strengths; not if, say, one agent always moved first."""
        strengths = self.design[:, :-1]
        if not len(strengths):
            return False
        return rank(self.design) > rank(strengths)

    def expected(self, x: Floats) -> Floats:
        """Return the first mover's expected points per game, [fits, cells]."""
        return 1 / (1 + np.exp(-(x @ self._used.T)))

    def fit(self, points: Floats) -> Floats:
        """Return the estimates for the first movers' points, [fits, cells]. Each group's mean θ is 0.

        Newton's method. Each step is shortened to ln(1 + r)/r of itself, r being the largest change of log odds; so it
        converges from anywhere (T. Sun and Q. Tran-Dinh, Mathematical Programming 178, 2019).
        """
        x = np.zeros((len(points), self.agents + 1))
        wanted = points + self.prior / 2
        for _ in range(STEPS):
            missing = (wanted - self._weights * self.expected(x)) @ self._used
            step = np.linalg.solve(self.information(x), missing[..., None])[..., 0]
            change = np.abs(step @ self._used.T).max(1, initial=0.0)
            step *= np.divide(np.log1p(change), change, out=np.ones_like(change), where=change > 1e-9)[:, None]
            x += step
            if change.max(initial=0.0) < SMALL:
                break
        return x

    def information(self, x: Floats) -> Floats:
        """Return the information of all games about x, [fits, parameters, parameters].

        What the games cannot tell (each group's mean, an unknown seat) gets information of its own, so that the matrix
        has an inverse; the estimates there are 0.
        """
        likely = self.expected(x)
        weight = self._weights * likely * (1 - likely)
        return squared(self._used, weight) + self._fixed

    def covariance(self, x: Floats, scatter: Floats) -> Floats:
        """Return the covariance of the estimates x, [fits, parameters, parameters].

        `scatter` is that of the equations' left sides, of the same shape (see below). The sandwich of P. J.
        Huber (Proceedings of the 5th Berkeley Symposium, 1967) and K.-Y. Liang and S. L. Zeger (Biometrika 73, 1986):
        right for draws, for games that depend on each other, and where the model is wrong.
        """
        bread = np.linalg.inv(self.information(x))
        return bread @ (scatter + self.prior_scatter(x)) @ bread

    def prior_scatter(self, x: Floats) -> Floats:
        """Return what the prior adds to the scatter: its drawn games scatter like a win and a loss, each counting half.

        It matters only where the results of a cell are all the same.
        """
        likely = self.expected(x)
        spread = self.prior * ((1 - likely) ** 2 + likely**2) / 2
        return squared(self._used, spread)

    @cached_property
    def _used(self) -> Floats:
        """Return the design without what cannot be told."""
        used = self.design.copy()
        used[:, -1] *= self.seat_known
        return used

    @cached_property
    def _weights(self) -> Floats:
        return self.games + self.prior

    @cached_property
    def _fixed(self) -> Floats:
        fixed = np.zeros((self.agents + 1, self.agents + 1))
        for group in self.groups:
            fixed[np.ix_(group, group)] += 1 / len(group)
        fixed[-1, -1] += not self.seat_known
        return fixed


def squared(design: Floats, weights: Floats) -> Floats:
    """Return Σc weights[…, c] d(c) d(c)', with d(c) the cell's row of the design: [..., parameters, parameters]."""
    return (design.T * weights[..., None, :]) @ design


def rank(design: Floats) -> int:
    """Return the rank of a design, by its small square."""
    return int(np.linalg.matrix_rank(design.T @ design, hermitian=True))


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
    low = np.clip((middle - reach) / (1 + square), 0.0, share)
    high = np.clip((middle + reach) / (1 + square), share, 1.0)
    return low, np.where(games > 0, high, 1.0)


def normal(z: float) -> float:
    """Return the probability that a standard normal number is below z."""
    return (1 + erf(z / sqrt(2))) / 2
