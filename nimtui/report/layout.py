"""A table in the columns and lines that there are: what is shown, how wide, what is left out, what lies where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from nimtui.report.blocks import Column, Inked, Table, View
from nimtui.report.lines import Line, Signs, cell_len, clipped, cut, width
from nimtui.report.values import Word

LEAST_GAP = 2  # between two columns
LEAST_NAME = 5  # cells of a name that is cut


@dataclass(frozen=True, slots=True)
class Laid:
    """A column as it is shown."""

    column: Column
    head: str
    texts: tuple[str | Line, ...]  # of the rows that are shown
    width: int
    cuttable: bool  # only names, of which a part may be cut off


Pair: TypeAlias = tuple[Laid, Laid]  # a column in its long texts, and in its short ones


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
    lead: int = 0  # cells of the cursor's sign, before the first column

    def shows(self, key: str) -> bool:
        """Return whether the column of this key is shown."""
        return any(laid.column.key == key for block in self.blocks for laid in block)


def layout(
    table: Table, columns: int | None, rows: int | None, view: View, signs: Signs, *, fold: bool = True
) -> Layout:
    """Return the layout for this room; None: unlimited. `rows` counts rows, without the head.

    If the columns do not fit, gaps and values get short, then columns go by rank, then names are cut; numbers never
    are. What still does not fit stands below with `fold`, in its long texts if these take no more lines of columns;
    otherwise the last columns go.
    """
    visible = len(table.ranked) if rows is None else max(0, min(len(table.ranked), rows))
    top = _top(table, visible, view)
    some = table.ranked[top : top + visible]
    every = [_headed(column, view) for column in table.columns if column.head is not None]
    lead = cell_len(view.sign)
    columns = None if columns is None else columns - lead
    pairs, gap = [_laid(column, some, signs) for column in every], table.gap
    chosen = [long for long, _ in pairs]
    if columns is not None and _width(chosen, gap) > columns:
        gap = min(gap, LEAST_GAP)
        chosen = _fitting(pairs, gap, columns, signs)
    if columns is not None:
        chosen = _drawn(chosen, some, gap, columns, signs)
    blocks = [tuple(chosen)]
    if columns is not None and _width(chosen, gap) > columns:
        least = min(long.column.rank for long, _ in pairs)
        blocks = min((_folded(each, gap, columns) for each in _up_to(least, pairs)), key=len)
        if fold:
            blocks = [tuple(_cut(block, _width(block, gap) - columns, signs, len(block))) for block in blocks]
        else:
            blocks = [_first(_cut(chosen, _width(chosen, gap) - columns, signs, len(chosen)), gap, columns)]
    placed = {id(laid.column) for block in blocks for laid in block}
    more_columns = sum(bool(column.head) and id(column) not in placed for column in every)
    return Layout(tuple(blocks), gap, top, visible, len(table.ranked) - visible, more_columns, lead)


def _headed(column: Column, view: View) -> Column:
    sorts = column.key and column.key == view.sorted_by
    return replace(column, head=f"{view.down}{column.head}") if sorts else column


def _top(table: Table, visible: int, view: View) -> int:
    """Return the first row that is shown: the cursor stands in the middle, as far as the ends allow."""
    if view.cursor is None or visible >= len(table.ranked):
        return 0
    at = next((number for number, row in enumerate(table.ranked) if table.name(row) == view.cursor), 0)
    return max(0, min(at - visible // 2, len(table.ranked) - visible))


def _fitting(pairs: Sequence[Pair], gap: int, columns: int, signs: Signs) -> list[Laid]:
    """Return the most columns that fit, in their long texts if possible; at least those of the first rank, whose names
    may be cut.
    """
    chosen: list[Laid] = []
    for last in sorted({long.column.rank for long, _ in pairs}, reverse=True):
        for chosen in _up_to(last, pairs):
            if _width(chosen, gap) <= columns:
                return chosen
    return _cut(chosen, _width(chosen, gap) - columns, signs)


def _up_to(rank: int, pairs: Sequence[Pair]) -> list[list[Laid]]:
    """Return the columns up to this rank in their long texts, and in their short ones."""
    return [[pair[short] for pair in pairs if pair[short].column.rank <= rank] for short in (0, 1)]


def _laid(column: Column, rows: Sequence[object], signs: Signs) -> Pair:
    """Return a column in its long texts, and in its short ones if these save something."""
    values = [column.value(row) for row in rows]
    long_texts, short_texts = (
        [value.line if isinstance(value, Inked) else getattr(value, kind) for value in values]
        for kind in ("text", "short")
    )
    texts = tuple(_plain(text, signs) for text in long_texts)
    shorts = texts if short_texts == long_texts else tuple(_plain(text, signs) for text in short_texts)
    head, brief = signs.plain(column.head or ""), signs.plain(column.brief or column.head or "")
    wide = max([column.width, 0 if column.draw and column.width else cell_len(head), *map(wide_of, texts)])
    cuttable = column.left and all(isinstance(value, Word | Inked) for value in values)
    long, narrow = Laid(column, head, texts, wide, cuttable), max([cell_len(brief), *map(wide_of, shorts)])
    saves = (brief, shorts) != (head, texts) and narrow < wide
    return long, replace(long, head=brief, texts=shorts, width=narrow) if saves else long


def _plain(text: str | Line, signs: Signs) -> str | Line:
    """Return a text in the terminal's signs."""
    return (
        signs.plain(text) if isinstance(text, str) else tuple(run._replace(text=signs.plain(run.text)) for run in text)
    )


def wide_of(text: str | Line) -> int:
    """Return the cells of a text."""
    return cell_len(text) if isinstance(text, str) else width(text)


def _cut(chosen: Sequence[Laid], beyond: int, signs: Signs, most: int = 1) -> list[Laid]:
    """Return the columns with the first `most` that hold names cut by `beyond` cells, the widest first, none below
    LEAST_NAME.
    """
    result = list(chosen)
    named = [at for at, laid in enumerate(chosen) if laid.cuttable][:most]
    for at in sorted(named, key=lambda at: chosen[at].width, reverse=True):
        names = result[at]
        room = min(names.width, max(LEAST_NAME, cell_len(names.head), names.width - beyond))
        texts = tuple(
            clipped(text, room, signs.hidden) if isinstance(text, str) else cut(text, room, signs.hidden)
            for text in names.texts
        )
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
        draw, wide = laid.column.draw, min(laid.column.most, laid.width + room)
        if draw is not None and wide >= laid.width:
            texts = tuple(_plain(draw(row, wide), signs) for row in rows)
            laid = replace(laid, head=clipped(laid.head, wide - 1, signs.hidden), texts=texts, width=wide)
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
