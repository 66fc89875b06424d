"""What an agent believed of the move that it made: one number that can be stored, compared and drawn."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import isfinite

from nimtui.agents.agent import Decision, Thought
from nimtui.games.base import Move

PLACES = 4  # decimals of a belief: more would only be noise
MOST_SCORE = 10.0**12  # larger numbers are no scores
MOST_WORK = 2**62  # nodes or playouts


class Kind(Enum):
    """How far a belief can be trusted."""

    EXACT = "exact"  # looked up or proved: −1, 0 or 1
    ESTIMATE = "estimate"  # an expected result, −1 (lost) to 1 (won)
    SCORE = "score"  # a number in the agent's own unit, which cannot be compared with other agents' numbers


@dataclass(frozen=True, slots=True)
class Belief:
    """An agent's belief about a move, for the player who makes it. Numbers have `PLACES` decimals."""

    kind: Kind
    number: float  # the exact value, the expected result, or the score
    work: int | None = None  # nodes or playouts of the decision; None if the agent does not search

    @property
    def value(self) -> float | None:
        """Return the expected result, −1 to 1; None for a score."""
        return None if self.kind is Kind.SCORE else self.number


def belief_of(decision: Decision, move: Move | None = None) -> Belief | None:
    """Return what the agent believed of its move [or of another one]; None if it does not rate that move.

    How the thoughts of each agent are read:

    - mcts: the mean result of the move's simulations is an estimate; a proven value is exact.
    - mc: the mean result of the playouts is an estimate.
    - minimax and alphabeta: a value that the search proved is exact; otherwise the heuristic's number is a score.
    - perfect and value: exact.
    - tables: an estimate if the learner's scores are expected results (average, q); exact if they prove the result
      (proof); otherwise a score.
    - own agents: a value with counts, or other than −1, 0 and 1, is an estimate; −1, 0 and 1 alone are exact;
      a score alone is a score.
    """
    wanted = decision.move if move is None else move
    thought = next((one for one in decision.thoughts if one.move == wanted), None)
    return None if thought is None else _belief(thought, _work(decision))


def _belief(thought: Thought, work: int | None) -> Belief | None:
    if (payoff := thought.payoff) is not None:
        return Belief(Kind.SCORE, round(payoff, PLACES) + 0.0, work)
    value = thought.mean if thought.value is None else thought.value
    if value is not None and isfinite(value):
        value = max(-1.0, min(1.0, value))
        exact = value in (-1.0, 0.0, 1.0) and not _is_estimated(thought)
        return Belief(Kind.EXACT if exact else Kind.ESTIMATE, round(value, PLACES) + 0.0, work)  # + 0.0: never −0
    score = thought.score
    if score is not None and abs(score) < MOST_SCORE:  # false for NaN
        return Belief(Kind.SCORE, round(float(score), PLACES) + 0.0, work)
    return None


def _is_estimated(thought: Thought) -> bool:
    """Return whether a value counts results, or is learned: it may be −1, 0 or 1 by chance."""
    if thought.bound is not None:
        return False  # a search proved it
    return thought.wins is not None or thought.visits is not None or isinstance(thought.score, float)


def _work(decision: Decision) -> int | None:
    """Return the nodes of the search, or the playouts of all moves."""
    rated = [one for one in decision.thoughts if one.wins is not None]
    work = decision.nodes
    if work is None and rated:
        work = sum((one.wins or 0) + (one.losses or 0) + (one.draws or 0) for one in rated)
    return None if work is None else max(0, min(MOST_WORK, work))
