"""The widget of a search tree, one line per node."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import ClassVar

from textual.message import Message

from nimtui.report.lines import BLANK, Ink, Line, cut, line
from nimtui.ui.kit.contract.command import Command, family
from nimtui.ui.kit.contract.shell import shell
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.virtual_list import Rows, VirtualList
from nimtui.ui.search.outline import Outline
from nimtui.ui.search.rows import Row
from nimtui.ui.search.rows import Rows as Painter

Still = Callable[[int], AbstractContextManager[bool]]
"""Holds the search while its tree is read, after so many tries; gives False if that is not possible now."""
TRIES = 4  # of a key: 0.2 seconds


class SearchTree(VirtualList, inherit_bindings=False, place="tree"):
    """Shows an `Outline` with one marked line. It reads the tree of a running search only while that stands still, and
    remembers the painted lines for the time in between.

    Home and End are not its keys: on the Search screen they go to the first and last event.
    """

    BINDING_GROUP_TITLE = "Tree"

    class Moved(Message):
        """The marked line or the folds changed."""

    outline: Outline | None = None
    _painter: Painter

    def __init__(self, still: Still, id: str | None = None) -> None:
        super().__init__(id=id, classes="box")
        self._still = still
        self._painted_lines: dict[int, Row] = {}  # by place
        self._painted_for: tuple[int, Glyphs] | None = None  # columns and signs

    def read(self, painter: Painter) -> None:
        """Paint the visible lines of an outline, for `look` to show. The search must stand still."""
        if painter.outline is not self.outline:
            self.top = 0
        self.outline, self._painter = painter.outline, painter
        self._painted_lines.clear()
        if self.size.area:
            places = self.shown_places(self._rows_of(self.outline))
            self._paint_missing(places, self.size.width, shell(self).glyphs)

    def close(self) -> None:
        """Show nothing."""
        self.outline = None
        self.put(None)

    def look(self) -> None:
        """Show the outline."""
        if self.outline is not None:
            self.put(self._rows_of(self.outline))

    def _rows_of(self, outline: Outline) -> Rows:
        return Rows(len(outline), outline.at, self._lines, self._mark, self.turn)

    def _lines(self, places: Sequence[int], columns: int, signs: Glyphs) -> Sequence[Line]:
        at = self.outline.at if self.outline is not None else 0
        painted = self._painted_lines
        if self._painted_for != (columns, signs) or any(place not in painted for place in places):
            with self._still(1) as still:
                if still:
                    self._paint_missing(places, columns, signs)
        head = cut(line((self._painter.head(columns, signs), Ink.COLUMN)), columns, signs.hidden)
        rows = ((place, painted.get(place)) for place in places)
        return [head, *(BLANK if row is None else row.line(place == at, columns, signs) for place, row in rows)]

    def _paint_missing(self, places: Sequence[int], columns: int, signs: Glyphs) -> None:
        if self._painted_for != (columns, signs):
            self._painted_for = (columns, signs)
            self._painted_lines.clear()
        for place in places:
            if place not in self._painted_lines:
                self._painted_lines[place] = self._painter.row(place, columns, signs)

    def _mark(self, place: int) -> None:
        if self.outline is not None and place != self.outline.at:
            self.outline.at = place
            self._moved()

    def _moved(self) -> None:
        self.look()
        self.post_message(self.Moved())

    def _fold(self, change: Callable[[Outline], object]) -> None:
        """Fold or unfold while the search stands still; if it does not come to that, the key has no effect."""
        outline = self.outline
        if outline is None:
            return
        with self._still(TRIES) as still:
            if not still or not change(outline):
                return
            self.read(self._painter)
        self._moved()

    def unfold(self) -> None:
        """Unfold the marked line; if it is, go one line down."""
        if self.outline is not None and self.outline.is_open(self.outline.at):
            self.step(1)
        else:
            self._fold(lambda outline: outline.open(outline.at))

    def fold(self) -> None:
        self._fold(Outline.step_out)

    def turn(self) -> None:
        self._fold(lambda outline: outline.close(outline.at) or outline.open(outline.at))

    ROWS: ClassVar[tuple[Command[SearchTree], ...]] = (
        *family("step", VirtualList.step, ("up,k", "Up", "Go one line up", -1)),
        *family("step", VirtualList.step, ("down,j", "Down", "Go one line down", 1)),
        *family("page", VirtualList.page, ("pageup", "Page up", "Go one page up", -1)),
        *family("page", VirtualList.page, ("pagedown", "Page down", "Go one page down", 1)),
        Command("right,l", "unfold", "Unfold", "Unfold; if unfolded, go one line down", unfold, show=False),
        Command("left,h", "fold", "Fold", "Fold; if folded, go to the parent", fold, show=False),
        Command("enter", "turn", "Fold or unfold", "Fold or unfold", turn, show=False),
    )
