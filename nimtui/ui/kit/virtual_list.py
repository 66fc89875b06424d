"""A list of any length that makes only its visible lines; one line is marked.

The owner holds the marked place, so that all views agree. The widget reports where a key or a click leads, and shows
what the owner then puts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import events

from nimtui.report.blocks import Table, View
from nimtui.report.layout import layout
from nimtui.report.lines import Line, gathering
from nimtui.ui.kit.command import Command, Commanded, family
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.panel import Panel
from nimtui.ui.kit.shell import shell

FAR = 1_000_000_000  # more lines than any list has


@dataclass(frozen=True, slots=True)
class Rows:
    """Holds the content of a list."""

    count: int
    at: int  # the marked place
    paint: Callable[
        [range, int, Glyphs], Sequence[Line]
    ]  # places, columns, signs -> lines above the list, then one each
    go: Callable[[int], None]  # marks and shows another place
    take: Callable[[], None] = lambda: None  # a click on the marked line; nothing where lines do not open
    heads: Callable[[int], int] = lambda columns: 1  # columns -> lines above the list
    # Of a list that is a table: the table, below its heads, and what a click on the head of a column with a key does.
    table: Callable[[range, int, Glyphs], Table] | None = None
    sort: Callable[[str], None] = lambda column: None


class VirtualList(Commanded, Panel, can_focus=True, place="list"):
    """Shows `Rows`. It scrolls only if the marked line would be hidden, and then puts it in the middle."""

    BINDING_GROUP_TITLE = "List"

    rows: Rows | None = None
    top = 0  # the first visible place

    def __init__(self, *, focusable: bool = True, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.can_focus = focusable

    def put(self, rows: Rows | None) -> None:
        """Show these rows."""
        self.rows = rows
        self.fill(self._painted)

    def _painted(self, columns: int, lines: int, signs: Glyphs) -> Sequence[Line]:
        rows = self.rows
        return () if rows is None else rows.paint(self.shown_places(rows), columns, signs)[:lines]

    def shown_places(self, rows: Rows) -> range:
        """Return the places that these rows show, and scroll there."""
        room = self.room
        if not self.top <= rows.at < self.top + room:
            self.top = rows.at - room // 2
        self.top = max(0, min(self.top, rows.count - room))
        return range(self.top, min(self.top + room, rows.count))

    def cut_off(self) -> list[str]:
        """Return whole what is cut of the marked line."""
        rows, wholes = self.rows, list[str]()
        if rows is not None and rows.at < rows.count:
            with gathering(wholes):
                rows.paint(range(rows.at, rows.at + 1), self.size.width, shell(self).glyphs)
        return wholes

    @property
    def room(self) -> int:
        """The number of visible places."""
        return max(1, self.size.height - self._heads)

    @property
    def _heads(self) -> int:
        """The lines above the list that do not stand in the frame."""
        heads = self.rows.heads(self.size.width) if self.rows is not None else 1
        return heads - self.lifted

    def _go(self, place: int) -> None:
        rows = self.rows
        if rows is not None and rows.count:
            rows.go(max(0, min(rows.count - 1, place)))

    def step(self, by: int) -> None:
        if self.rows is not None:
            self._go(self.rows.at + by)

    def page(self, by: int) -> None:
        self.step(by * max(1, self.room - 1))

    def on_mouse_scroll_down(self) -> None:
        self.step(1)

    def on_mouse_scroll_up(self) -> None:
        self.step(-1)

    def on_click(self, event: events.Click) -> None:
        rows = self.rows
        if rows is None:
            return
        x, y = event.screen_x - self.content_region.x, event.screen_y - self.content_region.y
        at = self.top + y - self._heads
        if at == self.top - 1 and rows.table is not None and rows.count:
            signs, columns = shell(self).glyphs, self.size.width
            table = rows.table(self.shown_places(rows), columns, signs)
            if (hit := layout(table, columns, None, View(), signs, fold=False).at(table, x, 0)) and hit[1]:
                rows.sort(hit[1])
            return
        if not self.top <= at < min(self.top + self.room, rows.count):
            return
        if at == rows.at:
            rows.take()
        else:
            rows.go(at)

    ROWS: ClassVar[tuple[Command[Any], ...]] = (
        *family("step", step, ("up,k", "Up", "Previous line", -1), ("down,j", "Down", "Next line", 1)),
        *family("page", page, ("pageup", "Page up", "Previous page", -1), ("pagedown", "Page down", "Next page", 1)),
        *family("step", step, ("home", "First", "First line", -FAR), ("end", "Last", "Last line", FAR)),
    )
