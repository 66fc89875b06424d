"""Write the tables of a report for files and notebooks: CSV, Markdown, HTML."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nimtui.foreign.sheet import Sheet
from nimtui.report.blocks import Column, Figure, Figures, Gap, Heading, Picture, Report, Sentence, Table, Words
from nimtui.report.cells import flat
from nimtui.report.document import rows_of

BAR = re.compile(r"[\\|]")  # ends a cell of Markdown, or takes the meaning of the sign after it


def csv(table: Table) -> str:
    """Return a table as CSV with a header: every key that a document keeps; unknown values are empty. The keys of a
    document within a row follow its name: 'first_wins'.
    """
    rows = [{name: raw for key, value in row.items() for name, raw in _flat(key, value)} for row in rows_of(table)]
    names = list(dict.fromkeys(name for row in rows for name in row)) or [column.key for column in table.columns]
    return sheet(rows, names)


def sheet(rows: Iterable[Mapping[str, Any]], names: Sequence[str]) -> str:
    """Return rows as CSV with a header of these names; unknown values are empty, truths 1 and 0."""
    text = io.StringIO(newline="")
    out = Sheet(text, names)
    for row in rows:
        out.keyed({name: int(value) if isinstance(value, bool) else value for name, value in row.items()})
    return text.getvalue()


def _flat(key: str, value: Any) -> list[tuple[str, Any]]:
    return [(f"{key}_{name}", raw) for name, raw in value.items()] if isinstance(value, dict) else [(key, value)]


def markdown(report: Report) -> str:
    """Return a report as Markdown."""
    parts: list[str] = []
    for block in flat(report.blocks):
        match block:
            case Heading(text):
                parts.append(f"## {text}")
            case Sentence(text) if text:
                parts.append(text)
            case Words(lines):
                parts.append("\n".join(("```text", *lines, "```")))
            case Figures(rows):
                parts.append("\n".join(map(_item, rows)))
            case Table() | Picture():
                parts.append(_markdown(block.table if isinstance(block, Picture) else block))
    return "\n\n".join(parts)


def _item(row: Figure) -> str:
    note = f" ({row.note})" if row.note else ""
    return "- " + ": ".join(filter(None, (row.label, row.value.text + note)))


def _markdown(table: Table) -> str:
    columns = _columns(table)
    head = "| " + " | ".join(column.head or "" for column in columns) + " |"
    rule = "|" + "|".join(":--" if column.left else "--:" for column in columns) + "|"
    rows = [[BAR.sub(r"\\\g<0>", column.value(row).text) for column in columns] for row in table.ranked]
    return "\n".join((head, rule, *("| " + " | ".join(cells) + " |" for cells in rows)))


def html_of(report: Report) -> str:
    """Return a report as HTML, for a notebook."""
    parts: list[str] = []
    for block in flat(report.blocks):
        match block:
            case Heading(text):
                parts.append(_tag("h4", text))
            case Sentence(text) if text:
                parts.append(_tag("p", text))
            case Words(lines):
                parts.append(_tag("pre", "\n".join(lines)))
            case Figures(rows):
                cells = [_tag("th", row.label, "left") + _tag("td", row.value.text, "left") for row in rows]
                notes = [_tag("td", row.note, "left") if row.note else "" for row in rows]
                parts.append(_rows([cell + note for cell, note in zip(cells, notes, strict=True)]))
            case Table() | Picture():
                parts.append(_html(block.table if isinstance(block, Picture) else block))
            case Gap():
                pass
    return "\n".join(parts)


def _html(table: Table) -> str:
    columns = _columns(table)
    head = "".join(_tag("th", column.head or "", _side(column)) for column in columns)
    body = ["".join(_tag("td", column.value(row).text, _side(column)) for column in columns) for row in table.ranked]
    return _rows([head, *body])


def _columns(table: Table) -> list[Column]:
    return [column for column in table.columns if column.head is not None]


def _side(column: Column) -> str:
    return "left" if column.left else "right"


def _tag(name: str, text: str, side: str = "") -> str:
    style = f' style="text-align:{side}"' if side else ""
    return f"<{name}{style}>{html.escape(text)}</{name}>"


def _rows(rows: Sequence[str]) -> str:
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"
