"""Finds the positions where a table's best moves have changed, of those where the choice of a move matters."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nimtui.learning.learner import Scores
from nimtui.theory.truth import Truth


def choices(known: Truth) -> npt.NDArray[np.int64]:
    """Return the nodes where some moves keep the value and others lose it. Lost positions have no such choice."""
    mistakes = np.add.reduceat(~known.keeps, known.graph.ptr[:-1], dtype=np.int64)
    return np.flatnonzero(mistakes)


def best_scored(known: Truth, scores: Scores) -> npt.NDArray[np.bool_]:
    """Return for each edge whether it has the best score of its position, [edges]."""
    ptr = known.graph.ptr
    most = np.maximum.reduceat(scores, ptr[:-1])
    best: npt.NDArray[np.bool_] = scores == np.repeat(most, np.diff(ptr))
    return best


def changed(known: Truth, before: Scores, after: Scores) -> list[int]:
    """Return the nodes with a choice (see `choices`) whose best-scored moves differ between two tables."""
    found: list[int] = np.intersect1d(np.flatnonzero(differing(known, before, after)), choices(known)).tolist()
    return found


def differing(known: Truth, before: Scores, after: Scores) -> npt.NDArray[np.bool_]:
    """Return where the best-scored moves differ between two tables, [nodes]."""
    edges = best_scored(known, before) != best_scored(known, after)
    return np.logical_or.reduceat(edges, known.graph.ptr[:-1])
