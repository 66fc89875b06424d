"""Decides which games allow a table, lays tables out along a game's graph, and says which moves a trained one plays."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from nimtui.engine import limits
from nimtui.engine.policy import Policy, among, best_of, highest
from nimtui.engine.rng import Pick
from nimtui.errors import InputError
from nimtui.games import Game, base
from nimtui.learning import learner as learners
from nimtui.learning.learner import Learner, Scores, module_of, parse_learner
from nimtui.learning.learners import reward
from nimtui.learning.table import Table
from nimtui.report.values import Bytes

if TYPE_CHECKING:
    from nimtui.engine.graph import Graph
    from nimtui.theory.truth import Truth


def bytes_needed(game: Game) -> int:
    """Estimate the most memory of a training, in bytes: graph, table, exact values and copies of the table."""
    a_position = 8 + 12 + 1 + 8 + 1  # number, notes, value; share and verdict of a look
    a_move = 4 + (4 + 4 + 1 + 1) + 2 * 4 + 4  # link; score, visits, mark, truth; a view; the curve's copy
    own = a_position + a_move * limits.moves_about(game.start)
    return limits.bytes_needed(game.start) + int(game.positions * own)


def why_untrainable(game: Game) -> str | None:
    """Return why the engine cannot train a table, in one line; None if it can. Allocates nothing."""
    if base.outcome(game.start) != base.GOING_ON:
        return f"{game.name} is over before the first move: there is nothing to learn"
    if game.positions == 0:
        return f"{game.name} has too many positions to number them: it can have no table"
    needed = bytes_needed(game)
    if needed > limits.MOST_BYTES:
        return (
            f"{game.name} is too large for a table: it would need about {Bytes(needed)} "
            f"({needed:,} bytes), more than the {Bytes(limits.MOST_BYTES)} allowed"
        )
    return None


def why_no_payoffs(game: Game, learner: Learner) -> str | None:
    """Return why this learner cannot learn this game: it ends with a number; else None."""
    if not game.pays or learners.learns_payoffs(learner):
        return None
    able = " or ".join(name for name, module in learners.learners().items() if getattr(module, "PAYOFFS", False))
    return f"{learners.spec(learner)} learns won and lost games, and {game.name} ends with a number: use {able}"


def why_unlearnable(game: Game, learner: Learner) -> str | None:
    """Return why this learner cannot learn this game, in one line; None if it can. Allocates nothing."""
    if learners.is_student(learner):
        return str(fault) if (fault := learners.student_file().why_not(learner, game)) else None
    if (fault := why_no_payoffs(game, learner)) is not None:
        return fault
    fault = why_untrainable(game)
    if fault is None or base.outcome(game.start) != base.GOING_ON:
        return fault
    return None if learners.has_function(learner) else f"{fault}; the learner ntuple needs no table"


def on_graph(table: Table, graph: Graph) -> Table:
    """Return the table with a row for every node and a cell for every edge.

    Raises InputError if its rows do not match the rules.
    """
    if table.ptr is graph.ptr:
        return table
    numbers = np.flatnonzero(graph.node_of >= 0)  # nodes are numbered in this order
    pairs = ((table.numbers, numbers), (table.ptr, graph.ptr), (table.moves, graph.move))
    if all(np.array_equal(mine, theirs) for mine, theirs in pairs):
        return table
    rule = learners.parse_learner(table.learner)
    edges = len(graph.to)
    scores: Scores = np.full(edges, learners.fresh(rule), learners.score_type(rule))
    visits = np.zeros(edges, np.int32)
    marks = np.zeros(edges if learners.has_marks(rule) else 0, np.int8)
    _, rows, nodes = np.intersect1d(table.numbers, numbers, assume_unique=True, return_indices=True)
    for row, node in zip(rows, nodes, strict=True):
        here = slice(table.ptr[row], table.ptr[row + 1])
        there = slice(graph.ptr[node], graph.ptr[node + 1])
        if not np.array_equal(table.moves[here], graph.move[there]):
            raise InputError(f"the table does not fit the current rules of {table.game.name}")
        scores[there], visits[there] = table.cells[here], table.visits[here]
        if len(marks):
            marks[there] = table.marks[here]
    if table.function is not None and table.games and not len(table.numbers):  # it was trained without a graph
        table.function.fill(graph, scores)
    along = replace(table, numbers=numbers, boards=graph.boards, ptr=graph.ptr, moves=graph.move)
    return replace(along, cells=scores, visits=visits, marks=marks)


def plays_best_scored(learner: Learner) -> bool:
    """Does the learner play one of its best-scored moves (or the random moves of the reward learner)?

    A learner from elsewhere may have its own function `play`, which only the interpreter can follow.
    """
    return module_of(learner) is reward or not hasattr(module_of(learner), "play")


def draws(learner: Learner, best: float) -> bool | None:
    """Return whether the learner draws among all moves of a position with this best score, as it plays after training.

    False: it plays a best-scored move. None: unknown, it has its own function `play`.
    """
    if module_of(learner) is reward:
        return best <= 0
    return False if plays_best_scored(learner) else None


def policy(table: Table, truth: Truth) -> Policy | None:
    """Return the policy of this table; None for scores that are not numbers, or a learner with its own `play`."""
    learner, graph = parse_learner(table.learner), truth.graph
    scores = on_graph(table, graph).cells
    if not plays_best_scored(learner) or np.isnan(scores).any():
        return None
    best = best_of(graph, scores)
    if module_of(learner) is not reward:
        return among(graph, best)
    unknown = highest(graph, scores) <= 0
    may = best | np.repeat(unknown, np.diff(graph.ptr))
    return among(graph, may, unknown & (learner.pick is Pick.ROW_THEN_COUNT))
