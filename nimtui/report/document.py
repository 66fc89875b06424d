"""Write a report as a document: plain values under their keys, as JSON keeps them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from nimtui.report.blocks import Block, Facts, Figures, Group, Picture, Report, Sentence, Table, Words
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
