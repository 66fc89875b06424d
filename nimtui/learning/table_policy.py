"""The policy of a trained table: the moves that its learner may play in every position."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nimtui.engine.policy import Policy, among, best_of, highest
from nimtui.engine.rng import Pick
from nimtui.learning.graph_table import on_graph
from nimtui.learning.learner import Learner, module_of, parse_learner
from nimtui.learning.learners import reward
from nimtui.learning.table import Table

if TYPE_CHECKING:
    from nimtui.theory.truth import Truth


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
