"""What is said of a field of a form, and what could stand there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nimtui.errors import InputError


@dataclass(frozen=True, slots=True)
class Finding:
    """What is to be said of one field: is it right, and in one line what it means or what is wrong with it."""

    right: bool
    text: str


def finding(meaning: Callable[[], str]) -> Finding:
    """What is to be said of a field whose meaning is asked for: it, or why it has none."""
    try:
        return Finding(True, meaning())
    except InputError as wrong:
        return Finding(False, str(wrong))


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that could stand in a field."""

    value: str
    label: str
    detail: str = ""
