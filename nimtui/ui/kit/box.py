"""The title in the frame of a box, a panel with the class `box`. Small screens have no frames: `page.SIZES`."""

from __future__ import annotations

from textual.content import Content
from textual.geometry import Region
from textual.widget import Widget


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
