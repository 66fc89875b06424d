"""A finished game, or as much of one as was played, move by move against perfect play."""

from __future__ import annotations

from dataclasses import dataclass

from nimtui import theory
from nimtui.games import Record, base
from nimtui.games.base import Move, State
from nimtui.progress import SILENT, Progress
from nimtui.theory import Outcome, Unsolvable, Verdict

RANK = {Outcome.LOSS: -1, Outcome.DRAW: 0, Outcome.WIN: 1}


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one move did to the game's theoretical outcome, for the player who made it.

    An outcome is None where the position is too large to solve.
    """

    ply: int  # how many moves had been made before it
    seat: int  # 0 moved first in the game
    move: Move
    before: Outcome | None
    after: Outcome | None
    best_moves: tuple[Move, ...]  # those that would have kept the outcome; () where it is not known

    @property
    def mistake(self) -> bool:
        """Could it have been better? In a lost position every move is as good as any."""
        if self.before is None or self.after is None:
            return False
        return RANK[self.after] < RANK[self.before]

    @property
    def turning_point(self) -> bool:
        """Did the outcome change with it? A move can only make its own player's worse: a mistake by another name."""
        return self.mistake


def review(record: Record, progress: Progress = SILENT) -> list[Judgement]:
    """Every move that has been played (those taken back left out), in order."""
    state = record.state_at(0)
    judgements: list[Judgement] = []
    verdict = _solve(record, state, progress)
    for ply, move in enumerate(record.moves):
        base.play(state, move)
        following = _solve(record, state, progress)
        judgements.append(
            Judgement(
                ply,
                ply % 2,
                move,
                verdict.outcome if verdict else None,
                following.outcome.reply if following else None,
                verdict.best_moves if verdict else (),
            )
        )
        verdict = following
        progress.report(ply + 1, record.ply, "moves")
    return judgements


def _solve(record: Record, state: State, progress: Progress) -> Verdict | None:
    try:
        return theory.solve(record.game, state, progress)
    except Unsolvable:
        return None
