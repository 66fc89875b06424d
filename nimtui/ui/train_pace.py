"""How fast a training goes, in games a second and in words."""

from __future__ import annotations

from typing import NamedTuple

SINGLY = 2.0  # games a second up to which every game can be followed move by move
GROWTH = 1.2  # the ever faster pace: so many games a second for each game played so far
FIRST = 12.0  # … and at least so many


class Pace(NamedTuple):
    """`speed` in games a second; None is flat out, 0 ever faster: in proportion to the games played so far."""

    speed: float | None
    said: str

    @property
    def short(self) -> str:
        """In a word or two: '1/s', 'flat out'."""
        return self.said.replace(" games a second", "/s").replace(" game a second", "/s")

    def of(self, games: int, seen: bool) -> float | None:
        """The speed after so many games. What nobody sees need not be slow for the sake of being seen."""
        if self.speed != 0:
            return self.speed
        return max(FIRST, GROWTH * games) if seen else None

    @property
    def singly(self) -> bool:
        """Can every game be followed?"""
        return self.speed is not None and 0 < self.speed <= SINGLY


PACES = (
    Pace(1, "1 game a second"),
    Pace(2, "2 games a second"),
    Pace(5, "5 games a second"),
    Pace(20, "20 games a second"),
    Pace(100, "100 games a second"),
    Pace(1_000, "1,000 games a second"),
    Pace(10_000, "10,000 games a second"),
    Pace(0, "ever faster"),
    Pace(None, "flat out"),
)


def usual_pace() -> Pace:
    """Ever faster: on the curve's log scale learning goes on evenly, so that it can be seen."""
    return PACES[-2]
