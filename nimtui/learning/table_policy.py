"""What a table's learner plays after training, written down for every position of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nimtui.engine.pick import Pick
from nimtui.engine.policy import Policy, among, best_of, highest
from nimtui.learning import reward
from nimtui.learning.graph_table import on_graph
from nimtui.learning.learner import Learner, module_of, parse_learner
from nimtui.learning.table import Table

if TYPE_CHECKING:
    from nimtui.theory.truth import Truth


def plays_best_scored(learner: Learner) -> bool:
    """Is it known here how it plays: one of the best-scored moves, but for the reward learner's random ones?

    A learner from elsewhere may have a word `play` of its own, which only the interpreter follows.
    """
    return module_of(learner) is reward or not hasattr(module_of(learner), "play")


def policy(table: Table, known: Truth) -> Policy | None:
    """The player by this table; None where it cannot be written down: scores that are no numbers, other words."""
    learner, graph = parse_learner(table.learner), known.graph
    scores = on_graph(table, graph).cells
    if not plays_best_scored(learner) or np.isnan(scores).any():
        return None
    best = best_of(graph, scores)
    if module_of(learner) is not reward:
        return among(graph, best)
    unknown = highest(graph, scores) <= 0
    may = best | np.repeat(unknown, np.diff(graph.ptr))
    return among(graph, may, unknown & (learner.pick is Pick.ROW_THEN_COUNT))
