"""A canvas that fits its content to its size."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Self, TypeAlias

from textual.geometry import Size

from nimtui.report.blocks import Report, View
from nimtui.report.cells import LOOK, cells
from nimtui.report.lines import (
    BLANK,
    Ink,
    Line,
    cell_len,
    centred,
    fit,
    gathering,
    justified,
    keys,
    line,
    mended,
    paragraphs,
    plain_text,
)
from nimtui.ui.kit.contract.shell import shell
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.terminal.textual_parts import titles
from nimtui.ui.kit.widgets.canvas import Canvas, entitle, framed

Paint: TypeAlias = Callable[[int, int, Glyphs], Sequence[Line]]  # columns, lines, signs -> the lines
What = ParamSpec("What")


def painter(draw: Callable[Concatenate[int, int, Glyphs, What], Sequence[Line]]) -> Callable[What, Paint]:
    """Make a function that draws in some room return its painter: it gets what to draw now, the room later."""

    @wraps(draw)
    def of(*what: What.args, **more: What.kwargs) -> Paint:
        return lambda columns, rows, signs: draw(columns, rows, signs, *what, **more)

    return of


def of_report(report: Report, view: View = LOOK) -> Paint:
    """Return the painter of a report: as much of it as the panel has room for, tables around the cursor."""
    return lambda columns, rows, signs: cells(report, columns, rows, view, signs)[:rows]


@painter
def of_line(columns: int, rows: int, signs: Glyphs, *texts: str, ink: Ink = Ink.TEXT) -> list[Line]:
    """Draw a line: the first of these texts that fits, else the last one, cut; or in several lines."""
    text = next((text for text in texts if cell_len(signs.plain(text)) <= columns), texts[-1])
    if rows > 1:
        return paragraphs([signs.plain(text)], columns, ink)[:rows]
    return [fit(line((text, ink)), columns, signs)]


def in_the_middle(text: str, columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Return the lines of a box that has nothing to show yet: what will stand there, in its middle."""
    lines = paragraphs([signs.plain(text)], min(columns, MIDDLE), Ink.QUIET)[:rows]
    return [*[BLANK] * ((rows - len(lines)) // 2), *(centred(each, columns) for each in lines)]


@painter
def of_nothing(columns: int, rows: int, signs: Glyphs, title: str, text: str) -> list[Line]:
    """Draw the title of a box that has nothing to show yet, and in its middle what will stand there."""
    return [line((title, Ink.TITLE)), *in_the_middle(text, columns, rows - 1, signs)]


@painter
def of_head(
    columns: int, rows: int, signs: Glyphs, name: str, rights: Sequence[str] = ("",), ink: Ink = Ink.QUIET
) -> list[Line]:
    """Draw a name, and at the right the first of these texts that fits beside it, else the last one."""
    room = columns - cell_len(signs.plain(name)) - 2
    right = next((text for text in map(signs.plain, rights) if len(text) <= room), signs.plain(rights[-1]))
    start = fit(line((name, Ink.STRONG)), columns - len(right) - 2 * bool(right), signs)
    return [justified(start, line((right, ink)), columns) if right else start]


def of_message(message: str, fault: str = "", hint: str = "") -> Paint:
    """Return the painter of what is wrong, else of the last message, else of a hint."""
    if fault:
        return of_line(f"! {fault}", ink=Ink.BAD)
    return of_line(message or hint, ink=Ink.TEXT if message else Ink.QUIET)


def of_keys(*offers: tuple[str, str]) -> Paint:
    """Return the painter of what can be done here: a line for each key, below an empty one."""
    lines = [line(*keys("  ", f"{key:<{max(len(key) for key, _ in offers)}}", f"  {does}")) for key, does in offers]
    return lambda columns, rows, signs: [BLANK, *(fit(each, columns, signs) for each in lines)]


MIDDLE = 60  # columns of what an empty box says, at most
HIGH = 1000  # lines: more than any painter has


def has_title(lines: Sequence[Line]) -> bool:
    """Return whether the first line is a title, which stands in a box's frame."""
    return bool(lines and lines[0] and lines[0][0].ink is Ink.TITLE)


class Panel(Canvas):
    """Shows what its painter returns for its size. Paints again when the size or the signs change.

    In a box the first line, if it is a title, stands in the frame; else `heading` does.
    """

    _paint: Paint | None = None
    _high = 0  # of a panel that is as high as its lines
    lifted = 0  # painted lines that stand in the frame
    heading = ""  # the frame's title where the painter gives none
    empty = ""  # what a box says in its middle while it has nothing to show
    keys = ""  # what works here, for the frame's lower line: 'w why'

    def headed(self, heading: str, empty: str = "") -> Self:
        """Return the panel, with this title wherever its painter gives none; without lines it says what is `empty`."""
        self.heading, self.empty = heading, empty or self.empty
        return self

    def fill(self, paint: Paint) -> None:
        """Show what this painter returns."""
        self._paint = paint
        if self.styles.is_auto_height and self._high != self.get_content_height(self.size, self.size, self.size.width):
            self.refresh(layout=True)
        self.draw()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return how many lines the painter has for this width, for a height that fits them."""
        if not self.styles.is_auto_height:
            return super().get_content_height(container, viewport, width)
        lines = self._paint(width, HIGH, shell(self).glyphs) if self._paint and width else ()
        self._high = len(lines) - (framed(self) and has_title(lines))
        return self._high

    def draw(self) -> None:
        if not self.is_mounted or not self.size.area or not (self._paint or self.empty):
            return
        (columns, rows), signs, box = self.size, shell(self).glyphs, framed(self)
        self.lifted &= box  # as before: most painters always give a title, or never
        paint = self._paint or (lambda columns, rows, signs: ())
        lines = paint(columns, rows + self.lifted, signs)
        titled = has_title(lines)
        if box and titled != self.lifted:
            self.lifted = int(titled)
            lines = paint(columns, rows + self.lifted, signs)
        title = lines[0] if self.lifted else signs.plain(self.heading)
        entitle(self, title, signs.plain(self.keys))
        lines = lines[self.lifted :]
        if box and self.empty and not any(map(str.strip, map(plain_text, lines))):
            lines = in_the_middle(self.empty, columns, rows, signs)
        self.show(mended(lines, rows, signs.hidden))

    def cut_off(self) -> list[str]:
        """Return whole what is cut here."""
        wholes: list[str] = []
        if self._paint is not None and self.size.area:
            with gathering(wholes):
                rows = self.size.height + self.lifted
                mended(self._paint(self.size.width, rows, shell(self).glyphs), rows)
        return wholes

    def text(self) -> str:
        """Return the title and the lines as plain text."""
        title = titles(self)[0] if framed(self) else None
        return f"{title.plain}\n{super().text()}" if title else super().text()

    def on_resize(self) -> None:
        self.draw()


class Panels:
    """A screen, or a part of one, with panels."""

    def fill(self: Any, name: str, paint: Paint) -> None:
        """Show what the painter returns in the panel of this name."""
        self.query_one(f"#{name}", Panel).fill(paint)

    def hint(self: Any, keys: Mapping[str, str]) -> None:
        """Write into the frames of these panels which key works there, and what it does."""
        for name, hint in keys.items():
            self.query_one(f"#{name}", Panel).keys = hint
