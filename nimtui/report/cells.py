"""Write a report in cells, for screens and pipes alike: lines of runs with a meaning; and as sentences to speak.

A table is laid out in the columns and lines that there are: what is shown, how wide, what is left out, what lies where.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from nimtui.report.blocks import (
    Block,
    Column,
    Figures,
    Gap,
    Group,
    Heading,
    Inked,
    Picture,
    Report,
    Sentence,
    Table,
    View,
    Words,
)
from nimtui.report.lines import BLANK, FIRM, Ink, Line, Run, Signs, aimed, cell_len, clipped, cut, filled, line, width
from nimtui.report.values import Word, said_of

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
    every = [_headed(column, view) for column in table.shown]
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


LINE = 78  # columns of running text
LEAST_VALUE = 8  # columns of a value beside its label; with fewer it stands below
# A command or an option with its value stays on one line, and a number with its unit.
COMMAND = re.compile(
    r"--[\w-]+ [\w:=,.]+|nimtui( games)? [a-z]+(?= --)|nimtui games show [\w:]+|(?<=\d) (?:%|[µm]?s\b)"
)


class Unicode(NamedTuple):
    """The signs of a terminal that has all of them."""

    hidden: str = "…"

    def plain(self, text: str) -> str:
        return text


ALL_SIGNS = Unicode()
LOOK = View()


def cells(
    report: Report, columns: int | None = None, rows: int | None = None, view: View = LOOK, signs: Signs = ALL_SIGNS
) -> list[Line]:
    """Return the lines of a report, at most `columns` wide; None: unlimited, for a pipe.

    In a bounded number of `rows` empty lines give way first, then tables scroll around the cursor; sentences do not.
    """
    blocks = list(flat(report.blocks))
    parts = [None if isinstance(block, Table | Picture) else lines(block, columns, signs) for block in blocks]
    room = None
    if rows is not None:
        least = sum(len(part) for part in parts if part) + sum(3 for part in parts if part is None)
        for place, block in enumerate(blocks):
            if least > rows and isinstance(block, Gap):
                parts[place] = []
                least -= 1
        tables = max(1, sum(part is None for part in parts))
        room = max(2, (rows - sum(len(part) for part in parts if part)) // tables)
    output: list[Line] = []
    for block, part in zip(blocks, parts, strict=True):
        if isinstance(block, Picture):
            output += block.draw(columns or LINE, room)
        elif isinstance(block, Table):
            output += table_lines(block, columns, room, view, signs)
        else:
            output += part or []
    return output


def flat(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks with those of their groups."""
    return [one for block in blocks for one in (flat(block.blocks) if isinstance(block, Group) else [block])]


def lines(block: Block, columns: int | None, signs: Signs = ALL_SIGNS) -> list[Line]:
    """Return the lines of a block that is no table."""
    match block:
        case Heading(text):
            return [line((part, Ink.TITLE)) for part in wrapped(signs.plain(text), columns)]
        case Sentence(text, _, ink):
            parts = wrapped(signs.plain(text), LINE if columns is None else min(LINE, columns))
            return [line((part, ink)) for part in parts]
        case Gap():
            return [BLANK]
        case Words(words, _, _, ink):
            drawn = [line((signs.plain(text), ink)) for text in words]
            return drawn if columns is None else [cut(each, columns, signs.hidden) for each in drawn]
        case Figures():
            return _figures(block, columns, signs)
    return []


def wrapped(text: str, columns: int | None) -> list[str]:
    """Return the text in lines; a command with its value and a number with its per cent sign stay together."""
    if columns is None:
        return [text]
    firm = COMMAND.sub(lambda match: match[0].replace(" ", FIRM), text)
    return [part.replace(FIRM, " ") for part in filled(firm, max(8, columns), whole=columns >= LINE)]


def _figures(figures: Figures, columns: int | None, signs: Signs) -> list[Line]:
    labels = [signs.plain(figure.label) for figure in figures.rows]
    wide = max(figures.width, *map(cell_len, labels), 0)
    texts = [signs.plain(figure.value.text) for figure in figures.rows]
    widest = max(map(cell_len, texts), default=0) if figures.right or any(one.note for one in figures.rows) else 0
    if columns is not None:  # what does not fit takes further lines and moves no other value
        widest = min(widest, columns - wide - 2)
    figure_lines: list[Line] = []
    for figure, label, text in zip(figures.rows, labels, texts, strict=True):
        blanks = " " * (widest - cell_len(text))
        placed = blanks + text if figures.right else text + blanks
        note = f"   {signs.plain(figure.note)}" if figure.note else ""
        if columns is None or wide + 2 + cell_len(placed + note) <= columns:
            figure_lines.append(_figure(label, wide, (placed + note).rstrip()))
            continue
        indent = wide
        if columns - wide - 2 < LEAST_VALUE:
            figure_lines += [line((part, Ink.QUIET)) for part in wrapped(label, columns)]
            label, indent, placed = "", 0, text
        for part in filled(placed + note, columns - indent - 2) or [""]:
            before = " " * (widest - cell_len(part)) if figures.right and indent else ""
            figure_lines.append(_figure(label, indent, before + part))
            label = ""
    return figure_lines


def _figure(label: str, wide: int, text: str) -> Line:
    return line((f"{label}{' ' * (wide - cell_len(label))}  ", Ink.QUIET), text)


def table_lines(
    table: Table, columns: int | None, rows: int | None = None, view: View = LOOK, signs: Signs = ALL_SIGNS
) -> list[Line]:
    """Return the head and the rows of a table, and what is left out in words; `rows` counts all of these lines."""
    bounded = rows is not None
    columns = columns or table.wide or None
    shape = layout(table, columns, None if rows is None else rows - 1, view, signs, fold=not bounded)
    if rows is not None and (shape.more_rows or shape.more_columns) and shape.rows + 2 > rows:
        shape = layout(table, columns, max(1, rows - 2), view, signs, fold=False)
    table_rows = layout_lines(table, shape, view)
    hidden = left_out(shape)
    if hidden:  # on a line of its own if there is one
        own = rows is None or len(table_rows) < rows
        start, gap = (BLANK, " " * shape.lead) if own else (table_rows.pop(), "   ")
        table_rows.append(cut(line(*start, (gap + signs.plain(hidden), Ink.QUIET)), columns or LINE, signs.hidden))
    return table_rows


def list_lines(table: Table, columns: int, view: View = LOOK, signs: Signs = ALL_SIGNS) -> list[Line]:
    """Return the head and all rows of a table, each on one line; nothing tells which columns are left out."""
    return layout_lines(table, layout(table, columns, None, view, signs, fold=False), view)


def layout_lines(table: Table, shape: Layout, view: View = LOOK) -> list[Line]:
    """Return the head and the rows of a table as they are laid out."""
    some = table.ranked[shape.top : shape.top + shape.rows]
    output: list[Line] = []
    lead = " " * shape.lead
    for place, block in enumerate(shape.blocks):
        output += [BLANK] if place else []
        if any(laid.head for laid in block):
            sorts = [laid.column.key and laid.column.key == view.sorted_by for laid in block]
            inks = [Ink.STRONG if own else laid.column.head_ink for laid, own in zip(block, sorts, strict=True)]
            aims: list[object] = [laid.column.key or None if view.clicked else None for laid in block]
            output.append(line(lead, *_row(block, [laid.head for laid in block], inks, aims, shape.gap)))
        for number, row in enumerate(some):
            here = view.cursor is not None and table.name(row) == view.cursor
            usual = table.ink(row) if table.ink else Ink.WHERE if here else Ink.TEXT
            own = [laid.column.ink or usual for laid in block]
            inks = [ink if isinstance(ink, Ink) else ink(row) for ink in own]
            aims = [(table.name(row), laid.column.key) if view.clicked else None for laid in block]
            cursor = (view.sign if here else lead, usual)
            output.append(line(cursor, *_row(block, [laid.texts[number] for laid in block], inks, aims, shape.gap)))
    return output


def left_out(shape: Layout) -> str:
    """Return what is not shown: '3 more rows · 2 more columns'; '' for nothing."""
    parts = []
    if shape.more_rows:
        parts.append("1 more row" if shape.more_rows == 1 else f"{shape.more_rows:,} more rows")
    if shape.more_columns:
        parts.append("1 more column" if shape.more_columns == 1 else f"{shape.more_columns} more columns")
    return " · ".join(parts)


def _row(
    block: Sequence[Laid], texts: Sequence[str | Line], inks: Sequence[Ink], aims: Sequence[object], gap: int
) -> list[Run]:
    runs: list[Run] = []
    for laid, text, ink, aim in zip(block, texts, inks, aims, strict=True):
        blanks = " " * (laid.width - wide_of(text))
        before, after = ("", blanks) if laid.column.left else (blanks, "")
        after += " " * gap * (laid is not block[-1])
        parts = (Run(text + after, ink),) if isinstance(text, str) else (*text, Run(after, ink))
        runs += aimed((Run(before, ink), *parts) if before else parts, aim)
    if any(aims):  # blanks take clicks, too
        return runs
    while runs and not runs[-1].text.strip():
        runs.pop()
    return [*runs[:-1], runs[-1]._replace(text=runs[-1].text.rstrip())] if runs else []


def spoken(report: Report) -> Iterator[str]:
    """Give the sentences: one for each figure and each row of a table, its columns by name."""
    for block in flat(report.blocks):
        match block:
            case Heading(text) | Sentence(text):
                yield text if text.endswith((".", "?", ":")) else f"{text}."
            case Words(lines, instead):
                yield from [instead] if instead else lines
            case Figures(rows):
                for row in rows:
                    note = f", {said_of(row.note)}" if row.note else ""
                    label = row.label[:1].upper() + row.label[1:]
                    yield ": ".join(filter(None, (label, row.value.spoken + note))) + "."
            case (Table() as table) | Picture(table):
                yield from rows_spoken(table)


def rows_spoken(table: Table) -> Iterator[str]:
    """Give a sentence for each row that has a name: 'perfect: score 83.4 per cent, Elo plus 412.'"""
    first, *others = table.shown
    for row in table.ranked:
        if not (name := first.value(row).spoken):
            continue
        parts = []
        for column in others:
            value = column.value(row).spoken
            head = (column.head or "") if column.spoken is None else column.spoken
            parts.append(f"{head} {value}".strip() if value else "")
        rest = ", ".join(filter(None, parts))
        yield f"{name}: {rest}." if rest else f"{name}."
