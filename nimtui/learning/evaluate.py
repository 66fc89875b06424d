"""How good a table is, by the exact values of the game. Loads the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nimtui.learning.table import Table
from nimtui.learning.truth import on_graph
from nimtui.progress import SILENT, Progress
from nimtui.theory.truth import truth

if TYPE_CHECKING:
    from nimtui.engine.evaluate import Chances

FIRST, SECOND = 0, 1


def accuracy(table: Table, progress: Progress = SILENT) -> float:
    """How much of perfect play the table holds, 0 to 1: an empty one of nim:1,3,5,7 has 0.188.

    The mean, over the positions that are not over and not lost for the player to move, of the share
    of the tied best-scored moves that keep the outcome.
    """
    from nimtui.engine import evaluate

    known = truth(table.game, progress)
    scores = on_graph(table, known.graph).cells
    return evaluate.accuracy(known.graph, known.values, known.keeps, scores)


def against_perfect(table: Table, seat: int, progress: Progress = SILENT) -> Chances:
    """The exact probabilities that the table, in this seat, wins, draws and loses against perfect play.

    Both make each of their best moves with the same probability; a lost perfect player makes any.
    """
    from nimtui.engine import evaluate

    known = truth(table.game, progress)
    scores = on_graph(table, known.graph).cells
    return evaluate.against_perfect(known.graph, known.keeps, scores, seat == SECOND)


def wins_against_perfect(table: Table, seat: int = SECOND, progress: Progress = SILENT) -> float:
    """The exact probability that the table, in this seat, wins against perfect play."""
    return against_perfect(table, seat, progress).win
