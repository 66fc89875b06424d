"""Measures a table against the exact values of its game, and compares two tables of one game. Loads the engine.

Also finds the positions where a table's best moves have changed, of those where the choice of a move matters; and of
two tables where they play the same moves, and which one wins.

Two learners beside each other: what only one of them plays right, and whether it ever met that in training.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.engine.policy import best_of
from nimtui.errors import InputError
from nimtui.learning.graph_table import on_graph
from nimtui.learning.learner import Scores
from nimtui.learning.table import Table
from nimtui.progress import SILENT, Progress
from nimtui.report.values import Count
from nimtui.theory.truth import Truth, truth

if TYPE_CHECKING:
    from nimtui.engine.evaluate import Chances
    from nimtui.games import Game


def choices(truth: Truth) -> npt.NDArray[np.int64]:
    """Return the nodes where some moves keep the value and others lose it. Lost positions have no such choice."""
    mistakes = np.add.reduceat(~truth.keeps, truth.graph.ptr[:-1], dtype=np.int64)
    return np.flatnonzero(mistakes)


def changed(truth: Truth, before: Scores, after: Scores) -> list[int]:
    """Return the nodes with a choice (see `choices`) whose best-scored moves differ between two tables."""
    nodes: list[int] = np.intersect1d(np.flatnonzero(differing(truth, before, after)), choices(truth)).tolist()
    return nodes


def differing(truth: Truth, before: Scores, after: Scores) -> npt.NDArray[np.bool_]:
    """Return where the best-scored moves differ between two tables, [nodes]."""
    edges = best_of(truth.graph, before) != best_of(truth.graph, after)
    return np.logical_or.reduceat(edges, truth.graph.ptr[:-1])


FIRST, SECOND, NAN = 0, 1, float("nan")
NOTHING, RIGHT, WRONG, UNDECIDED = 0, 1, 2, 3  # the verdict on a position, by the table's best moves
WORDS = {RIGHT: "right", WRONG: "wrong", UNDECIDED: "undecided", NOTHING: "lost"}


def population(game: Game) -> str:
    """Return the positions that an accuracy is over, in words: all of a game with payoffs."""
    return "over all positions" if game.pays else "over positions not lost"


class Standing(NamedTuple):
    """A table measured against the exact values. "Not lost" means: not lost for the player to move.

    Theory favours a seat: the first if the start is won, the second if it is lost, both if it is drawn. A perfect table
    never loses there. `reachable`, `unbeaten` and `proof` are about the favoured seats.
    """

    accuracy: float  # mean share of the best-scored moves that keep the outcome, over all positions not lost
    reachable: float  # the same over the positions where the table moves, whatever its opponent plays
    unbeaten: float  # exact probability not to lose to perfect play; the mean of two seats
    proof: bool  # does it make no mistake, whatever its opponent plays?
    perfect: bool  # are all positions not lost played right?
    right: int  # positions where all best-scored moves keep the outcome
    wrong: int  # positions where none does
    undecided: int  # positions where some do
    nothing: int  # positions lost for the player to move
    verdicts: npt.NDArray[np.int8]  # [nodes]: RIGHT, WRONG, UNDECIDED, NOTHING

    @property
    def decided(self) -> int:
        """Positions that are right or wrong, not undecided."""
        return self.right + self.wrong


def standing(truth: Truth, scores: Scores) -> Standing:
    """Return the standing of these scores, one per move of the graph."""
    from nimtui.engine import evaluate

    listed, shares = _listed(truth, scores)
    in_reach = evaluate.reached(truth.graph, scores, favoured_seats(truth)) & (listed.verdicts != NOTHING)
    return listed._replace(
        reachable=_mean(shares, in_reach),
        unbeaten=unbeaten(truth, scores),
        proof=bool((listed.verdicts[in_reach] == RIGHT).all()),
    )


def sampled_standing(truth: Truth, scores: Scores) -> Standing:
    """Return the standing over listed positions alone. How play runs on between them is unknown: what would follow from
    it is NaN, or false.
    """
    return _listed(truth, scores)[0]


def _listed(truth: Truth, scores: Scores) -> tuple[Standing, npt.NDArray[np.float64]]:
    """Return the standing over listed positions alone, and the share of right moves in each of them."""
    from nimtui.engine import evaluate

    verdicts, shares = evaluate.judge(truth.graph, truth.signs, truth.keeps, scores)
    nothing, right, wrong, undecided = np.bincount(verdicts, minlength=4).tolist()
    share, perfect = _mean(shares, verdicts != NOTHING), wrong + undecided == 0
    return Standing(share, NAN, NAN, False, perfect, right, wrong, undecided, nothing, verdicts), shares


def _mean(shares: npt.NDArray[np.float64], where: npt.NDArray[np.bool_]) -> float:
    return float(shares[where].mean()) if where.any() else 1.0


def favoured_seats(truth: Truth) -> tuple[bool, bool]:
    """Return whether perfect play does not lose in the first seat, and in the second."""
    value = truth.values[truth.graph.start]
    return bool(value >= 0), bool(value <= 0)


def seats_text(truth: Truth) -> str:
    """Return the seats where perfect play does not lose: 'moving first', 'moving second' or 'in either seat'."""
    return ("in either seat", "moving first", "moving second")[int(np.sign(truth.values[truth.graph.start]))]


def looks(truth: Truth, scores: Scores) -> tuple[bool, bool]:
    """Return whether these scores make no mistake against any opponent, and are perfect (see `Standing`)."""
    from nimtui.engine import evaluate

    verdicts, _ = evaluate.judge(truth.graph, truth.signs, truth.keeps, scores)
    wrong = (verdicts == WRONG) | (verdicts == UNDECIDED)
    if not wrong.any():
        return True, True
    if verdicts[truth.graph.start] != RIGHT and favoured_seats(truth)[0]:
        return False, False
    in_reach = evaluate.reached(truth.graph, scores, favoured_seats(truth))
    return not (wrong & in_reach).any(), False


def unbeaten(truth: Truth, scores: Scores) -> float:
    """Return the exact probability that these scores do not lose to perfect play in the favoured seats."""
    lost = [
        chances(truth, scores, seat).loss
        for seat, favoured in zip((FIRST, SECOND), favoured_seats(truth), strict=True)
        if favoured
    ]
    return 1.0 - sum(lost) / len(lost)


class RightMoves(NamedTuple):
    """The share of best-scored moves that keep the value, over the positions where moves differ in theirs."""

    everywhere: float | None  # None if they never differ
    met: float | None  # over those that a game of training reached; None if there are none
    unmet: float | None  # over those that none reached


def right_moves(truth: Truth, scores: Scores, visits: npt.NDArray[np.int32]) -> RightMoves:
    """Return the share of right moves of these scores, [edges]; `visits` says how often each move was played."""
    nodes, (_, shares) = choices(truth), _listed(truth, scores)
    met = np.add.reduceat(visits, truth.graph.ptr[:-1])[nodes] > 0
    parts = [shares[nodes], shares[nodes][met], shares[nodes][~met]]
    return RightMoves(*(float(part.mean()) if len(part) else None for part in parts))


def chances(truth: Truth, scores: Scores, seat: int, timely: bool = False) -> Chances:
    """Return the exact chances of these scores in a seat against perfect play, as `against_perfect` says.

    `timely` perfect play wins as soon and loses as late as possible.
    """
    from nimtui.engine import evaluate

    return evaluate.against_perfect(truth.graph, truth.timely if timely else truth.keeps, scores, seat == SECOND)


def against_random(truth: Truth, scores: Scores, seat: int) -> Chances:
    """Return the exact chances of these scores in a seat against random moves."""
    from nimtui.engine import evaluate

    return evaluate.against_perfect(truth.graph, np.ones_like(truth.keeps), scores, seat == SECOND)


def accuracy_of(truth: Truth, scores: Scores) -> float:
    """Return the accuracy of scores laid out along the graph."""
    return sampled_standing(truth, scores).accuracy


def accuracy(table: Table, progress: Progress = SILENT) -> float:
    """Return the accuracy of a table, 0 to 1; an empty table of nim:1,3,5,7 has 0.188.

    Accuracy is the share of the best-scored moves that keep the outcome. It is the mean over all positions that are not
    over and not lost for the player to move.
    """
    solution = truth(table.game, progress)
    return accuracy_of(solution, on_graph(table, solution.graph).cells)


def against_perfect(table: Table, seat: int, progress: Progress = SILENT) -> Chances:
    """Return the exact chances of the table in this seat to win, draw and lose against perfect play.

    Both players choose among their best moves with equal probability; a lost perfect player among all moves.
    """
    solution = truth(table.game, progress)
    return chances(solution, on_graph(table, solution.graph).cells, seat)


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
        evaluate.chances_of(start[0]),
        evaluate.chances_of(start[1]),
        (evaluate.chances_of(odds[:, 0].mean(axis=0)), evaluate.chances_of(odds[:, 1].mean(axis=0))),
    )


def _agreement(truth: Truth, mine: Scores, theirs: Scores) -> tuple[int, int, int]:
    ptr = truth.graph.ptr[:-1]
    choice = np.diff(truth.graph.ptr) > 1
    here, there = best_of(truth.graph, mine), best_of(truth.graph, theirs)
    alike = np.add.reduceat(here != there, ptr, dtype=np.int64) == 0
    apart = np.add.reduceat(here & there, ptr, dtype=np.int64) == 0
    return int(choice.sum()), int((alike & choice).sum()), int((apart & choice).sum())


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
