"""Reads the grid of a sweep as a person types it: 'margin=50,70,90', 'margin=50..100:10', 'pick=uniform-move'."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import Enum

from nimtui.errors import InputError, invalid, shortened, unknown
from nimtui.learning.parameter import Parameter, Value, as_typed

MOST_VALUES = 1_000  # of one parameter
FORM = "margin=50,70,90 or margin=50..100:10"


@dataclass(frozen=True)
class Grid:
    """The varied parameters and their values, in the order in which they were named."""

    values: dict[str, tuple[Value, ...]]

    @property
    def cells(self) -> int:
        """The number of combinations; 1 if nothing is varied."""
        product = 1
        for values in self.values.values():
            product *= len(values)
        return product

    @classmethod
    def read(cls, learner: str, parameters: Mapping[str, Parameter], texts: Sequence[str]) -> Grid:
        """Read a grid over the parameters of this learner. Raises InputError if it is invalid."""
        values: dict[str, tuple[Value, ...]] = {}
        for text in texts:
            key, equals, rest = text.partition("=")
            key = key.strip().lower()
            if not equals:
                raise invalid("grid", text, f"expected for example {FORM}")
            if key not in parameters:
                raise unknown(f"parameter of {learner}", key, parameters)
            if key in values:
                raise InputError(f"'{key}' is varied twice: give all its values in one list")
            values[key] = _values(key, parameters[key], rest)
        return cls(values)


def _values(key: str, parameter: Parameter, text: str) -> tuple[Value, ...]:
    values: list[Value] = []
    if not text.strip():
        raise InputError(f"'{key}=' has no values: expected for example {FORM}")
    for part in text.split(","):
        for word in _range(key, part) if ".." in part else (part,):
            if not word.strip():
                raise InputError(f"empty value in '{key}={shortened(text)}'")
            value = parameter.read(key, word)
            if value in values:
                raise InputError(f"'{key}' has the value {as_typed(value)} twice")
            values.append(value)
            if len(values) > MOST_VALUES:
                raise InputError(f"'{key}' has more than the {MOST_VALUES:,} values allowed")
    return tuple(values)


def _range(key: str, text: str) -> Iterator[str]:
    """Yield the values of '50..100:10', both ends included; the default step is 1."""
    ends, _, by = text.partition(":")
    try:
        low, high = (Decimal(end.strip()) for end in ends.split(".."))
        step = Decimal(by.strip() or "1")
        if not (low.is_finite() and high.is_finite() and step.is_finite()):
            raise ValueError
    except (InvalidOperation, ValueError):
        raise InputError(f"invalid range '{key}={shortened(text)}': expected NUMBER..NUMBER[:STEP]") from None
    if step <= 0 or low > high:
        raise InputError(f"invalid range '{key}={shortened(text)}': expected LOW..HIGH[:STEP] with a STEP above 0")
    if (high - low) / step >= MOST_VALUES:
        raise InputError(f"'{key}={shortened(text)}' has more than the {MOST_VALUES:,} values allowed")
    for number in range(int((high - low) / step) + 1):
        yield f"{low + number * step:f}"


def plain_value(value: Value) -> int | float | str:
    """Return a value as JSON stores it."""
    return str(value.value) if isinstance(value, Enum) else value
