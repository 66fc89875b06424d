"""Writing of CSV files whose cells no spreadsheet takes for formulas."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TextIO

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
        self._writer = csv.writer(out, lineterminator="\n")
        self._quoting = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
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
