"""The arithmetic of Nim: which pile values are a lost position, how to leave one, and the Grundy values of runs.

Normal play (Bouton, 1901): the player to move loses iff the nim-sum (xor) of all values is 0. Misère play: the same
rule while a value is 2 or more. With no value above 1 the player to move loses iff an odd number of ones is left.

The values are the piles, or what stands for them: the remainders modulo K + 1 where a move takes at most K (the misère
rule holds for these too), or the lengths of runs where any run of neighbours may be taken.

Where a move takes up to K neighbours of a run it splits the run. The value of a run is the least number that no pair of
pieces has (mex; Sprague 1935, Grundy 1939). Without a limit the value is the run's length. K = 2 is Kayles (Berlekamp,
Conway and Guy, "Winning Ways").

`remoteness` is of games whose positions are multisets of runs. A heap is a run that never splits. The order of the runs
does not matter, so a position is the sorted tuple of its run lengths. Results stay cached for the next question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache, reduce
from itertools import accumulate
from operator import xor
from typing import NamedTuple, TypeAlias

from nimtui.games.octal import Rule
from nimtui.progress import SILENT, Progress


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


Runs: TypeAlias = tuple[int, ...]  # ascending lengths, none of them 0

QUICK_COST = 30_000  # of `cost`: some 20 ms
MOST_COST = 2_000_000  # of `cost`: some 3 s
CHUNK = 50  # positions between two reports


class Rules(NamedTuple):
    """What distinguishes games of runs."""

    limit: int  # the largest move
    misere: bool
    split: bool  # may a move leave two pieces of a run?
    octal: Rule | None = None  # what moves may do instead: runs are heaps


def runs(lengths: Iterable[int]) -> Runs:
    """Return the position with these runs."""
    return tuple(sorted(length for length in lengths if length))


def options(position: Runs, rules: Rules) -> Iterator[Runs]:
    """Yield every position that one move can leave; some more than once."""
    for at, length in enumerate(position):
        if at and position[at - 1] == length:
            continue
        rest = position[:at] + position[at + 1 :]
        if rules.octal is not None:
            for _, small, large in rules.octal.options(length):
                yield runs((*rest, small, large))
        elif rules.split:
            for pieces in splits(length, rules.limit):
                yield runs((*rest, *pieces))
        else:
            for after in range(max(length - rules.limit, 0), length):
                yield runs((*rest, after))


@cache
def _distances(rules: Rules) -> dict[Runs, int]:
    return {(): 0}


def partitions(parts: Iterable[int], room: int) -> int:
    """Return how many multisets of these parts sum up to at most so much."""
    ways = [1] + [0] * room
    for part in parts:
        for size in range(part, room + 1):
            ways[size] += ways[size - part]
    return sum(ways)


@lru_cache(maxsize=256)
def cost(position: Runs, rules: Rules) -> int:
    """Return an upper bound on the moves of all positions that can be reached, without visiting them.

    It depends on the position alone, never on what was asked before.
    """
    if rules.octal is not None:
        moves = sum(sum(1 for _ in rules.octal.options(length)) for length in position)
    else:
        moves = sum(min(length, rules.limit) * (length if rules.split else 1) for length in position)
    if not rules.split:  # count the ascending sequences below the heaps
        ways = [1]
        for length in position:
            total = list(accumulate(ways))
            ways = total + [total[-1]] * (length + 1 - len(total))
        return sum(ways) * moves
    extra = 1 if rules.octal is None else rules.octal.least_split
    room = sum(length + extra for length in position)  # a move that splits takes so many matches, or more
    return partitions(range(1 + extra, max(position, default=0) + 1 + extra), room) * moves


def remoteness(
    position: Runs, rules: Rules, lost: Callable[[Runs], bool], most: int = MOST_COST, progress: Progress = SILENT
) -> int | None:
    """Return the plies to the end under best play; None if the position costs more than `most`.

    `lost` says whether the player to move loses a position. From a won position only the moves that win are followed.
    """
    if cost(position, rules) > most:
        return None
    distances = _distances(rules)
    stack: list[tuple[Runs, bool, Iterator[Runs], list[Runs]]] = []
    place: Runs | None = position if position not in distances else None
    while place is not None or stack:
        if place is not None:
            after = list(dict.fromkeys(options(place, rules)))
            if not (losing := lost(place)):
                after = [option for option in after if lost(option)]
            stack.append((place, losing, iter(after), after))
        here, losing, untried, after = stack[-1]
        place = next((option for option in untried if option not in distances), None)
        if place is None:
            plies = [distances[option] for option in after]
            distances[here] = 1 + (max if losing else min)(plies, default=-1)  # 0 where no move is left
            stack.pop()
            if len(distances) % CHUNK == 0:
                progress.report(len(distances), 0, "positions")
    return distances[position]
