"""Two learners beside each other: what only one of them plays right, and whether it ever met that in training."""

from __future__ import annotations

from collections.abc import Sequence

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


def sentence(names: Sequence[str], verdicts: Sequence[Verdicts], visits: Sequence[npt.NDArray[np.int64]]) -> str:
    """Say how many only the first of two learners plays right, and how many of these each never met.

    `visits` says how often each learner met each position, [nodes]; empty if that was not counted.
    """
    only = alone(*verdicts)
    unmet = [Count((only & (times == 0)).sum()) for times in visits]
    met = f": never met by {names[1]} {unmet[1]}, by itself {unmet[0]}" if unmet else ""
    return f"Only {names[0]} is right in {Count(only.sum())}{met}"
