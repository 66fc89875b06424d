"""Two learners beside each other: what only one of them plays right, and whether it ever met that in training."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.learning.evaluate import RIGHT
from nimtui.report.values import Count
from nimtui.theory.truth import Truth

Verdicts = npt.NDArray[np.int8]


class Alone(NamedTuple):
    """The positions that one learner plays right and the other does not."""

    right: int
    unmet: int | None  # of these, how many the learner never met in training; None: not counted

    @property
    def text(self) -> str:
        """Say how many they are: '120, 80 never met'."""
        return f"{Count(self.right)}" if self.unmet is None else f"{Count(self.right)}, {Count(self.unmet)} never met"


def alone(mine: Verdicts, other: Verdicts) -> npt.NDArray[np.bool_]:
    """Return which positions only the first of two learners plays right, [nodes]."""
    only: npt.NDArray[np.bool_] = (mine == RIGHT) & (other != RIGHT)
    return only


def visits_of(truth: Truth, visits: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """Return how often a move was played from each position, [nodes], of how often each move was, [edges]."""
    return np.add.reduceat(visits, truth.graph.ptr[:-1], dtype=np.int64)


def count(mine: Verdicts, other: Verdicts, visits: npt.NDArray[np.int64] | None) -> Alone:
    """Return what only the first plays right; `visits` says how often it met each position, [nodes]."""
    only = alone(mine, other)
    return Alone(int(only.sum()), None if visits is None else int((only & (visits == 0)).sum()))
