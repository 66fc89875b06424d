"""The ways to draw a random move. No Numba here: the names of agents and learners use them."""

from __future__ import annotations

from enum import Enum


class Pick(Enum):
    """The distribution of a random move."""

    UNIFORM_MOVE = "uniform-move"
    ROW_THEN_COUNT = "row-then-count"  # as for the tower of 16: first a row, then a number of matches
