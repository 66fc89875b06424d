"""A widget that shows lines of styled text, and draws again only those that have changed. And titles in frames.

How an ink looks is the page's to know, once for all of its canvases: styles are matched again with every change of a
class, and a screen has up to thirty canvases. Lines have few segments, so they take few bytes on the wire.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from typing import Any

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.content import Content
from textual.geometry import Offset, Region
from textual.message import Message
from textual.strip import Strip
from textual.style import Style as ClickStyle
from textual.widget import Widget

from nimtui.report import lines as ink
from nimtui.report.lines import BLANK, Line, Run, up_to_a_gap
from nimtui.signs import visible
from nimtui.ui.kit.contract.keymap import key_name
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

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.lines: list[Line] = []

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
        return "\n".join(ink.plain_text(row).rstrip() for row in self.lines)

    def render_line(self, y: int) -> Strip:
        columns = self.size.width
        row = self.lines[y] if y < len(self.lines) else BLANK
        look = self.screen.get_component_rich_style  # found once: that walks up the tree

        def style(run: Run) -> Style:
            own = look(f"ink--{run.ink}")
            return own + Style(bgcolor=look(f"ink--{run.ground}").color) if run.ground else own

        segments, key = list[Segment](), None
        for run in row:
            key = key if run.ink is ink.Ink.QUIET else _key(run)  # the words behind a key belong to it
            segments.append(Segment(run.text, style(run) + (_press(key) if key else None)))
        return Strip(segments, ink.width(row)).adjust_cell_length(columns, self.visual_style.rich_style)


ENTER = ("⏎", "Enter")
KEY_LOOK = "bold $text-enter"  # in a frame; elsewhere that of `.ink--key`


def _key(run: Run) -> str | None:
    """Return the key that a click on this text presses: the one it names, Enter behind a marked move, or none."""
    word = run.text.split()[-1] if run.ink in (ink.Ink.KEY, ink.Ink.PICK) and run.text.strip() else ""
    if word in ENTER:
        return "enter"
    named = word.isascii() and run.ink is ink.Ink.KEY
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
    runs = ink.line(title) if isinstance(title, str) else title
    new = (_label(runs), _label(ink.line(*ink.keys("", key, blank + does))))
    if new != titles(widget):
        widget.border_title, widget.border_subtitle = new


def _label(runs: Line) -> Content | None:
    """Return a text for a frame, with the keys in it in their look, of whichever theme; None for an empty one."""
    pressed, parts = None, list[Content]()
    for run in runs:
        pressed = pressed if run.ink is ink.Ink.QUIET else _key(run)
        text = Content.styled(run.text, KEY_LOOK) if run.ink is ink.Ink.KEY else Content(run.text)
        press = {"@click": f"app.simulate_key('{pressed}')"}
        parts.append(text.stylize(ClickStyle.from_meta(press)) if pressed else text)
    return Content.assemble(*parts) if ink.plain_text(runs) else None
