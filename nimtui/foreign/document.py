"""JSON that comes from a file: what it may hold, so that whoever works with it meets no surprise.

No key stands twice, no number is infinite or no number, nothing lies deeper than a person would write.
"""

from __future__ import annotations

import json
import math
from typing import Any

DEEPEST = 50  # brackets within brackets


class WrongDocument(ValueError):
    """This is no JSON that is accepted: why, as the end of a sentence."""


def parse(text: str | bytes | bytearray, finite: bool = True) -> Any:
    """Return what a JSON text says. WrongDocument where it is none, or says what none of ours does.

    Without `finite` a number may be infinite or none: whoever asks so checks each.
    """
    try:
        if not isinstance(text, str):
            text = text.decode("utf-8-sig")
        constant, real = (_constant, _real) if finite else (float, float)
        found = json.loads(text, parse_constant=constant, parse_float=real, object_pairs_hook=_keys)
    except WrongDocument:
        raise
    except RecursionError:
        raise WrongDocument("its brackets are nested too deep") from None
    except UnicodeDecodeError:
        raise WrongDocument("it is no text in UTF-8") from None
    except json.JSONDecodeError as fault:
        raise WrongDocument(f"it is no JSON: line {fault.lineno}, column {fault.colno}") from None
    except ValueError:  # a whole number of thousands of digits
        raise WrongDocument("it has a number that is too large") from None
    if _deeper(found, DEEPEST):
        raise WrongDocument(f"its brackets are nested deeper than {DEEPEST}")
    return found


def parse_object(text: str | bytes | bytearray, finite: bool = True) -> dict[str, Any]:
    """Return the keys and values of a JSON text that is an object. WrongDocument where it is none."""
    found = parse(text, finite)
    if not isinstance(found, dict):
        raise WrongDocument("it is not an object with keys")
    return found


def _constant(word: str) -> Any:
    raise WrongDocument(f"it has the number {word}")


def _real(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise WrongDocument("it has a number that is too large")
    return number


def _keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise WrongDocument("it has a key twice")
    return found


def _deeper(found: Any, most: int) -> bool:
    """Does a value hold others in more than `most` levels?"""
    inside = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
    return any(most == 0 or _deeper(one, most - 1) for one in inside if isinstance(one, dict | list))
