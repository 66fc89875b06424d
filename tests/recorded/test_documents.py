"""The JSON documents of commands are what they were before results were told by reports."""

from __future__ import annotations

import json
import lzma
import math
from typing import Any

import pytest

from tests.recorded.run import DATA, masked, printed


def lost(before: Any, now: Any, where: str = "") -> list[str]:
    """Return the keys whose value is gone or another one; keys that are new are welcome, and things with ids too."""
    before, now = by_id(before), by_id(now)
    if isinstance(before, dict) and isinstance(now, dict):
        return [text for key in before for text in lost(before[key], now.get(key, "gone"), f"{where}.{key}")]
    if where == ".keys" and isinstance(now, list):  # a row more is welcome
        return lost(*({row["id"]: row for row in rows} for rows in (before, now)), where)
    if isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        return [text for at, pair in enumerate(zip(before, now, strict=True)) for text in lost(*pair, f"{where}[{at}]")]
    return [] if equal(before, now) else [f"{where}: {before!r:.80} is now {now!r:.80}"]


def by_id(value: Any) -> Any:
    """Return a list of things with ids as a dict: their order says nothing."""
    named = isinstance(value, list) and value and all(isinstance(one, dict) and "id" in one for one in value)
    return {one["id"]: one for one in value} if named else value


def equal(before: Any, now: Any) -> bool:
    """Return whether two values are the same; a fit's last digits are the processor's."""
    fractions = isinstance(before, float) and isinstance(now, float)
    return math.isclose(before, now, rel_tol=1e-9, abs_tol=1e-12) if fractions else before == now


@pytest.mark.slow
def test_every_recorded_document_is_the_same_key_by_key() -> None:
    before = json.loads(lzma.decompress(DATA.read_bytes()))
    changed = []
    for call, output in printed(text=False):
        changed += [f"{call} {text}" for text in lost(masked(before[call]), json.loads(json.dumps(output.document)))]
    assert not changed, "\n".join(changed[:40])
    assert len(before) > 190
