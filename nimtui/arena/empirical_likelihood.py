"""The most likely probabilities of outcomes under one linear condition, for many rows of outcomes at once.

Let pᵢ be the shares of the outcomes, and let a condition say that Σ qᵢ dᵢ = 0 for their true probabilities qᵢ. The
most likely probabilities that meet it are qᵢ = pᵢ / (1 + θ dᵢ), where θ solves Σ pᵢ dᵢ / (1 + θ dᵢ) = 0. (A. B. Owen,
"Empirical likelihood ratio confidence intervals for a single functional", Biometrika 75, 1988.)
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]

STEPS = 60  # Newton's method takes 2 to 6, halving the rest
INSIDE = 1 - 1e-14  # of the ends of θ, so that rounding never reaches them
NEAR = 1e-8  # of the sum of the probabilities to 1


def tilt(shares: Floats, deviations: Floats) -> Floats:
    """Return θ for each row. Both arrays are [outcomes, rows]; each row has deviations below and above 0.

    The slope falls from ∞ to −∞ between the two ends of θ. So Newton's steps stay between the values known to be too
    low and too high. The probabilities sum to 1 − θ times the slope. A row ends by itself, whatever the other rows are.
    """
    low, high = -INSIDE / deviations.max(0), -INSIDE / deviations.min(0)
    unit = np.minimum(-low, high)  # of θ
    theta = (shares * deviations).sum(0) / (shares * deviations**2).sum(0)
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
    found: Floats = theta
    return found


def likeliest(shares: Floats, deviations: Floats, theta: Floats) -> Floats:
    """Return the most likely probabilities q."""
    found: Floats = shares / (1 + theta * deviations)
    found /= found.sum(0)
    return found


def cost(shares: Floats, deviations: Floats, theta: Floats) -> Floats:
    """Return Σ pᵢ ln(1 + θ dᵢ) for each row: the loss of log-likelihood per outcome by the condition."""
    found: Floats = (shares * np.log1p(theta * deviations)).sum(0)
    return found
