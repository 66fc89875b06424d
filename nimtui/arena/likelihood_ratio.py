"""The likelihood ratio behind the sequential test, after any number of games.

An outcome is one game (0, 1/2, 1), or one pair of games with the same opening and swapped seats (0, 1/4, 1/2, 3/4, 1).
Each outcome has an unknown probability; a hypothesis fixes only their mean s, or with normalised Elo their (s − 1/2) /
σ. The generalised ratio compares the most likely probabilities under both hypotheses. Let pᵢ be the shares of the
outcomes aᵢ among n. The most likely probabilities with mean s are pᵢ / (1 + θ (aᵢ − s)), see `empirical_likelihood`. So

LLR = n Σ pᵢ [ln(1 + θ₀ (aᵢ − s₀)) − ln(1 + θ₁ (aᵢ − s₁))].

(M. Van den Bergh, "Comments on normalized Elo", and "A practical introduction to the GSPRT", cantate.be/Fishtest.)
Fishtest and fastchess do this. For many games it nears n (s₁ − s₀) (2 s − s₀ − s₁) / (2 σ²), with s and σ² the observed
mean and variance. `normalised_elo` does the same for its scale.

Pairs are used because their two games are not independent. An opening that is won for one seat gives each side a point,
which scatters far less than two independent games. With pairs the test ends sooner, and its error rates are right.

An unseen outcome counts as 0.001 of one, as in Fishtest and fastchess, so that no hypothesis is impossible. If all
games were won, the ratio is then that of the two expected scores, once per outcome, as in Wald's own test of a share.
With elo0=0,elo1=50 it decides after 23 won pairs, or 20 drawn ones. The parabola above would divide by a variance of 0.

The variance of a few outcomes is a guess, and for elo0 and elo1 far apart very few outcomes reach a bound. So the test
gives no verdict before `sprt.LEAST_PAIRS` pairs.
"""

from __future__ import annotations

from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from nimtui.arena.empirical_likelihood import Floats, cost, tilt
from nimtui.arena.normalised_elo import NORMALISED, normalised_cost

Results: TypeAlias = npt.NDArray[np.int8]  # −1, 0, 1 for the first agent, in the games' order; −2: not played

UNSEEN = 1e-3
AT_ONCE = 16_384  # rows of outcomes per round, which stay in the cache
FIRST = 128  # rows of the first round, doubled in every round: most tests end early


class Hypotheses(Protocol):
    """What is compared: `arena.sprt.Sprt` is such a test."""

    @property
    def elo0(self) -> float: ...
    @property
    def elo1(self) -> float: ...
    @property
    def scale(self) -> str: ...
    @property
    def bounds(self) -> tuple[float, float]: ...


def ratio(results: Results, paired: bool, test: Hypotheses) -> float:
    """Return the ratio after all games; 0 without games."""
    counts = _counts(results, paired)
    return float(ratios(counts[-1:], test)[0]) if len(counts) else 0.0


def first_beyond(
    results: Results, paired: bool, test: Hypotheses, least: int, after: int = 0
) -> tuple[int | None, float, str]:
    """Return the first number of games beyond `after`, and not below `least`, whose ratio reaches a bound; the ratio,
    and 'H0' or 'H1'.
    """
    counts = _counts(results, paired)
    each = 2 if paired else 1
    known = min(after // each, len(counts))
    wanted = -(-least // each)  # outcomes
    (lower, upper), now = test.bounds, 0.0
    first, last = 0, max(0, known - 1)  # the last known row is computed again, so that there is a ratio
    while last < len(counts):
        first, last = last, min(max(2 * last, FIRST), last + AT_ONCE, len(counts))
        found = ratios(counts[first:last], test)
        beyond = np.flatnonzero((found <= lower) | (found >= upper))
        beyond = beyond[beyond >= wanted - 1 - first]
        if len(beyond):
            place = int(beyond[0])
            return (first + place + 1) * each, float(found[place]), "H0" if found[place] < 0 else "H1"
        now = float(found[-1])
    return None, now, ""


def _counts(results: Results, paired: bool) -> npt.NDArray[np.int64]:
    """Return [outcomes, kinds]: how often each kind was seen up to each outcome."""
    missing = np.flatnonzero(results < -1)
    played = results[: missing[0]] if len(missing) else results
    if paired:
        played = played[: len(played) // 2 * 2]
        played = played[::2] + played[1::2]
    kinds = np.arange(5) - 2 if paired else np.arange(3) - 1
    return np.cumsum(played[:, None] == kinds, axis=0, dtype=np.int64)


def ratios(counts: npt.NDArray[np.int64], test: Hypotheses) -> Floats:
    """Return the ratio for each row of counts: [rows, kinds of outcome], three of games or five of pairs."""
    weights = np.maximum(counts.T, UNSEEN)
    number = weights.sum(0)
    shares = weights / number
    outcomes = np.linspace(0, 1, len(weights))
    cost_of = normalised_cost if test.scale == NORMALISED else _logistic_cost
    found: Floats = number * (cost_of(shares, outcomes, test.elo0) - cost_of(shares, outcomes, test.elo1))
    return found


def _logistic_cost(shares: Floats, outcomes: Floats, elo: float) -> Floats:
    """Return the loss of log-likelihood per outcome if the expected score is that of `elo`."""
    score = 1 / (1 + 10 ** (-elo / 400))
    from_score = np.broadcast_to((outcomes - score)[:, None], shares.shape)
    return cost(shares, from_score, tilt(shares, from_score))
