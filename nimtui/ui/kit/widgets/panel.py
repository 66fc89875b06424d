"""A canvas, which shows lines of styled text and draws again only those that have changed; titles in frames; and a
panel, a canvas that fits its content to its size.

How an ink looks is the page's to know, once for all of its canvases: styles are matched again with every change of a
class, and a screen has up to thirty canvases. Lines have few segments, so they take few bytes on the wire.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, wraps
from itertools import zip_longest
from typing import Any, Concatenate, ParamSpec, Self, TypeAlias

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.content import Content
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.style import Style as ClickStyle
from textual.widget import Widget

from nimtui.report import lines as ink
from nimtui.report.blocks import Report, View
from nimtui.report.cells import LOOK, cells
from nimtui.report.lines import (
    BLANK,
    Ink,
    Line,
    Run,
    centred,
    fit,
    justified,
    line,
    paragraphs,
    plain_text,
    up_to_a_gap,
)
from nimtui.signs import visible
from nimtui.ui.kit.contract.keymap import key_name
from nimtui.ui.kit.contract.shell import shell
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.terminal.textual_parts import titles

Part = tuple[str, Style]


def strip(parts: Iterable[Part], width: int, rest: Style) -> Strip:
    """Return a line of `width` cells: the parts, then blanks in the style `rest`. Merges parts of one style."""
    segments: list[Segment] = []
    room = width
    for foreign, style in (*parts, (" " * width, rest)):
        text = visible(foreign)
        length = cell_len(text)
        if length > room:
            text, length = set_cell_size(text, room), room
        if not length:
            continue
        room -= length
        if segments and segments[-1].style == style:
            text = segments.pop().text + text
        segments.append(Segment(text, style))
    return Strip(segments, width)


def fitted(text: str, width: int, hidden: str) -> str:
    """Return the text in exactly `width` cells, padded with spaces; or cut after a word, with the sign `hidden`."""
    text = visible(text)
    if cell_len(text) > width > 0:
        text = text[: up_to_a_gap(text, width - 1)] + hidden
    return set_cell_size(text, max(0, width))


class Canvas(Widget):
    """Shows the lines it is given, from the top; the rest is empty."""

    ALLOW_SELECT = False

    @dataclass
    class Clicked(Message):
        """A person clicked on something that has a target."""

        target: Any

    lines: Sequence[Line] = ()

    def show(self, lines: Sequence[Line]) -> None:
        """Show these lines; those that differ from the ones before are drawn again."""
        before, self.lines = self.lines, list(lines)
        for y, (old, new) in enumerate(zip_longest(before, lines, fillvalue=BLANK)):
            if old != new and y < self.size.height:
                self.refresh(Region(0, y, self.size.width, 1))

    def target_at(self, at: Offset) -> Any:
        """Return what a click at this place of the screen acts on; None for nothing."""
        x, y = at - self.content_region.offset
        for run in self.lines[y] if x >= 0 and 0 <= y < len(self.lines) else BLANK:
            x -= cell_len(run.text)
            if x < 0:
                return run.target
        return None

    def on_click(self, event: events.Click) -> None:
        if (target := self.target_at(event.screen_offset)) is not None:
            self.clicked(target)

    def clicked(self, target: Any) -> None:
        """Handle a click."""
        self.post_message(self.Clicked(target))

    def text(self) -> str:
        """Return the shown lines as plain text."""
        return "\n".join(plain_text(row).rstrip() for row in self.lines)

    def render_line(self, y: int) -> Strip:
        columns = self.size.width
        row = self.lines[y] if y < len(self.lines) else BLANK
        look = self.screen.get_component_rich_style  # found once: that walks up the tree

        def style(run: Run) -> Style:
            own = look(f"ink--{run.ink}")
            return own + Style(bgcolor=look(f"ink--{run.ground}").color) if run.ground else own

        segments, key = list[Segment](), None
        for run in row:
            key = key if run.ink is Ink.QUIET else _key(run)  # the words behind a key belong to it
            segments.append(Segment(run.text, style(run) + (_press(key) if key else None)))
        return Strip(segments, ink.width(row)).adjust_cell_length(columns, self.visual_style.rich_style)


ENTER = ("⏎", "Enter")
KEY_LOOK = "bold $text-enter"  # in a frame; elsewhere that of `.ink--key`


def _key(run: Run) -> str | None:
    """Return the key that a click on this text presses: the one it names, Enter behind a marked move, or none."""
    word = run.text.split()[-1] if run.ink in (Ink.KEY, Ink.PICK) and run.text.strip() else ""
    if word in ENTER:
        return "enter"
    named = word.isascii() and run.ink is Ink.KEY
    return key_name(f"ctrl+{word[1:]}" if word[:1] == "^" and len(word) > 1 else word) if named else None


@cache
def _press(key: str) -> Style:
    return Style.from_meta({"@click": f"app.simulate_key('{key}')"})


# The title in the frame of a box, a panel with the class `box`. Small screens have no frames: `page.SIZES`.


def framed(widget: Widget) -> bool:
    """Return whether this widget has a frame now."""
    return widget.styles.border_top[0] not in ("", "none")


def entitle(widget: Widget, title: Line | str, keys: str = "") -> None:
    """Write the title into the frame's upper line, and a key of the box into its lower one: a click is that key."""
    key, blank, does = keys.partition(" ")
    runs = line(title) if isinstance(title, str) else title
    new = (_label(runs), _label(line(*ink.keys("", key, blank + does))))
    if new != titles(widget):
        widget.border_title, widget.border_subtitle = new


def _label(runs: Line) -> Content | None:
    """Return a text for a frame, with the keys in it in their look, of whichever theme; None for an empty one."""
    pressed, parts = None, list[Content]()
    for run in runs:
        pressed = pressed if run.ink is Ink.QUIET else _key(run)
        text = Content.styled(run.text, KEY_LOOK) if run.ink is Ink.KEY else Content(run.text)
        press = {"@click": f"app.simulate_key('{pressed}')"}
        parts.append(text.stylize(ClickStyle.from_meta(press)) if pressed else text)
    return Content.assemble(*parts) if plain_text(runs) else None


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
    lines = [line(*ink.keys("  ", f"{key:<{max(len(key) for key, _ in offers)}}", f"  {does}")) for key, does in offers]
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
        self.show(ink.mended(lines, rows, signs.hidden))

    def cut_off(self) -> list[str]:
        """Return whole what is cut here."""
        wholes: list[str] = []
        if self._paint is not None and self.size.area:
            with ink.gathering(wholes):
                rows = self.size.height + self.lifted
                ink.mended(self._paint(self.size.width, rows, shell(self).glyphs), rows)
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
