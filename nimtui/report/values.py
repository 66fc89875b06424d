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
        return self._written(self.PLACES)

    @property
    def short(self) -> str:
        """'83 %', '100 %', '<1 %', '>99 %', '–'."""
        return self._written(self.SHORT_PLACES)

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

    def _written(self, places: int) -> str:
        return UNKNOWN if self.value is None or isnan(self.value) else f"{per_cent(self.value, places)} %"


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
