"""The value of a game after each of its moves: the exact value where it is known, and what was believed.

All values are for the first player: the player of the first move after the opening. A place is a number from −1, lost,
to 1, won, where a draw is 0. An exact value's place also shows the distance to the end: a win far away is near the
middle, and a game that has just been won is at 1. No win is nearer to the middle than `LEAST`, so that a change of the
outcome can be seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest

from nimtui.agents.belief import Belief
from nimtui.arena.review import Judgement
from nimtui.arena.turning_point import for_first
from nimtui.theory import Outcome

LEAST = 0.2  # the place of the win farthest from its end
UNKNOWN_DISTANCE = 0.5  # the place of a win whose distance to the end is unknown


@dataclass(frozen=True, slots=True)
class Moment:
    """The game after one move. None: unknown."""

    ply: int  # moves made before it
    seat: int  # of its player: 0 the first, 1 the second
    outcome: Outcome | None = None  # under perfect play, for the first player
    remoteness: int | None = None  # plies to the end under best play; None in a draw
    gave_away: str = ""  # what a mistake changed for its player: 'win → loss'
    before: float | None = None  # the place before the move
    place: float | None = None
    belief: Belief | None = None  # of the player who made the move, for that player
    estimate: Belief | None = None  # of an analysing agent, for the player who made the move

    @property
    def believed(self) -> float | None:
        """Return the place of the player's belief; None for a score."""
        return self._place(self.belief)

    @property
    def estimated(self) -> float | None:
        """Return the place of the analysing agent's estimate."""
        return self._place(self.estimate)

    @property
    def blank(self) -> bool:
        """Return whether nothing is known that could be drawn."""
        return self.place is None and self.believed is None and self.estimated is None

    def _place(self, belief: Belief | None) -> float | None:
        value = None if belief is None else belief.value
        return value if value is None or self.seat == 0 else -value


def history(
    plies: int,
    judgements: Sequence[Judgement] = (),
    beliefs: Sequence[Belief | None] = (),
    estimates: Sequence[Belief | None] = (),
    opening: int = 0,
) -> list[Moment]:
    """Return a moment for each of the first `plies` moves. Shorter lists: the rest is unknown.

    Beliefs and estimates are for the players of the moves. Judgements without remoteness have no distances.
    """
    swap = opening % 2
    judged = judgements[:plies]
    longest = max((plies for one in judged for plies in (one.plies_before, one.plies_after) if plies), default=0)
    found = []
    for ply, one, belief, estimate in zip_longest(range(plies), judged, beliefs[:plies], estimates[:plies]):
        seat = ply % 2 ^ swap
        if one is None:
            found.append(Moment(ply, seat, belief=belief, estimate=estimate))
            continue
        before, after = for_first(one.before, seat), for_first(one.after, seat)
        places = (place(before, one.plies_before, longest), place(after, one.plies_after, longest))
        found.append(Moment(ply, seat, after, one.plies_after, one.gave_away, *places, belief, estimate))
    return found


def place(outcome: Outcome | None, remoteness: int | None, longest: int) -> float | None:
    """Return the place of an exact value in a game whose largest remoteness is `longest`."""
    if outcome is None:
        return None
    distance = UNKNOWN_DISTANCE
    if remoteness is not None:
        distance = 1.0 if not longest else LEAST + (1 - LEAST) * (longest - remoteness) / longest
    return outcome.worth * distance


class Cell(StrEnum):
    """What a cell of a drawn moment shows. Each sign is one character, so that a row of cells is a text."""

    EMPTY = " "
    MIDDLE = "|"
    DRAWN = "="
    LOST = "L"  # of the bar of an exact value, left of the middle
    WON = "W"
    JUMP = "-"  # from the value before a mistake
    MISTAKE = "x"
    BELIEVED = "o"
    ESTIMATED = "e"


def cells(moment: Moment, width: int) -> str:
    """Return a moment as a row of `width` cells, each a `Cell`. The middle is at (width − 1) // 2."""
    if width < 1:
        return ""
    middle = (width - 1) // 2
    row = [Cell.EMPTY] * width
    row[middle] = Cell.MIDDLE
    end = None if moment.place is None else column(moment.place, width)
    if end is not None:
        bar = range(middle + 1, end + 1) if end > middle else range(end, middle)
        for at in bar:
            row[at] = Cell.WON if end > middle else Cell.LOST
        if end == middle:
            row[middle] = Cell.DRAWN
    if end is not None and moment.gave_away and moment.before is not None:
        start = column(moment.before, width)
        for at in range(min(start, end), max(start, end) + 1):
            row[at] = Cell.JUMP if row[at] is Cell.EMPTY else row[at]
        row[end] = Cell.MISTAKE
    for value, sign in ((moment.estimated, Cell.ESTIMATED), (moment.believed, Cell.BELIEVED)):
        if value is not None:
            at = column(value, width)
            if row[at] is Cell.MISTAKE:  # both stay visible
                at += 1 if at < middle else -1
            row[at] = sign
    return "".join(row)


def column(place: float, width: int) -> int:
    """Return the cell of a place. Only 0 is in the middle, if there is room for more than one cell."""
    middle = (width - 1) // 2
    away = int(abs(place) * middle + 0.5)
    if place and middle:
        away = max(1, away)
    return middle + away if place > 0 else middle - away
