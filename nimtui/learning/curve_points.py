"""The points of a learning curve, the game counts at which it has them, and how many games are played at a time."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

CHUNK_SECONDS = 0.03  # a chunk of games should take about this long
FINE = (10, 12, 15, 20, 25, 30, 40, 50, 60, 80)  # the points of the curve, in each decade
COARSE = (10, 20, 50)  # the same for large tables, where a point takes as long as many games
LARGE, LARGE_FROM = 200_000, 1_000  # cells from which a table is large; games at its first point
HUGE, HUGE_FROM = 2_000_000, 100_000  # the same for huge tables


class Point(NamedTuple):
    """One point of the learning curve of a table (see `evaluate.Standing`)."""

    games: int
    accuracy: float
    unbeaten: float


class FunctionPoint(NamedTuple):
    """One point of the learning curve of a function: the first three as for a table, None where positions are too many.

    None also for what is not measured.
    """

    games: int
    accuracy: float | None
    unbeaten: float | None
    right_moves: float | None  # share of right moves where moves differ in their result, in the sample or everywhere
    points_against_perfect: float | None  # moving first, see `points.measure`: exactly, or in games
    points_against_random: float | None = None  # the same against random moves


def column(curve: Sequence[Sequence[Any]], name: str) -> list[tuple[int, float]]:
    """Return the games and one share of each point of a saved curve that has it: 'accuracy', 'right_moves', …"""
    at = FunctionPoint._fields.index(name)
    return [(int(point[0]), float(point[at])) for point in curve if len(point) > at and point[at] is not None]


def curve_points(after: int, cells: int) -> Iterator[int]:
    """Yield the game counts above this one at which the curve of a table of this size has a point."""
    steps, least = (FINE, 1) if cells < LARGE else (COARSE, LARGE_FROM if cells < HUGE else HUGE_FROM)
    decade = 1
    while True:
        for step in steps:
            games, rest = divmod(step * decade, 10)
            if not rest and games > after and games >= least:
                yield games
        decade *= 10


class Chunk:
    """The number of games that takes about CHUNK_SECONDS."""

    def __init__(self, games: int) -> None:
        self.games = games

    def took(self, games: int, seconds: float) -> None:
        if games == self.games or seconds > CHUNK_SECONDS:
            self.games = math.ceil(min(games * CHUNK_SECONDS / max(seconds, 1e-6), 4 * games))
