"""Elo ratings of all entrants at once, by maximum likelihood, with their certainty.

The model is that of `arena.davidson`. Without draws, Elo is its θ times 400/ln 10. With draws, θ counts only decided
games and is far too large. A factor shortens it so that d Elo mean a score of 1/(1 + 10^(−d/400)), as elsewhere, with a
draw as half a win (55 % are 35 Elo, however many games are drawn). One factor cannot make this exact for all
differences. The factor used gives scores closest to the model's in the games that were played, as in a logistic
regression. For two entrants without an advantage it is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import erf, inf, isfinite, isinf, isnan, log, nan, sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.arena.davidson import Davidson, Floats
from nimtui.arena.separation import Separation, separation

Ints = npt.NDArray[np.intp]

ELO = 400 / log(10)  # Elo per unit of θ where there are no draws
DROP = 1.959963984540054  # √(2 (ℓ_max − ℓ)) at the ends of a 95 % interval: 1.92 in ℓ
EXACT = 1e-4  # of DROP
ROUNDS = 40  # an end takes 2 to 8
CERTAIN = 9.0  # differences of this many standard errors: a superiority of 1 to all digits
MANY = 40  # beyond so many entrants, the superiority of finite ratings comes from standard errors, for speed
HALVINGS = 50
EQUAL = 1e-6  # in θ: too little to determine the scale
FARTHEST = 3.0  # the longest step of a round, in θ: 521 Elo


class Result(NamedTuple):
    """All games of one entrant moving first against another, summed."""

    first: int
    second: int
    wins: int  # of the first player
    draws: int
    losses: int


class Rating(NamedTuple):
    """An Elo with its 95 % interval. Each may be ±∞; an elo of NaN between −∞ and ∞ is unknown."""

    elo: float
    low: float
    high: float


UNKNOWN = Rating(nan, -inf, inf)


@dataclass(frozen=True, eq=False)
class Ratings:
    """The strengths of the entrants, as far as they are known."""

    ratings: tuple[Rating, ...]
    advantage: float  # Elo of moving first; may be ±∞; NaN if unknown
    draws: float  # Davidson's ν: equals draw a share of ν/(ν + 2) of their games; NaN without games
    scale: float  # Elo per unit of θ
    advantage_error: float  # half of the advantage's 95 % interval, by its standard error; NaN if it is not finite
    _fit: _Fit

    def ahead(self) -> Rating:
        """Return how far the first of two entrants is ahead of the second, in Elo."""
        one, other = self.ratings
        if isinf(other.elo):
            return Rating(-other.elo, -other.high, -other.low)
        return one if isinf(one.elo) else Rating(one.elo - other.elo, one.low - other.high, one.high - other.low)

    def superiority(self, one: int, other: int) -> float:
        """Return the likelihood of superiority (LOS) of `one` over `other`: Φ(± √(2 (ℓ_max − ℓ_equal))).

        ℓ_equal is the best log-likelihood with both ratings equal; the sign is that of their difference. This is the
        signed root of the likelihood ratio (O. E. Barndorff-Nielsen, "Inference on full or partial parameters based on
        the standardized signed log likelihood ratio", Biometrika 73, 1986). For two entrants and many games it is the
        common Φ((wins − losses) / √(wins + losses)); unlike that it holds for infinite ratings. 1/2: unknown. Among
        more than 40 entrants it is Φ of their difference by its standard error, if that is finite.
        """
        return float(self._fit.superiority[one, other])


def rate(entrants: int, results: Sequence[Result]) -> Ratings:
    """Return the ratings that make these results most likely; games against oneself are left out.

    0 is the mean Elo of the anchor group: the largest group of entrants whose differences are finite. Among groups of
    equal size it is the one with most entrants above or below it, then the middle one, then the lower. An entrant
    infinitely stronger than the group (it won every game, or its group did) has +∞, with a finite lower end. An
    infinitely weaker one has −∞, with a finite upper end. Groups that never met have NaN; so has an entrant without
    games. Entrants between which moving first decided everything are equal, 0, between −∞ and ∞.

    An interval holds the ratings whose best fit has a log-likelihood within 1.92 of the maximum (profile likelihood; S.
    S. Wilks, "The large-sample distribution of the likelihood ratio", Annals of Mathematical Statistics 9, 1938; χ² of
    1 degree at 95 % is 3.84). It is not symmetric. It is the interval of the difference between the rating and 0 as
    defined above: an anchor group of one is 0 by definition, from 0 to 0.

    Sometimes strengths can replace the advantage, as in a gauntlet whose one agent always started. Then the two cannot
    be told apart: the advantage is NaN and left out of the model, and the ratings are those of the seats that were
    played.
    """
    fit = _Fit(entrants, results)
    return Ratings(fit.ratings(), fit.advantage, fit.ties, fit.scale, fit.advantage_error, fit)


class _Fit:
    """The best fit, and the questions to it."""

    def __init__(self, entrants: int, results: Sequence[Result]) -> None:
        wins, draws, losses = (np.zeros((entrants, entrants)) for _ in range(3))
        for result in results:
            if result.first != result.second:
                place = result.first, result.second
                wins[place] += result.wins
                draws[place] += result.draws
                losses[place] += result.losses
        self._entrants = entrants
        games = wins + draws + losses
        self._games = games.sum(0) + games.sum(1)
        self._separation = separation(wins + draws > 0, losses + draws > 0)
        self._model = Davidson(wins, draws, losses, self._separation.order)
        self._best = self._model.fit()
        self._most = float(self._model.likelihood(self._best[None])[0])

    @property
    def advantage(self) -> float:
        decided = self._separation.advantage
        return decided if decided else float(self._best[self._entrants]) * self.scale

    @property
    def advantage_error(self) -> float:
        if not isfinite(self.advantage):
            return nan
        held = np.eye(self._model.size)[self._entrants]
        _, curvature = self._model.derivatives(self._best[None])
        return DROP * sqrt(float(held @ np.linalg.solve(curvature[0], held))) * self.scale

    @property
    def ties(self) -> float:
        if not self._games.any():
            return nan
        return float(np.exp(self._best[-1])) if self._model.ties else 0.0

    @cached_property
    def scale(self) -> float:
        """Return Elo per unit of θ: ELO times c, with Σ games (score − 1/(1 + e^(−c s))) s = 0 over all games.

        c = 2/(2 + ν) near equality, where a score gains ds / (2 (2 + ν)) by the model and c ds / 4 on Elo's scale. It
        nears 1/2 as entrants become more unequal.
        """
        if not self._model.ties:
            return ELO
        s, games, score = self._model.scores(self._best)
        known = self._separation.finite & (games > 0)
        s, games, score = s[known], games[known], score[known]
        low, high = sorted((0.5, 2 / (2 + float(np.exp(self._best[-1])))))
        if not (np.abs(s) > EQUAL).any():
            return ELO * (high if high > 0.5 else low)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            if (games * (score - 1 / (1 + np.exp(-middle * s))) * s).sum() > 0:
                low = middle
            else:
                high = middle
        return ELO * (low + high) / 2

    def ratings(self) -> tuple[Rating, ...]:
        anchor = _anchor(self._separation, self._games)
        if not anchor:
            return (UNKNOWN,) * self._entrants
        ratings = [self._rating(entrant, anchor) for entrant in range(self._entrants)]
        zero = np.zeros(self._model.size)
        zero[anchor] = 1 / len(anchor)
        sought = [(place, side) for place, rating in enumerate(ratings) for side in (1, 2) if isnan(rating[side])]
        for (place, side), end in zip(sought, self._ends(sought, ratings, zero), strict=True):
            low, high = (end, ratings[place].high) if side == 1 else (ratings[place].low, end)
            ratings[place] = Rating(ratings[place].elo, low, high)
        return tuple(ratings)

    def _rating(self, entrant: int, anchor: list[int]) -> Rating:
        """Return a rating whose ends are NaN where they are still to be found."""
        there, one = self._separation, anchor[0]
        level = there.level[entrant, one] or (entrant == one and len(anchor) == 1 and there.level[one].any())
        if level:
            return Rating(0.0, -inf, inf)
        if there.above[entrant, one]:
            return Rating(inf, nan, inf)
        if there.above[one, entrant]:
            return Rating(-inf, -inf, nan)
        if not there.finite[entrant, one]:
            return UNKNOWN
        if len(anchor) == 1:
            return Rating(0.0, 0.0, 0.0)
        return Rating(float(self._best[entrant] - self._best[anchor].mean()) * self.scale, nan, nan)

    def _ends(self, sought: Sequence[tuple[int, int]], ratings: Sequence[Rating], zero: Floats) -> list[float]:
        """Return the Elo at which √(2 (ℓ_max − ℓ)) is DROP: for (entrant, 1) the lower, for (entrant, 2) the higher
        one.

        Newton's method on this root, which is nearly straight in the rating. It stays between the nearest values known
        to be too near to the best and too far.
        """
        if not sought:
            return []
        model, best = self._model, self._best
        places = [place for place, _ in sought]
        sides = np.array([-1.0 if side == 1 else 1.0 for _, side in sought])
        known = np.array([abs(ratings[place].elo) < inf for place in places])
        weights = np.eye(model.size)[places] - zero
        middle = weights @ best
        _, curvature = model.derivatives(best[None])
        along = np.linalg.solve(curvature[0], weights.T).T
        reach = np.sqrt((weights * along).sum(1))
        # where a rating is infinite the log-likelihood nears its maximum like games · e^−θ
        start = np.where(known, sides * middle + np.minimum(DROP * reach, FARTHEST), 1 - np.log1p(self._games[places]))
        x = best + along * ((sides * start - middle) / reach**2)[:, None]
        near, far, value = sides * middle, np.full(len(sides), inf), start
        going = np.arange(len(sides))
        for _ in range(ROUNDS):
            held = model.held(weights[going], sides[going] * value[going], x[going])
            x[going] = held.x
            root = np.sqrt(np.maximum(2 * (self._most - held.likelihood), 1e-12))
            rise = np.maximum(-sides[going] * held.slope / root, 1e-9)
            here = value[going]
            near[going] = np.where(root < DROP, here, near[going])
            far[going] = np.where(root < DROP, far[going], here)
            there = here + np.clip((DROP - root) / rise, -FARTHEST, FARTHEST)
            between = (near[going] + np.minimum(far[going], near[going] + 2 * FARTHEST)) / 2
            inside = (there > near[going]) & (there < far[going])
            value[going] = np.where(inside, there, between)
            going = going[np.abs(root / DROP - 1) > EXACT]
            if not len(going):
                break
        ends: list[float] = (sides * value * self.scale).tolist()
        return ends

    @cached_property
    def superiority(self) -> Floats:
        """Return [one, other] for all entrants."""
        count, there = self._entrants, self._separation
        matrix = np.full((count, count), 0.5)
        firsts, seconds = np.triu_indices(count, 1)
        told = (there.above | there.above.T | there.finite)[firsts, seconds]
        firsts, seconds = firsts[told], seconds[told]
        finite = there.finite[firsts, seconds]
        weights = np.zeros((len(firsts), self._model.size))
        weights[np.arange(len(firsts)), firsts] = 1
        weights[np.arange(len(firsts)), seconds] = -1
        root = self._plain_roots(firsts, seconds)
        exact = ~finite | ((np.abs(root) < CERTAIN) & (count <= MANY))
        held = self._model.held(weights[exact], np.zeros(exact.sum()), np.tile(self._best, (exact.sum(), 1)))
        root[exact] = np.sqrt(np.maximum(2 * (self._most - held.likelihood), 0)) * np.sign(weights[exact] @ self._best)
        matrix[firsts, seconds] = [(1 + erf(value / sqrt(2))) / 2 for value in root]
        matrix[seconds, firsts] = 1 - matrix[firsts, seconds]
        return matrix

    def _plain_roots(self, firsts: Ints, seconds: Ints) -> Floats:
        """Return differences of θ by their standard errors: the signed roots if the log-likelihood is a parabola."""
        _, curvature = self._model.derivatives(self._best[None])
        spread = np.linalg.inv(curvature[0])
        width = spread[firsts, firsts] + spread[seconds, seconds] - 2 * spread[firsts, seconds]
        roots: Floats = (self._best[firsts] - self._best[seconds]) / np.sqrt(width)
        return roots


def _anchor(there: Separation, games: Floats) -> list[int]:
    """Return the group whose mean is 0; [] without games."""

    def rank(group: list[int]) -> tuple[int, int, int, int]:
        above, below = int(there.above[:, group[0]].sum()), int(there.above[group[0]].sum())
        return len(group), above + below, -abs(above - below), above

    return max((group for group in there.groups if games[group[0]]), key=rank, default=[])
