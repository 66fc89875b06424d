"""Counts the games that agents lost by a fault, equal faults together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from nimtui.games.notation import plural
from nimtui.report.values import Count

MOST_KINDS = 100  # different faults that are counted apart
OTHER = "other faults"


class EqualFaults(NamedTuple):
    """The games lost by one and the same fault."""

    text: str  # the fault: which agent failed, and how
    games: int
    where: str  # the pairing and the number of one of these games

    @property
    def line(self) -> str:
        """Return 'lost by a fault in 30 games: …', or the one game and its fault."""
        if self.games == 1:
            return f"{self.where or 'lost by a fault'}: {self.text}"
        return f"lost by a fault in {Count(self.games)} games: {self.text}"


def lost(games: int) -> str:
    """Return '1 game was lost by a fault'."""
    return f"{plural(games, 'game was', 'games were')} lost by a fault"


def joined(faults: Sequence[EqualFaults], more: Iterable[EqualFaults]) -> tuple[EqualFaults, ...]:
    """Return both with equal faults together, the most frequent first. Beyond MOST_KINDS a fault counts as another."""
    counts = {each.text: each for each in faults}
    for text, games, where in more:
        if text not in counts and len(counts) >= MOST_KINDS:
            text, where = OTHER, ""
        before = counts.get(text)
        counts[text] = EqualFaults(text, games + (before.games if before else 0), before.where if before else where)
    return tuple(sorted(counts.values(), key=lambda each: (-each.games, each.text)))


def lines(faults: Sequence[EqualFaults], most: int) -> list[str]:
    """Return at most `most` lines, the most frequent faults first; the last says how many games are not shown."""
    if len(faults) <= most:
        return [each.line for each in faults]
    rest = sum(each.games for each in faults[most - 1 :])
    return [*(each.line for each in faults[: most - 1]), f"other faults in {Count(rest)} games"]
