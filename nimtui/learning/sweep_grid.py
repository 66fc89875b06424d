"""The grid of a sweep, as a person types it: 'margin=50,70,90', 'margin=50..100:10', 'pick=uniform-move'."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import Enum

from nimtui.errors import InputError, shortened, unknown
from nimtui.learning.parameter import Parameter, Value

MOST_VALUES = 1_000  # of one parameter
FORM = "margin=50,70,90 or margin=50..100:10"


@dataclass(frozen=True)
class Grid:
    """Which parameters are varied, and through which values; in the order in which they were named."""

    values: dict[str, tuple[Value, ...]]

    @property
    def cells(self) -> int:
        """How many combinations there are: 1 where nothing is varied."""
        product = 1
        for values in self.values.values():
            product *= len(values)
        return product

    @classmethod
    def read(cls, learner: str, parameters: Mapping[str, Parameter], given: Sequence[str]) -> Grid:
        """InputError for what is no grid over the parameters of this learner."""
        values: dict[str, tuple[Value, ...]] = {}
        for text in given:
            key, equals, rest = text.partition("=")
            key = key.strip().lower()
            if not equals:
                raise InputError(f"'{shortened(text)}' is no part of a grid; it looks like {FORM}")
            if key not in parameters:
                raise unknown(f"parameter of {learner}", key, parameters)
            if key in values:
                raise InputError(f"'{key}' is varied twice: give all its values in one list")
            values[key] = _values(key, parameters[key], rest)
        return cls(values)


def _values(key: str, parameter: Parameter, text: str) -> tuple[Value, ...]:
    found: list[Value] = []
    if not text.strip():
        raise InputError(f"'{key}=' has no values; it looks like {FORM}")
    for part in text.split(","):
        for word in _range(key, part) if ".." in part else (part,):
            if not word.strip():
                raise InputError(f"there is an empty value in '{key}={shortened(text)}'")
            value = parameter.read(key, word)
            if value in found:
                raise InputError(f"'{key}' has the value {as_typed(value)} twice")
            found.append(value)
            if len(found) > MOST_VALUES:
                raise InputError(f"'{key}' has more than the {MOST_VALUES:,} values allowed")
    return tuple(found)


def _range(key: str, text: str) -> Iterator[str]:
    """The values of '50..100:10', both ends included; the step is 1 where none is given."""
    ends, _, by = text.partition(":")
    try:
        low, high = (Decimal(end.strip()) for end in ends.split(".."))
        step = Decimal(by.strip() or "1")
        if not (low.is_finite() and high.is_finite() and step.is_finite()):
            raise ValueError
    except (InvalidOperation, ValueError):
        raise InputError(f"'{key}={shortened(text)}' is no range; it looks like {key}=50..100:10") from None
    if step <= 0 or low > high:
        raise InputError(f"'{key}={shortened(text)}' goes nowhere: a range goes up by a step above 0")
    if (high - low) / step >= MOST_VALUES:
        raise InputError(f"'{key}={shortened(text)}' has more than the {MOST_VALUES:,} values allowed")
    for number in range(int((high - low) / step) + 1):
        yield f"{low + number * step:f}"


def plain_value(value: Value) -> int | float | str:
    """A value as JSON says it."""
    return str(value.value) if isinstance(value, Enum) else value


def as_typed(value: Value) -> str:
    """A value so that it is read again as the same."""
    return str(value.value) if isinstance(value, Enum) else repr(value)
