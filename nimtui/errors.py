"""Errors in what a person enters, each as one line."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from typing import TypeVar

from nimtui.signs import visible

T = TypeVar("T")
NOUNS = {"agent", "algorithm", "game", "key", "kind", "learner", "option", "parameter", "screen", "table", "time limit"}
LONGEST_WORD = 160  # of a message, such as a path or a position
LONG_WORD = re.compile(rf"[^\s']{{{LONGEST_WORD + 1},}}")
LONGEST_VALUE, LONGEST_MESSAGE = 60, 1000
DECIMAL = re.compile(r"-?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf|nan)", re.ASCII | re.IGNORECASE)


class InputError(ValueError):
    """Invalid input. The message is one line that says what is wrong and what would be right.

    The message may quote any file or argument: it passes `visible`, and what is too long is `shortened`: a word, and
    the whole.
    """

    def __init__(self, message: str) -> None:
        words = LONG_WORD.sub(lambda word: shortened(word[0], LONGEST_WORD), visible(message))
        super().__init__(shortened(words, LONGEST_MESSAGE))


def unknown(kind: str, given: str, allowed: Iterable[str], spoken: Mapping[str, str] | None = None) -> InputError:
    """Return the error for an unknown name, with the nearest name and all allowed ones.

    `spoken`: other words for some of the names. A word near one of these suggests its name.
    """
    names = list(allowed)
    noun, of, whole = kind.partition(" of ")
    choices = f"{noun.capitalize()}s{of}{whole}" if noun in NOUNS else "Allowed"
    near = did_you_mean(given, names, spoken)
    return InputError(f"unknown {kind} '{shortened(given)}'{near}. {choices}: {', '.join(names)}")


def invalid(kind: str, given: str, right: str) -> InputError:
    """Return the error for a typed text that cannot be read, with what would be `right`, or why."""
    return InputError(f"invalid {kind} '{shortened(given)}': {right}")


def options_of(text: str, noun: str, of: str, allowed: Collection[str], valued: bool = True) -> dict[str, str]:
    """Return the values of 'KEY=VALUE,…' by key.

    Raises InputError for an unknown key, one given twice, and if all are `valued`, for one without '='.
    """
    values: dict[str, str] = {}
    for part in text.split(",") if text.strip() else ():
        key, equals, value = (piece.strip() for piece in part.partition("="))
        key = key.lower()
        if valued and not equals:
            raise invalid(f"{noun} of {of}", part, f"expected {', '.join(f'{name}=…' for name in allowed)}")
        if key not in allowed:
            raise unknown(f"{noun} of {of}", key, allowed)
        if key in values:
            raise InputError(f"the {noun} '{key}' of {of} is given twice")
        values[key] = value
    return values


def did_you_mean(given: str, allowed: Iterable[str], spoken: Mapping[str, str] | None = None) -> str:
    """Return the nearest name in brackets, ' (did you mean nim?)', or ''. `spoken`: see `unknown`."""
    meant = {**(spoken or {}), **{name: name for name in allowed}}
    near = get_close_matches(given.lower(), meant, n=1, cutoff=0.6)
    return f" (did you mean {meant[near[0]]}?)" if near else ""


def valid(read: Callable[[], T]) -> T | None:
    """Return what a function reads from an input; None if it raises InputError."""
    try:
        return read()
    except InputError:
        return None


@contextmanager
def reading(text: str, right: str) -> Iterator[None]:
    """Turn an error of a parser into an InputError that shows what is `right`: an own game may check nothing."""
    try:
        yield
    except InputError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as fault:
        needs = "needs a size, for example" if right.startswith(f"{text}:") else "is invalid: expected"
        raise InputError(f"'{shortened(text)}' {needs} {right}") from fault


@contextmanager
def naming(what: str) -> Iterator[None]:
    """Put what is read before the message of an InputError: 'position 3: …'."""
    try:
        yield
    except InputError as fault:
        raise InputError(f"{what}: {fault}") from None


def shortened(text: str, most: int = LONGEST_VALUE) -> str:
    """Return a text to quote: one of more than `most` characters as its beginning, its end and its length."""
    text = visible(text.strip())
    return text if len(text) <= most else f"{text[: most // 2]}…{text[-most // 5 :]} ({len(text):,} characters)"


GROUPED = re.compile(r"-?(\d+|\d{1,3}(,\d{3})+|\d{1,3}(_\d{3})+)", re.ASCII)  # 1000000, 1,000,000, 1_000_000


def decimal(text: str) -> float:
    """Return a number as people type it: '0.5', '-2', '1e-3'; never −0. Raises ValueError for anything else.

    Python's `float` also reads '1_0' and '٣'. 'inf' and 'nan' are numbers beyond every range.
    """
    if not DECIMAL.fullmatch(text.strip()):
        raise ValueError(text)
    return float(text) + 0.0


def whole_number(text: str, what: str, low: int, high: int) -> int:
    """Read a whole number between `low` and `high`, both included. Commas or underscores may separate thousands.

    Raises InputError otherwise.
    """
    number = text.strip().replace("−", "-")
    if not GROUPED.fullmatch(number):
        raise InputError(f"{what} must be a whole number from {low:,} to {high:,}, not '{shortened(text)}'")
    digits = number.replace(",", "").replace("_", "")
    if len(digits) > 30 or not low <= int(digits) <= high:
        raise InputError(f"{what} must be from {low:,} to {high:,}, not {shortened(text)}")
    return int(digits)
