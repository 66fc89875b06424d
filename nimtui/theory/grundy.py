"""Compute Grundy values of runs of matches: a move takes up to K neighbours.

A move splits the run. The value is the least number that no pair of pieces has (mex; Sprague 1935, Grundy 1939).
Without a limit the value is the run's length. K = 2 is Kayles (Berlekamp, Conway and Guy, "Winning Ways").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

LONGEST = 63


def mex(values: Iterable[int]) -> int:
    """Return the least non-negative integer that is not among the values."""
    have = set(values)
    least = 0
    while least in have:
        least += 1
    return least


def splits(length: int, limit: int) -> Iterator[tuple[int, int]]:
    """Yield what a move may leave of a run, as lengths (left, right); each pair once, with left ≤ right."""
    for left_over in range(max(length - limit, 0), length):
        for left in range(left_over // 2 + 1):
            yield left, left_over - left


@cache
def grundy_values(limit: int) -> tuple[int, ...]:
    """Return the Grundy value of every length from 0 to LONGEST."""
    if limit >= LONGEST:
        return tuple(range(LONGEST + 1))
    values = [0]
    for length in range(1, LONGEST + 1):
        values.append(mex(values[left] ^ values[right] for left, right in splits(length, limit)))
    return tuple(values)
