"""What goes over the wire to the terminal: only the cells that have changed.

Textual sends a region again whenever it is refreshed, even where it looks the same: a dialog that opens is sent three
times, a Tab key costs the whole screen. Here every update is compared, cell by cell, with what the terminal shows, and
the rest is left out. That needs Textual's own kinds of updates, which are private: Textual is pinned to one minor
version, and a test compares both ways of drawing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TypeAlias

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.control import Control
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.geometry import Size
from textual.strip import Strip

from nimtui.foreign.signs import visible

Cell: TypeAlias = tuple[str, Style | None]
Piece: TypeAlias = tuple[int, int, Strip]  # x, y and what is written from there on

NOTHING: Cell = ("", None)  # unknown: differs from every cell that is drawn
JUMP, STYLE, SIGN = 36, 26, 2  # about how many bytes: to move the cursor and set a style; to change the style; a sign


class Shown:
    """The known cells of the terminal."""

    def __init__(self) -> None:
        self._size = Size(0, 0)
        self._rows: list[list[Cell]] = []

    def forget(self) -> None:
        """Forget the cells: another program may have drawn on the terminal."""
        self._size = Size(0, 0)

    def resized(self, size: Size) -> None:
        """Forget the cells, because a resized terminal may show anything."""
        if size != self._size:
            self._size = size
            self._rows = [[NOTHING] * size.width for _ in range(size.height)]

    def changes(self, x: int, y: int, strip: Strip) -> Iterator[tuple[int, int]]:
        """Return the spans of cells in a strip that differ from the shown ones, and note them as shown."""
        if not 0 <= y < len(self._rows):
            return
        row, drawn = self._rows[y], cells(strip)[: max(0, self._size.width - x)]
        if row[x : x + len(drawn)] == drawn:
            return
        begin = end = -1
        for i, cell in enumerate(drawn):
            if row[x + i] == cell:
                continue
            self._overwrite(row, x + i, cell)
            if begin < 0:
                begin = i
            elif _bytes(drawn[end - 1 : i + 1]) > JUMP:
                yield begin, end
                begin = i
            end = i + 1
        yield begin, end

    def _overwrite(self, row: list[Cell], x: int, cell: Cell) -> None:
        """Set one cell. If a wide sign loses a half, its other half becomes unknown."""
        if len(row[x][0]) > 1 and x:
            row[x - 1] = row[x - 1] if len(cell[0]) > 1 else NOTHING
        if x + 1 < len(row) and len(row[x + 1][0]) > 1:
            row[x + 1] = NOTHING
        row[x] = cell


def _bytes(between: list[Cell]) -> int:
    """Return about how many bytes it takes to send the cells between two changes again."""
    styles = sum(one != other for (_, one), (_, other) in pairwise(between))
    return SIGN * (len(between) - 2) + STYLE * styles


def cells(strip: Strip) -> list[Cell]:
    """Return the cells of a strip. The second cell of a wide sign differs whenever the sign differs."""
    found: list[Cell] = []
    for text, style, _ in strip:
        if len(text) == cell_len(text):
            found += [(sign, style) for sign in text]
            continue
        for sign in text:
            width = cell_len(sign)
            if width:
                found += [(sign, style)] + [(sign + " ", style)] * (width - 1)
            elif found:  # it changes the sign before it
                before, style_before = found[-1]
                found[-1] = (before + sign, style_before)
    return found


def pieces(update: CompositorUpdate) -> Iterator[Piece] | None:
    """Return what an update writes, or None for an unknown kind of update."""
    if isinstance(update, LayoutUpdate):
        return _of_layout(update)
    return _of_chops(update) if isinstance(update, ChopsUpdate) else None


def _of_layout(update: LayoutUpdate) -> Iterator[Piece]:
    for y, line in enumerate(update.strips, update.region.y):
        yield update.region.x, y, Strip.join(line)


def _of_chops(update: ChopsUpdate) -> Iterator[Piece]:
    for y, left, right in update.spans:
        for end, (x, strip) in zip(update.chop_ends[y], update.chops[y].items(), strict=False):
            if strip is not None and x <= right and end > left:
                yield x, y, strip if left <= x and end <= right else strip.crop(0, min(end, right) - x)


def sound(strip: Strip) -> Strip:
    """Return the strip without control characters. The last gate: every text should have passed `visible`.

    Its cells stay where they are: a sign without a width is left out, any other becomes a question mark.
    """
    if all(_is_sound(segment.text) for segment in strip):
        return strip
    return Strip(
        [
            segment
            if _is_sound(segment.text)
            else Segment("".join(map(_harmless, segment.text)), segment.style, segment.control)
            for segment in strip
        ],
        strip.cell_length,
    )


def _is_sound(text: str) -> bool:
    return text.isprintable() or visible(text) == text


def _harmless(sign: str) -> str:
    return sign if visible(sign) == sign else "?" * cell_len(sign)


class Changes(CompositorUpdate):
    """An update without the cells that are shown already. It is compared when it is drawn, not before."""

    def __init__(self, update: CompositorUpdate, shown: Shown, size: Size) -> None:
        self._update = update
        self._shown = shown
        self._size = size

    def render_segments(self, console: Console) -> str:
        found = pieces(self._update)
        if found is None:
            self._shown.forget()
            return self._update.render_segments(console)
        self._shown.resized(self._size)
        sequences: list[str] = []
        for x, y, given in found:
            strip = sound(given)
            for begin, end in self._shown.changes(x, y, strip):
                move: Segment = Control.move_to(x + begin, y).segment
                sequences += (move.text, strip.crop(begin, end).render(console))
        return "".join(sequences)


def changes_of(renderable: RenderableType | None, shown: Shown, size: Size) -> RenderableType | None:
    """Return an update as its changes only; return anything else unchanged."""
    return Changes(renderable, shown, size) if isinstance(renderable, CompositorUpdate) else renderable
