"""How long one call of a kernel takes: short enough that Ctrl+C is heard between two, whatever the rules cost.

No Numba here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from time import perf_counter

from nimtui.progress import SILENT, Progress

SECONDS = 0.02  # that a chunk should take
GROWTH = 4.0  # a chunk is at most so many times as large as the one before
CAREFUL = 16  # the first chunk of a kind of work is so many times smaller than usual

_learned: dict[Hashable, int] = {}  # of each kind of work: the units that took about SECONDS last


class Pace:
    """The size of the next chunk, in the work's own units, learned from the chunks before it.

    `kind` names the work and the class of its states: rules that were slow once start with small chunks the next time.
    `first` is the first chunk of rules that were quick, `most` the largest chunk.
    """

    def __init__(self, kind: Hashable, first: int, most: int = 1 << 62) -> None:
        self._kind, self._most = kind, most
        self.units = min(first, most, _learned.get(kind, 1 + first // CAREFUL))
        self._began = perf_counter()

    def begin(self) -> int:
        """Start the clock of a chunk; returns how many units it may have."""
        self._began = perf_counter()
        return self.units

    def end(self, done: int) -> None:
        """Stop the clock of a chunk that had so many units."""
        taken = max(perf_counter() - self._began, 1e-6)
        if done < self.units and (not done or taken < SECONDS):
            return  # the work was at its end: this says little
        self.units = min(self._most, 1 + int(done * min(GROWTH, SECONDS / taken)))
        _learned[self._kind] = self.units


def in_chunks(
    kind: Hashable,
    work: Callable[[int, int], object],
    total: int,
    progress: Progress = SILENT,
    what: str = "",
    first: int = 20_000,
) -> None:
    """Call `work(first, last)` for stretches that together are 0 … total − 1, with a report after each."""
    pace, done = Pace(kind, first), 0
    while done < total:
        last = min(total, done + pace.begin())
        work(done, last)
        pace.end(last - done)
        done = last
        progress.report(done, total, what)
