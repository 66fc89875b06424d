"""The one writer of numbers: a value knows how it is shown, how it is said, and what a document keeps of it.

`text` is what a screen and a pipe show; `short` the same for a narrow column; `spoken` is for a screen reader; `keys`
are the raw figures of a document. How exact a kind of number is belongs to the kind, never to its caller.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from math import isfinite, isnan
from typing import Any, ClassVar

UNKNOWN = "–"
MINUS = "−"
INFINITE = "∞"
SURE = 1e-9  # how near to 0 and 1 a likelihood comes
SPEECH = str.maketrans(
    {"−": "minus ", "+": "plus ", "±": "plus or minus ", "≤": "at most", "≥": "at least", INFINITE: "infinity"}
)


class Value:
    """What a cell of a table, a figure or a sentence says of one thing."""

    __slots__ = ()

    @property
    def text(self) -> str:
        raise NotImplementedError

    @property
    def short(self) -> str:
        """The text for a narrow column."""
        return self.text

    @property
    def spoken(self) -> str:
        """The text for a screen reader."""
        return said_of(self.text)

    @property
    def raw(self) -> Any:
        """What a document keeps: a plain value, None if it is unknown."""
        return self.text

    def keys(self, name: str) -> dict[str, Any]:
        """Return the keys of a document for a value of this name."""
        return {name: self.raw}

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Word(Value):
    """A name, a move, a word: the only kind that may be cut. A narrow column takes `brief`, a voice `said`."""

    word: str
    brief: str = ""
    said: str = ""

    @property
    def text(self) -> str:
        return self.word

    @property
    def short(self) -> str:
        return self.brief or self.word

    @property
    def spoken(self) -> str:
        return self.said or said_of(self.text)


def valued(text: str | Value) -> Value:
    """Return a text as a value."""
    return Word(text) if isinstance(text, str) else text


class Nothing(Value):
    """No value: an empty cell, no key of a document, not said."""

    __slots__ = ()

    @property
    def text(self) -> str:
        return ""

    def keys(self, name: str) -> dict[str, Any]:
        return {}


NOTHING = Nothing()


@dataclass(frozen=True, slots=True)
class Keys(Value):
    """What only documents keep: several keys."""

    of: Mapping[str, Any]

    @property
    def text(self) -> str:
        return ""

    def keys(self, name: str) -> dict[str, Any]:
        return dict(self.of)


@dataclass(frozen=True, slots=True)
class Raw(Value):
    """What only documents keep under one key: a plain value, a list, a document."""

    value: Any

    @property
    def text(self) -> str:
        return "" if self.value is None else str(self.value)

    @property
    def raw(self) -> Any:
        return plain(self.value)


@dataclass(frozen=True, slots=True)
class Number(Value):
    """A number of some kind; None and nan: unknown."""

    value: float | None
    SIGNED: ClassVar = False
    UNITS: ClassVar[Mapping[str, str]] = {}  # how they are said

    @property
    def unknown(self) -> bool:
        return self.value is None or isnan(self.value)

    @property
    def raw(self) -> Any:
        return None if self.value is None or not isfinite(self.value) else plain(self.value)

    @property
    def text(self) -> str:
        if self.value is None or isnan(self.value):
            return UNKNOWN
        size = self.size(abs(self.value)) if isfinite(self.value) else INFINITE
        if not any(digit in size for digit in f"123456789{INFINITE}"):
            return size
        return f"{MINUS if self.value < 0 else '+' if self.SIGNED else ''}{size}"

    @property
    def spoken(self) -> str:
        text = said_of(self.text.replace("<", "less than "))
        return next((text.replace(unit, words) for unit, words in self.UNITS.items() if text.endswith(unit)), text)

    def size(self, value: float) -> str:
        """Return the text of a number without its sign."""
        raise NotImplementedError


def known(kind: type[Number], value: float | None) -> Value:
    """Return a number of this kind; nothing, not even a sign, if there is none."""
    return NOTHING if value is None else kind(value)


class Count(Number):
    """A whole number of things: '5,000,000'."""

    def size(self, value: float) -> str:
        return f"{nearest(value):,}"


class Result(Number):
    """The value of a position or a move from −1 to 1: '+0.125', '−1.000', '0.000'."""

    SIGNED: ClassVar = True

    def size(self, value: float) -> str:
        return f"{nearest(value, 3):.3f}"


class Mean(Result):
    """An expected result where two decimal places say enough: '+0.12'."""

    def size(self, value: float) -> str:
        return f"{nearest(value, 2):,.2f}"


class Score(Number):
    """The score of a learner or a heuristic: '+34,976', '−3', '0'; '−0.125' if it is no whole number."""

    SIGNED: ClassVar = True

    def size(self, value: float) -> str:
        return f"{int(value):,}" if float(value).is_integer() else f"{nearest(value, 3):,.3f}"


class Typed(Number):
    """A number as a person typed it: '0.5', '1,000'."""

    def size(self, value: float) -> str:
        return f"{value:,}" if isinstance(value, int) else f"{Decimal(f'{value:.15g}'):,f}"


class Difference(Typed):
    """A difference as a person typed it: '+50', '−2.5', '0'."""

    SIGNED: ClassVar = True


class Seconds(Typed):
    """A limit of time, as a person typed it: '0.5 s', '60 s'."""

    UNITS: ClassVar = {" s": " seconds"}

    def size(self, value: float) -> str:
        return f"{super().size(value)} s"


class Duration(Number):
    """A time that something took, in seconds: '<0.1 ms', '0.2 ms', '83 ms', '1.25 s'; never 0 if it is not."""

    UNITS: ClassVar = {" ms": " milliseconds", " s": " seconds"}

    def size(self, value: float) -> str:
        if value >= 1:
            return f"{nearest(value, 2):,.2f} s"
        if value >= 0.01:
            return f"{nearest(1000 * value)} ms"
        return "<0.1 ms" if 0 < value < 0.00005 else f"{nearest(1000 * value, 1):.1f} ms"


class Clock(Number):
    """A time to wait, in seconds: '0:07', '12:30', '3:00:05'."""

    def size(self, value: float) -> str:
        (hours, minutes), seconds = divmod(nearest(value) // 60, 60), nearest(value) % 60
        return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


class Ratio(Number):
    """How many times as much: '12.5 ×'."""

    UNITS: ClassVar = {" ×": " times"}

    def size(self, value: float) -> str:
        return f"{nearest(value, 1):,.1f} ×"


class Bytes(Number):
    """A number of bytes, to three figures: '384 bytes', '1.25 MB'."""

    def size(self, value: float) -> str:
        for unit in ("bytes", "kB", "MB", "GB", "TB", "PB", "EB"):
            if value < 999.5:
                return f"{value:.3g} {unit}"
            value /= 1000
        return f"{value:.3g} ZB"


class Pace(Number):
    """So many a second, to two figures, as one measurement says no more: '24 M/s', '850 k/s', '2.5/s'."""

    UNITS: ClassVar = {" M/s": " million a second", " k/s": " thousand a second", "/s": " a second"}

    def size(self, value: float) -> str:
        value = float(f"{value:.2g}")
        for unit, size in (("M", 1e6), ("k", 1e3)):
            if value >= size:
                return f"{value / size:.{int(value < 10 * size)}f} {unit}/s"
        return f"{value:g}/s"


@dataclass(frozen=True, slots=True)
class Named(Value):
    """A count with its noun: '1 ply', '6 plies', '1,204 games'."""

    count: int
    one: str
    more: str

    @property
    def text(self) -> str:
        return f"{Count(self.count).text} {self.one if self.count == 1 else self.more}"

    @property
    def raw(self) -> Any:
        return plain(self.count)


class Share(Number):
    """A share of one, in per cent: rounded to nearest, and never 0 or 100 where it is neither. None and nan: unknown.

    Equal shares look equal, so a column of rounded shares may miss 100 by a few tenths.
    """

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
        return self.value is None or not isfinite(self.value)

    def _signed(self, number: str) -> str:
        return number if self.unknown else f"{number} %"

    def _number(self, places: int) -> str:
        return UNKNOWN if self.value is None or self.unknown else self._per_cent(self.value, places)

    def _per_cent(self, value: float, places: int) -> str:
        return per_cent(value, places)


class Fine(Share):
    """A share whose small changes matter: '24.13 %'."""

    PLACES: ClassVar = 2


class Bar(Share):
    """A share as a bar. Nobody says it: the share stands beside it."""

    @property
    def text(self) -> str:
        return self._cells(30)

    @property
    def short(self) -> str:
        return self._cells(10)

    @property
    def spoken(self) -> str:
        return ""

    def _cells(self, most: int) -> str:
        return "" if self.value is None or self.unknown else "█" * round(self.value * most)


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
class Within(Value):
    """The interval of a share, in per cent without the sign: '80.9–85.6'."""

    low: float
    high: float

    @property
    def text(self) -> str:
        return self._between(Share(self.low).number, Share(self.high).number)

    @property
    def short(self) -> str:
        return self._between(Share(self.low).whole, Share(self.high).whole)

    @property
    def spoken(self) -> str:
        low, _, high = self.text.partition("–")
        return f"between {low} and {high} per cent" if low else "unknown"

    def keys(self, name: str) -> dict[str, Any]:
        return {f"{name}_low": Share(self.low).raw, f"{name}_high": Share(self.high).raw}

    def _between(self, low: str, high: str) -> str:
        return UNKNOWN if UNKNOWN in (low, high) else f"{low}–{high}"


class Elo(Count):
    """A rating, or a difference of two: '+412'. None and nan: unknown."""

    SIGNED: ClassVar = True


@dataclass(frozen=True, slots=True)
class EloRange(Value):
    """How exact a rating is: half of its 95 % interval, '±40', or its bound, 'at least +412'; '' if unknown."""

    error: float | None = None
    least: float | None = None
    most: float | None = None

    @property
    def text(self) -> str:
        if self.least is not None:
            return f"at least {Elo(self.least).text}"
        if self.most is not None:
            return f"at most {Elo(self.most).text}"
        return f"±{nearest(self.error):,}" if self.error and isfinite(self.error) else ""

    @property
    def short(self) -> str:
        return self.text.replace("at least", "≥").replace("at most", "≤")


@dataclass(frozen=True, slots=True)
class Ending(Value):
    """How a position or a move ends under best play, and in how many plies: 'wins in 7', 'draws'; None: unknown."""

    verb: str | None
    plies: int | None = None

    @property
    def text(self) -> str:
        if self.verb is None:
            return UNKNOWN
        return self.verb if self.plies is None else f"{self.verb} in {self.plies}"

    @property
    def short(self) -> str:
        """The first letter and the plies: 'W7', 'D'."""
        if self.verb is None:
            return UNKNOWN
        return f"{self.verb[0].upper()}{'' if self.plies is None else self.plies}"

    @property
    def spoken(self) -> str:
        return (
            "unknown"
            if self.verb is None
            else self.text + (f" {'ply' if self.plies == 1 else 'plies'}" if self.plies else "")
        )


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


def said_of(text: str) -> str:
    """Return a text for a screen reader: 'minus 3' for '−3'."""
    return "unknown" if text == UNKNOWN else text.translate(SPEECH)


def plain(value: Any) -> Any:
    """Return a number of NumPy as a number of Python, anything else as it is."""
    return value.item() if hasattr(value, "item") else value


def nearest(value: float, places: int = 0) -> Any:
    """Return the nearest number with so many decimal places, halves away from zero; a whole number for none."""
    exact = Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    return exact if places else int(exact)
