"""The ratings of several tournaments as one pool: the same report that `nimtui ratings` prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nimtui.arena.columns import GAP, Column, crosstable, table
from nimtui.errors import InputError
from nimtui.progress import SILENT, Progress
from nimtui.report.lines import Ink, Line, cut, line, paragraphs, width
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.library.scan import Open, game_title
from nimtui.ui.library.shelf import Item

if TYPE_CHECKING:
    from nimtui.arena.pool import Pool


@dataclass(frozen=True, eq=False)
class PoolReport:
    """A pool with its sentences, computed once."""

    pool: Pool
    heading: str
    notes: tuple[str, ...]

    def lines(self, columns: int, signs: Glyphs) -> list[Line]:
        """Return the whole report in this width."""
        titles = ", ".join(map(game_title, self.pool.gathered.games))
        found = [*paragraphs([signs.plain(titles)], columns, Ink.STRONG)]
        found += paragraphs([signs.plain(self.heading)], columns, Ink.QUIET)
        for block in (table(self.pool, columns), *crosstable(self.pool, columns)):
            found += [(), *_block(block, columns, signs)]
        return [*found, (), *paragraphs(map(signs.plain, self.notes), columns)]


def pool_report(items: Sequence[Item], database: Open, progress: Progress = SILENT) -> PoolReport:
    """Rate these tournaments together. InputError if they have no finished games, or cannot be read."""
    from nimtui.arena.pool import gather, rated
    from nimtui.arena.pool_statements import kind_text, of_pool
    from nimtui.store.tournaments import info

    numbers = sorted(item.place for item in items if isinstance(item.place, int))
    gathered = gather(database(), [info(database(), number) for number in numbers], None, progress)
    if not gathered.saved.played:
        raise InputError("these tournaments have no finished games")
    pool = rated(gathered)
    return PoolReport(pool, kind_text(pool), tuple(of_pool(pool)))


def _block(columns: Sequence[Column], wide: int, signs: Glyphs) -> list[Line]:
    """Return the head and the rows of one table."""
    rows = [[column.name for column in columns], *map(list, zip(*(one.cells for one in columns), strict=True))]
    said = [[line(signs.plain(cell)) for cell in row] for row in rows]
    widths = [max(width(row[at]) for row in said) for at in range(len(columns))]
    lines = []
    for number, row in enumerate(said):
        ink = Ink.TEXT if number else Ink.COLUMN
        cells = []
        for cell, column, room in zip(row, columns, widths, strict=True):
            text, blanks = "".join(run.text for run in cell), " " * (room - width(cell))
            cells.append(text + blanks if column.left else blanks + text)
        lines.append(cut(line(((" " * GAP).join(cells).rstrip(), ink)), wide, signs.hidden))
    return lines
