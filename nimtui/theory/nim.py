"""The arithmetic of Nim: which pile values are a lost position, how to leave one, and the Grundy values of runs.

Normal play (Bouton, 1901): the player to move loses iff the nim-sum (xor) of all values is 0. Misère play: the same
rule while a value is 2 or more. With no value above 1 the player to move loses iff an odd number of ones is left.

The values are the piles, or what stands for them: the remainders modulo K + 1 where a move takes at most K (the misère
rule holds for these too), or the lengths of runs where any run of neighbours may be taken.

Where a move takes up to K neighbours of a run it splits the run. The value of a run is the least number that no pair of
pieces has (mex; Sprague 1935, Grundy 1939). Without a limit the value is the run's length. K = 2 is Kayles (Berlekamp,
Conway and Guy, "Winning Ways").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, reduce
from operator import xor


def nim_sum(values: Iterable[int]) -> int:
    """Return the xor of all values; 0 if there are none."""
    return reduce(xor, values, 0)


def large(values: Iterable[int]) -> int:
    """Return how many values are 2 or more. The misère rule reverses when none is left."""
    return sum(value > 1 for value in values)


def lost(values: Iterable[int], misere: bool) -> bool:
    """Return whether this position of Nim is lost for the player to move (a P-position)."""
    piles = list(values)
    return nim_sum(piles) == (1 if misere and not large(piles) else 0)


def wanted(total: int, big: int, value: int, misere: bool) -> int:
    """Return what one value must become to leave a lost position.

    `total` is the nim-sum of all values, `big` the number of values of 2 or more, `value` the one that changes.
    """
    rest = total ^ value
    big_rest = big - (value > 1)
    return rest ^ 1 if misere and not big_rest else rest


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
