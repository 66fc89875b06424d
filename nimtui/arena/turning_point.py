"""Find the move that decided a game: the last one that changed its outcome under perfect play.

A move can only worsen the outcome of its own player, so each change is a mistake. After the last mistake of a finished
game the outcome is the game's result. Positions that are too large to solve leave gaps: what changed there is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nimtui.arena.review import Judgement
from nimtui.theory import Outcome


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
    mistakes = [found for found in judgements if found.mistake]
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
