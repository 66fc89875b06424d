"""What every move of a search's root is really worth, beside what the search believes of it."""

from __future__ import annotations

from dataclasses import dataclass

from nimtui.engine.windows import DECIDED
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.progress import SILENT, Progress
from nimtui.search.result import MoveResult, Result
from nimtui.search.settings import DEFAULT, MCTS, TO_THE_END, Settings
from nimtui.theory import Outcome, solve


@dataclass(frozen=True, slots=True)
class MoveValue:
    """What one move leads to for the player who makes it, if both then play perfectly."""

    move: Move
    outcome: Outcome
    optimal: bool  # does it keep what the position is worth?


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A belief of the search beside the truth."""

    truth: MoveValue
    believed: MoveResult
    claim: Outcome | None  # what the search says for certain; None where it only guesses
    preferred: bool  # would it play this move?

    @property
    def wrong(self) -> bool:
        """It claims what is not so, or plays a move that gives something away."""
        return (self.claim is not None and self.claim is not self.truth.outcome) or (
            self.preferred and not self.truth.optimal
        )


def move_values(game: Game, state: State, progress: Progress = SILENT) -> list[MoveValue]:
    """The exact outcome of every move, in the order of the moves. Unsolvable where the game is too large."""
    verdict = solve(game, state, progress)
    after, found = base.copy(state), []
    for move in base.legal_moves(state):
        if move in verdict.best_moves:
            found.append(MoveValue(move, verdict.outcome, True))
            continue
        base.play(after, move)
        found.append(MoveValue(move, solve(game, after, progress).outcome.reply, False))
        base.undo(after, move)
    return found


def judged_moves(truths: list[MoveValue], result: Result) -> list[JudgedMove]:
    """Every move's truth beside what a search of the same position believes."""
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
    """What a search says for certain of a move: a bound claims only what it leaves no doubt of."""
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
