"""JSON text of a document, and the plain values that a reader of it gets."""

from __future__ import annotations

import json
from typing import Any


def text(keys: dict[str, Any], indent: int | None = None) -> str:
    """Return a document as JSON, on one line without `indent`. Raises ValueError for a number that JSON cannot hold."""
    return json.dumps(keys, default=_number, indent=indent, allow_nan=False)


def plain(keys: dict[str, Any]) -> dict[str, Any]:
    """Return the document as a reader of its JSON gets it: lists for tuples, Python's numbers for NumPy's."""
    found: dict[str, Any] = json.loads(text(keys))
    return found


def _number(number: Any) -> Any:
    """Return a NumPy number as a Python number."""
    return number.item()
