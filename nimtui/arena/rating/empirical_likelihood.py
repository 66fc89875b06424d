"""The most likely probabilities of outcomes under one linear condition, for many rows of outcomes at once; and under a
normalised Elo difference, which is not linear.

Let pᵢ be the shares of the outcomes, and let a condition say that Σ qᵢ dᵢ = 0 for their true probabilities qᵢ. The
most likely probabilities that meet it are qᵢ = pᵢ / (1 + θ dᵢ), where θ solves Σ pᵢ dᵢ / (1 + θ dᵢ) = 0. (A. B. Owen,
"Empirical likelihood ratio confidence intervals for a single functional", Biometrika 75, 1988.)

**Normalised Elo.** Let s be the expected score of a game and σ the standard deviation of its points. The signal-to-
noise ratio of a game is t = (s − 1/2) / σ, and the normalised Elo difference is 800 / ln 10 · t ≈ 347.4 t. The games
needed to show a difference depend on t alone, whatever the share of draws. For equal agents without draws σ is 1/2, and
near 0 one normalised Elo is one logistic Elo: 400 log10(s / (1 − s)) ≈ (400 / ln 10) · 4 (s − 1/2) = (800 / ln 10) · (s
− 1/2) / (1/2).

With pairs, an outcome is the mean of two games. If these were independent, its deviation would be σ / √2. So σ is √2
times the deviation of a pair's mean, and the ratio of a pair is √2 times the t of a game.

A condition on t is not linear in the probabilities q of the outcomes aᵢ: F(q) = μ(q) − 1/2 − t σ(q) = 0. Its tangent
at q is Σ q'ᵢ dᵢ = 0, with dᵢ = aᵢ − 1/2 − t σ (1 + ((aᵢ − μ) / σ)²) / 2: up to a constant, the derivative of σ by qᵢ is
(aᵢ − μ)² / 2σ, and Σ qᵢ dᵢ = F(q). The most likely probabilities on the tangent are the next q, until q stays. For
t ≥ 0, σ is concave and so F is convex: every q' on a tangent has F ≥ 0, so the next tangent has outcomes on both of its
sides. The first q needs F ≥ 0 as well. t < 0 is the same with the two agents swapped.

(M. Van den Bergh, "Normalized Elo" and "Comments on normalized Elo", cantate.be/Fishtest. Fishtest and fastchess use
this definition and these tangents.)
"""

from __future__ import annotations

from math import log, sqrt
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]

STEPS = 60  # Newton's method takes 2 to 6, halving the rest
INSIDE = 1 - 1e-14  # of the ends of θ, so that rounding never reaches them
NEAR = 1e-8  # of the sum of the probabilities to 1
NORMALISED = "normalised"  # the name of the scale
PER_RATIO = 800 / log(10)  # normalised Elo of t = 1
ROUNDS = 200  # of tangents; 3 to 10 are usual
SETTLED = 1e-6  # of the probabilities; the cost changes with its square, because tangents touch
HALVINGS = 50


def tilt(shares: Floats, deviations: Floats) -> Floats:
    """Return θ for each row. Both arrays are [outcomes, rows]; each row has deviations below and above 0.

    The slope falls from ∞ to −∞ between the two ends of θ. So Newton's steps stay between the values known to be too
    low and too high. The probabilities sum to 1 − θ times the slope. A row ends by itself, whatever the other rows are.
    """
    low, high = -INSIDE / deviations.max(0), -INSIDE / deviations.min(0)
    unit = np.minimum(-low, high)  # of θ
    theta: Floats = (shares * deviations).sum(0) / (shares * deviations**2).sum(0)
    theta = np.where((theta > low) & (theta < high), theta, (low + high) / 2)
    for _ in range(STEPS):
        parts = deviations / (1 + theta * deviations)
        slope = (shares * parts).sum(0)
        moving = (np.abs(theta) + unit) * np.abs(slope) > NEAR
        if not moving.any():
            break
        low, high = np.where(slope > 0, theta, low), np.where(slope > 0, high, theta)
        there = theta + slope / (shares * parts**2).sum(0)
        there = np.where((there > low) & (there < high), there, (low + high) / 2)
        theta = np.where(moving, there, theta)
    return theta


def likeliest(shares: Floats, deviations: Floats, theta: Floats) -> Floats:
    """Return the most likely probabilities q."""
    likely: Floats = shares / (1 + theta * deviations)
    likely /= likely.sum(0)
    return likely


def cost(shares: Floats, deviations: Floats, theta: Floats) -> Floats:
    """Return Σ pᵢ ln(1 + θ dᵢ) for each row: the loss of log-likelihood per outcome by the condition."""
    loss: Floats = (shares * np.log1p(theta * deviations)).sum(0)
    return loss


# Normalised Elo.


def normalised_cost(shares: Floats, outcomes: Floats, elo: float) -> Floats:
    """Return the loss of log-likelihood per outcome if the difference is `elo`. `shares` is [outcomes, rows]."""
    t = elo / PER_RATIO * (sqrt(2) if len(outcomes) == 5 else 1.0)  # of a pair of games, or of a game
    if t < 0:
        shares, t = shares[::-1], -t  # the outcomes are symmetric about 1/2
    level = np.broadcast_to((outcomes - 0.5)[:, None], shares.shape)
    costs = cost(shares, level, theta := tilt(shares, level))
    if t == 0:
        return costs
    likely = _first(likeliest(shares, level, theta), outcomes, t)
    there = np.arange(shares.shape[1])  # rows that are not finished
    for _ in range(ROUNDS):
        deviations = _tangent(likely, outcomes, t)
        own = shares[:, there]
        theta = tilt(own, deviations)
        following = likeliest(own, deviations, theta)
        costs[there] = cost(own, deviations, theta)
        moving = np.abs(following - likely).max(0) > SETTLED
        there, likely = there[moving], following[:, moving]
        if not len(there):
            break
    return costs


def _moments(likely: Floats, outcomes: Floats) -> tuple[Floats, Floats]:
    """Return the mean and the standard deviation of each row."""
    mean = outcomes @ likely
    return mean, np.sqrt((likely * (outcomes[:, None] - mean) ** 2).sum(0))


def _tangent(likely: Floats, outcomes: Floats, t: float) -> Floats:
    mean, deviation = _moments(likely, outcomes)
    from_mean = (outcomes[:, None] - mean) / deviation
    return outcomes[:, None] - 0.5 - t * deviation * (1 + from_mean**2) / 2


def _first(level: Floats, outcomes: Floats, t: float) -> Floats:
    """Return probabilities of this ratio t: those of mean 1/2, mixed with as much of the best outcome as needed."""
    best = np.eye(len(outcomes))[:, -1:]
    low, high = np.zeros(level.shape[1]), np.ones(level.shape[1])
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        mean, deviation = _moments((1 - middle) * level + middle * best, outcomes)
        short = mean - 0.5 < t * deviation
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    return (1 - high) * level + high * best
