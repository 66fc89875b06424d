"""The map of positions without a screen: every position has a place in a cell, and the cells are painted.

A sheet is a grid of cells in the order of an atlas. It may be larger than its window. A cell stands for one position,
or for several neighbours in the order that belong to the same group.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from nimtui.learning.atlas import Axis, Order
from nimtui.learning.evaluate import NOTHING, RIGHT, UNDECIDED, WORDS, WRONG
from nimtui.report.lines import Ink, Line, Run, cut, line, width
from nimtui.ui.kit.terminal.glyphs import Glyphs

Places = npt.NDArray[np.int64]
STEPS = (1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8)  # allowed positions per cell, in each decade


class Apart(NamedTuple):
    """The distances between cells."""

    pitch: int  # columns from one cell to the next
    gap: int  # extra columns between two blocks
    rise: int = 1  # lines from one row to the next

    @property
    def tile(self) -> int:
        """The columns of a cell; from 2 on it is a filled tile with its sign in the middle."""
        return max(1, self.pitch - 1)


LOOSE, TIGHT = Apart(1, 1), Apart(1, 0)
FAR = tuple(
    Apart(*each) for each in ((8, 4, 4), (6, 3, 3), (5, 2, 3), (6, 2, 2), (5, 2, 2), (4, 2, 2), (3, 1, 2), (3, 1))
)


@dataclass(slots=True, eq=False)
class Sheet:
    """The cells in the order of the atlas, each with its place."""

    each: int  # positions per cell at most
    starts: Places  # [cells + 1]: cell c stands for the positions starts[c] … starts[c + 1] − 1 of the order
    x: Places  # [cells]
    y: Places
    gutter: tuple[str, ...] = ()  # the label before each row; () for none
    foot: tuple[tuple[int, str], ...] | None = None  # (x, label) below the columns; None for none
    groups: Places = field(default_factory=lambda: np.zeros(1, np.int64))  # the first cell of each group
    apart: Apart = TIGHT
    grid: npt.NDArray[np.int32] = field(init=False)  # [height, width]: the cell there, −1 for none
    height: int = field(init=False)  # rows of cells
    width: int = field(init=False)  # columns of cells

    def __post_init__(self) -> None:
        self.height = max(int(self.y.max(initial=-self.apart.rise)) + self.apart.rise, len(self.gutter))
        self.width = int(self.x.max(initial=-self.apart.tile)) + self.apart.tile
        self.grid = np.full((self.height, self.width), -1, np.int32)
        self.grid[self.y, self.x] = np.arange(len(self.x))

    @property
    def margin(self) -> int:
        """The columns of the gutter."""
        return max(map(len, self.gutter)) + 1 if self.gutter else 0

    @property
    def footed(self) -> int:
        """The lines of the labels below."""
        return self.foot is not None

    def fits(self, columns: int, rows: int) -> bool:
        return self.margin + self.width <= columns and self.height + self.footed <= rows

    def cell_at(self, x: int, y: int) -> int:
        """Return the cell whose tile is at this place; −1 for none."""
        across, down = x - self.x, y - self.y
        inside = (across >= 0) & (across < self.apart.tile) & (down >= 0) & (down < self.apart.rise)
        return int(np.argmax(inside)) if inside.any() else -1

    def cell_of(self, place: int) -> int:
        """Return the cell of this place in the order."""
        return int(np.searchsorted(self.starts, place, side="right")) - 1


def fitting(order: Order, columns: int, rows: int, *, large: bool = False) -> Sheet:
    """Return a sheet for this room: one position per cell if that fits, else as few per cell as fit.

    Cells stand apart if there is room; those of a `large` map as far as they can, in all of its rows, those of another
    one in as few rows as possible. If nothing fits, the sheet is too high and its rows scroll.
    """
    positions = len(order.nodes)
    if positions <= columns * rows:
        for apart in (*(FAR if large else ()), Apart(2, 1), LOOSE, TIGHT):
            sheet = spread(order, columns, rows, apart=apart)
            if sheet.fits(columns, rows):
                return sheet if large else flat(order, sheet, columns)
    lines = rows if order.down is None else max(rows, len(order.down.labels))
    for each in _sizes(positions):
        if each * columns * lines < positions and each * 2 < positions:
            continue  # there are more cells than places
        sheet = spread(order, columns, rows, each, TIGHT)
        if sheet.fits(columns, rows) or 0 < rows <= len(sheet.groups) == sheet.height:
            return sheet
    return sheet


def spacious(order: Order, columns: int, rows: int) -> Sheet:
    """Return a large sheet with its blocks further apart, up to a cell, as far as the columns go."""
    sheet = fitting(order, columns, rows, large=True)
    pitch, gap, _ = sheet.apart
    further = max(0, min(pitch - gap, (columns - sheet.width) // max(1, len(sheet.foot or ()) - 1)))
    return spread(order, columns, rows, sheet.each, sheet.apart._replace(gap=gap + further)) if further else sheet


def flat(order: Order, sheet: Sheet, columns: int) -> Sheet:
    """Return the sheet in as few rows as possible: blocks grow wide before they grow high."""
    while sheet.each == 1 and order.across is not None and sheet.height > sheet.apart.rise:
        rows = sheet.height - sheet.apart.rise + sheet.footed
        flatter = spread(order, columns, rows, apart=sheet.apart)
        if not flatter.fits(columns, rows):
            break
        sheet = flatter
    return sheet


def spread(order: Order, columns: int, rows: int, each: int = 1, apart: Apart = LOOSE) -> Sheet:
    """Return the sheet with `each` positions per cell for this room, however large it becomes."""
    if order.across is not None:
        return _blocks(order.across, rows, each, apart)
    if order.down is not None:
        return _rows(order.down, columns, each, apart)
    return _wrapped(order, columns, rows, each, apart)


def _sizes(positions: int) -> Iterator[int]:
    decade = last = 1
    while last < positions:
        for step in STEPS:
            each = int(step * decade)
            if each > last:
                last = each
                yield each
        decade *= 10


class _Cut(NamedTuple):
    """Groups of positions, divided into cells."""

    cells: Places  # [groups]: the number of cells
    starts: Places  # [cells + 1]
    group: Places  # [cells]
    at: Places  # [cells]: the place of the cell in its group
    first: Places  # the first cell of each group that is not empty


def _cut(axis: Axis, each: int) -> _Cut:
    sizes = np.bincount(axis.of, minlength=len(axis.labels))
    cells = -(-sizes // each)
    first = np.cumsum(cells) - cells
    group = np.repeat(np.arange(len(sizes)), cells)
    at = np.arange(len(group)) - first[group]
    starts = (np.cumsum(sizes) - sizes)[group] + at * each
    return _Cut(cells, np.append(starts, sizes.sum()), group, at, first[cells > 0])


def _blocks(across: Axis, rows: int, each: int, apart: Apart) -> Sheet:
    """Return one block per group, side by side, as high as the room, each filled line by line."""
    cut = _cut(across, each)
    pitch, gap, rise = apart
    widths = np.maximum(1, -(-cut.cells // max(1, (rows - 1) // rise)))
    wide = widths * pitch + gap
    begins = np.cumsum(wide) - wide
    width = widths[cut.group]
    x, y = begins[cut.group] + cut.at % width * pitch, cut.at // width * rise
    foot = tuple(zip(begins.tolist(), across.labels, strict=True))
    return Sheet(each, cut.starts, x, y, foot=foot, groups=cut.first, apart=apart)


def _rows(down: Axis, columns: int, each: int, apart: Apart) -> Sheet:
    """Return one row per group, or as many rows as the group needs."""
    cut = _cut(down, each)
    pitch, _, rise = apart
    room = max(1, (columns - max(map(len, down.labels)) - 2 + pitch) // pitch)
    lines = np.maximum(1, -(-cut.cells // room)) * rise
    top = np.cumsum(lines) - lines
    gutter = [""] * (int(lines.sum()) - rise + 1)
    for at, label in zip(top.tolist(), down.labels, strict=True):
        gutter[at] = label
    x, y = cut.at % room * pitch, top[cut.group] + cut.at // room * rise
    return Sheet(each, cut.starts, x, y, tuple(gutter), groups=cut.first, apart=apart)


def _wrapped(order: Order, columns: int, rows: int, each: int, apart: Apart) -> Sheet:
    """Return lines of cells; with one position per cell, lines of whole periods if there is room."""
    pitch, _, rise = apart
    positions, room = len(order.nodes), max(1, (columns - 1 + pitch) // pitch)
    lead = order.lead if each == 1 else 0
    cells = -(-positions // each)
    width = room
    periods = [period for period in order.periods if period <= room]
    if each == 1 and periods:
        whole = room // periods[-1] * periods[-1]
        if -(-(lead + cells) // whole) <= rows or -(-(lead + cells) // room) > rows:
            width = whole
    place = np.arange(cells) + lead
    starts = np.append(np.arange(cells) * each, positions)
    return Sheet(each, starts, place % width * pitch, place // width * rise, apart=apart)


# The picture: verdicts as signs, the visible window, the legend.

Verdicts = npt.NDArray[np.int8]
CACHED = 512  # lines that are not painted again: a key or a new picture changes few
Sign: TypeAlias = tuple[Run, ...]  # of a legend, and what it means
MOSTLY, ALONE, OTHER_ALONE, BLANK = range(4, 8)  # of a cell only, beside the verdicts on a position
FRESH, CURSOR, UNMET = 8, 16, 32  # added to these
_INKS = (Ink.QUIET, Ink.RIGHT, Ink.WRONG, Ink.QUIET, Ink.OPEN, Ink.ONE, Ink.TWO, Ink.TEXT)
GROUNDS = (None, Ink.RIGHT, Ink.WRONG, Ink.EATEN, Ink.OPEN, Ink.ONE, Ink.TWO, None)  # of tiles
INKS = (*_INKS, *(Ink.FRESH for _ in range(8)), *(Ink.CURSOR for _ in range(16))) * 2
_ALIKE = bytes(map(INKS.index, INKS)).ljust(256, b"\0")  # of each kind the first one of its ink
_OF_ONE_INK = re.compile(rb"(.)(?:\1|%c)*" % BLANK, re.DOTALL)


class Names(NamedTuple):
    """The meaning of the signs of a map."""

    verdicts: Mapping[int, str]
    here: str  # right only for the shown learner; the last word is enough
    there: str


OWN = Names(WORDS, "right only here", "only there")
DIFFERENCE = Names({RIGHT: "both", WRONG: "neither", NOTHING: "lost"}, "only the first", "only the second")


def alphabet(signs: Glyphs) -> tuple[str, ...]:
    """Return the sign of every kind of cell: old or new, without and with the cursor."""
    cells = (*signs.verdicts, signs.mostly[0], *signs.alone, " ")
    fresh = (*signs.fresh, signs.mostly[1], *signs.alone, " ")
    unmet = (*signs.unmet, signs.unmet[RIGHT], *signs.alone, " ")
    return (cells + fresh) * 2 + (unmet + fresh) * 2


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


class Window(NamedTuple):
    """The visible part of a sheet: its first line and column, its size."""

    y: int
    x: int
    height: int
    width: int

    def around(self, x: int, y: int, sheet: Sheet) -> Window:
        """Return this window if it shows the place, else one with the place in its middle."""
        begin_y = self.y if self.y <= y < self.y + self.height else y - self.height // 2
        begin_x = self.x if self.x <= x < self.x + self.width else x - self.width // 2
        return self._replace(
            y=max(0, min(begin_y, sheet.height - self.height)), x=max(0, min(begin_x, sheet.width - self.width))
        )


def paint(sheet: Sheet, kinds: Verdicts, window: Window, columns: int, signs: Glyphs) -> list[Line]:
    """Paint the cells in the window, the labels before the rows, and the labels below in so many columns."""
    letters = alphabet(signs)
    lines = []
    for y in range(window.y, min(window.y + window.height, sheet.height)):
        below = y % sheet.apart.rise  # lines below the first of its tiles
        seen = sheet.grid[y - below, window.x : window.x + window.width]
        row = np.where(seen < 0, BLANK, kinds[seen]).astype(np.int8).tobytes()
        tiles = sheet.apart.tile > 1
        picture = _tiles(row, below, sheet.apart, letters, signs.grounds) if tiles else _signs(row, letters)
        if sheet.gutter:
            picture = (Run(f"{sheet.gutter[y]:>{sheet.margin - 1}} ", Ink.QUIET), *picture)
        lines.append(picture)
    if sheet.foot is not None:
        lines += [line()] * (window.height - len(lines))
        lines.append(line((signs.plain(_foot(sheet.foot, window, columns)), Ink.QUIET)))
    return lines


def still(order: Order, verdicts: Verdicts, columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Paint a map without a cursor, and its legend."""
    sheet = spacious(order, columns, rows - 1)
    window = Window(0, 0, min(rows - 1 - sheet.footed, sheet.height), min(columns - sheet.margin, sheet.width))
    picture = paint(sheet, cells(sheet, order, verdicts), window, columns, signs)
    return [*picture, legend(verdicts, None, sheet, columns, signs, fresh="")]


@lru_cache(CACHED)
def _signs(kinds: bytes, letters: tuple[str, ...]) -> Line:
    """Return a line of cells, one sign each; blanks take the ink before them."""
    text = "".join(map(letters.__getitem__, kinds)).rstrip()
    parts = _OF_ONE_INK.finditer(kinds[: len(text)].translate(_ALIKE))
    return tuple(Run(text[part.start() : part.end()], INKS[part[1][0]]) for part in parts)


@lru_cache(CACHED)
def _tiles(kinds: bytes, below: int, apart: Apart, letters: tuple[str, ...], grounds: bool) -> Line:
    """Return a line of tiles, so many lines below their first; of the last line half is free. The cursor is a tile."""
    has_sign, is_half = below == (apart.rise - 1) // 2, 0 < below == apart.rise - 1
    runs: list[Run] = []
    end = 0
    for x, kind in enumerate(kinds):
        here, ground = bool(kind & CURSOR), GROUNDS[kind % FRESH] if grounds and not kind & UNMET else None
        if kind % FRESH == BLANK or not (has_sign or ground or (here and not is_half)):
            continue
        if is_half:
            text, ink, ground = "▀", Ink.WHERE if here else ground or Ink.QUIET, None
        else:
            text = letters[kind] if has_sign else " "
            ink = Ink.CURSOR if here else INKS[kind] if ground in (None, Ink.EATEN) else Ink.PAPER
        wide = text * apart.tile if is_half else f"{text:^{apart.tile | 1}}"[-apart.tile :]
        runs += [Run(" " * (x - end)), Run(wide, ink, None if here else ground)]
        end = x + apart.tile
    return tuple(run for run in runs if run.text)


def _foot(labels: tuple[tuple[int, str], ...], window: Window, columns: int) -> str:
    """Return the labels where their blocks start, the last one within the columns, without those that would touch."""
    visible = [(x - window.x, label) for x, label in labels if 0 <= x - window.x < window.width]
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
        (window.x > 0, signs.more_left),
        (window.y > 0, signs.up),
        (window.y + window.height < sheet.height, signs.down),
        (window.x + window.width < sheet.width, signs.more_right),
    ]
    arrows = "".join(sign for there, sign in more if there)
    each = f"; up to {sheet.each:,} per sign" if sheet.each > 1 else ""
    texts = [
        f"{positions:,} positions {order.about}{each}",
        f"{positions:,} positions by {order.name}{each}",
        f"{positions:,} by {order.name}{f', {sheet.each:,} per sign' if each else ''}",
        f"{positions:,} positions by {order.name}",
        order.name,
    ]
    room = columns - (len(arrows) + 1 if arrows else 0)
    text = next((text for text in texts if len(text) <= room), texts[-1])
    return line((signs.plain(text), Ink.QUIET), (f" {arrows}" if arrows else "", Ink.KEY))


_LEGENDS = [(words, gap, least, True) for words, gap in ((4, "  "), (3, "  "), (2, " "), (0, " ")) for least in (0, 1)]


def legend(
    verdicts: Verdicts,
    other: Verdicts | None,
    sheet: Sheet,
    columns: int,
    signs: Glyphs,
    fresh: str = "new",
    names: Names = OWN,
    unmet: npt.NDArray[np.bool_] | None = None,
) -> Line:
    """Paint the legend: each sign with its number of positions, then other signs as far as there is room.

    Each position counts once, by the sign that it has where every position has a cell. `fresh` says what the marked
    signs are, '' if none are marked.
    """
    here, there = verdicts == RIGHT, (verdicts if other is None else other) == RIGHT
    alike = (here == there) & (unmet is None or ~unmet | (verdicts == NOTHING))  # lost ones have one sign
    counts = np.bincount(verdicts[alike], minlength=4)[:4].tolist()
    digits = len(f"{len(verdicts):,}")
    extras: list[Sign] = []
    brief: list[Sign] = []
    if other is not None:
        ours, theirs = int((here & ~there).sum()), int((there & ~here).sum())
        sides = ((signs.alone[0], Ink.ONE, ours, names.here), (signs.alone[1], Ink.TWO, theirs, names.there))
        extras += [_sign(sign, ink, f"{count:>{digits},} {name}") for sign, ink, count, name in sides]
        brief += [_sign(sign, ink, name.split()[-1]) for sign, ink, _, name in sides]
    if unmet is not None:
        numbers = np.bincount(verdicts[unmet], minlength=4)[:4].tolist()
        kinds = [kind for kind in (RIGHT, WRONG, UNDECIDED) if numbers[kind] or kind != UNDECIDED]
        for some, wide in ((extras, digits), (brief, 0)):
            never = [_sign(signs.unmet[kind], _INKS[kind], f"{numbers[kind]:>{wide},}") for kind in kinds]
            some.append((*_joined(never, " "), Run(" never met", Ink.QUIET)))
    if sheet.each > 1:
        mostly = " ".join([signs.mostly[0], *([signs.unmet[RIGHT]] if unmet is not None else [])])
        extras.append(_sign(mostly, Ink.OPEN, "mostly right"))
        brief.append(_sign(mostly, Ink.OPEN, "most"))
    if fresh:
        kinds = [kind for kind in (RIGHT, WRONG, UNDECIDED) if (verdicts == kind).any()]
        extras.append(_sign(" ".join(signs.fresh[kind] for kind in kinds or (RIGHT,)), Ink.FRESH, fresh))
    # So many signs have a word; those of no position are left out before words are, and words before other signs.
    for words, gap, least, strict in (*_LEGENDS, (0, " ", 1, False)):
        wide = 0 if words and gap == " " else digits  # words are worth more than numbers that stay in their place
        parts = [
            _sign(signs.verdicts[kind], _INKS[kind], f"{counts[kind]:>{wide},} {word if at < words else ''}".rstrip())
            for at, (kind, word) in enumerate(names.verdicts.items())
            if counts[kind] >= max(least, int(kind == NOTHING))  # a game with payoffs has no lost position
        ]
        shortest = _joined(parts, gap)
        if width(shortest) > columns:
            continue
        if strict and width(_joined([*parts, *extras[: len(brief)]], gap)) > columns:
            continue  # the meaning of other signs is worth more than words
        if width(_joined([*parts, *extras[: len(brief)]], gap)) > columns:
            extras[: len(brief)] = brief
            if unmet is None:  # the last words without blanks, if that leaves room for all
                glued = [tuple(run._replace(text=run.text.strip()) for run in sign) for sign in (*parts, *brief)]
                if width(_joined([*parts, *brief], gap)) > columns >= width(_joined(glued, gap)):
                    return _joined(glued, gap)
        for extra in extras:
            if width(_joined([*parts, extra], gap)) <= columns:
                parts.append(extra)
        return _joined(parts, gap)
    return cut(shortest, columns, signs.hidden)


def _sign(sign: str, ink: Ink, meaning: str) -> Sign:
    return Run(sign, ink), Run(f" {meaning}", Ink.QUIET)


def _joined(signs: list[Sign], gap: str) -> Line:
    return line(*(run for at, sign in enumerate(signs) for run in (Run(gap if at else ""), *sign)))
