"""Parsing of JSON from files, stricter than the standard library.

Refuses duplicate keys, infinite numbers and NaN, and values nested deeper than DEEPEST.
"""

from __future__ import annotations

import json
import math
from typing import Any

DEEPEST = 50  # brackets within brackets


class WrongDocument(ValueError):
    """The JSON is not accepted. The message gives the reason as the end of a sentence."""


def parse(text: str | bytes | bytearray, finite: bool = True) -> Any:
    """Return the value of a JSON text. Raises WrongDocument if it is invalid or not accepted.

    Without `finite`, numbers may be infinite or NaN: the caller must check each.
    """
    try:
        if not isinstance(text, str):
            text = text.decode("utf-8-sig")
        constant, real = (_constant, _real) if finite else (float, float)
        value = json.loads(text, parse_constant=constant, parse_float=real, object_pairs_hook=_keys)
    except WrongDocument:
        raise
    except RecursionError:
        raise WrongDocument("its brackets are nested too deep") from None
    except UnicodeDecodeError:
        raise WrongDocument("it is not text in UTF-8") from None
    except json.JSONDecodeError as fault:
        raise WrongDocument(f"it is not JSON: line {fault.lineno}, column {fault.colno}") from None
    except ValueError:  # a whole number of thousands of digits
        raise WrongDocument("it has a number that is too large") from None
    if _deeper(value, DEEPEST):
        raise WrongDocument(f"its brackets are nested deeper than {DEEPEST}")
    return value


def parse_object(text: str | bytes | bytearray, finite: bool = True) -> dict[str, Any]:
    """Return the object of a JSON text. Raises WrongDocument if the text is not an object."""
    value = parse(text, finite)
    if not isinstance(value, dict):
        raise WrongDocument("it is not an object with keys")
    return value


def _constant(word: str) -> Any:
    raise WrongDocument(f"it has the number {word}")


def _real(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise WrongDocument("it has a number that is too large")
    return number


def _keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise WrongDocument("it has a key twice")
    return members


def _deeper(value: Any, most: int) -> bool:
    """Return whether a value nests others in more than `most` levels."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(most == 0 or _deeper(part, most - 1) for part in inside if isinstance(part, dict | list))
