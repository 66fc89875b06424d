"""A list of any length that makes only its visible lines; one line is marked.

The owner holds the marked place, so that all views agree. The widget reports where a key or a click leads, and shows
what the owner then puts.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from textual.geometry import Offset, Size

from nimtui.jobs.conductor import LatestJob
from nimtui.progress import SILENT, Progress
from nimtui.report.blocks import Table, View
from nimtui.report.cells import LOOK, list_lines
from nimtui.report.lines import BLANK, Ink, Line, cut, gathering, line
from nimtui.report.values import Count
from nimtui.ui.kit.contract.command import Command, Commanded, family
from nimtui.ui.kit.contract.shell import shell
from nimtui.ui.kit.terminal.glyphs import UNICODE, Glyphs
from nimtui.ui.kit.widgets.panel import Panel, framed

FAR = 1_000_000_000  # more lines than any list has
MANY, SOME = 20_000, 500  # from this many lines on, a job filters them, so many at a time


@dataclass(frozen=True, slots=True)
class Rows:
    """Holds the content of a list."""

    count: int
    at: int  # the marked place
    paint: Callable[[Sequence[int], int, Glyphs], Sequence[Line]]  # places, columns, signs -> heads, then a line each
    go: Callable[[int], None]  # marks and shows another place
    take: Callable[[], None] = lambda: None  # a click on the marked line; nothing where lines do not open
    heads: Callable[[int], int] = lambda columns: 1  # columns -> lines above the list
    sort: Callable[[str], None] = lambda column: None  # a click on the head of this column
    texts: Callable[[Sequence[int]], Sequence[str]] = lambda places: [""] * len(places)  # what a filter searches
    of: object = field(default_factory=object)  # as long as it is the same, so are the lines that a filter lists

    @classmethod
    def of_table(
        cls,
        count: int,
        at: int,
        table: Callable[[Sequence[int], int, Glyphs], Table],
        go: Callable[[int], None],
        view: View = LOOK,
        above: Line = BLANK,
        sort: Callable[[str], None] = lambda column: None,
        **more: Any,
    ) -> Rows:
        """Return the rows of a table, of which only the visible ones are made, below a line about all of them.

        A click on the head of a column sorts by its key. A filter searches the values of all columns.
        """

        def paint(places: Sequence[int], columns: int, signs: Glyphs) -> list[Line]:
            look = replace(view, sign="" if view.cursor is None else signs.cursor, down=signs.down, clicked=True)
            lines = list_lines(table(places, columns, signs), columns, look, signs)
            return [cut(above, columns, signs.hidden), *lines] if above else lines

        def texts(places: Sequence[int]) -> list[str]:
            whole = table(places, FAR, UNICODE)
            return [" ".join(column.value(row).text for column in whole.columns) for row in whole.rows]

        more = {"texts": texts, **more}
        return cls(count, at, paint, go, heads=lambda columns: 1 + bool(above), sort=sort, **more)

    def with_words(self, words: str, progress: Progress = SILENT) -> Sequence[int]:
        """Return the places whose texts have all of these words, in any case of letters."""
        wanted, places = words.lower().split(), list[int]()
        for begin in range(0, self.count, SOME):
            progress.report(begin, self.count)
            some = range(begin, min(begin + SOME, self.count))
            texts = map(str.lower, self.texts(some))
            places += [at for at, text in zip(some, texts, strict=True) if all(word in text for word in wanted)]
        return places

    def only(self, places: Sequence[int]) -> Rows:
        """Return the rows at these places alone."""

        def paint(some: Sequence[int], columns: int, signs: Glyphs) -> Sequence[Line]:
            return self.paint([places[at] for at in some], columns, signs)

        at = max(0, min(bisect_left(places, self.at), len(places) - 1))
        return replace(self, count=len(places), at=at, paint=paint, go=lambda at: self.go(places[at]))


NOTHING = Rows(0, 0, lambda places, columns, signs: (), lambda place: None)


class VirtualList(Commanded, Panel, can_focus=True, place="list"):
    """Shows `Rows`. It scrolls only if the marked line would be hidden, and then puts it in the middle."""

    BINDING_GROUP_TITLE = "List"

    rows = NOTHING  # that are listed
    top = 0  # the first visible place
    words = ""  # only lines with these are listed
    _all = NOTHING
    _places: Sequence[int] = ()  # of the lines with these words
    _of: object = None  # what they were searched in

    def __init__(self, *, focusable: bool = True, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.can_focus = focusable
        self._filtering: LatestJob[Sequence[int]] = LatestJob()

    def on_unmount(self) -> None:
        self._filtering.cancel()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return how many lines all rows have, for a height that fits them."""
        if not self.styles.is_auto_height:
            return super().get_content_height(container, viewport, width)
        self._high = (self._all.heads(width) - framed(self) if width else 0) + self._all.count + bool(self.words)
        return self._high

    def put(self, rows: Rows | None) -> None:
        """Show these rows, with a filter only those with its words; None: nothing."""
        self.rows = self._all = rows or NOTHING
        if self.words:
            if self._all.of is not self._of:
                self._search()
            self.rows = self._all.only(self._places)
        self.fill(self._painted)

    def narrow(self, words: str) -> None:
        """List only the lines with all of these words. The mark goes to one of them."""
        if words != self.words:
            self.words, self._of = words, None
            self._filtering.cancel()
            self._list()

    def _search(self) -> None:
        """Find the lines with the words; many of them in a job."""
        rows, words = self._all, self.words
        self._of, self._places = rows.of, ()
        if rows.count < MANY:
            self._places = rows.with_words(words)
        else:
            self._filtering.start(shell(self).jobs, "filter", lambda each: rows.with_words(words, each), self._listed)

    def _listed(self, places: Sequence[int]) -> None:
        self._places = places
        self._list()

    def _list(self) -> None:
        self.put(self._all)
        if self.words and self.rows.count and self._places[self.rows.at] != self._all.at:
            self._go(self.rows.at)

    def _painted(self, columns: int, lines: int, signs: Glyphs) -> Sequence[Line]:
        rows = self.rows.paint(self.shown_places(self.rows), columns, signs)
        if not self.words:
            return rows[:lines]
        count = signs.hidden if self._filtering.running else Count(self.rows.count).text
        about = f'{count} of {Count(self._all.count).text} with "{signs.plain(self.words)}": esc to show all'
        return [*rows[: lines - 1], cut(line((about, Ink.QUIET)), columns, signs.hidden)]

    def shown_places(self, rows: Rows) -> range:
        """Return the places that these rows show, and scroll there."""
        room = self.room
        if not self.top <= rows.at < self.top + room:
            self.top = rows.at - room // 2
        self.top = max(0, min(self.top, rows.count - room))
        return range(self.top, min(self.top + room, rows.count))

    @property
    def places_shown(self) -> list[int]:
        """The visible places, of all rows."""
        rows = self.shown_places(self.rows)
        return [self._places[at] for at in rows] if self.words else list(rows)

    def cut_off(self) -> list[str]:
        """Return whole what is cut of the marked line."""
        rows, wholes = self.rows, list[str]()
        if rows.at < rows.count:
            with gathering(wholes):
                rows.paint((rows.at,), self.size.width, shell(self).glyphs)
        return wholes

    @property
    def room(self) -> int:
        """The number of visible places."""
        return max(1, self.size.height - self._heads - bool(self.words))

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

    def target_at(self, at: Offset) -> Any:
        """Return the number of the row at this place of the screen, of the head of a column its key."""
        row = at.y - self.content_region.y - self._heads
        if row < 0:
            return super().target_at(at)
        return self.top + row if row < min(self.room, self.rows.count - self.top) else None

    def clicked(self, target: Any) -> None:
        """Sort by a column, mark a row; a click on the marked one takes it."""
        if isinstance(target, str):
            self.rows.sort(target)
        elif target == self.rows.at:
            self.rows.take()
        else:
            self.rows.go(target)

    ROWS: ClassVar[tuple[Command[Any], ...]] = (
        *family("step", step, ("up,k", "Up", "Previous line", -1), ("down,j", "Down", "Next line", 1)),
        *family("page", page, ("pageup", "Page up", "Previous page", -1), ("pagedown", "Page down", "Next page", 1)),
        *family("step", step, ("home", "First", "First line", -FAR), ("end", "Last", "Last line", FAR)),
    )
