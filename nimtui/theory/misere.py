"""Solve misère play on runs of matches with a largest move, position by position: no simple rule exists.

A position is the multiset of its run lengths, simplified by two rules that hold beside any other game:
- Two single matches cancel: the player who wins without them answers one with the other.
- If two may be taken, a run of three equals a run of two and a single match: both have the same options.

Results stay cached for the next question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import TypeAlias

from nimtui.progress import SILENT, Progress
from nimtui.theory.grundy import splits

Runs: TypeAlias = tuple[int, ...]  # ascending lengths, simplified

MOST_POSITIONS = 400_000  # of `how_many`: a few seconds of work at worst
CHUNK = 500  # positions between two reports


def simplified(lengths: Iterable[int], limit: int) -> Runs:
    """Return the simplified multiset of these runs."""
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
    """Return an upper bound on the multisets that can be reached from these runs.

    Pieces of a run are separated, so a piece needs one match more than its length. The rest of all runs is therefore a
    partition of at most (sum of length + 1) into parts of 3 (a run of two), 5, 6, 7, …, with or without a single match.
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
    """Yield every position that one move can leave."""
    for at, length in enumerate(runs):
        if at and runs[at - 1] == length:
            continue
        rest = runs[:at] + runs[at + 1 :]
        for pieces in splits(length, limit):
            yield simplified((*rest, *pieces), limit)


@cache
def _table(limit: int) -> dict[Runs, bool]:
    return {(): False}  # empty board: the opponent took the last match, so the player to move wins


def lost(lengths: Iterable[int], limit: int, progress: Progress = SILENT) -> bool:
    """Return whether the player to move loses. The search is depth-first, on an explicit stack."""
    table = _table(limit)
    root = simplified(lengths, limit)
    if root in table:
        return table[root]
    total = how_many(root, limit)
    stack = [(root, options(root, limit))]
    steps = 0
    while stack:
        runs, untried = stack[-1]
        for option in untried:
            answer = table.get(option)
            if answer is None:
                stack.append((option, options(option, limit)))
                break
            if answer:
                table[runs] = False
                stack.pop()
                break
        else:
            table[runs] = True
            stack.pop()
            if stack:  # the position before can move here, so it is won
                table[stack.pop()[0]] = False
        steps += 1
        if steps % CHUNK == 0:
            progress.report(min(len(table), total), total, "positions")
    return table[root]
