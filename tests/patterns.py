"""Takes a printed sentence apart: every form has a pattern and a check of its parts; a sentence without one fails."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

Patterns: TypeAlias = Mapping[str, Callable[..., None]]

COUNT = r"[\d,]+"
NUMBER = r"[+−-]?[\d,]+(?:\.\d+)?"


def check(text: str, patterns: Patterns, *facts: object) -> str:
    """Check the parts of one sentence, and return its pattern. `facts` come before the pattern's groups."""
    fitting = [(pattern, found) for pattern in patterns if (found := re.fullmatch(pattern, text))]
    assert fitting, f"a sentence without a pattern: {text}"
    pattern, found = max(fitting, key=lambda pair: len(pair[0]))
    patterns[pattern](*facts, *found.groups())
    return pattern


def real(text: str) -> float:
    return float(text.replace("−", "-").replace(",", ""))


def near(text: str, value: float | None) -> bool:
    """Whether a printed number is this one, rounded to two digits or more."""
    return value is not None and abs(real(text) - value) <= 0.00501


def same(said: object, true: object) -> None:
    assert said == true, (said, true)
