"""Numbers, dates, names and texts from a file, an argument or a database row.

The functions that read a text raise InputError, which says what is wrong and what would be right. Those named `fit_…`
never raise: they return the value, or if it is invalid, one that can be shown.
"""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from typing import TypeGuard

from nimtui.errors import InputError, shortened, whole_number
from nimtui.signs import has_controls, visible

LARGEST = 2**63 - 1  # the largest whole number that SQLite stores
RANGES = {  # of commands and of the library
    "games": (1, 10**12),
    "nodes": (0, 10**12),
    "seed": (0, LARGEST),
    "workers": (1, 1_000),
}
LARGEST_COUNT = 2**31 - 1  # of moves, chances, mistakes in one game
LONGEST_NAME = 200  # characters of a name that a person gives
LONGEST_SPEC = 5_000  # characters of the name of a game or an agent, which may hold a path
LONGEST_TEXT = 10_000  # characters of any other text, such as the reason for a fault
DATE = "%Y-%m-%d %H:%M:%S UTC"
FIRST_DATE, LAST_DATE = -62_135_596_800, 253_402_300_799  # seconds since 1970: the years 1 to 9999 in UTC
UNKNOWN = "unknown"  # shown instead of an invalid date
UNITS = {"": 0, "K": 10, "M": 20, "G": 30}  # the logarithms
MOST_MEMORY = 64 << 30
_MEMORY_FORM = re.compile(r"(\d{1,12})([KMG]?)B?", re.ASCII)
_DATE_FORM = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC", re.ASCII)


def whole(text: str, what: str, low: int = 0, high: int = LARGEST) -> int:
    """Read a whole number between `low` and `high`, both included."""
    return whole_number(text, what, low, high)


def seconds(text: str, what: str) -> float:
    """Read a number of seconds: finite and not negative."""
    try:
        number = float(text) if len(text) <= 40 and text.isascii() else -1.0
    except ValueError:
        number = -1.0
    if not 0 <= number < math.inf:
        raise InputError(f"{what} must be a number of seconds, at least 0, not '{shortened(text)}'")
    return number


def exact(number: float) -> str:
    """Return a number as text that parses to the same number."""
    return repr(float(number)).removesuffix(".0")


def memory(text: str, what: str) -> int:
    """Read a number of bytes with its unit, such as 64M or 2G. K, M, G are powers of 1,024."""
    match = _MEMORY_FORM.fullmatch(text.strip().upper())
    size = int(match[1]) << UNITS[match[2]] if match else 0
    if not 0 < size <= MOST_MEMORY:
        raise InputError(f"{what} must be a size such as 64M or 2G, at most 64G, not '{shortened(text)}'")
    return size


def date(text: str, what: str) -> int:
    """Read a UTC date of the years 1 to 9999. Returns seconds since 1970."""
    try:
        if not _DATE_FORM.fullmatch(text):
            raise ValueError
        return int(datetime.strptime(text, DATE).replace(tzinfo=UTC).timestamp())
    except ValueError:
        raise InputError(f"{what} must be a date such as 2026-05-31 18:30:00 UTC, not '{shortened(text)}'") from None


def name(text: str, what: str, most: int = LONGEST_NAME) -> str:
    """Read a name: one line without control characters, not empty. Runs of blanks become one."""
    line = " ".join(text.split())
    if not line:
        raise InputError(f"{what} must not be empty")
    if len(line) > most:
        raise InputError(f"{what} must have at most {most:,} characters, not {len(line):,}")
    if has_controls(line):
        raise InputError(f"{what} must not have control characters: '{shortened(line)}'")
    return line


def text(raw: str, what: str, most: int = LONGEST_TEXT) -> str:
    """Read a line of text. Control characters become visible."""
    line = visible(raw.strip())
    if not line:
        raise InputError(f"{what} must not be empty")
    if len(line) > most:
        raise InputError(f"{what} must have at most {most:,} characters, not {len(line):,}")
    return line


# Stored values: nothing is refused.


def fit_whole(value: object, low: int = 0, high: int = LARGEST, instead: int = 0) -> int:
    """Return the value if it is a whole number from `low` to `high`, else `instead`."""
    return value if type(value) is int and low <= value <= high else instead


def fit_real(value: object, instead: float = 0.0) -> float:
    """Return the value as a float if it is a finite number, else `instead`."""
    if type(value) is float and math.isfinite(value):
        return value
    return float(value) if is_whole(value, -LARGEST) else instead


def fit_text(value: object) -> str:
    """Return the value as text: bytes decoded with replacements, None as '', anything else by `str`."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)


def fit_texts(value: object) -> list[str]:
    """Return the value as a list of texts, empty if it is not a list."""
    return [fit_text(one) for one in value] if isinstance(value, list | tuple) else []


def is_whole(value: object, low: int = 0, high: int = LARGEST) -> TypeGuard[int]:
    return type(value) is int and low <= value <= high


def is_text(value: object) -> bool:
    return isinstance(value, str)


def are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


# Formatting of dates.


def moment(when: object, form: str = "%Y-%m-%d %H:%M") -> str:
    """Format a time (seconds since 1970) in the local time zone, or return 'unknown' if it is invalid.

    Uses UTC if the local time would leave the years 1 to 9999.
    """
    time = local(when)
    return UNKNOWN if time is None else strftime(time, form)


def recently(when: object) -> str:
    """Format a time as 'today 14:02', 'yesterday 14:02' or '12 Nov 14:02'; 'unknown' if it is invalid."""
    time = local(when)
    if time is None:
        return UNKNOWN
    days = (datetime.now().date() - time.date()).days
    day = {0: "today", 1: "yesterday"}.get(days) or f"{time:%d %b}"
    return f"{day} {time:%H:%M}"


def local(when: object) -> datetime | None:
    """Return the local time, in UTC if the local year is out of range; None if the time is invalid."""
    if not isinstance(when, int | float) or isinstance(when, bool) or not FIRST_DATE <= when <= LAST_DATE + 1:
        return None
    for zone in (None, UTC):
        try:
            return datetime.fromtimestamp(when, zone).replace(tzinfo=None)
        except (ValueError, OverflowError, OSError):
            continue
    return None


def utc(when: object, separator: str = "T") -> str | None:
    """Format a time in UTC as '2026-05-31T18:30:00'; return None if it is invalid."""
    if not isinstance(when, int | float) or isinstance(when, bool) or not FIRST_DATE <= when <= LAST_DATE:
        return None
    return datetime.fromtimestamp(int(when), UTC).replace(tzinfo=None).isoformat(separator)


def strftime(when: datetime, form: str) -> str:
    """Format a time. The year has four digits on every system."""
    return when.strftime(form.replace("%Y", f"{when.year:04d}"))


def reason(fault: object, most: int = 120) -> str:
    """Return the message of a library's error, `shortened` to `most` characters: it may quote its input."""
    return shortened(str(fault), most) or type(fault).__name__
