"""What a person can get wrong, said in one line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches

from nimtui.foreign.signs import visible


class InputError(ValueError):
    """Bad input: the message is one line that says what was wrong and what would be right.

    What the message repeats of a file or an argument may be anything; it is shown as `visible` shows it.
    """

    def __init__(self, message: str) -> None:
        super().__init__(visible(message))


def unknown(kind: str, given: str, allowed: Iterable[str]) -> InputError:
    """An error for a name that does not exist: with the nearest one, and all that do."""
    names = list(allowed)
    return InputError(f"unknown {kind} '{shortened(given)}'{did_you_mean(given, names)} (one of: {', '.join(names)})")


def did_you_mean(given: str, allowed: Iterable[str]) -> str:
    """The name that was probably meant, as the end of a remark: " – did you mean 'nim'?"; '' where none is near."""
    near = get_close_matches(given.lower(), list(allowed), n=1, cutoff=0.6)
    return f" – did you mean '{near[0]}'?" if near else ""


@contextmanager
def reading(text: str, right: str) -> Iterator[None]:
    """What stumbles over a name it did not expect has not understood it: a person's own game may check nothing."""
    try:
        yield
    except InputError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as fault:
        raise InputError(f"'{shortened(text)}' is not understood, right would be {right}") from fault


def shortened(text: str) -> str:
    """What a person typed, cut to a length that fits a line."""
    text = visible(text.strip())
    return text if len(text) <= 40 else text[:37] + "…"


def whole_number(text: str, what: str, low: int, high: int) -> int:
    """Read a whole number between `low` and `high`, both included; InputError otherwise."""
    digits = text.strip().replace("_", "")
    unsigned = digits.removeprefix("-")
    if not (unsigned.isascii() and unsigned.isdigit()):
        raise InputError(f"{what} must be a whole number from {low:,} to {high:,}, not '{shortened(text)}'")
    if len(digits) > 30 or not low <= int(digits) <= high:
        raise InputError(f"{what} must be from {low:,} to {high:,}, not {shortened(text)}")
    return int(digits)
