"""What the names of several families share: options, row letters, numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable

from nimtui.errors import InputError, did_you_mean, shortened, whole_number

LETTERS = "abcdefghijklmnopqrstuvwxyz"
MOST = 255
OPTIONS = ("misere", "misère", "normal")


def arguments(fields: Iterable[str], form: str) -> tuple[str, int | None, bool]:
    """Split `rows[:max=K][:misere]`, options in any order: the rows' text, the largest take or None, misère or not."""
    rows: str | None = None
    limit: int | None = None
    misere: bool | None = None
    for field in (part.strip().lower() for part in fields):
        if field in OPTIONS and misere is None:
            misere = field != "normal"
        elif field.startswith("max=") and limit is None:
            limit = whole_number(field[4:], "max", 1, MOST)
        elif rows is None and field[:1].isdigit():
            rows = field
        elif field.startswith("max=") or field in OPTIONS:
            raise InputError(f"'{shortened(field)}' says again, or otherwise, what the game's name has said")
        else:
            near = did_you_mean(field, OPTIONS)
            raise InputError(f"'{shortened(field)}' is not understood in a game's name{near}; the form is {form}")
    if rows is None:
        raise InputError(f"the game's name lacks its size; the form is {form}")
    return rows, limit, bool(misere)


def suffix(limit: int, longest: int, misere: bool) -> str:
    """The options as they stand in a canonical name; a limit that changes nothing is left out."""
    return (f":max={limit}" if limit < longest else "") + (":misere" if misere else "")


def row_letter(row: int) -> str:
    """Rows are called a, b, c … (on the screen A, B, C …)."""
    return LETTERS[row]


def row_and_number(text: str, rows: int, example: str) -> tuple[int, str]:
    """Split a move such as `c3` into its row, from 0, and the rest; InputError where there is no such row."""
    match = re.fullmatch(r"\s*([a-z])\s*(\S+)\s*", text.lower())
    if match is None:
        raise InputError(f"'{text}' is not a move: {example}")
    row = LETTERS.index(match[1])
    if row >= rows:
        last = row_letter(rows - 1).upper()
        raise InputError(f"there is no row {match[1].upper()}, the rows are A{f' to {last}' if rows > 1 else ''}")
    return row, match[2]


def plural(n: int, one: str, many: str) -> str:
    """'1 match', '2 matches', 'no matches'."""
    return f"{n if n else 'no'} {one if n == 1 else many}"
