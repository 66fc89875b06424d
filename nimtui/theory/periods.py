"""Find the period of a sequence of values, and say whether it is proven to last for ever.

Two proofs are known here. A value of a subtraction game depends on the K values before it, where K is the largest take:
once K values in a row repeat, all later ones do. For octal games such as Kayles a bound proves the period: Guy and
Smith, "The G-values of various games" (1956).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Proof(StrEnum):
    """Why a period lasts for ever."""

    WINDOW = "window"  # as many values in a row repeat as the largest take
    GUY_SMITH = "guy-smith"
    ANY = "any"  # a move may take any number of matches: once a row is lost, every longer one is won


@dataclass(frozen=True)
class Period:
    """`value(n + length) = value(n)` for all n from `preperiod` on: for ever with a proof, else as far as computed."""

    preperiod: int
    length: int
    proof: Proof | None

    @property
    def proven(self) -> bool:
        return self.proof is not None


def by_window(values: Sequence[int], width: int) -> Period | None:
    """Return the period as soon as `width` values in a row repeat: each value follows from so many before it."""
    seen: dict[tuple[int, ...], int] = {}
    for end in range(width, len(values) + 1):
        window = tuple(values[end - width : end])
        if window in seen:
            return Period(_start(values, end - seen[window]), end - seen[window], Proof.WINDOW)
        seen[window] = end
    return None


def by_guy_smith(values: Sequence[int], limit: int) -> Period | None:
    """Return the period of the Grundy values of rows from which up to `limit` neighbours are taken.

    It is proven if it holds up to 2 · preperiod + 2 · length + limit − 1.
    """
    period = seen(values)
    if period is None or len(values) - 1 < 2 * period.preperiod + 2 * period.length + limit - 1:
        return period
    return Period(period.preperiod, period.length, Proof.GUY_SMITH)


def seen(values: Sequence[int]) -> Period | None:
    """Return the shortest period that the values show three times at least. It is not proven."""
    for length in range(1, len(values) // 3 + 1):
        start = _start(values, length)
        if len(values) - start >= 3 * length:
            return Period(start, length, None)
    return None


def _start(values: Sequence[int], length: int) -> int:
    """Return the least n from which on value(n + length) = value(n), as far as computed."""
    start = len(values) - length
    while start and values[start - 1] == values[start - 1 + length]:
        start -= 1
    return start
