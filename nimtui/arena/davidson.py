"""The model behind the ratings: how likely results are for given strengths, and the best fit to what was played.

A game between a first mover i and a second j is won, drawn, lost with odds of e^(s/2) : ν : e^(−s/2), where
s = θi − θj + g. θ is the natural logarithm of a strength, g the advantage of moving first, ν says how often equals
draw. Without draws and advantage this is the model of R. A. Bradley and M. E. Terry ("Rank analysis of incomplete block
designs", Biometrika 39, 1952); with ν that of R. R. Davidson ("On extending the Bradley–Terry model to accommodate
ties", Journal of the American Statistical Association 65, 1970); with g that of R. R. Davidson and R. J. Beaver ("On
extending the Bradley–Terry model to incorporate within-pair order effects", Biometrics 33, 1977), whose ν is ours
times e^(−g/2). The likelihood's logarithm is concave in θ, g and ln ν.

Here x are the parameters of a fit in a row, θ of all entrants, then g and ln ν where they are free; always many fits
at once, so x is [fits, parameters].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

RIDGE = 1e-6  # of x²/2, subtracted from the logarithm: infinite parameters stay near 20, finite ones do not move
GAIN = 1e-9  # a fit ends when a step promises less than this
STEPS = 300  # at most; a fit takes 5 to 40
AT_ONCE = 200_000  # pairs of entrants times fits per round, which keeps memory small


class Constrained(NamedTuple):
    """Fits with one fixed combination of their parameters: weights · x = value."""

    x: Floats  # [fits, parameters]
    likelihood: Floats  # [fits]: its logarithm
    slope: Floats  # [fits]: its gain per unit of the value


@dataclass(frozen=True, eq=False)
class Davidson:
    """The sums of the results, [first mover, second]. `order`: g is free; ν is free if there were draws.

    If ν is free, half a drawn and half a decided game between equals are added to the results. Without them ν, and with
    it the strengths, would have no finite estimate if all games were drawn, or if no entrant both drew with and lost to
    another. For a share of draws among n games this is the estimate (draws + 1/2) / (n + 1) of R. E. Krichevsky and V.
    K. Trofimov (IEEE Transactions on Information Theory 27, 1981).
    """

    wins: Floats
    draws: Floats
    losses: Floats
    order: bool

    @property
    def ties(self) -> bool:
        return bool(self.draws.any())

    @property
    def size(self) -> int:
        """Return the number of parameters."""
        return len(self.wins) + self.order + self.ties

    def fit(self) -> Floats:
        """Return the most likely parameters, [parameters]."""
        free = np.zeros((1, self.size))
        best: Floats = self.held(free, np.zeros(1), free).x[0]
        return best

    def likelihood(self, x: Floats) -> Floats:
        """Return the log-likelihood of each fit, without the binomial coefficients, [fits]."""
        s, k = self._odds(x)
        norm = np.abs(s) / 2 + np.log1p(np.exp(-np.abs(s)) + np.exp(k - np.abs(s) / 2))
        value: Floats = ((self.wins - self.losses) * s / 2 - self._games * norm).sum((1, 2))
        if self.ties:
            log_nu = k[:, 0, 0]
            value += (self.draws.sum() + 0.5) * log_nu - np.logaddexp(log_nu, np.log(2))
        value -= RIDGE / 2 * (x * x).sum(1)
        return value

    def held(self, weights: Floats, values: Floats, start: Floats) -> Constrained:
        """Return the most likely parameters with weights · x = values in each fit; weights of 0 fix nothing.

        Newton's method. Each step d is shortened to ln(1 + r)/r of itself, where r is the largest change of log odds;
        so it converges from anywhere (T. Sun and Q. Tran-Dinh, "Generalized self-concordant functions", Mathematical
        Programming 178, 2019).
        """
        share = max(1, AT_ONCE // len(self.wins) ** 2)
        if len(values) > share:
            parts = [slice(first, first + share) for first in range(0, len(values), share)]
            done = [self.held(weights[part], values[part], start[part]) for part in parts]
            return Constrained(*(np.concatenate(column) for column in zip(*done, strict=True)))
        x = np.array(start)
        slope = np.zeros(len(x))
        going = np.arange(len(x))
        for _ in range(STEPS):
            here, hold = x[going], weights[going]
            gradient, curvature = self.derivatives(here)
            both = np.linalg.solve(curvature, np.stack([gradient, hold], axis=-1))
            free, along = both[..., 0], both[..., 1]
            give = (hold * along).sum(1)
            missing = values[going] - (hold * here).sum(1)
            pull = np.divide((hold * free).sum(1) - missing, give, out=np.zeros_like(give), where=give > 0)
            step = free - pull[:, None] * along
            gain = (step * (gradient - pull[:, None] * hold)).sum(1)
            x[going] += step * self._length(step)[:, None]
            slope[going] = pull
            going = going[(gain > GAIN) | (np.abs(missing) > GAIN)]
            if not len(going):
                break
        return Constrained(x, self.likelihood(x), slope)

    def scores(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Return for one fit, [first mover, second]: s, the number of games, and their score (a draw is half a win)."""
        s, k = (part[0] for part in self._odds(x[None]))
        high = np.abs(s)
        draw = np.exp(k - high / 2)
        score = (np.exp((s - high) / 2) + draw / 2) / (1 + np.exp(-high) + draw)
        return s, self._games, score

    @property
    def _games(self) -> Floats:
        return self.wins + self.draws + self.losses

    def _odds(self, x: Floats) -> tuple[Floats, Floats]:
        """Return s, [fits, first, second], and ln ν, [fits, 1, 1]; −∞ without draws."""
        entrants = len(self.wins)
        theta = x[:, :entrants]
        s = theta[:, :, None] - theta[:, None, :]
        if self.order:
            s = s + x[:, entrants, None, None]
        return s, x[:, -1, None, None] if self.ties else np.full((len(x), 1, 1), -np.inf)

    def derivatives(self, x: Floats) -> tuple[Floats, Floats]:
        """Return the gradient of the log-likelihood, [fits, parameters], and minus its second derivatives."""
        entrants = len(self.wins)
        s, k = self._odds(x)
        low = np.exp(-np.abs(s))
        draw = np.exp(k - np.abs(s) / 2)
        norm = 1 + low + draw
        balance = np.sign(s) * (1 - low) / norm / 2  # mean of (win − loss)/2
        draw = draw / norm
        games = self._games
        by_s = (self.wins - self.losses) / 2 - games * balance
        weight = games * ((1 - draw) / 4 - balance * balance)
        gradient, curvature = np.zeros(x.shape), np.zeros((*x.shape, x.shape[1]))
        gradient[:, :entrants] = by_s.sum(2) - by_s.sum(1)
        both = weight + weight.transpose(0, 2, 1)
        curvature[:, :entrants, :entrants] = -both
        diagonal = np.arange(x.shape[1])
        curvature[:, diagonal[:entrants], diagonal[:entrants]] += both.sum(2)
        if self.order:
            gradient[:, entrants] = by_s.sum((1, 2))
            curvature[:, :entrants, entrants] = weight.sum(2) - weight.sum(1)
            curvature[:, entrants, entrants] = weight.sum((1, 2))
        if self.ties:
            cross = -games * draw * balance
            equals = 1 / (1 + 2 * np.exp(-x[:, -1]))  # the share of draws between equals
            gradient[:, -1] = self.draws.sum() + 0.5 - (games * draw).sum((1, 2)) - equals
            curvature[:, :entrants, -1] = cross.sum(2) - cross.sum(1)
            if self.order:
                curvature[:, entrants, -1] = cross.sum((1, 2))
            curvature[:, -1, -1] = (games * draw * (1 - draw)).sum((1, 2)) + equals * (1 - equals)
        corner = curvature[:, :entrants, entrants:]
        curvature[:, entrants:, :entrants] = corner.transpose(0, 2, 1)
        if self.order and self.ties:
            curvature[:, -1, entrants] = curvature[:, entrants, -1]
        curvature[:, diagonal, diagonal] += RIDGE
        return gradient - RIDGE * x, curvature

    def _length(self, step: Floats) -> Floats:
        """Return how much of each step to take, [fits]."""
        s, k = self._odds(step)
        change = np.where(self._games > 0, np.abs(s), 0).max((1, 2))
        if self.ties:
            change = np.maximum(change, change / 2 + np.abs(k[:, 0, 0]))
        return np.where(change > 0, np.log1p(change) / np.maximum(change, 1e-300), 1.0)
