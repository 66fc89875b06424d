"""Misère play on runs of matches with a largest run taken: no simple rule, so positions are worked out one by one.

A position is the multiset of its runs' lengths, simplified by what holds beside any other game: two single matches
cancel (whoever would win without them answers one by the other), and where two may be taken a run of three is worth a
run of two beside a single match (they have the same options). What was found is kept for the next question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import TypeAlias

from nimtui.progress import SILENT, Progress
from nimtui.theory.grundy import splits

Runs: TypeAlias = tuple[int, ...]  # ascending lengths, simplified

MOST_POSITIONS = 400_000  # of `how_many`, a few seconds of work at the worst
CHUNK = 500  # positions between two reports


def simplified(lengths: Iterable[int], limit: int) -> Runs:
    """The multiset that stands for these runs."""
    if limit == 1:
        return (1,) * (sum(lengths) % 2)
    runs: list[int] = []
    ones = 0
    for length in lengths:
        if length == 3:
            runs.append(2)
            ones += 1
        elif length == 1:
            ones += 1
        elif length:
            runs.append(length)
    runs.sort()
    return (*(1,) * (ones % 2), *runs)


@lru_cache(maxsize=256)
def how_many(lengths: Runs, limit: int) -> int:
    """At least as many as there are multisets to reach from these runs.

    Pieces of a run are apart, so a piece needs one match more than its length: what is left of all runs is a partition
    of at most (sum of length + 1) into parts of 3 (for a run of two), 5, 6, 7, … , with a single match or without.
    """
    if limit == 1 or not lengths:
        return 2
    room = sum(length + 1 for length in lengths)
    partitions = [1] + [0] * room
    for part in (3, *range(5, max(lengths) + 2)):
        for size in range(part, room + 1):
            partitions[size] += partitions[size - part]
    return 2 * sum(partitions)


def options(runs: Runs, limit: int) -> Iterator[Runs]:
    """What one move can leave of them."""
    for at, length in enumerate(runs):
        if at and runs[at - 1] == length:
            continue
        rest = runs[:at] + runs[at + 1 :]
        for pieces in splits(length, limit):
            yield simplified((*rest, *pieces), limit)


@cache
def _known(limit: int) -> dict[Runs, bool]:
    return {(): False}  # nothing left: the other player took the last match, the player to move wins


def lost(lengths: Iterable[int], limit: int, progress: Progress = SILENT) -> bool:
    """Does the player to move lose? Positions are worked out depth first, on a stack of our own."""
    known = _known(limit)
    root = simplified(lengths, limit)
    if root in known:
        return known[root]
    total = how_many(root, limit)
    stack = [(root, options(root, limit))]
    steps = 0
    while stack:
        runs, left = stack[-1]
        for option in left:
            answer = known.get(option)
            if answer is None:
                stack.append((option, options(option, limit)))
                break
            if answer:
                known[runs] = False
                stack.pop()
                break
        else:
            known[runs] = True
            stack.pop()
            if stack:  # whoever can move to here wins
                known[stack.pop()[0]] = False
        steps += 1
        if steps % CHUNK == 0:
            progress.report(min(len(known), total), total, "positions")
    return known[root]
