"""What a reader finds in the output of the writers: figures by their text alone, and the columns of lines."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from nimtui.report.blocks import Column, Table
from nimtui.report.values import Value, Word

UNITS = {
    "": 1.0, "%": 0.01, "×": 1.0, "ms": 1e-3, "s": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "/s": 1.0, "k/s": 1e3, "M/s": 1e6,
    "bytes": 1.0, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "PB": 1e15, "EB": 1e18, "ZB": 1e21,
}  # fmt: skip
WIDTHS = (34, 60, 80, 120, 200)
FIGURE = re.compile(r"(?P<bound>[<>])?(?P<sign>[+−])?(?P<size>[\d,]+(\.\d+)?(e[+-]?\d+)?) ?(?P<unit>[A-Za-z%×/]*)")


class Range(NamedTuple):
    """The numbers that a text may stand for."""

    low: float
    high: float

    def holds(self, value: float) -> bool:
        slack = 1e-9 * max(1.0, abs(value))
        return self.low - slack <= value <= self.high + slack

    def meets(self, other: Range) -> bool:
        slack = 1e-9 * max(1.0, abs(self.low), abs(self.high))
        return self.low <= other.high + slack and other.low <= self.high + slack


def read(text: str) -> Range | None:
    """Return what a text says, to half of its last digit; None if it is no figure."""
    match = FIGURE.fullmatch(text)
    if match is None or match["unit"] not in UNITS:
        return None
    unit, digits = UNITS[match["unit"]], match["size"].replace(",", "")
    size = float(digits)
    places = len(digits.partition("e")[0].partition(".")[2])
    half = 0.5 * 10.0**-places
    if match["unit"].endswith("/s") or "e" in digits:  # two or three figures, the other digits are zeros
        half = max(half, 0.05 * size)
    if match["unit"] in ("k", "M", "G", "bytes", "kB", "MB", "GB", "TB", "PB", "EB", "ZB"):
        half = max(half, 0.005 * size)
    if match["bound"]:
        low, high = (0.0, size) if match["bound"] == "<" else (size, 100.0)
    else:
        low, high = size - half, size + half
    if match["sign"] == "−":
        low, high = -high, -low
    return Range(low * unit, high * unit)


def wide(text: str) -> int:
    """The cells of a text, by the tables of Unicode."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text
    )


def squeezed(text: str) -> str:
    """Return the text without its blanks."""
    return "".join(text.split())


HIDDEN = "…"


def read_rows(table: Table) -> list[Any]:
    """The rows in the order in which a person reads them."""
    return list(table.rows) if table.rank is None else sorted(table.rows, key=table.rank, reverse=True)


def seen(table: Table) -> list[Column]:
    return [column for column in table.columns if column.head is not None]


class Shown(NamedTuple):
    """What a person sees of a table."""

    columns: list[Column]
    cut: bool  # are names?


def shown(table: Table, lines: Sequence[str], columns: int | None) -> Shown:
    """Find which columns the lines show, and check that they have to be the only ones and the others are counted."""
    counted = re.fullmatch(r"(\d+) more columns?", lines[-1]) if lines else None
    lines = lines[:-1] if counted else lines
    rows, every = read_rows(table), seen(table)
    ranks = sorted({column.rank for column in every})
    ranked = [[column for column in every if column.rank <= rank] for rank in ranks]
    for place in reversed(range(len(ranks))):
        cut = cuts(ranked[place], rows, lines)
        if cut is None:
            continue
        if columns is not None and place + 1 < len(ranks):
            assert least(table, ranked[place + 1], rows) > columns, "a column of the next rank has room"
        if columns is None or place:
            assert not cut and "" not in lines, "columns go before names are cut"
        elif cut or "" in lines:
            assert least(table, ranked[0], rows) > columns, "there was room"
        hidden = sum(bool(column.head) for column in every if column not in ranked[place])
        assert hidden == (int(counted[1]) if counted else 0), "what is left out is counted"
        return Shown(ranked[place], cut)
    raise AssertionError(f"no columns by rank: {lines}")


def cuts(columns: Sequence[Column], rows: Sequence[Any], lines: Sequence[str]) -> bool | None:
    """Whether names are cut in these lines; None if the lines do not show these columns of all rows."""
    parts = [list(some) for blank, some in groupby(lines, lambda line: line == "") if not blank]
    headed = any(column.head for column in columns)
    several = len(parts) > 1
    shape = [[column.value(row) for column in columns] for row in rows]
    patterns = [row_pattern(columns, row, values, several) for row, values in zip(rows, shape, strict=True)]
    heads = [f"(?:{alternatives({column.head or '', column.brief or column.head or ''})})" for column in columns]
    head = (rf"(?:\n{heads[0]})?" if several else "").join(heads)
    length = len(rows) + (1 if headed else 0)
    if any(len(part) not in (length, len(rows)) for part in parts):
        return None
    if headed and not re.fullmatch(head, "\n".join(squeezed(part[0]) for part in parts if len(part) == length)):
        return None
    found = False
    for number, (values, pattern) in enumerate(zip(shape, patterns, strict=True)):
        text = "\n".join(squeezed(part[number + len(part) - len(rows)]) for part in parts)
        match = re.fullmatch(pattern, text)
        if match is None:
            return None
        for name, begin in match.groupdict().items():
            if begin is not None:
                value = values[int(name[1:])]
                assert squeezed(value.text).startswith(begin) or squeezed(value.short).startswith(begin)
                found = True
    return found


def alternatives(texts: set[str]) -> str:
    return "|".join(re.escape(squeezed(text)) for text in sorted(texts, key=len, reverse=True))


def row_pattern(columns: Sequence[Column], row: Any, values: Sequence[Value], several: bool) -> str:
    """The signs of a row, in its long or short texts; a name may end in a sign, and columns may stand below."""
    parts = []
    for number, (column, value) in enumerate(zip(columns, values, strict=True)):
        part = alternatives({value.text, value.short})
        if column.left and isinstance(value, Word):
            part += rf"|(?P<n{number}>[^{HIDDEN}]*){HIDDEN}"
        if column.draw is not None:
            part += r"|[^\n]*?"
        parts.append(f"(?:{part})")
    first = re.sub(r"\?P<\w+>", "?:", parts[0])
    return (rf"(?:\n{first})?" if several else "").join(parts)


def least(table: Table, columns: Sequence[Column], rows: Sequence[Any]) -> int:
    """The cells that these columns need at least, with whole names."""
    sizes = []
    for column in columns:
        values = [column.value(row) for row in rows]
        long = max([column.width, wide(column.head or ""), *(wide(value.text) for value in values)])
        short = max([wide(column.brief or column.head or ""), *(wide(value.short) for value in values)])
        sizes.append(min(long, short))
    return sum(sizes) + min(table.gap, 2) * (len(sizes) - 1)


def in_order(every: Sequence[Column]) -> Iterator[list[Column]]:
    """All columns, then without those of the highest ranks, then only the first ones of the lowest."""
    for rank in sorted({column.rank for column in every}, reverse=True):
        yield (some := [column for column in every if column.rank <= rank])
    while len(some) > 1:
        yield (some := some[:-1])
