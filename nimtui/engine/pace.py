"""Adapt the work of one kernel call, so that Ctrl+C is heard between two calls, however slow the rules are.

No Numba here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from math import inf
from time import perf_counter

from nimtui.progress import SILENT, Progress

SECONDS = 0.02  # duration that a chunk should have
GROWTH = 4.0  # a chunk is at most so many times as large as the one before
RESERVE = 20.0  # a chunk may take so many times longer than expected and still ends in the time left
CAREFUL = 16  # the first chunk of a kind of work is so many times smaller than usual

_learned: dict[Hashable, int] = {}  # for each kind of work: the units that last took about SECONDS


class Pace:
    """The size of the next chunk, in units of the work, learned from earlier chunks.

    `kind` names the work and the class of its states: rules that were slow start with small chunks the next time.
    `first` is the first chunk of rules that were quick, `most` the largest chunk.
    """

    def __init__(self, kind: Hashable, first: int, most: int = 1 << 62) -> None:
        self._kind, self._most = kind, most
        self.units = min(first, most, _learned.get(kind, 1 + first // CAREFUL))
        self._began = perf_counter()

    def begin(self, seconds_left: float = inf) -> int:
        """Start the clock of a chunk; return how many units it may have with so many seconds left."""
        self._began = perf_counter()
        if seconds_left == inf:
            return self.units
        return max(1, int(self.units * min(1.0, max(0.0, seconds_left) / (RESERVE * SECONDS))))

    def end(self, done: int) -> None:
        """Stop the clock of a chunk that had so many units."""
        duration = max(perf_counter() - self._began, 1e-6)
        if done < self.units and (not done or duration < SECONDS):
            return  # the work ended early: this time says little
        self.units = min(self._most, 1 + int(done * min(GROWTH, SECONDS / duration)))
        _learned[self._kind] = self.units


def in_chunks(
    kind: Hashable,
    work: Callable[[int, int], object],
    total: int,
    progress: Progress = SILENT,
    what: str = "",
    first: int = 20_000,
) -> None:
    """Call `work(first, last)` for stretches that together cover 0 … total − 1, with a report after each."""
    pace, done = Pace(kind, first), 0
    while done < total:
        last = min(total, done + pace.begin())
        work(done, last)
        pace.end(last - done)
        done = last
        progress.report(done, total, what)
