"""A canvas that fits its content to its size."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self, TypeAlias

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

    _paint: Paint | None = None
    lifted = 0  # painted lines that stand in the frame
    heading = ""  # the frame's title where the painter gives none
    keys = ""  # what works here, for the frame's lower line: 'w why'

    def headed(self, heading: str) -> Self:
        """Give the frame this title wherever the painter gives none; return the panel."""
        self.heading = heading
        return self

    def fill(self, paint: Paint) -> None:
        """Show what this painter returns."""
        self._paint = paint
        self.draw()

    def draw(self) -> None:
        if self._paint is None or not self.is_mounted or not self.size.area:
            return
        (columns, rows), signs = self.size, shell(self).glyphs
        self.lifted = int(framed(self))
        lines = self._paint(columns, rows + self.lifted, signs)
        if self.lifted and not (lines and lines[0] and lines[0][0].ink is Ink.TITLE):
            self.lifted = 0
            lines = self._paint(columns, rows, signs)
        title = plain_text(lines[0]).strip() if self.lifted else signs.plain(self.heading)
        entitle(self, title, signs.plain(self.keys))
        self.show(lines[self.lifted :])

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

    def hint(self: Any, keys: Mapping[str, str]) -> None:
        """Write into the frames of these panels which key works there, and what it does."""
        for name, said in keys.items():
            self.query_one(f"#{name}", Panel).keys = said
