"""An oracle for the misère subtraction game, take 1 to 3: recursions over the number of matches.

Source of the figures tested with it: the subtraction tournament (21 matches, who takes the last one loses).
"""

from __future__ import annotations

from functools import cache

TAKE = 3


def takes(matches: int) -> range:
    return range(1, min(TAKE, matches) + 1)


def lost(matches: int) -> bool:
    """Does the player to move lose against perfect play?"""
    return matches % (TAKE + 1) == 1


def right(matches: int) -> list[int]:
    """The takes that leave a lost position."""
    return [take for take in takes(matches) if matches > take and lost(matches - take)]


@cache
def random_wins(matches: int) -> float:
    """With both at random, the probability that the player to move wins. With nothing left it has won."""
    if matches == 0:
        return 1.0
    return sum(1 - random_wins(matches - take) for take in takes(matches)) / len(takes(matches))


@cache
def perfect_wins(matches: int, perfectly: bool) -> float:
    """One side perfect, the other at random: the probability that the perfect side wins."""
    if matches == 0:
        return 1.0 if perfectly else 0.0
    choices = right(matches) if perfectly else []
    choices = choices or list(takes(matches))
    return sum(perfect_wins(matches - take, not perfectly) for take in choices) / len(choices)


def flat_value(matches: int, take: int) -> float:
    """The expected result, −1 to 1, of uniform playouts after this take."""
    return 1 - 2 * random_wins(matches - take)


def against_perfect_value(matches: int, take: int) -> float:
    """The same where the opponent plays perfectly and the mover at random."""
    return 1 - 2 * perfect_wins(matches - take, True)
