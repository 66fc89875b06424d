"""A table in the columns and lines that there are: what is shown, how wide, what is left out, what lies where."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from nimtui.report.blocks import Column, Table, View
from nimtui.report.lines import Signs, cell_len, clipped
from nimtui.report.values import Word

LEAST_GAP = 2  # between two columns
LEAST_NAME = 5  # cells of a name that is cut


@dataclass(frozen=True, slots=True)
class Laid:
    """A column as it is shown."""

    column: Column
    head: str
    texts: tuple[str, ...]  # of the rows that are shown
    width: int
    cuttable: bool  # only names, of which a part may be cut off


@dataclass(frozen=True, slots=True)
class Layout:
    """A table in some room. `blocks` has one entry if the columns stand side by side, else a further one for each line
    of columns below, which begins with the first column again.
    """

    blocks: tuple[tuple[Laid, ...], ...]
    gap: int
    top: int  # the first row that is shown
    rows: int  # how many are
    more_rows: int
    more_columns: int

    @property
    def width(self) -> int:
        return max(_width(block, self.gap) for block in self.blocks)

    def at(self, table: Table, x: int, y: int) -> tuple[Hashable, str] | None:
        """Return the row's name and the column's key at this cell; None beside them. Line 0 is the head, no row's."""
        if not 0 <= y <= self.rows:
            return None
        for laid in self.blocks[0]:
            if 0 <= x < laid.width:
                return table.name(table.ranked[self.top + y - 1]) if y else None, laid.column.key
            x -= laid.width + self.gap
        return None


def layout(
    table: Table, columns: int | None, rows: int | None, view: View, signs: Signs, *, fold: bool = True
) -> Layout:
    """Return the layout for this room; None: unlimited. `rows` counts rows, without the head.

    If the columns do not fit, gaps and values get short, then columns go by rank, then names are cut; numbers never
    are. What still does not fit stands below with `fold`, in its long texts if these take no more lines of columns;
    otherwise the last columns go.
    """
    shown = len(table.ranked) if rows is None else max(0, min(len(table.ranked), rows))
    top = _top(table, shown, view)
    some = table.ranked[top : top + shown]
    every = [column for column in table.columns if column.head is not None]
    ranks = sorted({column.rank for column in every})
    gap = table.gap
    chosen = [_laid(column, some, False, signs) for column in every]
    if columns is not None and _width(chosen, gap) > columns:
        gap = min(gap, LEAST_GAP)
        chosen = _fitting(every, ranks, some, gap, columns, signs)
    if columns is not None:
        chosen = _drawn(chosen, some, gap, columns, signs)
    blocks = [tuple(chosen)]
    if columns is not None and _width(chosen, gap) > columns:
        lengths = [[_laid(laid.column, some, short, signs) for laid in chosen] for short in (False, True)]
        blocks = min((_folded(each, gap, columns) for each in lengths), key=len)
        if fold:
            blocks = [tuple(_cut(block, _width(block, gap) - columns, signs, len(block))) for block in blocks]
        else:
            blocks = [_first(chosen, gap, columns)]
    placed = {id(laid.column) for block in blocks for laid in block}
    more_columns = sum(bool(column.head) and id(column) not in placed for column in every)
    return Layout(tuple(blocks), gap, top, shown, len(table.ranked) - shown, more_columns)


def _top(table: Table, shown: int, view: View) -> int:
    """Return the first row that is shown: the cursor stands in the middle, as far as the ends allow."""
    if view.cursor is None or shown >= len(table.ranked):
        return 0
    at = next((number for number, row in enumerate(table.ranked) if table.name(row) == view.cursor), 0)
    return max(0, min(at - shown // 2, len(table.ranked) - shown))


def _fitting(
    every: Sequence[Column], ranks: Sequence[int], rows: Sequence[object], gap: int, columns: int, signs: Signs
) -> list[Laid]:
    """Return the most columns that fit, in their long texts if possible; at least those of the first rank, whose names
    may be cut.
    """
    chosen: list[Laid] = []
    for last in reversed(ranks):
        some = [column for column in every if column.rank <= last]
        for short in (False, True):
            chosen = [_laid(column, rows, short, signs) for column in some]
            if _width(chosen, gap) <= columns:
                return chosen
    return _cut(chosen, _width(chosen, gap) - columns, signs)


def _laid(column: Column, rows: Sequence[object], short: bool, signs: Signs) -> Laid:
    values = [column.value(row) for row in rows]
    texts = tuple(signs.plain(value.text) for value in values)
    head = signs.plain(column.head or "")
    width = max([column.width, cell_len(head), *map(cell_len, texts)])
    if short:
        brief, shorts = signs.plain(column.brief) or head, tuple(signs.plain(value.short) for value in values)
        narrow = max([cell_len(brief), *map(cell_len, shorts)])
        if (brief, shorts) != (head, texts) and narrow < width:  # otherwise the short texts save nothing
            head, texts, width = brief, shorts, narrow
    return Laid(column, head, texts, width, column.left and all(isinstance(value, Word) for value in values))


def _cut(chosen: Sequence[Laid], beyond: int, signs: Signs, most: int = 1) -> list[Laid]:
    """Return the columns with the first `most` that hold names cut by `beyond` cells, the widest first, none below
    LEAST_NAME.
    """
    result = list(chosen)
    named = [at for at, laid in enumerate(chosen) if laid.cuttable][:most]
    for at in sorted(named, key=lambda at: chosen[at].width, reverse=True):
        names = result[at]
        room = min(names.width, max(LEAST_NAME, cell_len(names.head), names.width - beyond))
        texts = tuple(clipped(text, room, signs.hidden) for text in names.texts)
        result[at] = replace(names, texts=texts, width=room)
        beyond -= names.width - room
    return result


def _drawn(chosen: list[Laid], rows: Sequence[object], gap: int, columns: int, signs: Signs) -> list[Laid]:
    """Return the columns with those that draw their values in the room that is left."""
    drawing = [laid for laid in chosen if laid.column.draw is not None]
    if not drawing:
        return chosen
    room = (columns - _width(chosen, gap)) // len(drawing)
    result = []
    for laid in chosen:
        draw, width = laid.column.draw, min(laid.column.most, laid.width + room)
        if draw is not None and width > laid.width:
            laid = replace(laid, texts=tuple(signs.plain(draw(row, width)) for row in rows), width=width)
        result.append(laid)
    return result


def _folded(chosen: Sequence[Laid], gap: int, columns: int) -> list[tuple[Laid, ...]]:
    """Return lines of columns that fit, the first column in each of them; joined ones stay together if they can."""
    first, *rest = chosen
    groups: list[list[Laid]] = []
    for laid in rest:
        if groups and laid.column.joined and _width([first, *groups[-1], laid], gap) <= columns:
            groups[-1].append(laid)
        else:
            groups.append([laid])
    blocks = [[first]]
    for group in groups:
        if len(blocks[-1]) > 1 and _width([*blocks[-1], *group], gap) > columns:
            blocks.append([first])
        blocks[-1] += group
    return [tuple(block) for block in blocks]


def _first(chosen: Sequence[Laid], gap: int, columns: int) -> tuple[Laid, ...]:
    """Return the first columns that fit, at least one."""
    some = list(chosen)
    while len(some) > 1 and _width(some, gap) > columns:
        some.pop()
    return tuple(some)


def _width(chosen: Sequence[Laid], gap: int) -> int:
    return sum(laid.width + gap for laid in chosen) - gap
