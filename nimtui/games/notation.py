"""Read and write what the names of several families share: options, row letters, numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from nimtui.errors import InputError, did_you_mean, invalid, shortened, whole_number

LETTERS = "abcdefghijklmnopqrstuvwxyz"
MOST, MOST_ROWS = 255, len(LETTERS)
OPTIONS = ("misere", "misère", "normal")


def arguments(fields: Iterable[str], form: str) -> tuple[str, int | None, bool]:
    """Split `rows[:max=K][:misere]`, options in any order; return the rows' text, K or None, and whether misère."""
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
            raise InputError(f"'{shortened(field)}' repeats or contradicts another option of the game's name")
        else:
            near = did_you_mean(field, OPTIONS)
            raise InputError(f"invalid option '{shortened(field)}' in a game's name{near}; expected {form}")
    if rows is None:
        raise InputError(f"the game's name needs a size; expected {form}")
    return rows, limit, bool(misere)


def suffix(limit: int, longest: int, misere: bool) -> str:
    """Return the options of a canonical name, without a limit that changes nothing."""
    return (f":max={limit}" if limit < longest else "") + (":misere" if misere else "")


def row_letter(row: int) -> str:
    """Return the row's letter: a, b, c … (on the screen A, B, C …)."""
    return LETTERS[row]


def row_and_number(text: str, rows: int, example: str) -> tuple[int, str]:
    """Split a move such as `c3` into its row, from 0, and the rest. Raises InputError if the row does not exist."""
    match = re.fullmatch(r"\s*([a-z])\s*(\S+)\s*", text.lower())
    if match is None:
        raise invalid("move", text, example)
    row = LETTERS.index(match[1])
    if row >= rows:
        last = row_letter(rows - 1).upper()
        raise InputError(f"unknown row {match[1].upper()}: the rows are A{f' to {last}' if rows > 1 else ''}")
    return row, match[2]


def cell_name(row: int, column: int) -> str:
    """Return the name of a cell by its row and column from 0: 'b3' is the third cell of the second row."""
    return f"{LETTERS[row]}{column + 1}"


def parse_cell(text: str, rows: int, columns: int) -> tuple[int, int]:
    """Return the row and column, from 0, of a cell such as `b3`. Raises InputError if it is not on the board."""
    row, number = row_and_number(text, rows, "expected a row's letter and a column's number, as in a1")
    return row, whole_number(number, "the column", 1, columns) - 1


def plural(n: int, one: str, many: str) -> str:
    """Return a number with its noun: '1 match', '2 matches', 'no matches'."""
    return f"{f'{n:,}' if n else 'no'} {one if n == 1 else many}"


def check_rows(rows: Sequence[int], most: int, what: str, limit: int) -> None:
    """Raise InputError for rows of matches that no game has, or a largest take below 1."""
    if not 1 <= len(rows) <= MOST_ROWS:
        raise InputError(f"a game has 1 to {MOST_ROWS} rows, not {len(rows)}")
    for matches in rows:
        if not 1 <= matches <= most:
            raise InputError(f"{what} has 1 to {most} matches, not {matches}")
    if limit < 1:
        raise InputError(f"the largest take must be at least 1, not {limit}")
