"""Two learners beside each other: what only one of them plays right, and whether it ever met that in training."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nimtui.learning.evaluate import RIGHT
from nimtui.report.values import Count
from nimtui.theory.truth import Truth

Verdicts = npt.NDArray[np.int8]


def alone(mine: Verdicts, other: Verdicts) -> npt.NDArray[np.bool_]:
    """Return which positions only the first of two learners plays right, [nodes]."""
    only: npt.NDArray[np.bool_] = (mine == RIGHT) & (other != RIGHT)
    return only


def visits_of(truth: Truth, visits: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """Return how often a move was played from each position, [nodes], of how often each move was, [edges]."""
    return np.add.reduceat(visits, truth.graph.ptr[:-1], dtype=np.int64)


def count(mine: Verdicts, other: Verdicts, visits: npt.NDArray[np.int64] | None) -> str:
    """Say how many only the first plays right: '120, 80 never met'; `visits` says how often it met each, [nodes]."""
    only = alone(mine, other)
    return f"{Count(only.sum())}" + ("" if visits is None else f", {Count((only & (visits == 0)).sum())} never met")
