"""A picture by area: shapes in pixels smaller than a cell, and signs on top of them.

A cell has 2 × 2 pixels, 2 × 3 where the terminal draws sextants, 1 × 2 where it has only half blocks, or one, which
becomes a letter. Where there are no colours for grounds, plates are left out, so shapes must tell pieces apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import cache, lru_cache, partial
from itertools import pairwise, product
from math import ceil
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from nimtui.report.lines import Ink, Line, Run, line
from nimtui.signs import visible
from nimtui.ui.kit.terminal.glyphs import Glyphs

Mask: TypeAlias = npt.NDArray[np.bool_]
Plane: TypeAlias = npt.NDArray[np.float64]
Shape: TypeAlias = Callable[[Plane, Plane], Mask]  # of x and y from −1 to 1: is this point inside?

INKS: tuple[Ink, ...] = (Ink.TEXT, *(ink for ink in Ink if ink is not Ink.TEXT))  # by number; 0: nothing lies there
NUMBERS = {ink: number for number, ink in enumerate(INKS)}
PLATES = frozenset({NUMBERS[Ink.BOARD], NUMBERS[Ink.EATEN]})  # lie below pieces, and are seen only as grounds
# Blocks by bits: the pixels from left to right, then down. Sextants begin at U+1FB00; other blocks are left out there.
SEXTANTS = {0: " ", 21: "▌", 42: "▐", 63: "█"}
BLOCKS = {
    6: [SEXTANTS.get(bits, chr(0x1FAFF + bits - (bits > 21) - (bits > 42))) for bits in range(64)],
    4: " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█",
    2: " ▀▄█",
}
LETTERS = {
    Ink.FIRST: "X",
    Ink.SECOND: "O",
    Ink.WON: "*",
    Ink.WOOD: "|",
    Ink.HEAD: "*",
    Ink.BAR: "o",
    Ink.PICK: "+",
    Ink.AIM: "+",
}
LETTER = "#"  # of all others
FINE = 4  # samples of a pixel in each direction


def full(x: Plane, y: Plane) -> Mask:
    return (abs(x) <= 1) & (abs(y) <= 1)


def disc(x: Plane, y: Plane) -> Mask:
    return x * x + y * y <= 1


@cache
def ring(inner: float) -> Shape:
    """Return a disc with a hole, whose radius is this share of the disc's."""
    return lambda x, y: disc(x, y) & ~disc(x / inner, y / inner)


def diamond(x: Plane, y: Plane) -> Mask:
    return abs(x) + abs(y) <= 1


@cache
def cross(stroke: float) -> Shape:
    """Return two diagonals; `stroke`: half of their width, across."""
    return lambda x, y: full(x, y) & (np.minimum(abs(x - y), abs(x + y)) <= stroke)


def wedge(x: Plane, y: Plane) -> Mask:
    """A triangle that points down."""
    return full(x, y) & (abs(x) <= (1 - y) / 2)


def warning(x: Plane, y: Plane) -> Mask:
    """An exclamation mark."""
    return full(x, y) & (abs(x) <= 0.35) & ((y <= 0.2) | (y >= 0.6))


class Raster:
    """A picture of so many columns and rows of cells. Places and sizes are in cells, in steps of half a cell."""

    def __init__(self, columns: int, rows: int, signs: Glyphs) -> None:
        self.columns, self.rows, self.signs = max(0, columns), max(0, rows), signs
        self._across, self._down = signs.pixels
        self._pixels = np.zeros((self.rows * self._down, self.columns * self._across), np.uint8)
        self._signs: dict[tuple[int, int], tuple[str, Ink]] = {}
        self._targets: dict[tuple[int, int], object] = {}
        self._edges: dict[int, set[int]] = defaultdict(set)  # line -> where signs and targets begin and end

    def fill(self, x: float, y: float, wide: float, tall: float, ink: Ink, shape: Shape = full) -> None:
        """Draw a shape that fills this box; what is outside of the picture is dropped. Ink.TEXT takes away."""
        left, top = int(x * self._across), int(y * self._down)
        mask = _mask(shape, x * self._across - left, y * self._down - top, wide * self._across, tall * self._down)
        height, width = self._pixels.shape
        y0, x0 = max(0, top), max(0, left)
        y1, x1 = min(height, top + mask.shape[0]), min(width, left + mask.shape[1])
        if y0 < y1 and x0 < x1:
            self._pixels[y0:y1, x0:x1][mask[y0 - top : y1 - top, x0 - left : x1 - left]] = NUMBERS[ink]

    def write(self, x: int, y: int, text: str, ink: Ink) -> None:
        """Write a text over the shapes; the part outside is dropped."""
        if 0 <= y < self.rows:
            for column, sign in enumerate(visible(text), x):
                if 0 <= column < self.columns:
                    self._signs[column, y] = sign, ink
                    self._edges[y] |= {column, column + 1}

    def aim(self, x: int, y: float, wide: int, tall: float, target: object) -> None:
        """Let clicks on this box act on a target; of lines that two boxes share most decides."""
        rows, columns = range(ceil(y - 0.75), ceil(y + tall - 0.75)), range(max(0, x), min(self.columns, x + wide))
        for column, row in product(columns, rows):
            self._targets[column, row] = target
            self._edges[row] |= {columns.start, columns.stop}

    def lines(self) -> list[Line]:
        """Return all lines, without blanks at their ends."""
        draw = _letter if self._across == 1 == self._down else partial(_blocks, grounds=self.signs.grounds)
        cells = self._pixels.reshape(self.rows, self._down, self.columns, self._across).transpose(0, 2, 1, 3)
        flat = np.ascontiguousarray(cells).reshape(self.rows, self.columns, self._across * self._down)
        changes = (flat[:, 1:] != flat[:, :-1]).any(axis=2)  # where a cell differs from the one before
        lines = []
        for y in range(self.rows):
            bounds = {0, self.columns, *(np.flatnonzero(changes[y]) + 1).tolist(), *self._edges[y]}
            runs: list[Run] = []
            for x, end in pairwise(sorted(bounds)):
                run = draw(flat[y, x].tobytes())
                sign, ink = self._signs.get((x, y), run)[:2]  # a sign stands on the ground of what lies there
                ink = runs[-1].ink if runs and sign == " " else ink  # so that the line has few runs
                runs.append(Run(sign * (end - x), ink, run.ground, self._targets.get((x, y))))
            while runs and runs[-1][2:] == (None, None) and runs[-1].text.isspace():
                runs.pop()
            lines.append(line(*runs))
        return lines


class Box(NamedTuple):
    """A place for a shape, in cells."""

    x: float
    y: float
    wide: float
    tall: float

    def middle(self, share: float) -> Box:
        """Return a box in the middle, of this share of each side as far as half cells allow."""
        tall = _share(self.tall, share)
        wide = _share(self.wide, tall / self.tall)
        return Box(self.x + (self.wide - wide) / 2, self.y + (self.tall - tall) / 2, wide, tall)

    def centre(self, wide: float, tall: float) -> Box:
        """Return a box of this size in the middle, or this one if it is smaller; if anything up and to the left."""
        wide, tall = min(wide, self.wide), min(tall, self.tall)
        return Box(self.x + (self.wide - wide) // 1 / 2, self.y + (self.tall - tall) * 2 // 2 / 2, wide, tall)

    def fill(self, painter: Raster, ink: Ink, shape: Shape = full) -> None:
        painter.fill(*self, ink, shape)

    def corners(self, painter: Raster, ink: Ink, arm: float = 0) -> None:
        """Draw the corners of a frame just inside of this box, half a line strong; `arm`: columns of each."""
        wide, tall = arm or max(1, min(3, self.wide // 4)), 1
        for right, down in product((False, True), repeat=2):
            for across, deep in ((wide, 0.5), (1, tall)):
                x, y = right * (self.wide - across), down * (self.tall - deep)
                painter.fill(self.x + x, self.y + y, across, deep, ink)

    def sign_at(self, length: int) -> tuple[int, int]:
        """Return the cell where a text in the middle starts; if anything, it is a little above and to the left."""
        return int(self.x + (self.wide - length) / 2), int(self.y + self.tall / 2 - 0.5)

    def write(self, painter: Raster, text: str, ink: Ink) -> None:
        """Write a text in the middle."""
        painter.write(*self.sign_at(len(text)), text, ink)


def _share(side: float, share: float) -> float:
    """Return a share of a side in half cells, an even number of them less than the side."""
    halves = round(2 * side)
    less = round(halves * (1 - share) / 2) * 2
    return max(halves - less, 1) / 2


@lru_cache(4096)
def _mask(shape: Shape, x: float, y: float, wide: float, tall: float) -> Mask:
    """Return the pixels that a shape covers at least half, if its box starts at (x, y) in the first one."""
    width, height = max(1, int(np.ceil(x + wide))), max(1, int(np.ceil(y + tall)))
    half = (np.arange(width * FINE) + 0.5) / FINE, (np.arange(height * FINE) + 0.5) / FINE
    u, v = ((at - begin) / (length / 2) - 1 for at, begin, length in zip(half, (x, y), (wide, tall), strict=True))
    inside = shape(*np.meshgrid(u, v)).reshape(height, FINE, width, FINE)
    return np.asarray(inside.mean(axis=(1, 3)) >= 0.5)


@lru_cache(4096)
def _blocks(pixels: bytes, grounds: bool) -> Run:
    """Return the cell of these pixels: a block in one ink on the ground of another; a full one is a ground alone."""
    if not grounds:
        pixels = bytes(0 if pixel in PLATES else pixel for pixel in pixels)
    kinds = sorted(set(pixels), key=lambda kind: (kind == 0, kind in PLATES, -pixels.count(kind)))
    front, *others = (INKS[kind] for kind in kinds)
    if not others:
        if grounds or not kinds[0]:  # a ground takes fewer bytes than blocks
            return Run(" ", ground=front if kinds[0] else None)
        return Run("█", front)
    behind = None if kinds[-1] == 0 or not grounds else others[0]
    drawn = [pixel == kinds[0] if behind else pixel != 0 for pixel in pixels]
    return Run(BLOCKS[len(pixels)][sum(1 << at for at, there in enumerate(drawn) if there)], front, behind)


@lru_cache(4096)
def _letter(pixels: bytes) -> Run:
    [pixel] = pixels
    return Run(" ") if pixel == 0 or pixel in PLATES else Run(LETTERS.get(INKS[pixel], LETTER), INKS[pixel])
