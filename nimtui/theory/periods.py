"""Find the period of a sequence of values, and say whether it is proven to last for ever.

A value of a game without splits depends on the K values before it, where K is the largest take: once K values in a row
repeat, all later ones do. For octal games with splits, such as Kayles, a bound proves the period: Guy and Smith, "The
G-values of various games" (1956). In misère play the same bound holds for the elements of a misère quotient:
T. Plambeck, "Taming the wild in impartial combinatorial games" (2005).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from nimtui.engine import repeats

MOST_INTERPRETED = 3_000  # values; more are compared by a kernel
FEW = 10  # a tenth of the values must repeat, else it may be chance


class Proof(StrEnum):
    """Why a period lasts for ever."""

    WINDOW = "window"  # as many values in a row repeat as the largest take
    GUY_SMITH = "guy-smith"
    PLAMBECK = "plambeck"  # Guy and Smith's bound for the elements of a misère quotient
    ANY = "any"  # a move may take any number of matches: once a row is lost, every longer one is won


@dataclass(frozen=True)
class Period:
    """`value(n + length) = value(n)` for all n from `preperiod` on: for ever with a proof, else as far as computed."""

    preperiod: int
    length: int
    proof: Proof | None
    checked_to: int | None = field(
        default=None, compare=False
    )  # the last number whose value was computed, where a proof needs more than the rules

    @property
    def proven(self) -> bool:
        return self.proof is not None

    def exceptions(self, values: Sequence[Any] | npt.NDArray[Any]) -> list[int]:
        """Return the numbers before the period whose values are not those that it would have there."""
        return [n for n in range(self.preperiod) if values[n] != values[self._like(n)]]

    def _like(self, number: int) -> int:
        """Return the first number of the period whose value a number before it would have."""
        return number + -(-(self.preperiod - number) // self.length) * self.length

    def extended(self, values: npt.NDArray[Any], to: int) -> npt.NDArray[Any]:
        """Return the values up to `to`, those that are missing by the period."""
        missing = np.arange(len(values), to + 1)
        return np.concatenate([values, values[self.preperiod + (missing - self.preperiod) % self.length]])


class _Starts:
    """For each length, from which number on values have this period."""

    def __init__(self, values: Sequence[Any] | npt.NDArray[Any]) -> None:
        self.values = np.asarray(values)
        self.size = len(self.values)
        many = np.zeros(self.size, np.int64)
        shared = repeats.shared
        if self.size > MOST_INTERPRETED:
            from nimtui.engine import heap_values

            shared = heap_values.shared
        shared(self.values, many)
        self.lengths = np.arange(1, self.size)
        self.starts = self.size - self.lengths - many[1:]

    def first(self, enough: npt.NDArray[np.bool_], proof: Proof | None) -> Period | None:
        """Return the period of the smallest length that repeats often enough, or None."""
        places = np.flatnonzero(enough)
        if not len(places):
            return None
        return Period(int(self.starts[places[0]]), int(self.lengths[places[0]]), proof, self.size - 1)

    def seen(self) -> Period | None:
        return self.first(self.size - self.starts >= np.maximum(3 * self.lengths, self.size / FEW), None)


def by_window(values: Sequence[Any] | npt.NDArray[Any], width: int, least: int = 0) -> Period | None:
    """Return the period if the last `width` values repeat earlier: each value follows from so many before it.

    The rules are the same for all values that follow from numbers from `least` on.
    """
    if not 0 < width < len(values):
        return None
    of = _Starts(values)
    earliest = of.size - of.lengths - width  # of the earlier window
    return of.first((of.starts <= earliest) & (earliest >= least), Proof.WINDOW)


def by_guy_smith(
    values: Sequence[Any] | npt.NDArray[Any], digits: int, proof: Proof = Proof.GUY_SMITH
) -> Period | None:
    """Return the period of the values of an octal code with so many digits after the point.

    It is proven if it holds up to 2 · preperiod + 2 · length + digits − 1; else it is the one that was seen.
    """
    if len(values) < 2:
        return None
    of = _Starts(values)
    needed = 2 * np.maximum(of.starts, 1) + 2 * of.lengths + digits - 1
    return of.first(of.size - 1 >= needed, proof) or of.seen()


def seen(values: Sequence[Any] | npt.NDArray[Any]) -> Period | None:
    """Return the shortest period that the values show three times at least, and over a tenth of them. It is not proven.

    Of many values the last few repeat by chance.
    """
    return _Starts(values).seen() if len(values) > 1 else None
