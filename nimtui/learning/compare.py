"""Compares two tables of one game: where they play the same moves, and which one wins. Loads the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.errors import InputError
from nimtui.learning.evaluate import accuracy_of, best_scored
from nimtui.learning.graph_table import on_graph
from nimtui.learning.learner import Scores
from nimtui.learning.table import Table
from nimtui.progress import SILENT, Progress
from nimtui.theory.truth import Truth, truth

if TYPE_CHECKING:
    from nimtui.engine.evaluate import Chances


class Comparison(NamedTuple):
    """The result of a comparison; chances are those of the first table."""

    positions: int  # not over, and with more than one move
    alike: int  # of these, positions where both have the same best-scored moves
    apart: int  # of these, positions where they share no best-scored move
    accuracy: tuple[float, float]
    first: Chances  # of the first table from the start, moving first
    second: Chances  # of the first table from the start, moving second
    everywhere: tuple[Chances, Chances]  # mean over the games from all positions, moving first or second


def compare(one: Table, other: Table, progress: Progress = SILENT) -> Comparison:
    """Compare two tables. Raises InputError if they are of different games."""
    from nimtui.engine import evaluate

    if one.game != other.game:
        raise InputError(f"a table of {one.game.name} and one of {other.game.name} have no positions in common")
    solution = truth(one.game, progress)
    mine, theirs = (on_graph(table, solution.graph).cells for table in (one, other))
    positions, alike, apart = _agreement(solution, mine, theirs)
    odds = evaluate.between(solution.graph, mine, theirs)
    start = odds[solution.graph.start]
    return Comparison(
        positions,
        alike,
        apart,
        (accuracy_of(solution, mine), accuracy_of(solution, theirs)),
        _chances(start[0]),
        _chances(start[1]),
        (_chances(odds[:, 0].mean(axis=0)), _chances(odds[:, 1].mean(axis=0))),
    )


def _agreement(truth: Truth, mine: Scores, theirs: Scores) -> tuple[int, int, int]:
    ptr = truth.graph.ptr[:-1]
    choice = np.diff(truth.graph.ptr) > 1
    here, there = best_scored(truth, mine), best_scored(truth, theirs)
    alike = np.add.reduceat(here != there, ptr, dtype=np.int64) == 0
    apart = np.add.reduceat(here & there, ptr, dtype=np.int64) == 0
    return int(choice.sum()), int((alike & choice).sum()), int((apart & choice).sum())


def _chances(win_and_draw: npt.NDArray[np.float64]) -> Chances:
    from nimtui.engine.evaluate import Chances

    win, draw = win_and_draw.tolist()
    return Chances(win, draw, max(0.0, 1.0 - win - draw))
