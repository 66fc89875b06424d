"""What a number, a date, a name and a text may be that come from a file, an argument or a row of a database.

The functions that read a text raise InputError with what is wrong and what would be right. Those whose name begins with
`fit` raise nothing: they return the value, or where it cannot be one, the nearest that can be shown.
"""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from typing import TypeGuard

from nimtui.errors import InputError, shortened, whole_number
from nimtui.foreign.signs import has_controls, visible

LARGEST = 2**63 - 1  # the largest whole number that SQLite stores
LARGEST_COUNT = 2**31 - 1  # of moves, chances, mistakes in one game
LONGEST_NAME = 200  # signs of a name that a person gives
LONGEST_SPEC = 5_000  # signs of the name of a game or an agent, which may hold the path of a file
LONGEST_TEXT = 10_000  # signs of any other text, such as the reason for a fault
DATE = "%Y-%m-%d %H:%M:%S UTC"
FIRST_DATE, LAST_DATE = -62_135_596_800, 253_402_300_799  # seconds since 1970: the years 1 to 9999 in UTC
UNKNOWN = "unknown"  # shown in the place of a date that is none
_DATE_FORM = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC", re.ASCII)


def whole(text: str, what: str, low: int = 0, high: int = LARGEST) -> int:
    """Read a whole number between `low` and `high`, both included."""
    return whole_number(text, what, low, high)


def seconds(text: str, what: str) -> float:
    """Read a number of seconds: finite, not negative."""
    try:
        found = float(text) if len(text) <= 40 and text.isascii() else -1.0
    except ValueError:
        found = -1.0
    if not 0 <= found < math.inf:
        raise InputError(f"{what} must be a number of seconds from 0, not '{shortened(text)}'")
    return found


def date(text: str, what: str) -> int:
    """Read a date of the years 1 to 9999, in UTC; the seconds since 1970."""
    try:
        if not _DATE_FORM.fullmatch(text):
            raise ValueError
        return int(datetime.strptime(text, DATE).replace(tzinfo=UTC).timestamp())
    except ValueError:
        raise InputError(f"{what} must be a date such as 2026-05-31 18:30:00 UTC, not '{shortened(text)}'") from None


def name(text: str, what: str, most: int = LONGEST_NAME) -> str:
    """Read a name: a line without control characters, its blanks in order, of at least one sign."""
    found = " ".join(text.split())
    if not found:
        raise InputError(f"{what} must not be empty")
    if len(found) > most:
        raise InputError(f"{what} must have at most {most:,} signs, not {len(found):,}")
    if has_controls(found):
        raise InputError(f"{what} must not have control characters: '{shortened(found)}'")
    return found


def text(given: str, what: str, most: int = LONGEST_TEXT) -> str:
    """Read a line of text, its control characters as visible signs."""
    found = visible(given.strip())
    if not found:
        raise InputError(f"{what} must not be empty")
    if len(found) > most:
        raise InputError(f"{what} must have at most {most:,} signs, not {len(found):,}")
    return found


# Of what is stored already: nothing is refused.


def fit_whole(value: object, low: int = 0, high: int = LARGEST, instead: int = 0) -> int:
    """Return a whole number in its bounds, else `instead`."""
    return value if type(value) is int and low <= value <= high else instead


def fit_real(value: object, instead: float = 0.0) -> float:
    """Return a finite number, else `instead`."""
    if type(value) is float and math.isfinite(value):
        return value
    return float(value) if is_whole(value, -LARGEST) else instead


def fit_text(value: object) -> str:
    """Return a text: bytes decoded as far as they can be, anything else as Python writes it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)


def fit_texts(value: object) -> list[str]:
    """Return a list of texts; empty where it is none."""
    return [fit_text(one) for one in value] if isinstance(value, list | tuple) else []


def is_whole(value: object, low: int = 0, high: int = LARGEST) -> TypeGuard[int]:
    return type(value) is int and low <= value <= high


def is_text(value: object) -> bool:
    return isinstance(value, str)


def are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


# Dates, as they are shown.


def moment(when: object, form: str = "%Y-%m-%d %H:%M") -> str:
    """Return a time (seconds since 1970) in the zone of this machine, or 'unknown' where it is none.

    Where the zone would carry it out of the years 1 to 9999 it is in UTC.
    """
    found = local(when)
    return UNKNOWN if found is None else strftime(found, form)


def recently(when: object) -> str:
    """Return a time as 'today 14:02', 'yesterday 14:02', '12 Nov 14:02', or 'unknown' where it is none."""
    found = local(when)
    if found is None:
        return UNKNOWN
    days = (datetime.now().date() - found.date()).days
    day = {0: "today", 1: "yesterday"}.get(days) or f"{found:%d %b}"
    return f"{day} {found:%H:%M}"


def local(when: object) -> datetime | None:
    """Return the time in the zone of this machine, in UTC where that has no such year; None where it is no time."""
    if not isinstance(when, int | float) or isinstance(when, bool) or not FIRST_DATE <= when <= LAST_DATE + 1:
        return None
    for zone in (None, UTC):
        try:
            return datetime.fromtimestamp(when, zone).replace(tzinfo=None)
        except (ValueError, OverflowError, OSError):
            continue
    return None


def utc(when: object, separator: str = "T") -> str | None:
    """Return the time in UTC, as '2026-05-31T18:30:00'; None where it is no time."""
    if not isinstance(when, int | float) or isinstance(when, bool) or not FIRST_DATE <= when <= LAST_DATE:
        return None
    return datetime.fromtimestamp(int(when), UTC).replace(tzinfo=None).isoformat(separator)


def strftime(when: datetime, form: str) -> str:
    """Format a time; the year has four digits on every system."""
    return when.strftime(form.replace("%Y", f"{when.year:04d}"))


def reason(fault: object, most: int = 120) -> str:
    """Return what an error of a library says, short enough for a line: it may repeat what it has read."""
    said = visible(str(fault)) or type(fault).__name__
    return said if len(said) <= most else said[: most - 1] + "…"
