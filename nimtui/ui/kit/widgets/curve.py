"""Learning curves over the number of games, on a logarithmic axis, in braille dots or in ASCII. Pure functions.

The first learner's line is solid, the second's a row of dots in another ink, and each ends in the learner's number
where there are two. A line of what comes out against perfect play has fewer dots. Where lines of several inks share a
cell, all their dots are in it, in an ink of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nimtui.report.lines import BLANK, Ink, Line, Run, cut, inked, line, width
from nimtui.report.values import Share
from nimtui.ui.kit.terminal.glyphs import Glyphs

FIRST_EDGE = 3  # decades: the right edge is at least 1,000 games
HALF_DECADES = 2  # it moves by half a decade
STEPS = (10, 20, 25, 50, 100)  # per cent between two labels
SPARED = 2  # lines that a plot may leave free, for labels that are equally far apart
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # [line][column] of a braille cell
LEFT = np.uint8(0x47)  # the dots of a cell's left column: the only ones of a line of dots, if it has any there
PERIOD = 3  # dot columns from one dot of a dotted line to the next
INKS = (Ink.TEXT, Ink.ONE, Ink.TWO, Ink.STRONG, Ink.QUIET)
NONE, BOTH, THEORY = 0, 3, 4  # of the inks; between them the learners'

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Series:
    """One line: a value from 0 to 1 at numbers of games, in ascending order."""

    name: str  # 'reward', 'against perfect play'; '' has no place in the legend
    points: Sequence[tuple[int, float]]
    learner: int = 0  # 0 or 1
    dotted: bool = False
    brief: str = ""  # the name where there is little room
    told: bool = True  # is its last value in the legend?
    aside: bool = False  # has it the ink of the second curve, though it is of the first learner?

    @property
    def ink(self) -> int:
        """The number of its ink."""
        return 2 if self.aside else self.learner + 1


@dataclass(frozen=True, slots=True)
class Axis:
    """The number of games across a plot, from 1. So few, and none, are at the left edge."""

    last: float  # log10 of the games at the right edge

    @classmethod
    def to(cls, games: int) -> Axis:
        """Return an axis long enough for this many games, in half decades."""
        halves = math.ceil(round(math.log10(max(1, games)) * HALF_DECADES, 9))
        return cls(max(FIRST_EDGE, halves / HALF_DECADES))

    def share(self, games: float) -> float:
        """Return the place of a number of games on the axis, 0 to 1."""
        return math.log10(max(1.0, games)) / self.last

    def marks(self) -> list[tuple[float, str]]:
        """Return the places and labels of the decades."""
        return [(decade / self.last, short(10**decade)) for decade in range(math.floor(self.last) + 1)]


def short(games: int) -> str:
    """Return a number in short form: '100', '1k', '10k', '1M', '1G'."""
    for unit, sign in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if games >= unit:
            return f"{games // unit}{sign}"
    return str(games)


def paint(
    series: Sequence[Series], games: int, columns: int, rows: int, signs: Glyphs, axis: Axis | None = None
) -> list[Line]:
    """Return the legend, the plot with per cents at its left, and the axis below it, for so many games.

    `axis`: the axis to use; by default one that ends at the next half decade.
    """
    if columns < 8 or rows < 3:
        return [_legend(series, games, columns, signs)][:rows]
    step, high = _steps(rows - 2)
    wide = columns - 4
    most = max([games, *(line.points[-1][0] for line in series if line.points)])
    axis = Axis.to(most) if axis is None else axis
    text, kinds = _plot(series, axis, wide, high, signs)
    _ends(series, axis, text, kinds)
    values = range(100, -1, -step) if high > 1 else (100,)
    labels = {(100 - value) * (high - 1) // 100: str(value) for value in values}
    plot = []
    for row in range(high):
        picture = inked("".join(text[row]), kinds[row].tolist(), INKS)
        plot.append((Run(f"{labels.get(row, ''):>3} ", Ink.QUIET), *picture))
    lines = [_legend(series, games, columns, signs), *plot, _games(axis, wide)]
    return [*lines, *[BLANK] * (rows - len(lines))]


def _steps(room: int) -> tuple[int, int]:
    """Return the per cents between two labels, and the lines of a plot in which they are equally far apart."""
    for step in STEPS[:-1]:
        apart = (room - 1) // (100 // step)
        lines = apart * (100 // step) + 1
        if apart >= 2 and room - lines <= SPARED:
            return step, lines
    return STEPS[-1], room


def _plot(
    series: Sequence[Series], axis: Axis, wide: int, high: int, signs: Glyphs
) -> tuple[list[list[str]], npt.NDArray[np.int8]]:
    """Return the sign of each [row][column] and the number of its ink."""
    braille = not signs.strokes[0]
    tall, broad = (high * 4, wide * 2) if braille else (high, wide)
    kinds = np.zeros((high, wide), np.int8)
    dots = np.zeros((high, wide), np.uint8)
    letters = np.full((high, wide), " ", dtype="<U1")
    for drawn in series:
        mask = _dots(drawn, axis, broad, tall)
        if braille:
            cells = _cells(mask)
            if drawn.learner:
                cells = np.where(cells & LEFT, cells & LEFT, cells)
            dots |= cells
            touched = cells > 0
        else:
            touched = mask
            stroke = signs.strokes[drawn.learner + 2 * drawn.dotted]
            letters[touched] = np.where(letters[touched] == " ", stroke, signs.strokes[4])
        ink = drawn.ink
        kinds[touched] = np.where((kinds[touched] == NONE) | (kinds[touched] == ink), ink, BOTH)
    if braille:
        letters[dots > 0] = (dots[dots > 0] + np.uint32(0x2800)).view("<U1")
    empty = letters[0] == " "
    letters[0, empty], kinds[0, empty] = signs.theory, THEORY
    return letters.tolist(), kinds


def _cells(mask: Mask) -> npt.NDArray[np.uint8]:
    """Return the dots of the braille cells, [rows, columns], one bit per dot."""
    found = np.zeros((mask.shape[0] // 4, mask.shape[1] // 2), np.uint8)
    for y, bits in enumerate(DOTS):
        for x, bit in enumerate(bits):
            found |= mask[y::4, x::2] * np.uint8(bit)
    return found


def _dots(drawn: Series, axis: Axis, broad: int, tall: int) -> Mask:
    """Return the dots of one line, [tall, broad]; upright strokes join points of different heights."""
    mask = np.zeros((tall, broad), np.bool_)
    if not drawn.points:
        return mask
    given = np.array(drawn.points, np.float64).reshape(len(drawn.points), -1)[:, :2]
    x = np.log10(np.maximum(1, given[:, 0])) / axis.last * (broad - 1)
    y = (1 - np.clip(given[:, 1], 0.0, 1.0)) * (tall - 1)
    column = np.rint(x).astype(np.int64)
    across = np.arange(column[0], column[-1] + 1)
    middle = np.interp(across, x, y)
    low, high = middle.copy(), middle.copy()
    np.minimum.at(low, column - column[0], y)
    np.maximum.at(high, column - column[0], y)
    low[1:] = np.minimum(low[1:], (middle[1:] + middle[:-1]) / 2)
    high[1:] = np.maximum(high[1:], (middle[1:] + middle[:-1]) / 2)
    first, last = np.rint(low).astype(np.int64), np.rint(high).astype(np.int64)
    if drawn.dotted:
        at = (across % PERIOD == drawn.learner) | (len(across) == 1)
        mask[np.rint(middle[at]).astype(np.int64), across[at]] = True
        return mask
    line_of = np.arange(tall)[:, None]
    mask[:, column[0] : column[-1] + 1] = (line_of >= first) & (line_of <= last)
    return mask


def _ends(series: Sequence[Series], axis: Axis, text: list[list[str]], kinds: npt.NDArray[np.int8]) -> None:
    """Put the learners' numbers at the ends of their solid lines; where lines meet, '1,2'."""
    if len({drawn.learner for drawn in series}) < 2:
        return
    high, wide = kinds.shape
    taken: dict[int, int] = {}  # row -> column
    for drawn in reversed(series):
        if not drawn.points or drawn.dotted:
            continue
        games, value = drawn.points[-1][:2]
        row = round((1 - min(1.0, max(0.0, value))) * (high - 1))
        column = min(wide - 1, round(axis.share(games) * (wide - 1)) + 1)
        other = taken.get(row, -2)
        if abs(other - column) < 2 <= other:
            column = other - 2
            text[row][column + 1], kinds[row, column + 1] = ",", THEORY
        taken[row] = column
        text[row][column], kinds[row, column] = str(drawn.learner + 1), drawn.ink


def _games(axis: Axis, wide: int) -> Line:
    """Return the labels of the decades that have room below the plot, and the axis's name."""
    text, unit = "", " games"
    for share, label in axis.marks():
        at = max(0, min(round(share * (wide - 1)) - len(label) // 2, wide - len(label)))
        if not text or at > len(text):
            text = text.ljust(at) + label
    if len(text) + len(unit) <= wide:
        text += unit
    return line((" " * 4 + text, Ink.QUIET))


def _legend(series: Sequence[Series], games: int, columns: int, signs: Glyphs) -> Line:
    """Return a legend with each line's stroke, name and last value; shorter where there is less room."""
    if not any(drawn.points for drawn in series):
        return cut(line(("not measured yet" if games else "no games yet", Ink.QUIET)), columns, signs.hidden)
    two = len({drawn.learner for drawn in series}) > 1
    for names, dotted, samples in (  # names: 3 whole, 2 brief for the main line, 1 brief, 0 none
        (3, True, True),
        (2, True, True),
        (1, True, True),
        (0, True, True),
        (0, False, True),
        (0, False, False),
    ):
        legend: Line = BLANK
        for drawn in series:
            if not drawn.name or (drawn.dotted and not dotted):
                continue
            number = str(drawn.learner + 1) if two and not drawn.dotted else ""
            name = (drawn.brief or drawn.name) if names < 3 - drawn.dotted else drawn.name
            name = f" {signs.plain(name)}" if names else ""
            last = f" {Share(drawn.points[-1][1]).text}" if drawn.points and drawn.told else ""
            gap = ("   " if samples else " ") if legend else ""
            stroke = _sample(drawn, signs) if samples or not two else ""
            sample = gap + " ".join(part for part in (number, stroke) if part)
            legend = line(*legend, (sample, INKS[drawn.ink]), (name, Ink.QUIET), (last, Ink.STRONG))
        if width(legend) <= columns:
            break
    return cut(legend, columns, signs.hidden)


def _sample(drawn: Series, signs: Glyphs) -> str:
    stroke = signs.strokes[drawn.learner + 2 * drawn.dotted]
    if stroke:
        return stroke * 2
    return "⠂⠄" if drawn.dotted else "⠂⠂" if drawn.learner else "⠒⠒"
