"""Finds lines that the terminal shows already, only elsewhere: a text that was scrolled."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from typing import TypeAlias

Row: TypeAlias = Sequence[Hashable]  # of cells

LEAST = 3  # lines that moved by the same number
FEW = 4  # as often may a line appear to tell where it went
SAVED = 60  # cells: fewer to send are not worth it


def scrolled(shown: Sequence[Row], wanted: Sequence[Row], changed: Sequence[int]) -> tuple[int, int, int] | None:
    """Return the top line, the bottom line and by how many lines to scroll up what lies between (down if negative).

    None where that does not save much. `changed` are the lines that may differ, in order.
    """
    if len(changed) <= LEAST:
        return None
    places: dict[Row, list[int]] = defaultdict(list)
    for y in changed:
        places[tuple(shown[y])].append(y)
    moved = [(y, before - y) for y in changed for before in _few(places.get(tuple(wanted[y]), ()))]
    votes = Counter(by for _, by in moved if by).most_common(1)
    if not votes or votes[0][1] < LEAST:
        return None
    by = votes[0][0]
    ends = [end for y, one in moved if one == by for end in (y, y + by)]
    top, bottom = min(ends), max(ends)
    saved = 0
    for y in range(top, bottom + 1):
        after = shown[y + by] if top <= y + by <= bottom else ()
        saved += _different(shown[y], wanted[y]) - _different(after, wanted[y])
    return (top, bottom, by) if saved >= SAVED else None


def _few(places: Sequence[int]) -> Sequence[int]:
    return places if len(places) <= FEW else ()


def _different(shown: Row, wanted: Row) -> int:
    """Return how many cells have to be sent."""
    return sum(one != other for one, other in zip(shown, wanted, strict=False)) if shown else len(wanted)
