"""Grundy values of a run of matches of which only neighbours may be taken together, at most K at once.

Taking splits the run: its value is the least one that no pair of pieces has (mex; Sprague 1935, Grundy 1939). With no
limit it is the run's length; with K = 2 this is Kayles (Berlekamp, Conway and Guy, "Winning Ways").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

LONGEST = 63


def mex(values: Iterable[int]) -> int:
    """The least whole number that is not among these."""
    have = set(values)
    least = 0
    while least in have:
        least += 1
    return least


def splits(length: int, limit: int) -> Iterator[tuple[int, int]]:
    """What may be left of a run, as lengths (left, right), each pair once with left ≤ right."""
    for left_over in range(max(length - limit, 0), length):
        for left in range(left_over // 2 + 1):
            yield left, left_over - left


@cache
def grundy_values(limit: int) -> tuple[int, ...]:
    """The value of every length from 0 to LONGEST."""
    if limit >= LONGEST:
        return tuple(range(LONGEST + 1))
    values = [0]
    for length in range(1, LONGEST + 1):
        values.append(mex(values[left] ^ values[right] for left, right in splits(length, limit)))
    return tuple(values)
