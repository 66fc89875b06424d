"""What the map of positions looks like: verdicts as signs, the window on the sheet, the legend. Pure functions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nimtui.learning.atlas import Order
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.ink import Ink, Line, Run, cut, inked, line, width
from nimtui.ui.train.position_map_sheet import Sheet

Verdicts = npt.NDArray[np.int8]
NOTHING, RIGHT, WRONG, UNDECIDED = range(4)  # of a position, as `learning.evaluate` has them
MOSTLY, ALONE, OTHER_ALONE, BLANK = range(4, 8)  # of a cell besides
FRESH, CURSOR = 8, 16  # added to them
_INKS = (Ink.QUIET, Ink.RIGHT, Ink.WRONG, Ink.QUIET, Ink.OPEN, Ink.ONE, Ink.TWO, Ink.TEXT)
INKS = (*_INKS, *(Ink.FRESH for _ in range(8)), *(Ink.CURSOR for _ in range(16)))
WORDS = {RIGHT: "right", WRONG: "wrong", UNDECIDED: "undecided", NOTHING: "nothing to win"}


def alphabet(signs: Glyphs) -> tuple[str, ...]:
    """The sign of every kind of cell, changed just now or not, under the cursor or not."""
    cells = (*signs.verdicts, signs.mostly[0], *signs.alone, " ")
    fresh = (*signs.fresh, signs.mostly[1], *signs.alone, " ")
    return (cells + fresh) * 2


def cells(sheet: Sheet, order: Order, verdicts: Verdicts, other: Verdicts | None = None) -> Verdicts:
    """[cells]: what each one shows.

    Of several positions: nothing to win where that is so of all, right where all that can be won are, mostly right
    where most are, else what is more common. Where `other` is another learner's, a cell in which one of the two alone
    is right (more often) says which.
    """
    placed = verdicts[order.nodes]
    kinds = placed if sheet.each == 1 else _together(sheet, placed)
    if other is not None:
        there = other[order.nodes] == RIGHT
        here = placed == RIGHT
        ours, theirs = _sums(sheet, here & ~there), _sums(sheet, there & ~here)
        kinds = np.where(ours > theirs, ALONE, np.where(theirs > 0, OTHER_ALONE, kinds))
    return kinds.astype(np.int8)


def _sums(sheet: Sheet, marked: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """[cells]: of how many of its positions this is so."""
    return np.asarray(np.add.reduceat(marked, sheet.starts[:-1], dtype=np.int64))


def _together(sheet: Sheet, placed: Verdicts) -> Verdicts:
    right, wrong, undecided = (_sums(sheet, placed == verdict) for verdict in (RIGHT, WRONG, UNDECIDED))
    amiss = wrong + undecided
    conditions = [right + amiss == 0, amiss == 0, right > amiss, wrong >= undecided]
    return np.select(conditions, [NOTHING, RIGHT, MOSTLY, WRONG], UNDECIDED).astype(np.int8)


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a sheet that is seen."""

    top: int
    left: int
    height: int
    width: int

    def around(self, x: int, y: int, sheet: Sheet) -> Window:
        """This one if it shows the place, else one with the place in its middle."""
        top, left = self.top, self.left
        if not top <= y < top + self.height:
            top = y - self.height // 2
        if not left <= x < left + self.width:
            left = x - self.width // 2
        top = max(0, min(top, sheet.height - self.height))
        left = max(0, min(left, sheet.width - self.width))
        return Window(top, left, self.height, self.width)


def paint(sheet: Sheet, kinds: Verdicts, window: Window, signs: Glyphs) -> list[Line]:
    """The cells in the window with their gutter, and the labels below."""
    rows = slice(window.top, window.top + window.height)
    columns = slice(window.left, window.left + window.width)
    seen = sheet.grid[rows, columns]
    shown = np.where(seen < 0, BLANK, kinds[seen])
    letters = alphabet(signs)
    lines = []
    for y, row in enumerate(shown.tolist(), window.top):
        text = "".join(letters[kind] for kind in row).rstrip()
        picture = inked(text, row[: len(text)], INKS)
        if sheet.gutter:
            picture = (Run(f"{sheet.gutter[y]:>{sheet.margin - 1}} ", Ink.QUIET), *picture)
        lines.append(picture)
    if sheet.foot is not None:
        lines += [line()] * (window.height - len(lines))
        lines.append(line((signs.plain(_foot(sheet.foot, window)), Ink.QUIET)))
    return lines


def _foot(labels: tuple[tuple[int, str], ...], window: Window) -> str:
    """Labels where their blocks begin; one that would touch the one before is left out."""
    text = ""
    for x, label in labels:
        at = x - window.left
        if at >= 0 and at + len(label) <= window.width and (at > len(text) or not text):
            text = text.ljust(at) + label
    return text


def title(order: Order, sheet: Sheet, window: Window, columns: int, signs: Glyphs) -> Line:
    """How many positions, how to read their order, and where there is more to see."""
    positions = len(order.nodes)
    more = [
        (window.left > 0, signs.more_left),
        (window.top > 0, signs.up),
        (window.top + window.height < sheet.height, signs.down),
        (window.left + window.width < sheet.width, signs.more_right),
    ]
    arrows = "".join(sign for there, sign in more if there)
    each = f"; a sign stands for up to {sheet.each:,}" if sheet.each > 1 else ""
    said = [
        f"{positions:,} positions {order.about}{each}",
        f"{positions:,} positions by {order.name}{each}",
        f"{positions:,} by {order.name}{f', {sheet.each:,} a sign' if each else ''}",
        f"{positions:,} positions by {order.name}",
        order.name,
    ]
    room = columns - (len(arrows) + 1 if arrows else 0)
    text = next((text for text in said if len(text) <= room), said[-1])
    return line((signs.plain(text), Ink.QUIET), (f" {arrows}" if arrows else "", Ink.KEY))


def legend(verdicts: Verdicts, other: Verdicts | None, sheet: Sheet, columns: int, signs: Glyphs) -> Line:
    """One line: each sign with how many positions it stands for; what else there is to know as far as there is room."""
    counts = np.bincount(verdicts, minlength=4)[:4].tolist()
    digits = len(f"{len(verdicts):,}")
    parts = [(signs.verdicts[kind], _INKS[kind], f"{counts[kind]:>{digits},}", word) for kind, word in WORDS.items()]
    extras: list[tuple[str, Ink, str]] = []
    if other is not None:
        here, there = verdicts == RIGHT, other == RIGHT
        ours, theirs = int((here & ~there).sum()), int((there & ~here).sum())
        extras.append((signs.alone[0], Ink.ONE, f"{ours:>{digits},} right here alone"))
        extras.append((signs.alone[1], Ink.TWO, f"{theirs:>{digits},} there alone"))
    brief = [(signs.alone[0], Ink.ONE, "here"), (signs.alone[1], Ink.TWO, "there")] if extras else []
    if sheet.each > 1:
        extras.append((signs.mostly[0], Ink.OPEN, "mostly right"))
    extras.append((signs.fresh[RIGHT], Ink.FRESH, "new"))
    for words, gap in ((2, "  "), (1, "  "), (0, " ")):
        runs = []
        for at, (sign, colour, count, word) in enumerate(parts):
            said = word if words == 2 or (words == 1 and at < 3) else ""
            runs.append((Run(sign, colour), Run(f" {count} {said}".rstrip(), Ink.QUIET)))
        shown = _joined(runs, gap)
        if width(shown) > columns:
            continue
        if words and width(_joined([*runs, *map(_extra, extras[:-1])], gap)) > columns:
            continue  # what other signs mean is worth more than words
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
