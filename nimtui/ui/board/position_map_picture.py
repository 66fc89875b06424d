"""Paints the map of positions: verdicts as signs, the visible window, the legend. Pure functions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nimtui.learning.atlas import Order
from nimtui.learning.evaluate import WORDS
from nimtui.report.lines import Ink, Line, Run, cut, inked, line, width
from nimtui.ui.board.position_map_sheet import Sheet
from nimtui.ui.kit.glyphs import Glyphs

Verdicts = npt.NDArray[np.int8]
NOTHING, RIGHT, WRONG, UNDECIDED = range(4)  # of a position, as in `learning.evaluate`
MOSTLY, ALONE, OTHER_ALONE, BLANK = range(4, 8)  # of a cell only
FRESH, CURSOR = 8, 16  # added to these
WIDE = 3  # columns from cell to cell that the cursor fills
_INKS = (Ink.QUIET, Ink.RIGHT, Ink.WRONG, Ink.QUIET, Ink.OPEN, Ink.ONE, Ink.TWO, Ink.TEXT)
INKS = (*_INKS, *(Ink.FRESH for _ in range(8)), *(Ink.CURSOR for _ in range(16)))


def alphabet(signs: Glyphs) -> tuple[str, ...]:
    """Return the sign of every kind of cell: old or new, without and with the cursor."""
    cells = (*signs.verdicts, signs.mostly[0], *signs.alone, " ")
    fresh = (*signs.fresh, signs.mostly[1], *signs.alone, " ")
    return (cells + fresh) * 2


def cells(sheet: Sheet, order: Order, verdicts: Verdicts, other: Verdicts | None = None) -> Verdicts:
    """Return the kind of each cell, [cells].

    A cell of several positions is lost if all are lost, and right if all others are right. It is mostly right if most
    of them are, else wrong or undecided, whichever is more common. With the verdicts of another learner (`other`), a
    cell shows which of the two alone is right (more often).
    """
    placed = verdicts[order.nodes]
    kinds = placed if sheet.each == 1 else _together(sheet, placed)
    if other is not None:
        there = other[order.nodes] == RIGHT
        here = placed == RIGHT
        ours, theirs = _sums(sheet, here & ~there), _sums(sheet, there & ~here)
        kinds = np.where(ours > theirs, ALONE, np.where(theirs > 0, OTHER_ALONE, kinds))
    return kinds.astype(np.int8)


def with_any(sheet: Sheet, order: Order, marked: npt.NDArray[np.bool_]) -> Verdicts:
    """Return 1 for each cell that has a marked position, [cells]; `marked` is [nodes]."""
    return (_sums(sheet, marked[order.nodes]) > 0).astype(np.int8)


def _sums(sheet: Sheet, marked: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Return the number of marked positions of each cell, [cells]."""
    return np.asarray(np.add.reduceat(marked, sheet.starts[:-1], dtype=np.int64))


def _together(sheet: Sheet, placed: Verdicts) -> Verdicts:
    right, wrong, undecided = (_sums(sheet, placed == verdict) for verdict in (RIGHT, WRONG, UNDECIDED))
    amiss = wrong + undecided
    conditions = [right + amiss == 0, amiss == 0, right > amiss, wrong >= undecided]
    return np.select(conditions, [NOTHING, RIGHT, MOSTLY, WRONG], UNDECIDED).astype(np.int8)


@dataclass(frozen=True, slots=True)
class Window:
    """The visible part of a sheet."""

    top: int
    left: int
    height: int
    width: int

    def around(self, x: int, y: int, sheet: Sheet) -> Window:
        """Return this window if it shows the place, else one with the place in its middle."""
        top, left = self.top, self.left
        if not top <= y < top + self.height:
            top = y - self.height // 2
        if not left <= x < left + self.width:
            left = x - self.width // 2
        top = max(0, min(top, sheet.height - self.height))
        left = max(0, min(left, sheet.width - self.width))
        return Window(top, left, self.height, self.width)


def paint(sheet: Sheet, kinds: Verdicts, window: Window, columns: int, signs: Glyphs) -> list[Line]:
    """Paint the cells in the window, the labels before the rows, and the labels below in so many columns."""
    rows = slice(window.top, window.top + window.height)
    seen = sheet.grid[rows, window.left : window.left + window.width]
    shown = np.where(seen < 0, BLANK, kinds[seen])
    letters = alphabet(signs)
    lines = []
    for y, row in enumerate(shown.tolist(), window.top):
        picture = _row("".join(letters[kind] for kind in row).rstrip(), row, sheet.apart.pitch >= WIDE)
        if sheet.gutter:
            picture = (Run(f"{sheet.gutter[y]:>{sheet.margin - 1}} ", Ink.QUIET), *picture)
        lines.append(picture)
    if sheet.foot is not None:
        lines += [line()] * (window.height - len(lines))
        lines.append(line((signs.plain(_foot(sheet.foot, window, columns)), Ink.QUIET)))
    return lines


def _row(text: str, kinds: list[int], wide: bool) -> Line:
    """Return a row of cells; a `wide` cursor covers the columns beside its cell, too."""
    here = next((x for x, kind in enumerate(kinds) if kind >= CURSOR), None)
    if here is None or not wide:
        return inked(text, kinds[: len(text)], INKS)
    first, end = max(0, here - 1), here + 2
    left, right = text[:first], text[end:]
    under = Run(f"{text[first:end]:<{end - first}}", Ink.CURSOR)
    return (*inked(left, kinds[:first], INKS), under, *inked(right, kinds[end : end + len(right)], INKS))


def _foot(labels: tuple[tuple[int, str], ...], window: Window, columns: int) -> str:
    """Return the labels where their blocks start, the last one within the columns, without those that would touch."""
    visible = [(x - window.left, label) for x, label in labels if 0 <= x - window.left < window.width]
    if not visible:
        return ""
    (begin, last), text = visible.pop(), ""
    begin = min(begin, columns - len(last))
    for at, label in visible:
        if (at > len(text) or not text) and at + len(label) < begin:
            text = text.ljust(at) + label
    return text.ljust(begin) + last


def title(order: Order, sheet: Sheet, window: Window, columns: int, signs: Glyphs) -> Line:
    """Paint the title: the number of positions, their order, and arrows where the map continues."""
    positions = len(order.nodes)
    more = [
        (window.left > 0, signs.more_left),
        (window.top > 0, signs.up),
        (window.top + window.height < sheet.height, signs.down),
        (window.left + window.width < sheet.width, signs.more_right),
    ]
    arrows = "".join(sign for there, sign in more if there)
    each = f"; up to {sheet.each:,} per sign" if sheet.each > 1 else ""
    said = [
        f"{positions:,} positions {order.about}{each}",
        f"{positions:,} positions by {order.name}{each}",
        f"{positions:,} by {order.name}{f', {sheet.each:,} per sign' if each else ''}",
        f"{positions:,} positions by {order.name}",
        order.name,
    ]
    room = columns - (len(arrows) + 1 if arrows else 0)
    text = next((text for text in said if len(text) <= room), said[-1])
    return line((signs.plain(text), Ink.QUIET), (f" {arrows}" if arrows else "", Ink.KEY))


def legend(
    verdicts: Verdicts, other: Verdicts | None, sheet: Sheet, columns: int, signs: Glyphs, fresh: str = "new"
) -> Line:
    """Paint the legend: each sign with its number of positions, then other signs as far as there is room.

    Each position counts once, by the sign that it has where every position has a cell. `fresh` says what the marked
    signs are.
    """
    alike = (verdicts == RIGHT) == ((verdicts if other is None else other) == RIGHT)
    counts = np.bincount(verdicts[alike], minlength=4)[:4].tolist()
    digits = len(f"{len(verdicts):,}")
    parts = [(signs.verdicts[kind], _INKS[kind], f"{counts[kind]:>{digits},}", word) for kind, word in WORDS.items()]
    extras: list[tuple[str, Ink, str]] = []
    if other is not None:
        here, there = verdicts == RIGHT, other == RIGHT
        ours, theirs = int((here & ~there).sum()), int((there & ~here).sum())
        extras.append((signs.alone[0], Ink.ONE, f"{ours:>{digits},} right only here"))
        extras.append((signs.alone[1], Ink.TWO, f"{theirs:>{digits},} only there"))
    brief = [(signs.alone[0], Ink.ONE, "here"), (signs.alone[1], Ink.TWO, "there")] if extras else []
    if sheet.each > 1:
        extras.append((signs.mostly[0], Ink.OPEN, "mostly right"))
        brief.append((signs.mostly[0], Ink.OPEN, "most"))
    extras.append(("".join(signs.fresh[kind] for kind in (RIGHT, WRONG, UNDECIDED)), Ink.FRESH, fresh))
    for words, gap in ((2, "  "), (1, "  "), (0, " ")):
        runs = []
        for at, (sign, colour, count, word) in enumerate(parts):
            said = word if words == 2 or (words == 1 and at < 3) else ""
            runs.append((Run(sign, colour), Run(f" {count} {said}".rstrip(), Ink.QUIET)))
        shown = _joined(runs, gap)
        if width(shown) > columns:
            continue
        if words and width(_joined([*runs, *map(_extra, extras[:-1])], gap)) > columns:
            continue  # the meaning of other signs is worth more than words
        if width(_joined([*runs, *map(_extra, extras[: len(brief)])], gap)) > columns:
            extras[: len(brief)] = brief
        for extra in map(_extra, extras):
            if width(longer := _joined([*runs, extra], gap)) <= columns:
                shown, runs = longer, [*runs, extra]
        return shown
    return cut(shown, columns, signs.hidden)


def _extra(extra: tuple[str, Ink, str]) -> tuple[Run, Run]:
    sign, colour, said = extra
    return Run(sign, colour), Run(f" {said}", Ink.QUIET)


def _joined(pairs: list[tuple[Run, Run]], gap: str) -> Line:
    parts: list[Run] = []
    for at, pair in enumerate(pairs):
        parts += [Run(gap if at else ""), *pair]
    return line(*parts)
