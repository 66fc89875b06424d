"""The one writer of numbers: a value knows how it is shown and how it is said.

`text` is what a screen and a pipe show; `short` the same for a narrow column; `spoken` is for a screen reader. How
exact a kind of number is belongs to the kind, never to its caller.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from math import isnan
from typing import ClassVar

UNKNOWN = "–"
SURE = 1e-9  # how near to 0 and 1 a likelihood comes


@dataclass(frozen=True, slots=True)
class Share:
    """A share of one, in per cent: rounded to nearest, and never 0 or 100 where it is neither. None and nan: unknown.

    Equal shares look equal, so a column of rounded shares may miss 100 by a few tenths.
    """

    value: float | None

    PLACES: ClassVar = 1
    SHORT_PLACES: ClassVar = 0

    @property
    def text(self) -> str:
        """'83.4 %', '100 %', '<0.1 %', '>99.9 %', '–'."""
        return self._signed(self.number)

    @property
    def short(self) -> str:
        """'83 %', '100 %', '<1 %', '>99 %', '–'."""
        return self._signed(self.whole)

    @property
    def number(self) -> str:
        """'83.4', for a column whose head has the sign."""
        return self._number(self.PLACES)

    @property
    def whole(self) -> str:
        """'83', for a narrow column whose head has the sign."""
        return self._number(self.SHORT_PLACES)

    @property
    def spoken(self) -> str:
        """'83.4 per cent', 'less than 0.1 per cent', 'unknown'."""
        if self.unknown:
            return "unknown"
        words = self.text.replace("<", "less than ").replace(">", "more than ")
        return words.replace("%", "per cent")

    @property
    def unknown(self) -> bool:
        return self.value is None or isnan(self.value)

    def _signed(self, number: str) -> str:
        return number if self.unknown else f"{number} %"

    def _number(self, places: int) -> str:
        return UNKNOWN if self.value is None or isnan(self.value) else self._per_cent(self.value, places)

    def _per_cent(self, value: float, places: int) -> str:
        return per_cent(value, places)


class Fine(Share):
    """A share whose small changes matter: '24.13 %'."""

    PLACES: ClassVar = 2


class Likelihood(Share):
    """A share that is never certain: '97.5 %', '>99.9 %', '<0.1 %'."""

    def _per_cent(self, value: float, places: int) -> str:
        return per_cent(min(1 - SURE, max(SURE, value)), places)


class Level(Share):
    """A share as a person typed it: '5 %', '0.25 %'."""

    def _per_cent(self, value: float, places: int) -> str:
        return f"{(100 * Decimal(repr(float(value)))).normalize():f}"


class Progress(Share):
    """What is done of a work, in whole per cent, and 100 only at its end: '41 %', '0 %'."""

    def _per_cent(self, value: float, places: int) -> str:
        return str(int(100 * Decimal(repr(float(value)))))


@dataclass(frozen=True, slots=True)
class Within:
    """The interval of a share, in per cent without the sign: '80.9–85.6'."""

    low: float
    high: float

    @property
    def text(self) -> str:
        return f"{Share(self.low).number}–{Share(self.high).number}"


def per_cent(share: float, places: int = 1) -> str:
    """Return a share of one in per cent, without the sign: '83.4', '0', '100', '<0.1', '>99.9'.

    The one rule of rounding: to nearest, halves up, of the shortest decimal that names the float (0.6275 is '62.8').
    """
    exact = 100 * Decimal(repr(float(share)))
    if exact in (0, 100):
        return str(int(exact))
    least = Decimal(1).scaleb(-places)
    nearest = exact.quantize(least, ROUND_HALF_UP)
    if nearest <= 0:
        return f"<{least}"
    return f">{100 - least}" if nearest >= 100 else str(nearest)
