"""Review a game, finished or not, move by move against perfect play, and find the move that decided it.

That is the last one that changed the game's outcome. A move can only worsen the outcome of its own player, so each
change is a mistake. After the last mistake of a finished game the outcome is the game's result. Positions that are too
large to solve leave gaps: what changed there is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nimtui import theory
from nimtui.games import Record, base
from nimtui.games.base import Move, State
from nimtui.progress import SILENT, Progress
from nimtui.report.values import Score
from nimtui.theory import Outcome, Unsolvable
from nimtui.theory.answers import BRIEFLY, Answer, TooSlow, Until, answer


@dataclass(frozen=True, slots=True)
class Judgement:
    """The effect of one move on the game's theoretical outcome, for its player.

    An outcome is None if the position is too large to solve.
    """

    ply: int  # moves made before it
    seat: int  # 0: the first player of the game
    move: Move
    before: Outcome | None
    after: Outcome | None
    best_moves: tuple[Move, ...]  # the moves that would have preserved the outcome; () if unknown
    plies_before: int | None = None  # to the end under best play, before the move; None in a draw, or if unknown
    plies_after: int | None = None
    payoff_before: int | None = None  # games with payoffs: what perfect play was worth to its player before the move
    payoff_after: int | None = None

    @property
    def cost(self) -> int | None:
        """The points that the move gave away; None in a game without payoffs, or if that is unknown."""
        if self.payoff_before is None or self.payoff_after is None:
            return None
        return self.payoff_before - self.payoff_after

    @property
    def known(self) -> bool:
        """Return whether the outcomes before and after the move are known."""
        return self.before is not None and self.after is not None

    @property
    def mistake(self) -> bool:
        """Return whether another move was better. In a lost position all moves are equally good.

        A move can only worsen its own player's outcome: each change of the outcome is a mistake.
        """
        if self.before is None or self.after is None:
            return False
        if self.cost is not None:
            return self.cost > 0
        return self.after.worth < self.before.worth

    @property
    def gave_away(self) -> str:
        """Return what a mistake changed for its player: 'win → loss', 'win → draw', 'draw → loss'; '' if none."""
        if self.before is None or self.after is None or not self.mistake:
            return ""
        if self.payoff_before is not None:
            return f"{Score(self.payoff_before)} → {Score(self.payoff_after)}"
        return f"{self.before.value} → {self.after.value}"

    @property
    def effect(self) -> str:
        """Return what the move did: 'win → loss', 'keeps the win', 'was lost anyway'; 'unknown'."""
        if self.before is None or self.after is None:
            return "unknown"
        if self.payoff_before is not None and not self.mistake:
            return f"keeps {Score(self.payoff_before)}"
        unchanged = "was lost anyway" if self.before is Outcome.LOSS else f"keeps the {self.before.value}"
        return self.gave_away or unchanged


def review(record: Record, progress: Progress = SILENT, plies: bool = False) -> list[Judgement]:
    """Judge every move of the game in order, without moves taken back. `plies` asks for the remoteness, too."""
    state = record.state_at(0)
    judgements: list[Judgement] = []
    verdict = _solve(record, state, progress, plies)
    for ply, move in enumerate(record.moves):
        base.play(state, move)
        following = _solve(record, state, progress, plies)
        judgements.append(
            Judgement(
                ply,
                ply % 2,
                move,
                verdict.outcome if verdict else None,
                following.outcome.reply if following else None,
                verdict.best_moves if verdict else (),
                verdict.remoteness if verdict else None,
                following.remoteness if following else None,
                verdict.verdict.payoff if verdict else None,
                None if following is None or following.verdict.payoff is None else -following.verdict.payoff,
            )
        )
        verdict = following
        progress.report(ply + 1, record.ply, "moves")
    return judgements


def review_briefly(record: Record, progress: Progress = SILENT) -> list[Judgement]:
    """Judge every move while a person waits: with remoteness if that is quick. Raise TooSlow if solving takes long."""
    try:
        return review(record, Until(progress, BRIEFLY), plies=True)
    except TooSlow:
        return review(record, Until(progress, BRIEFLY))


def _solve(record: Record, state: State, progress: Progress, plies: bool) -> Answer | None:
    try:
        if plies:
            return answer(record.game, state, progress, scores=False)
        return Answer(theory.solve(record.game, state, progress, scores=False), None)
    except Unsolvable:
        return None


@dataclass(frozen=True, slots=True)
class Gap:
    """Moves between two solved positions with none inside. Outcomes are the first player's; None: unknown."""

    first: int  # ply of the first of these moves
    last: int
    before: Outcome | None
    after: Outcome | None

    @property
    def changed(self) -> bool:
        """Return whether the outcome is known to differ between both sides."""
        return None not in (self.before, self.after) and self.before is not self.after


@dataclass(frozen=True, slots=True)
class Decision:
    """What decided a game, as far as it is known."""

    point: Judgement | None  # the last known mistake; None if none is known, or if the outcome changed in a later gap
    earlier: tuple[Judgement, ...]  # the known mistakes before, in the order of play
    gaps: tuple[Gap, ...]  # all gaps, in the order of play
    later: tuple[Gap, ...]  # those after `point`, or after the last known mistake

    @property
    def hidden(self) -> Gap | None:
        """Return the gap that contains the turning point; None if no gap is known to contain it."""
        return next((gap for gap in reversed(self.later) if gap.changed), None)

    @property
    def certain(self) -> bool:
        """Return whether nothing unknown can have changed the outcome after the last known mistake."""
        return not self.later


def for_first(outcome: Outcome | None, seat: int) -> Outcome | None:
    """Return a seat's outcome as the first player's."""
    return outcome if outcome is None or seat == 0 else outcome.reply


def decide(judgements: Sequence[Judgement]) -> Decision:
    """Return what decided these successive moves."""
    mistakes = [judgement for judgement in judgements if judgement.mistake]
    gaps = tuple(_gaps(judgements))
    latest = mistakes[-1].ply if mistakes else -1
    later = tuple(gap for gap in gaps if gap.first > latest)
    if not mistakes or any(gap.changed for gap in later):
        return Decision(None, tuple(mistakes), gaps, later)
    return Decision(mistakes[-1], tuple(mistakes[:-1]), gaps, later)


def _gaps(judgements: Sequence[Judgement]) -> Iterator[Gap]:
    """Yield the longest stretches of moves without a known position inside."""
    first: Judgement | None = None
    for one in judgements:
        if one.known:
            continue
        if first is None or one.before is not None:
            first = one
        if one.after is not None or one is judgements[-1]:
            yield Gap(first.ply, one.ply, for_first(first.before, first.seat), for_first(one.after, one.seat))
            first = None
