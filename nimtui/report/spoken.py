"""Write a report as sentences that a screen reader speaks well."""

from __future__ import annotations

from collections.abc import Iterator

from nimtui.report.blocks import Figures, Heading, Picture, Report, Sentence, Table, Words
from nimtui.report.cells import flat
from nimtui.report.values import said_of


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
            case Table():
                yield from rows_spoken(block)
            case Picture(table):
                yield from rows_spoken(table)


def rows_spoken(table: Table) -> Iterator[str]:
    """Give a sentence for each row that has a name: 'perfect: score 83.4 per cent, Elo plus 412.'"""
    first, *others = [column for column in table.columns if column.head is not None]
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
