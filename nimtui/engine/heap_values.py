"""Compute the Grundy values of heaps of 0, 1, 2, … matches, over the few rare values where a sparse space exists.

Values that share an even number of binary digits with a mask are rare, the others common. A rare and a common value add
to a common one, two of a kind to a rare one. So moves to two heaps, one of them rare, give all common values that a
heap's value must differ from; the least other common value is nearly always the heap's. Pairs without a rare heap are
tried only until every smaller rare value has come up. Source: A. Gangolli and T. Plambeck (1989). Any mask gives the
right values; a good one leaves few heaps rare.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from nimtui.engine import repeats
from nimtui.engine.jit import kernel
from nimtui.engine.limits import in_chunks
from nimtui.errors import InputError
from nimtui.progress import SILENT, Progress

WHOLE, ONE, TWO = 1, 2, 4  # what a digit allows a move to leave: nothing, one heap, two heaps
VALUES = 1 << 16  # no heap's value reaches this number
STEPS = 20_000_000  # of one kernel call: some 20 ms
MOST_STEPS = 40_000_000_000  # a minute
SPARSE = 4  # a space is sparse if at most one heap in so many is rare
AT, RARE, DONE, WIDE = range(4)  # places of `progress`: the next heap, the rare heaps, the steps, values out of range

Numbers = npt.NDArray[np.int32]
Counts = npt.NDArray[np.int64]


@kernel
def is_rare(value: int, mask: int) -> bool:
    """Return whether a value shares an even number of binary digits with the mask."""
    odd = value & mask
    odd ^= odd >> 8
    odd ^= odd >> 4
    odd ^= odd >> 2
    odd ^= odd >> 1
    return odd & 1 == 0


@kernel
def note_rare(values: Numbers, rare: Numbers, at: Counts, mask: int) -> None:
    """List the rare heaps among those done, without heap 0."""
    at[RARE] = 0
    for heap in range(1, at[AT]):
        if is_rare(values[heap], mask):
            rare[at[RARE]] = heap
            at[RARE] += 1


@kernel
def fill(
    values: Numbers,
    digits: Counts,
    unequal: bool,
    mask: int,
    rare: Numbers,
    seen: Numbers,
    at: Counts,
    last: int,
    most_rare: int,
    steps: int,
) -> None:
    """Fill the values from heap `at[AT]` to `last`, until there are `most_rare` rare heaps or after so many steps.

    `seen` [VALUES] holds for each value the last heap that may not have it; `rare` [heaps] the rare heaps; `at` [4]
    where the work stands.
    """
    until = at[DONE] + steps
    heap: int = at[AT]
    while heap <= last and at[RARE] < most_rare and at[DONE] < until:
        done = 0
        for take in range(min(digits.shape[0] - 1, heap) + 1):
            digit = digits[take]
            rest = heap - take
            done += 1
            if digit & WHOLE and rest == 0:
                seen[0] = heap
            if digit & ONE and rest > 0:
                seen[values[rest]] = heap
            if digit & TWO:
                done += at[RARE]
                for place in range(at[RARE]):
                    one = rare[place]
                    if one >= rest:
                        break
                    if not (unequal and 2 * one == rest):
                        seen[values[one] ^ values[rest - one]] = heap
        missing = 0  # rare values below the least common value that is free
        least: int = 0
        while seen[least] == heap or is_rare(least, mask):
            missing += seen[least] != heap
            least += 1
            if least == VALUES:
                break
        common = least
        one = 1
        while missing and 2 * one <= heap:  # one pair of each take in turn: often only one of them has the value
            for take in range(min(digits.shape[0] - 1, heap - 2 * one) + 1):
                rest = heap - take
                if digits[take] & TWO and not (unequal and 2 * one == rest):
                    done += 1
                    value = values[one] ^ values[rest - one]
                    if seen[value] != heap:
                        seen[value] = heap
                        missing -= value < common
            one += 1
        if missing:
            least = 0
            while seen[least] == heap:
                least += 1
        values[heap] = least
        if 2 * least >= VALUES:
            at[WIDE] = 1
            return
        if is_rare(least, mask):
            rare[at[RARE]] = heap
            at[RARE] += 1
        at[DONE] += done
        heap += 1
        at[AT] = heap


shared = kernel(repeats.shared)


@kernel
def fill_lost(lost: Numbers, digits: Counts, first: int, last: int) -> None:
    """Fill whether the player to move loses heaps first … last − 1 in misère play without splits: 1 or 0."""
    for heap in range(first, last):
        moves = False
        wins = False
        for take in range(1, min(digits.shape[0] - 1, heap) + 1):
            rest = heap - take
            if (digits[take] & ONE and rest > 0) or (digits[take] & WHOLE and rest == 0):
                moves = True
                wins = wins or lost[rest] == 1
        lost[heap] = moves and not wins


def best_mask(values: Numbers) -> int:
    """Return the mask that leaves the fewest of these values rare: by Walsh's transform of how often each occurs."""
    counts = np.bincount(values)
    size = 1 << int(len(counts) - 1).bit_length()
    even = np.zeros(size, np.int64)
    even[: len(counts)] = counts
    half = 1
    while half < size:
        pairs = even.reshape(-1, 2, half)
        even = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], axis=1).reshape(-1)
        half *= 2
    return int(np.argmin(even))


class TooMany(InputError):
    """The values take too long to compute: without a sparse space, each heap takes as long as there are heaps."""

    def __init__(self, reached: int) -> None:
        super().__init__(
            f"no sparse space and no period was found: the heaps up to {reached:,} take a minute. Try --to {reached}"
        )


def grundy_values(
    digits: Counts,
    unequal: bool,
    to: int,
    enough: Callable[[Numbers], bool] = lambda values: False,
    progress: Progress = SILENT,
) -> tuple[Numbers, int]:
    """Return the Grundy values of heaps 0 to N, and the mask of the sparse space, 0 if there is none.

    N is `to`, or less: whenever so many values more than before are done, `enough` is asked whether they are enough.
    Raises TooMany where the values take more than a minute.
    """
    values = np.zeros(to + 1, np.int32)
    rare, seen, at = np.zeros(to + 1, np.int32), np.zeros(2 * VALUES, np.int32), np.array([1, 0, 0, 0], np.int64)
    splits = bool((digits & TWO).any())
    mask = 0
    while at[AT] <= to:
        goal, most_rare = min(to, 2 * int(at[AT]) + 64), to + 1
        if splits:
            mask = best_mask(values[: at[AT]])
            note_rare(values, rare, at, mask)
            most_rare = 2 * int(at[RARE]) + 256
        while at[AT] <= goal and at[RARE] < most_rare:
            fill(values, digits, unequal, mask, rare, seen, at, goal, most_rare, STEPS)
            progress.report(int(at[AT]), to, "heaps")
            if at[DONE] > MOST_STEPS or at[WIDE]:
                raise TooMany(int(at[AT]) - 1)
        if goal < at[AT] <= to and enough(values[: at[AT]]):
            break
    values = values[: at[AT]]
    if splits:
        mask = best_mask(values)
        note_rare(values, rare, at, mask)
    return values, mask if at[RARE] * SPARSE <= len(values) else 0


def lost_values(digits: Counts, to: int, progress: Progress = SILENT) -> Numbers:
    """Return for heaps 0 to `to`, in misère play without splits, 1 if the player to move loses, else 0."""
    lost = np.zeros(to + 1, np.int32)
    in_chunks(fill_lost, (lost, digits), to + 1, progress, "heaps")
    return lost
