"""A canvas that fits its content to its size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from nimtui.ui.kit.box import entitle, framed
from nimtui.ui.kit.canvas import Canvas
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.ink import Ink, Line, plain_text
from nimtui.ui.kit.shell import shell

Paint: TypeAlias = Callable[[int, int, Glyphs], Sequence[Line]]  # columns, lines, signs -> the lines


class Panel(Canvas):
    """Shows what its painter returns for its size. Paints again when the size or the signs change.

    In a box the first line, if it is a title, stands in the frame; else `heading` does.
    """

    heading = ""
    _paint: Paint | None = None

    def __init__(self, *, id: str | None = None, classes: str | None = None, heading: str = "") -> None:
        super().__init__(id=id, classes=classes)
        self.heading = heading or self.heading

    def fill(self, paint: Paint) -> None:
        """Show what this painter returns."""
        self._paint = paint
        self.draw()

    def draw(self) -> None:
        if self._paint is None or not self.is_mounted or not self.size.area:
            return
        (columns, rows), signs = self.size, shell(self).glyphs
        if framed(self):
            titled = self._paint(columns, rows + 1, signs)
            if titled and titled[0] and titled[0][0].ink is Ink.TITLE:
                entitle(self, plain_text(titled[0]).strip())
                self.show(titled[1:])
                return
            entitle(self, self.heading)
        self.show(self._paint(columns, rows, signs))

    def text(self) -> str:
        """Return the title and the lines as plain text."""
        title = self.border_title if framed(self) else None
        return f"{title}\n{super().text()}" if title else super().text()

    def on_resize(self) -> None:
        self.draw()


class Panels:
    """A screen, or a part of one, with panels."""

    def fill(self: Any, name: str, paint: Paint) -> None:
        """Show what the painter returns in the panel of this name."""
        self.query_one(f"#{name}", Panel).fill(paint)
