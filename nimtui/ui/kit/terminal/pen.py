"""Writes cells to a terminal in few bytes: what the terminal has set already is not set again.

`Strip.render` of Textual sets the whole style before every text and resets it behind. That would be most of what a key
costs. Here only what differs from the last style is set, and long blanks are erased where the terminal can do it: what
it can do beyond writing text stands in the terminfo database under its name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rich.color import ColorSystem
from rich.style import Style

SAME = {  # capabilities of terminfo: the sequences of ECMA-48 and VT100 that the pen writes
    "ech": b"\x1b[%p1%dX",
    "dl": b"\x1b[%p1%dM",
    "il": b"\x1b[%p1%dL",
    "csr": b"\x1b[%i%p1%d;%p2%dr",
}


class Abilities(NamedTuple):
    """Which sequences save bytes there."""

    erases: bool = False  # a number of cells (ECH)
    fills: bool = False  # what is erased has the ground that is set (back colour erase)
    scrolls: bool = False  # a region of lines (DECSTBM, IL, DL)


def of_terminal(name: str) -> Abilities:
    """Return what a terminal of this name (TERM) can do; nothing beyond text if the database lacks it."""
    try:
        import curses

        curses.setupterm(name, 1)
        has = {capability: curses.tigetstr(capability) == sequence for capability, sequence in SAME.items()}
        return Abilities(has["ech"], bool(curses.tigetflag("bce") > 0), has["dl"] and has["il"] and has["csr"])
    except Exception:  # noqa: BLE001 - no such module, no database, no entry: it only costs bytes
        return Abilities()


OFF = {"1": "22", "2": "22", "3": "23", "4": "24", "5": "25", "7": "27", "8": "28", "9": "29"}  # ECMA-48, SGR
RESET = "0"
TEXT, GROUND = "39", "49"  # the default colours
UNSEEN = frozenset("1238")  # attributes that a blank does not show: bold, dim, italic, hidden
REVERSE, UNDERLINE = frozenset("7"), frozenset("4")
NARROW = re.compile("[ -~▀-▟]*")  # signs of one cell in every terminal that shows boards
JUMP, ERASE = 4, 5  # about how many bytes: to move the cursor within a line; to erase cells


class Look(NamedTuple):
    """What a style sets: numbers of ECMA-48's SGR."""

    attributes: frozenset[str] = frozenset()
    text: str = TEXT
    ground: str = GROUND

    @property
    def blank(self) -> Look:
        """What a blank shows of it."""
        shown = self.attributes - UNSEEN
        return self if shown else known(Look(shown, TEXT, self.ground))

    @property
    def reversed(self) -> Look:
        """The look with text and ground exchanged."""
        return known(self._replace(attributes=self.attributes ^ REVERSE))

    @property
    def underlined(self) -> Look:
        """The look with a line below its text."""
        return known(self._replace(attributes=self.attributes | UNDERLINE))


PLAIN = Look()


@lru_cache(maxsize=4096)
def known(look: Look) -> Look:
    """Return always the same object for the same look, so that cells are compared fast."""
    return look


@lru_cache(maxsize=8192)
def look(style: Style | None, system: ColorSystem | None) -> tuple[Look, Look]:
    """Return what a style sets on a terminal with such colours, for text and for blanks."""
    if style is None:
        return PLAIN, PLAIN
    codes = style.without_color.render("x", color_system=ColorSystem.STANDARD, legacy_windows=True)
    attributes = frozenset(re.findall(r"\d+", codes.partition("m")[0]))
    text, ground = TEXT, GROUND
    if system is not None and style.color is not None:
        text = ";".join(style.color.downgrade(system).get_ansi_codes())
    if system is not None and style.bgcolor is not None:
        ground = ";".join(style.bgcolor.downgrade(system).get_ansi_codes(foreground=False))
    found = known(Look(attributes, text, ground))
    return found, found.blank


@lru_cache(maxsize=8192)
def change(before: Look, after: Look) -> str:
    """Return the shortest sequence that leads from one look to another."""
    if before == after:
        return ""
    whole = [RESET, *sorted(after.attributes)]
    whole += [number for number, default in zip(after[1:], PLAIN[1:], strict=True) if number != default]
    off = {OFF.get(number, RESET) for number in before.attributes - after.attributes}
    on = {number for number in after.attributes if number not in before.attributes or OFF.get(number) in off}
    step = sorted(off) + sorted(on)
    step += [new for old, new in zip(before[1:], after[1:], strict=True) if old != new]
    shorter = whole if RESET in off else min(step, whole, key=lambda numbers: len(";".join(numbers)))
    return "\x1b[m" if shorter == [RESET] else f"\x1b[{';'.join(shorter)}m"


class Text(NamedTuple):
    """A text in one look."""

    x: int
    y: int
    text: str
    look: Look
    width: int  # cells
    last: bool  # nothing follows in its line

    @property
    def is_blank(self) -> bool:
        """Whether only its ground can be seen."""
        return self.text.isspace() and not self.look.attributes


def _look_of(texts: Sequence[Text]) -> Look:
    """Return the look of neighbours; blanks take over what they do not show."""
    return next((text.look for text in texts if not text.is_blank), texts[0].look)


def _order(texts: Sequence[Text]) -> tuple[str, str, list[str]]:
    attributes, ink, ground = _look_of(texts)
    return ground, ink, sorted(attributes)


def _follows(texts: Sequence[Text], text: Text) -> bool:
    """Return whether a text is the next of these neighbours and has their look."""
    before, look = texts[-1], _look_of(texts)
    same = look.ground == text.look.ground and (text.is_blank or text.look is look or all(t.is_blank for t in texts))
    return same and (before.x + before.width, before.y) == (text.x, text.y)


class Pen:
    """Writes one frame. The terminal has a plain style at its begin and at its end; the cursor may be anywhere."""

    def __init__(self, abilities: Abilities, columns: int) -> None:
        self.bytes = 0  # written
        self.fixed = False  # must the texts be written in this order?
        self._abilities, self._columns = abilities, columns
        self._look = PLAIN
        self._at: tuple[int, int] | None = None  # where the cursor is
        self._sure = False  # not if a sign may be wider or narrower there, or the last column is full
        self._parts: list[str] = []
        self._begun = 0  # parts before the texts
        self._groups: list[list[Text]] = []  # neighbours in a line of one look, blanks among them

    def frame(self) -> str:
        """End the frame and return it: with the texts of one look together, if that is shorter."""
        self._wear(PLAIN)
        if not self.fixed and len(self._groups) > 1:
            other = Pen(self._abilities, self._columns)
            for texts in sorted(self._groups, key=_order):
                for text in texts:
                    other._write(text)
            other._wear(PLAIN)
            if other.bytes < sum(map(_bytes, self._parts[self._begun :])):
                self._parts[self._begun :] = other._parts
        return "".join(self._parts)

    def write(self, text: Text) -> None:
        """Write a text."""
        self.fixed |= len(text.text) != text.width  # a wide sign may wipe its neighbour out
        if not (self._groups and _follows(self._groups[-1], text)):
            self._groups.append([])
        self._groups[-1].append(text)
        self._write(text)

    def _write(self, part: Text) -> None:
        x, y, text, look, width, last = part
        blank = text.isspace()
        if blank and not look.attributes:
            look = Look(self._look.attributes & UNSEEN, self._look.text, look.ground)
        if self._at != (x, y):
            self._put(self._way(x, y))
        self._wear(look)
        if blank and self._erases(look) and width > ERASE + (0 if last else JUMP):
            self._put(f"\x1b[{width}X")
            self._at, self._sure = (x, y), True
        else:
            self._put(text)
            self._at, self._sure = (x + width, y), x + width < self._columns and bool(NARROW.fullmatch(text))

    def _way(self, x: int, y: int) -> str:
        """Return the shortest way of the cursor to this place; by steps only from a sure place."""
        ways = [f"\x1b[{y + 1};{x + 1}H"]
        if self._at is not None:
            right, down = x - self._at[0], y - self._at[1]
            if self._sure:
                across = "\b" * -right if -4 < right <= 0 else _step(right, "CD")
                ways.append(_step(down, "BA") + across)
            if down in (0, 1):
                ways.append("\n" * down + f"\x1b[{x + 1}G")
        return min(ways, key=len)

    def scroll(self, top: int, bottom: int, by: int) -> None:
        """Move the lines from `top` to `bottom` up by so many lines, or down if `by` is negative."""
        self._wear(PLAIN)
        self._put(f"\x1b[{top + 1};{bottom + 1}r\x1b[{top + 1};1H\x1b[{abs(by)}{'M' if by > 0 else 'L'}\x1b[r")
        self._at, self._begun = None, len(self._parts)

    def _erases(self, look: Look) -> bool:
        return self._abilities.erases and look.attributes <= UNSEEN and (self._abilities.fills or look.ground == GROUND)

    def _wear(self, look: Look) -> None:
        self._put(change(self._look, look))
        self._look = look

    def _put(self, text: str) -> None:
        self._parts.append(text)
        self.bytes += _bytes(text)


def _step(by: int, letters: str) -> str:
    """Return what moves the cursor by so many cells, forth or back; the letters are those of ECMA-48, CUU to CUB."""
    number = abs(by) if abs(by) > 1 else ""
    return f"\x1b[{number}{letters[by < 0]}" if by else ""


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())
