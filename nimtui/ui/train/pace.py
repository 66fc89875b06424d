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
    short: str

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
    Pace(0.2, "1 game in 5 seconds", "1/5 s"),
    Pace(1, "1 game a second", "1/s"),
    Pace(2, "2 games a second", "2/s"),
    Pace(5, "5 games a second", "5/s"),
    Pace(20, "20 games a second", "20/s"),
    Pace(100, "100 games a second", "100/s"),
    Pace(1_000, "1,000 games a second", "1,000/s"),
    Pace(10_000, "10,000 games a second", "10,000/s"),
    Pace(0, "ever faster: in proportion to the games played", "ever faster"),
    Pace(None, "flat out", "flat out"),
)


def usual_pace() -> Pace:
    """Ever faster: on the curve's log scale learning goes on evenly, so that it can be seen."""
    return PACES[-2]
