"""The interval between α and β as a picture: one bar a position of the line, from the root down, narrowing."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from nimtui.engine.windows import INFINITY
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.ink import Ink, Line, cut, line
from nimtui.ui.search.sentences import interval

NAME = 5  # columns for a move
LEAST_BAR = 6
WIDEST = 8  # columns for most windows as numbers: the bars keep their length


@dataclass(frozen=True, slots=True)
class Interval:
    """A window of a position; numbers are those of the player at the root."""

    name: str  # the move that led there
    alpha: int
    beta: int

    @property
    def closed(self) -> bool:
        return self.alpha >= self.beta


def paint(
    shown: Sequence[Interval], scale: Sequence[int], said: str, columns: int, rows: int, signs: Glyphs
) -> list[Line]:
    """A head, then as many of the windows as fit, the last one always.

    `scale` has the values that there are, ascending: each has a place of its own on all bars.
    """
    if not shown or rows < 2:
        return []
    seen = shown[-(rows - 1) :]
    told = [signs.plain(interval(found.alpha, found.beta)) for found in seen]
    widest = max(WIDEST, *map(len, told))
    room = max(LEAST_BAR, columns - NAME - 2 - widest)
    lines = [cut(line((signs.plain(said), Ink.TITLE)), columns, signs.hidden)]
    for found, text in zip(seen, told, strict=True):
        last = found is seen[-1]
        ink = Ink.BAD if found.closed else Ink.STRONG if last else Ink.QUIET
        bar = _bar(found, scale, room, signs)
        name = signs.plain(found.name)[:NAME].ljust(NAME)
        end = " closed" if found.closed and columns >= NAME + room + widest + 9 else ""
        lines.append(cut(line((f"{name} {bar} {text}{end}", ink)), columns, signs.hidden))
    return lines


def _bar(found: Interval, scale: Sequence[int], columns: int, signs: Glyphs) -> str:
    """Values have their places in their order; infinity lies beyond them."""

    def place(end: int) -> int:
        if abs(end) >= INFINITY:
            return 0 if end < 0 else columns - 1
        return 1 + round(bisect_left(scale, end) * (columns - 3) / max(1, len(scale) - 1))

    low, high = place(found.alpha), place(found.beta)
    cells = [" "] * columns
    if found.closed:
        cells[min(low, high)] = signs.wrong
        return "".join(cells)
    for at in range(low, high + 1):
        cells[at] = signs.rule
    cells[low] = signs.ends[0] if found.alpha > -INFINITY else signs.endless[0]
    cells[high] = signs.ends[1] if found.beta < INFINITY else signs.endless[1]
    return "".join(cells)
