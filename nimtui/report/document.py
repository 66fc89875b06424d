"""Write a report for programs, files and notebooks.

A document has plain values under their keys, as JSON keeps them. Tables become CSV, whose cells no spreadsheet takes
for formulas, and Markdown and HTML.
"""

from __future__ import annotations

import html
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from csv import QUOTE_ALL, writer
from typing import Any, TextIO

from nimtui.report.blocks import (
    Block,
    Column,
    Facts,
    Figure,
    Figures,
    Gap,
    Group,
    Heading,
    Picture,
    Report,
    Sentence,
    Table,
    Words,
)
from nimtui.report.cells import flat
from nimtui.report.values import plain


def document(report: Report) -> dict[str, Any]:
    """Return the document. Raises ValueError if two blocks give the same key different values."""
    return keys_of(report.blocks)


def keys_of(blocks: Sequence[Block]) -> dict[str, Any]:
    """Return the keys of these blocks, in their order."""
    keys: dict[str, Any] = {}
    for block in blocks:
        for key, value in _keys(block).items():
            if key in keys and keys[key] != value:
                raise ValueError(f"two blocks of a report have the key {key!r}")
            keys[key] = value
    return keys


def _keys(block: Block) -> dict[str, Any]:
    match block:
        case Sentence(_, facts) | Facts(facts):
            return dict(facts)
        case Figures(rows):
            return {name: raw for row in rows if row.key for name, raw in row.value.keys(row.key).items()}
        case Table(key):
            return {key: rows_of(block)} if key else {}
        case Picture(table):
            return _keys(table)
        case Group(key, blocks):
            return {key: keys_of(blocks)} if key else keys_of(blocks)
        case Words(lines, _, key):
            return {key: list(lines)} if key else {}
    return {}


def rows_of(table: Table) -> list[dict[str, Any]]:
    """Return the rows of a table, each as the keys of its columns."""
    columns = [column for column in table.columns if column.key]
    return [
        {name: raw for column in columns for name, raw in column.value(row).keys(column.key).items()}
        for row in table.rows
    ]


def text(keys: dict[str, Any], indent: int | None = None) -> str:
    """Return a document as JSON, on one line without `indent`. Raises ValueError for a number that JSON cannot hold."""
    return json.dumps(keys, default=plain, indent=indent, allow_nan=False)


def file_text(keys: dict[str, Any]) -> str:
    """Return a document as the text of a JSON file."""
    return json.dumps(keys, default=plain, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def long_file(keys: dict[str, Any], name: str, items: Iterable[Any]) -> Iterator[str]:
    """Give the text of a JSON file piece by piece: a document, and last a list of this name, an item a line."""
    yield file_text(keys).removesuffix("\n}\n") + f',\n  "{name}": ['
    for number, item in enumerate(items):
        yield f"{',' if number else ''}\n    {json.dumps(item, ensure_ascii=False)}"
    yield "\n  ]\n}\n"


def read_back(keys: dict[str, Any]) -> dict[str, Any]:
    """Return the document as a reader of its JSON gets it: lists for tuples, Python's numbers for NumPy's."""
    plain_keys: dict[str, Any] = json.loads(text(keys))
    return plain_keys


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
            case (Table() as table) | Picture(table):
                parts.append(_markdown(table))
    return "\n\n".join(parts)


def _item(row: Figure) -> str:
    note = f" ({row.note})" if row.note else ""
    return "- " + ": ".join(filter(None, (row.label, row.value.text + note)))


def _markdown(table: Table) -> str:
    columns = table.shown
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
            case (Table() as table) | Picture(table):
                parts.append(_html(table))
            case Gap():
                pass
    return "\n".join(parts)


def _html(table: Table) -> str:
    columns = table.shown
    head = "".join(_tag("th", column.head or "", _side(column)) for column in columns)
    body = ["".join(_tag("td", column.value(row).text, _side(column)) for column in columns) for row in table.ranked]
    return _rows([head, *body])


def _side(column: Column) -> str:
    return "left" if column.left else "right"


def _tag(name: str, text: str, side: str = "") -> str:
    style = f' style="text-align:{side}"' if side else ""
    return f"<{name}{style}>{html.escape(text)}</{name}>"


def _rows(rows: Sequence[str]) -> str:
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


# A formula starts like this, after blanks and invisible characters, also in the wide forms of East Asian text.
_FORMULA = re.compile(r"[\s\x00-\x20\x7f-\xa0\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff'\"]*[=+\-@＝＋－＠﹢﹣﹦﹫]")
_ENDS = frozenset("\r\t;")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def cell(value: Any) -> Any:
    """Return the value to write. A text that a spreadsheet would run gets an apostrophe in front."""
    if not isinstance(value, str) or not value:
        return value
    runs = value[0] in "\t\r\n" or _FORMULA.match(value)
    return f"'{value}" if runs and not _NUMBER.fullmatch(value) else value


class Sheet:
    """Writes rows to a text file that was opened with newline=''."""

    def __init__(self, out: TextIO, head: Sequence[str]) -> None:
        self._writer = writer(out, lineterminator="\n")
        self._quoting = writer(out, lineterminator="\n", quoting=QUOTE_ALL)
        self._head = tuple(head)
        self.row(head)

    def row(self, values: Iterable[Any]) -> None:
        """Write one line."""
        cells = [cell(value) for value in values]
        # The csv module quotes line feeds and commas, but not the other signs that end a cell or a line elsewhere.
        ends = any(isinstance(one, str) and _ENDS.intersection(one) for one in cells)
        (self._quoting if ends else self._writer).writerow(cells)

    def rows(self, many: Iterable[Iterable[Any]]) -> None:
        """Write one line per row."""
        for values in many:
            self.row(values)

    def keyed(self, values: Mapping[str, Any]) -> None:
        """Write one line, with each value in the column of its name."""
        self.row([values.get(name) for name in self._head])
