"""A list of any length that makes only its visible lines; one line is marked.

The owner holds the marked place, so that all views agree. The widget reports where a key or a click leads, and shows
what the owner then puts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from textual import events

from nimtui.report.blocks import Table, View
from nimtui.report.cells import LOOK, list_lines
from nimtui.report.layout import layout
from nimtui.report.lines import BLANK, Line, cut, gathering
from nimtui.ui.kit.contract.command import Command, Commanded, family
from nimtui.ui.kit.contract.shell import shell
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.panel import Panel

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
    point: Callable[[range, int, Glyphs, int], None] = lambda places, columns, signs, x: None  # a click on the head

    @classmethod
    def of_table(
        cls,
        count: int,
        at: int,
        table: Callable[[range, int, Glyphs], Table],
        go: Callable[[int], None],
        view: View = LOOK,
        above: Line = BLANK,
        sort: Callable[[str], None] = lambda column: None,
        **more: Any,
    ) -> Rows:
        """Return the rows of a table, of which only the visible ones are made, below a line about all of them.

        A click on the head of a column sorts by its key.
        """

        def looked(signs: Glyphs) -> View:
            return replace(view, sign="" if view.cursor is None else signs.cursor, down=signs.down)

        def paint(places: range, columns: int, signs: Glyphs) -> list[Line]:
            lines = list_lines(table(places, columns, signs), columns, looked(signs), signs)
            return [cut(above, columns, signs.hidden), *lines] if above else lines

        def point(places: range, columns: int, signs: Glyphs, x: int) -> None:
            visible = table(places, columns, signs)
            hit = layout(visible, columns, None, looked(signs), signs, fold=False).at(visible, x, 0)
            if hit is not None and hit[1]:
                sort(hit[1])

        return cls(count, at, paint, go, heads=lambda columns: 1 + bool(above), point=point, **more)


NOTHING = Rows(0, 0, lambda places, columns, signs: (), lambda place: None)


class VirtualList(Commanded, Panel, can_focus=True, place="list"):
    """Shows `Rows`. It scrolls only if the marked line would be hidden, and then puts it in the middle."""

    BINDING_GROUP_TITLE = "List"

    rows = NOTHING
    top = 0  # the first visible place

    def __init__(self, *, focusable: bool = True, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.can_focus = focusable

    def put(self, rows: Rows | None) -> None:
        """Show these rows; None: nothing."""
        self.rows = rows or NOTHING
        self.fill(self._painted)

    def _painted(self, columns: int, lines: int, signs: Glyphs) -> Sequence[Line]:
        return self.rows.paint(self.shown_places(self.rows), columns, signs)[:lines]

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
        if rows.at < rows.count:
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
        return self.rows.heads(self.size.width) - self.lifted

    def _go(self, place: int) -> None:
        if self.rows.count:
            self.rows.go(max(0, min(self.rows.count - 1, place)))

    def step(self, by: int) -> None:
        self._go(self.rows.at + by)

    def page(self, by: int) -> None:
        self.step(by * max(1, self.room - 1))

    def on_mouse_scroll_down(self) -> None:
        self.step(1)

    def on_mouse_scroll_up(self) -> None:
        self.step(-1)

    def on_click(self, event: events.Click) -> None:
        rows = self.rows
        x, y = event.screen_x - self.content_region.x, event.screen_y - self.content_region.y
        at = self.top + y - self._heads
        if at == self.top - 1 and rows.count:
            rows.point(self.shown_places(rows), self.size.width, shell(self).glyphs, x)
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
