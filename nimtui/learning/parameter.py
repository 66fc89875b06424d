"""The parameters of a learner: their ranges and meanings."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from nimtui.errors import InputError, decimal, shortened, unknown, whole_number
from nimtui.report.values import Typed

Value: TypeAlias = int | float | Enum


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a learner: a whole number, a real number, or one of several words."""

    meaning: str
    low: float = 0
    high: float = 0
    choices: type[Enum] | None = None  # one of these instead of a number
    real: bool = False  # real, not only whole numbers

    @property
    def allowed(self) -> str:
        """The allowed values: '0 to 1,000', 'uniform-move or row-then-count'."""
        if self.choices is not None:
            return " or ".join(str(choice.value) for choice in self.choices)
        return f"{value_text(self.low)} to {value_text(self.high)}"

    def read(self, name: str, text: str) -> Value:
        """Return the value that a person typed. Raises InputError if it is invalid."""
        if self.choices is not None:
            allowed = {str(choice.value): choice for choice in self.choices}
            if text.strip().lower() not in allowed:
                raise unknown(name, text.strip(), allowed)
            return allowed[text.strip().lower()]
        if not self.real:
            return whole_number(text, name, int(self.low), int(self.high))
        try:
            value = decimal(text)
        except ValueError:
            raise InputError(f"{name} must be a number from {self.allowed}, not '{shortened(text)}'") from None
        if not self.low <= value <= self.high:  # also refuses nan
            raise InputError(f"{name} must be from {self.allowed}, not {shortened(text)}")
        return value


def as_typed(value: Value) -> str:
    """Return the text of a value; reading it gives the same value."""
    return str(value.value) if isinstance(value, Enum) else repr(value)


def value_text(value: Value) -> str:
    """Return a value as a person types it, thousands grouped: '1,000', '0.25', 'uniform-move'."""
    if isinstance(value, Enum):
        return str(value.value)
    return f"{value:,}" if isinstance(value, int) else Typed(value).text
