"""Compares the exact value of every root move with the result of a search."""

from __future__ import annotations

from dataclasses import dataclass

from nimtui.engine.windows import DECIDED, WIN
from nimtui.theory import Outcome
from nimtui.theory.answers import MoveValue
from nimtui.trees.result import MoveResult, Result, Standing
from nimtui.trees.settings import DEFAULT, MCTS, TO_THE_END, Settings


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """The result of a search for one move, with the exact value."""

    truth: MoveValue
    believed: MoveResult
    claim: Outcome | None  # the outcome that the search has proven; None if it only estimates
    preferred: bool  # does the search play this move?

    @property
    def wrong(self) -> bool:
        """Does the search claim a false outcome, or play a mistake?"""
        return (self.claim is not None and self.claim is not self.truth.outcome) or (
            self.preferred and not self.truth.optimal
        )


def judged_moves(truths: list[MoveValue], result: Result | Standing) -> list[JudgedMove]:
    """Return every move's exact value with the result of a search of the same position."""
    believed = {found.move: found for found in result.moves}
    return [
        JudgedMove(
            truth,
            believed[truth.move],
            claimed_outcome(result.settings, believed[truth.move], result.exact),
            truth.move == result.best_move,
        )
        for truth in truths
    ]


def claimed_outcome(settings: Settings, found: MoveResult, exact: bool) -> Outcome | None:
    """Return the outcome that a search has proven for a move, possibly by a bound; None if none."""
    if found.proven is not None:
        return Outcome.of(found.proven)
    if settings.algorithm == MCTS or settings.heuristic != DEFAULT or found.value is None:
        return None
    if found.value > DECIDED and found.bound != "upper":
        return Outcome.WIN
    if found.value < -DECIDED and found.bound != "lower":
        return Outcome.LOSS
    to_the_end = settings.depth == TO_THE_END and not settings.time
    if found.value == 0 and exact and found.bound == "exact" and to_the_end:
        return Outcome.DRAW
    return None


def claimed_plies(settings: Settings, value: float | None) -> int | None:
    """Return in how many plies the game ends, by a value of minimax or alpha-beta; None if it does not say."""
    if settings.algorithm == MCTS or value is None or abs(value) <= DECIDED:
        return None
    return WIN - int(abs(value))
