"""How good a table is, by the exact values of the game. Loads the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.learning.graph_table import on_graph
from nimtui.learning.learner import Scores
from nimtui.learning.table import Table
from nimtui.progress import SILENT, Progress
from nimtui.theory.truth import Truth, truth

if TYPE_CHECKING:
    from nimtui.engine.evaluate import Chances

FIRST, SECOND = 0, 1
NOTHING, RIGHT, WRONG, UNDECIDED = 0, 1, 2, 3  # what becomes of a position by the table's best moves


class Standing(NamedTuple):
    """What a table knows, measured against the truth. "Not lost" means: not lost for the player to move.

    In the seats that theory favours (the first player's where the start is won, the second's where it is lost, both
    where it is a draw) a perfect table never loses: `reachable`, `unbeaten` and `proof` are about these.
    """

    accuracy: float  # mean share of the best-scored moves that keep the outcome, over all positions not lost
    reachable: float  # the same over those alone where the table comes to move, whatever its opponent plays
    unbeaten: float  # how probably it does not lose to perfect play, computed exactly; the mean of two seats
    proof: bool  # does it never lose, nor let a won position go, whatever any opponent plays?
    perfect: bool  # are all positions not lost played right?
    right: int  # positions all of whose best-scored moves keep the outcome
    wrong: int  # none of whose best-scored moves does
    undecided: int  # some of whose best-scored moves do
    nothing: int  # positions lost for the player to move: there is nothing to win
    verdicts: npt.NDArray[np.int8]  # [nodes]: RIGHT, WRONG, UNDECIDED, NOTHING

    @property
    def decided(self) -> int:
        """Positions on which the table has made up its mind, rightly or wrongly."""
        return self.right + self.wrong


def standing(known: Truth, scores: Scores) -> Standing:
    """What these scores, one a move of the graph, are worth."""
    from nimtui.engine import evaluate

    verdicts, shares = evaluate.judge(known.graph, known.values, known.keeps, scores)
    nothing, right, wrong, undecided = np.bincount(verdicts, minlength=4).tolist()
    there = evaluate.reached(known.graph, scores, favoured_seats(known)) & (verdicts != NOTHING)
    return Standing(
        _mean(shares, verdicts != NOTHING),
        _mean(shares, there),
        unbeaten(known, scores),
        bool((verdicts[there] == RIGHT).all()),
        wrong + undecided == 0,
        right,
        wrong,
        undecided,
        nothing,
        verdicts,
    )


def _mean(shares: npt.NDArray[np.float64], where: npt.NDArray[np.bool_]) -> float:
    return float(shares[where].mean()) if where.any() else 1.0


def favoured_seats(known: Truth) -> tuple[bool, bool]:
    """In which seats perfect play does not lose: the first, the second."""
    value = known.values[known.graph.start]
    return bool(value >= 0), bool(value <= 0)


def unbeaten(known: Truth, scores: Scores) -> float:
    """How probably these scores do not lose to perfect play in the seats that theory favours."""
    from nimtui.engine import evaluate

    lost = [
        evaluate.against_perfect(known.graph, known.keeps, scores, seat == SECOND).loss
        for seat, favoured in zip((FIRST, SECOND), favoured_seats(known), strict=True)
        if favoured
    ]
    return 1.0 - sum(lost) / len(lost)


def accuracy_of(known: Truth, scores: Scores) -> float:
    """As `accuracy`, of scores that lie along the graph."""
    from nimtui.engine import evaluate

    verdicts, shares = evaluate.judge(known.graph, known.values, known.keeps, scores)
    return _mean(shares, verdicts != NOTHING)


def accuracy(table: Table, progress: Progress = SILENT) -> float:
    """How much of perfect play the table holds, 0 to 1: an empty one of nim:1,3,5,7 has 0.188.

    The mean, over the positions that are not over and not lost for the player to move, of the share
    of the tied best-scored moves that keep the outcome.
    """
    known = truth(table.game, progress)
    return accuracy_of(known, on_graph(table, known.graph).cells)


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
