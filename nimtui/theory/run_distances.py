"""Compute the remoteness of games whose positions are multisets of runs: heaps, and rows of neighbours.

A heap is a run that never splits. The order of the runs does not matter, so a position is the sorted tuple of its run
lengths. Results stay cached for the next question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from nimtui.games.octal import Rule
from nimtui.progress import SILENT, Progress
from nimtui.theory.nim import splits

Runs: TypeAlias = tuple[int, ...]  # ascending lengths, none of them 0

QUICK = 30_000  # of `cost`: some 20 ms
MOST = 2_000_000  # of `cost`: some 3 s
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


def _many(position: Runs, rules: Rules) -> int:
    """Return the number of moves."""
    if rules.octal is not None:
        return sum(sum(1 for _ in rules.octal.options(length)) for length in position)
    return sum(min(length, rules.limit) * (length if rules.split else 1) for length in position)


@lru_cache(maxsize=256)
def cost(position: Runs, rules: Rules) -> int:
    """Return an upper bound on the moves of all positions that can be reached, without visiting them.

    It depends on the position alone, never on what was asked before.
    """
    moves = _many(position, rules)
    if not rules.split:  # count the ascending sequences below the heaps
        ways = [1]
        for length in position:
            total = list(accumulate(ways))
            ways = total + [total[-1]] * (length + 1 - len(total))
        return sum(ways) * moves
    extra = 1 if rules.octal is None else rules.octal.least_split
    room = sum(length + extra for length in position)  # a move that splits takes so many matches, or more
    partitions = [1] + [0] * room
    for part in range(1 + extra, max(position, default=0) + 1 + extra):
        for size in range(part, room + 1):
            partitions[size] += partitions[size - part]
    return sum(partitions) * moves


def remoteness(
    position: Runs, rules: Rules, lost: Callable[[Runs], bool], most: int = MOST, progress: Progress = SILENT
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
