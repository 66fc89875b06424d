"""Figures as a reader understands them, read from their text alone."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

UNITS = {
    "": 1.0,
    "%": 0.01,
    "×": 1.0,
    "ms": 1e-3,
    "s": 1.0,
    "bytes": 1.0,
    "kB": 1e3,
    "MB": 1e6,
    "GB": 1e9,
    "TB": 1e12,
    "PB": 1e15,
    "EB": 1e18,
    "ZB": 1e21,
    "/s": 1.0,
    "k/s": 1e3,
    "M/s": 1e6,
    "k": 1e3,
    "M": 1e6,
    "G": 1e9,
}
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
