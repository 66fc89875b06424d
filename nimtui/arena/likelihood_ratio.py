"""The likelihood ratio behind the sequential test, after any number of games.

An outcome is one game (0, 1/2, 1), or one pair of games with the same opening and swapped seats (0, 1/4, 1/2, 3/4, 1).
Each outcome has an unknown probability; a hypothesis fixes only their mean. The generalised ratio compares the most
likely probabilities under both hypotheses. Let pᵢ be the shares of the outcomes aᵢ among n. The most likely
probabilities with mean s are pᵢ / (1 + θ (aᵢ − s)), where θ solves Σ pᵢ (aᵢ − s) / (1 + θ (aᵢ − s)) = 0. So

LLR = n Σ pᵢ [ln(1 + θ₀ (aᵢ − s₀)) − ln(1 + θ₁ (aᵢ − s₁))].

(M. Van den Bergh, "Comments on normalized Elo", and "A practical introduction to the GSPRT", cantate.be/Fishtest; A. B.
Owen, "Empirical likelihood ratio confidence intervals for a single functional", Biometrika 75, 1988.) Fishtest and
fastchess do this. For many games it nears n (s₁ − s₀) (2 s − s₀ − s₁) / (2 σ²), with s and σ² the observed mean and
variance.

Pairs are used because their two games are not independent. An opening that is won for one seat gives each side a point,
which scatters far less than two independent games. With pairs the test ends sooner, and its error rates are right.

An unseen outcome counts as 0.001 of one, as in Fishtest and fastchess, so that no hypothesis is impossible. So the test
needs no minimum of games, even if all were won: the ratio is then that of the two expected scores, once per outcome, as
in Wald's own test of a share. With elo0=0,elo1=50 it decides after 23 won pairs, or 20 drawn ones. The parabola above
would divide by a variance of 0.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Results: TypeAlias = npt.NDArray[np.int8]  # −1, 0, 1 for the first agent, in the games' order; −2: not played
Floats: TypeAlias = npt.NDArray[np.float64]

UNSEEN = 1e-3
AT_ONCE = 16_384  # rows of outcomes per round, which stay in the cache
FIRST = 128  # rows of the first round, doubled in every round: most tests end early
STEPS = 60  # Newton's method takes 2 to 6, halving the rest
NEAR = 1e-6  # of θ; the ratio changes with its square


def ratio(results: Results, paired: bool, elo0: float, elo1: float) -> float:
    """Return the ratio after all games; 0 without games."""
    counts = _counts(results, paired)
    return float(_ratios(counts[-1:], elo0, elo1)[0]) if len(counts) else 0.0


def first_beyond(
    results: Results, paired: bool, elo0: float, elo1: float, bounds: tuple[float, float], after: int = 0
) -> tuple[int | None, float, str]:
    """Return the first number of games beyond `after` whose ratio reaches a bound, the ratio, and 'H0' or 'H1'."""
    counts = _counts(results, paired)
    known = min(after // (2 if paired else 1), len(counts))
    now, first, last = 0.0, 0, max(0, known - 1)  # the last known row is computed again, so that there is a ratio
    while last < len(counts):
        first, last = last, min(max(2 * last, FIRST), last + AT_ONCE, len(counts))
        found = _ratios(counts[first:last], elo0, elo1)
        beyond = np.flatnonzero((found <= bounds[0]) | (found >= bounds[1]))
        if len(beyond):
            place = int(beyond[0])
            games = (first + place + 1) * (2 if paired else 1)
            return games, float(found[place]), "H0" if found[place] < 0 else "H1"
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


def _ratios(counts: npt.NDArray[np.int64], elo0: float, elo1: float) -> Floats:
    """Return the ratio for each row of counts."""
    weights = np.maximum(counts.T, UNSEEN)
    games = weights.sum(0)
    shares = weights / games
    outcomes = np.linspace(0, 1, len(weights))
    without, with_ = (_best(shares, outcomes, _score(elo)) for elo in (elo0, elo1))
    found: Floats = games * (without - with_)
    return found


def _best(shares: Floats, outcomes: Floats, score: float) -> Floats:
    """Return the maximum over θ of Σ pᵢ ln(1 + θ (aᵢ − s)) for each column of shares: the cost of the mean s per
    outcome.

    The slope falls from ∞ to −∞ between the two ends of θ. So Newton's steps stay between the values known to be too
    low and too high.
    """
    from_score = (outcomes - score)[:, None]
    low = np.full(shares.shape[1], -1 / from_score[-1, 0])
    high = np.full(shares.shape[1], -1 / from_score[0, 0])
    mean = (shares * from_score).sum(0)
    theta = mean / (shares * from_score**2).sum(0)
    theta = np.where((theta > low) & (theta < high), theta, (low + high) / 2)
    for _ in range(STEPS):
        parts = from_score / (1 + theta * from_score)
        slope = (shares * parts).sum(0)
        low, high = np.where(slope > 0, theta, low), np.where(slope > 0, high, theta)
        step = slope / (shares * parts**2).sum(0)
        there = theta + step
        there = np.where((there > low) & (there < high), there, (low + high) / 2)
        change = np.abs(there - theta)
        theta = there
        if change.max() < NEAR:
            break
    value: Floats = (shares * np.log1p(theta * from_score)).sum(0)
    return value


def _score(elo: float) -> float:
    return float(1 / (1 + 10 ** (-elo / 400)))
