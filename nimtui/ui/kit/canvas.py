"""A widget that shows lines of styled text and sends only the part of each that has changed. And titles in frames.

Textual sends a widget's line from its left edge to the right end of what is refreshed, whether or not it is the same as
before. So a canvas compares what it shows with what it showed, cell by cell, and refreshes from the first to the last
difference of each line. Runs of one ink are one segment. How an ink looks is the page's to know, once for all of its
canvases: styles are matched again with every change of a class, and a screen has up to thirty canvases.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from rich.segment import Segment
from textual.content import Content
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from nimtui.report import lines as ink
from nimtui.report.lines import BLANK, Ink, Line


def changed_columns(before: Line, after: Line) -> tuple[int, int] | None:
    """Return the first and last (exclusive) column where two lines differ; None if they are equal."""
    if before == after:
        return None
    old = [(sign, run.ink) for run in before for sign in run.text]
    new = [(sign, run.ink) for run in after for sign in run.text]
    if len(old) != ink.width(before) or len(new) != ink.width(after):  # signs of two cells
        return 0, max(ink.width(before), ink.width(after))
    nothing = (" ", Ink.TEXT)
    wrong = [column for column, (a, b) in enumerate(zip_longest(old, new, fillvalue=nothing)) if a != b]
    return (wrong[0], wrong[-1] + 1) if wrong else None


class Canvas(Widget):
    """Shows the lines it is given, from the top; the rest is empty."""

    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.lines: list[Line] = []

    def show(self, lines: Sequence[Line]) -> None:
        """Show these lines; only what differs from those before is sent."""
        before, self.lines = self.lines, list(lines)
        height, columns = self.size.height, self.size.width
        for y, (old, new) in enumerate(zip_longest(before, lines, fillvalue=BLANK)):
            if y >= height:
                break
            span = changed_columns(old, new)
            if span is not None and span[0] < columns:
                first, end = span[0], min(span[1], columns)
                self.refresh(Region(first, y, end - first, 1))

    def text(self) -> str:
        """Return the shown lines as plain text."""
        return "\n".join(ink.plain_text(row).rstrip() for row in self.lines)

    def render_line(self, y: int) -> Strip:
        columns = self.size.width
        row = self.lines[y] if y < len(self.lines) else BLANK
        look = self.screen.get_component_rich_style
        segments = [Segment(run.text, look(f"ink--{run.ink}")) for run in row]
        strip = Strip(segments, ink.width(row))
        return strip.adjust_cell_length(columns, self.rich_style)


# The title in the frame of a box, a panel with the class `box`. Small screens have no frames: `page.SIZES`.


def framed(widget: Widget) -> bool:
    """Return whether this widget has a frame now."""
    return widget.styles.border_top[0] not in ("", "none")


def entitle(widget: Widget, title: str, keys: str = "") -> None:
    """Write the title into the frame's upper line, and the keys that work in the box into its lower one.

    Only these lines are drawn again: Textual's setter draws the whole widget.
    """
    new = (Content(title) if title else None, Content(keys) if keys else None)
    old, edges = (widget._border_title, widget._border_subtitle), (0, widget.outer_size.height - 1)
    widget._border_title, widget._border_subtitle = new
    for before, after, y in zip(old, new, edges, strict=True):
        if before != after and framed(widget) and y >= 0:
            left, top = widget.content_offset
            widget.refresh(Region(-left, y - top, widget.outer_size.width, 1))
