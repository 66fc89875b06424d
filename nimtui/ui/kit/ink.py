"""Styled text as plain data, independent of any screen.

A `Line` is a tuple of runs; a run is a text and its `Ink`. Painters make lines; `canvas.Canvas` shows them and sends
only changes. An ink is a meaning, never a colour: the style sheets define its look, and a sign always says the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple, TypeAlias

from rich.cells import cell_len

from nimtui.foreign.signs import visible
from nimtui.ui.kit.glyphs import Glyphs


class Ink(StrEnum):
    """The meanings of text. The style sheets define each as `.ink--NAME`; docs/design.md tells what they are for."""

    TEXT = "text"
    QUIET = "quiet"
    TITLE = "title"  # of a panel
    COLUMN = "column"  # the head of a column
    STRONG = "strong"  # what counts on this line
    KEY = "key"  # a key that can be pressed now
    PICK = "pick"  # what Enter would do: what the marked move takes, where it lands
    WHERE = "where"  # where I am
    CURSOR = "cursor"  # the same, as one cell
    RIGHT = "right"
    WRONG = "wrong"
    GOOD = "good"  # right, and it counts
    BAD = "bad"  # wrong, and it counts
    OPEN = "open"  # undecided
    FRESH = "fresh"  # changed just now
    JOB = "job"  # work in the background, how far it is
    BAR = "bar"  # an amount
    ONE = "one"  # the first of two that are compared, or the only curve
    TWO = "two"
    # The boards.
    HEAD = "head"  # of a match
    STICK = "stick"
    GHOST = "ghost"  # what was taken
    FIRST = "first"  # the first player's disc
    SECOND = "second"
    FRAME = "frame"
    WON = "won"  # of the winning line


FIRM = "\N{NO-BREAK SPACE}"


class Run(NamedTuple):
    text: str
    ink: Ink = Ink.TEXT


Line: TypeAlias = tuple[Run, ...]
BLANK: Line = ()


def line(*parts: str | Run | tuple[str, Ink]) -> Line:
    """Return a line of texts and runs; neighbours of one ink are joined.

    Spaces take the ink before them: every change of ink costs some 25 bytes on the wire.
    """
    runs: list[Run] = []
    for part in parts:
        run = Run(part) if isinstance(part, str) else Run(*part)
        if not run.text:
            continue
        if not run.text.isprintable():
            run = Run(visible(run.text), run.ink)
        if runs and (run.ink is runs[-1].ink or run.text.isspace()):
            runs[-1] = Run(runs[-1].text + run.text, runs[-1].ink)
        elif runs and runs[-1].text.isspace():
            runs[-1] = Run(runs[-1].text + run.text, run.ink)
        else:
            runs.append(run)
    return tuple(runs)


def inked(text: str, kinds: Sequence[int], inks: Sequence[Ink]) -> Line:
    """Return a line of text; `kinds` has the number of each character's ink. One cell per character.

    Spaces take the ink before them; at the beginning they have none, so that they stay as they are.
    """
    runs: list[Run] = []
    at = 0
    for kind, same in groupby(kinds):
        length = sum(1 for _ in same)
        part, ink = text[at : at + length], inks[kind]
        at += length
        if runs and (part.isspace() or runs[-1].ink is ink):
            runs[-1] = Run(runs[-1].text + part, runs[-1].ink)
        else:
            runs.append(Run(part, Ink.TEXT if part.isspace() else ink))
    return tuple(runs)


def plain_text(shown: Line) -> str:
    """Return the text of a line."""
    return "".join(run.text for run in shown)


def width(shown: Line) -> int:
    """Return the width of the line in cells."""
    return sum(cell_len(run.text) for run in shown)


def centred(shown: Line, columns: int) -> Line:
    """Return the line in the middle of `columns`."""
    return line(" " * max(0, (columns - width(shown)) // 2), *shown)


def justified(left: Line, right: Line, columns: int) -> Line:
    """Join a line at the left edge and one at the right; the left one is cut if both do not fit."""
    room = columns - width(right) - 2
    if room < 0:
        return cut(right, columns)
    left = cut(left, room)
    return line(*left, " " * (columns - width(left) - width(right)), *right)


def cut(shown: Line, columns: int, sign: str = "…") -> Line:
    """Return the line in at most `columns`; a cut line ends in `sign`."""
    if width(shown) <= columns:
        return shown
    room = columns - cell_len(sign)
    runs: list[Run] = []
    for run in shown:
        text = run.text
        while text and cell_len(text) > room:
            text = text[:-1]
        runs.append(Run(text, run.ink))
        room -= cell_len(text)
        if text != run.text:
            break
    return line(*runs, sign) if room >= 0 else BLANK


def keys(*parts: str) -> list[Run]:
    """Return runs in which every other part is a key: 'press ', 'u', ' to undo'."""
    return [Run(part, Ink.KEY if at % 2 else Ink.QUIET) for at, part in enumerate(parts)]


def fit(shown: Line, columns: int, signs: Glyphs) -> Line:
    """Return the line in the terminal's signs, cut to the room."""
    return cut(tuple(Run(signs.plain(run.text), run.ink) for run in shown), columns, signs.hidden)


def paragraphs(texts: Iterable[str], columns: int, ink: Ink = Ink.TEXT) -> list[Line]:
    """Wrap each text to lines of at most `columns`, but never before a per cent sign."""
    import textwrap

    return [
        line((part.replace(FIRM, " "), ink))
        for text in texts
        for part in (textwrap.wrap(text.replace(" %", f"{FIRM}%"), max(8, columns), break_on_hyphens=False) or [""])
    ]


class Painter:
    """A grid of cells for pictures that are not made line by line."""

    def __init__(self, columns: int, rows: int) -> None:
        self._cells: list[list[tuple[str, Ink]]] = [[(" ", Ink.TEXT)] * columns for _ in range(rows)]

    def write(self, x: int, y: int, text: str, ink: Ink) -> None:
        """Write the text at this place; the part outside is dropped."""
        if not 0 <= y < len(self._cells):
            return
        row = self._cells[y]
        for column, sign in enumerate(visible(text), x):
            if 0 <= column < len(row):
                row[column] = (sign, ink)

    def lines(self) -> list[Line]:
        """Return all lines, without trailing blanks."""
        shown = []
        for cells in self._cells:
            last = len(cells)
            while last and cells[last - 1][0] == " ":
                last -= 1
            shown.append(line(*cells[:last]))
        return shown
