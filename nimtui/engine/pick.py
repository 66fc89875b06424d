"""How a random move is drawn. No Numba here: agents and learners are named by it."""

from __future__ import annotations

from enum import Enum


class Pick(Enum):
    """Over what a random move is uniform."""

    UNIFORM_MOVE = "uniform-move"
    ROW_THEN_COUNT = "row-then-count"  # the originals' way: first a row, then how many
