"""A canvas that fits its content to its size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from nimtui.ui.kit.canvas import Canvas
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.ink import Line
from nimtui.ui.kit.shell import shell

Paint: TypeAlias = Callable[[int, int, Glyphs], Sequence[Line]]  # columns, lines, signs -> the lines


class Panel(Canvas):
    """Shows what its painter returns for its size. Paints again when the size or the signs change."""

    _paint: Paint | None = None

    def fill(self, paint: Paint) -> None:
        """Show what this painter returns."""
        self._paint = paint
        self.draw()

    def draw(self) -> None:
        if self._paint is not None and self.is_mounted and self.size.area:
            self.show(self._paint(self.size.width, self.size.height, shell(self).glyphs))

    def on_resize(self) -> None:
        self.draw()


class Panels:
    """A screen, or a part of one, with panels."""

    def fill(self: Any, name: str, paint: Paint) -> None:
        """Show what the painter returns in the panel of this name."""
        self.query_one(f"#{name}", Panel).fill(paint)
