"""How many examples tests take: few in every run, more by NIMTUI_EXAMPLES, and long sets whole also by NIMTUI_FUZZ."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, TypeVar

import pytest

TIMES = int(os.environ.get("NIMTUI_EXAMPLES", "1"))
WHOLE = TIMES > 1 or int(os.environ.get("NIMTUI_FUZZ", "1")) > 1
Sized = TypeVar("Sized")


def examples(few: int) -> int:
    """Return `few`, or so many times as many as the environment asks for."""
    return few * TIMES


def few(some: Sized, whole: Sized) -> Sized:
    """Return `some`, the examples or the number of every run, or `whole` if the environment asks for more."""
    return whole if WHOLE else some


def with_slow(values: Iterable[Any], *slow: Any) -> list[Any]:
    """Return each value as a parameter of a test that is quick but for these values."""
    return [pytest.param(value, marks=[pytest.mark.slow] * (value in slow)) for value in values]
