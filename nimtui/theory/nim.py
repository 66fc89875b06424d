"""The arithmetic of Nim: which position of pile values is lost, and what a pile must become to make it so.

Normal play (Bouton, 1901): lost for the player to move iff the nim-sum (xor) of all values is 0. Misère play: the same
while some value is 2 or more; with no value above 1, lost iff the nim-sum is 1, an odd number of ones. The values are
the piles themselves, or whatever stands for them: the remainders by K + 1 where at most K may be taken (the misère rule
holds on these too), the lengths of runs where any run of neighbours may be taken.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import xor


def nim_sum(values: Iterable[int]) -> int:
    """The xor of all values; 0 of none."""
    return reduce(xor, values, 0)


def large(values: Iterable[int]) -> int:
    """How many values are 2 or more. Misère play turns round when the last of them goes."""
    return sum(value > 1 for value in values)


def lost(values: Iterable[int], misere: bool) -> bool:
    """Does the player to move lose this position of Nim (a P-position)?"""
    piles = list(values)
    return nim_sum(piles) == (1 if misere and not large(piles) else 0)


def wanted(total: int, big: int, value: int, misere: bool) -> int:
    """What one value must become so that a lost position is left.

    `total` is the nim-sum of all values, `big` how many of them are 2 or more, `value` one of them.
    """
    rest = total ^ value
    big_rest = big - (value > 1)
    return rest ^ 1 if misere and not big_rest else rest
