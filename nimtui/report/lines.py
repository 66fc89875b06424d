"""Styled text as plain data, independent of any screen.

A `Line` is a tuple of runs; a run is a text and its `Ink`. Reports and painters make lines; a screen shows them, a
pipe drops the inks. An ink is a meaning, never a colour: style sheets define its look, and a sign always says the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from itertools import groupby, zip_longest
from typing import NamedTuple, Protocol, TypeAlias

from nimtui.signs import visible

CLAUSE, WORD = re.compile(r"[.;:,] | · | – "), re.compile(r"\s+")  # where a line may be cut, the better place first
CLAUSES, WORDS = 0.6, 0.4  # of the room, which a line cut there fills at least
SPACED = re.compile(r" *[^ ]+")  # a word with the blanks before it
JOINTS = "-_/,:;="  # signs within a word after which it may be broken
IN_NUMBER = re.compile(r"\d\d|\.\d|,\d{3}(?!\d)|\d[.,]")  # '1,234', but not the end of '3,' in the position '3,5,7'
MOVES = re.compile(r"\d{7}")  # numbers have commas: so many digits are moves


def cell_len(text: str) -> int:
    """Return how many columns of a terminal the text takes: some characters take two, accents none."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # 20 ms, which most commands do without

    return cell_len(text)


class Signs(Protocol):
    """What a terminal can show."""

    @property
    def hidden(self) -> str:
        """The sign of what is cut off."""

    def plain(self, text: str) -> str:
        """Return the text in the characters that the terminal has."""


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
    AIM = "aim"  # PICK, on the board's own ground
    BOARD = "board"  # that ground
    PIECE = "piece"  # of chocolate
    SHINE = "shine"  # the light on its edges
    EATEN = "eaten"  # where one was
    WOOD = "wood"  # of a match
    HEAT = "heat"  # BAR, on a board's own ground or a piece
    BAND0 = "band0"  # the grounds of a heat map, from the worst to the best
    BAND1 = "band1"
    BAND2 = "band2"
    BAND3 = "band3"
    BAND4 = "band4"
    PAPER = "paper"  # a sign on a tile in the colour of its meaning


GROUNDS = (Ink.BAND0, Ink.BAND1, Ink.BAND2, Ink.BAND3, Ink.BAND4)

FIRM = "\N{NO-BREAK SPACE}"
_wholes: list[str] | None = None  # gathers whole what is cut


class Run(NamedTuple):
    text: str
    ink: Ink = Ink.TEXT
    ground: Ink | None = None  # the ink behind the text, in pictures
    target: object = None  # what a click on it acts on


Line: TypeAlias = tuple[Run, ...]
BLANK: Line = ()


def line(*parts: str | Run | tuple[str, Ink]) -> Line:
    """Return a line of texts and runs; neighbours of one ink are joined.

    Spaces take the ink before them: every change of ink costs some 25 bytes on the wire. Those after a cursor do not.
    """
    runs: list[Run] = []
    for part in parts:
        run = Run(part) if isinstance(part, str) else Run(*part)
        if not run.text:
            continue
        if not run.text.isprintable():
            run = run._replace(text=visible(run.text))
        before = runs[-1] if runs else run
        if not runs or run.ground is not before.ground or run.target != before.target:
            runs.append(run)
        elif run.ink is before.ink or (run.text.isspace() and before.ink is not Ink.CURSOR):
            runs[-1] = before._replace(text=before.text + run.text)
        elif before.text.isspace():
            runs[-1] = run._replace(text=before.text + run.text)
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


def aimed(shown: Line, target: object) -> Line:
    """Return the line with this target of clicks."""
    return tuple(run._replace(target=target) for run in shown)


def plain_text(runs: Line) -> str:
    """Return the text of a line."""
    return "".join(run.text for run in runs)


def width(runs: Line) -> int:
    """Return the width of the line in cells."""
    return sum(cell_len(run.text) for run in runs)


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


def beside(blocks: Sequence[Sequence[Line]], widths: Sequence[int]) -> list[Line]:
    """Return blocks of lines side by side, each so many cells wide."""
    lines = []
    for parts in zip_longest(*blocks, fillvalue=BLANK):
        joined, edge = BLANK, 0
        for part, wide in zip(parts, widths, strict=True):
            joined = line(*joined, " " * max(0, edge - width(joined)), *part) if part else joined
            edge += wide
        lines.append(joined)
    return lines


def cut(shown: Line, columns: int, sign: str = "…") -> Line:
    """Return the line in at most `columns`; a cut line ends in `sign`, at the end of a clause or else of a word."""
    if width(shown) <= columns:
        return shown
    text = plain_text(shown)
    if _wholes is not None:
        _wholes.append(text.strip())
    room = columns - cell_len(sign)
    if room < 0:
        return BLANK
    rest = up_to_a_gap(text, room)
    runs: list[Run] = []
    for run in shown:
        runs.append(run._replace(text=run.text[:rest]))
        rest -= len(run.text)
        if rest <= 0:
            break
    return line(*runs, sign)


def fitting(columns: int, *texts: str) -> str:
    """Return the first of these texts that fits, else the last one."""
    return next((text for text in texts if len(text) <= columns), texts[-1])


def clipped(text: str, columns: int, sign: str = "…") -> str:
    """Return the text in at most `columns`; what is cut ends in `sign`, after a word where there is one."""
    if cell_len(text) <= columns:
        return text
    if _wholes is not None:
        _wholes.append(text.strip())
    return text[: up_to_a_gap(text, columns - cell_len(sign))] + sign


def mended(lines: Sequence[Line], rows: int, sign: str = "…") -> list[Line]:
    """Return the first `rows` lines. A wrapped text that breaks off ends with a clause there, marked by `sign`."""
    visible = list(lines[:rows])
    if _wholes is not None:
        _wholes.extend(each.text for each in lines[rows:] if isinstance(each, Wrapped) and not each.at)
    end = len(visible) - 1
    while end >= 0:
        last, after = visible[end], visible[end + 1] if end + 1 < len(visible) else None
        end -= 1
        if not isinstance(last, Wrapped) or last.at == last.of - 1 or last.at > end + 1:
            continue
        if not (isinstance(after, Wrapped) and after.text == last.text and after.at == last.at + 1):
            begin = end + 1 - last.at
            visible[begin : end + 2] = _clipped(last, sign)
            end = begin - 1
    return visible


def up_to_a_gap(text: str, room: int) -> int:
    """Return how many characters of the text are shown in `room` cells: up to a clause or a word.

    A long word that would leave most of the room empty is cut, but never within a number.
    """
    most = next(at for at in range(min(len(text), room), -1, -1) if cell_len(text[:at]) <= room)
    for gap, least in ((CLAUSE, CLAUSES * most), (WORD, WORDS * most)):
        gaps = [place for place in gap.finditer(text, 0, most + 2) if place.start() <= most and place.end() >= least]
        if gaps:
            return min(gaps[-1].end(), most)
    return next(
        (at for at in range(most, 0, -1) if not IN_NUMBER.match(text, at - 1)), most if MOVES.match(text) else 0
    )


def _clipped(last: Wrapped, sign: str) -> list[Line]:
    """Return the text up to the last clause that ends by this line, or else up to a word."""
    if _wholes is not None:
        _wholes.append(last.text)
    for end in reversed([place.start() for place in CLAUSE.finditer(last.text)]):
        stop = last.text[end] if last.text[end] == "." else ""
        lines = paragraphs([f"{last.text[:end]}{stop} {sign}"], last.columns, last.ink)
        if len(lines) <= last.at + 1:
            return lines
    parts = paragraphs([last.text], last.columns, last.ink)
    with gathering([]):
        tail = cut(
            line((f"{plain_text(parts[last.at])} {plain_text(parts[last.at + 1])}", last.ink)), last.columns, sign
        )
    return [*parts[: last.at], tail]


@contextmanager
def gathering(wholes: list[str]) -> Iterator[None]:
    """Within, whatever `cut` and `clipped` shorten is added to this list as a whole."""
    global _wholes
    before, _wholes = _wholes, wholes
    try:
        yield
    finally:
        _wholes = before


def is_gathering() -> bool:
    """Return whether what is cut is gathered, so that lines drawn earlier do not do."""
    return _wholes is not None


def wrapped(parts: Iterable[Line], columns: int, gap: str = "   ", sign: str = "…") -> list[Line]:
    """Return the parts in lines, with the gap between neighbours. No part is broken; a longer one is cut."""
    lines: list[Line] = []
    for part in parts:
        longer = line(*lines[-1], (gap, Ink.QUIET), *part) if lines else BLANK
        if lines and width(longer) <= columns:
            lines[-1] = longer
        else:
            lines.append(cut(line(*part), columns, sign))
    return lines


def keys(*parts: str) -> list[Run]:
    """Return runs in which every other part is a key: 'press ', 'u', ' to undo'."""
    return [Run(part, Ink.KEY if at % 2 else Ink.QUIET) for at, part in enumerate(parts)]


def fit(shown: Line, columns: int, signs: Signs) -> Line:
    """Return the line in the terminal's signs, cut to the room."""
    return cut(tuple(run._replace(text=signs.plain(run.text)) for run in shown), columns, signs.hidden)


class Wrapped(tuple[Run, ...]):
    """A line of a wrapped text: which of how many, and the whole."""

    text: str
    ink: Ink
    columns: int
    at: int
    of: int


def filled(text: str, columns: int, whole: bool = False) -> list[str]:
    """Return the text in lines of at most so many cells, broken at blanks. A word that is longer is broken, unless
    words stay `whole`.
    """
    lines, last = [], ""
    for word in SPACED.findall(text.replace("\n", " ").replace("\t", " ")):
        if last and cell_len(last + word) > columns:
            lines.append(last)
            last, word = "", word.lstrip(" ")
        last += word
        while not whole and len(last) > 1 and cell_len(last) > columns:
            end = _joint(last, columns)
            lines.append(last[:end])
            last = last[end:]
    return [*lines, last] if last else lines


def _joint(word: str, columns: int) -> int:
    """Return where a long word is broken: after a hyphen, a slash or a comma, else not within a number if possible."""
    most = next(at for at in range(len(word) - 1, 0, -1) if cell_len(word[:at]) <= columns or at == 1)
    outside = [at for at in range(most, int(WORDS * most), -1) if not IN_NUMBER.match(word, at - 1)]
    return next((at for at in outside if word[at - 1] in JOINTS), outside[0] if outside else most)


def paragraphs(texts: Iterable[str], columns: int, ink: Ink = Ink.TEXT) -> list[Line]:
    """Wrap each text to lines of at most `columns`, but never before a per cent sign."""
    lines: list[Line] = []
    for text in texts:
        firm = text.replace(" %", f"{FIRM}%")
        parts = filled(firm, max(8, columns)) or [""]
        for at, part in enumerate(parts):
            wrapped = Wrapped(line((part.replace(FIRM, " "), ink)))
            wrapped.text, wrapped.ink, wrapped.columns, wrapped.at, wrapped.of = text, ink, columns, at, len(parts)
            lines.append(wrapped)
    return lines
