"""The shortest sequence that still fails: delta debugging, by halves first, then step by step and byte by byte."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import TypeVar

from tests.fuzz.steps import Step, events

Part = TypeVar("Part")
Fails = Callable[[list[Step]], bool]


def shrink(steps: Sequence[Step], fails: Fails, seconds: float = 60.0) -> list[Step]:
    """As few steps, and as few events in each, as can be found in this time. `fails` is true for `steps` themselves."""
    end = monotonic() + seconds

    def still(tried: list[Step]) -> bool:
        return monotonic() < end and fails(tried)

    found = _fewer(list(steps), still)
    for at in range(len(found) - 1, -1, -1):
        step = found[at]
        if isinstance(step, bytes):
            before, after = found[:at], found[at + 1 :]
            parts = _fewer(events(step), lambda some, b=before, a=after: still([*b, b"".join(some), *a]))  # type: ignore[misc]
            found = [*before, b"".join(parts), *after]
    return found


def _fewer(parts: list[Part], fails: Callable[[list[Part]], bool]) -> list[Part]:
    """As few of these parts as still fail: leave out ever smaller pieces, from the end, while any can be left out."""
    size = max(1, len(parts) // 2)
    while len(parts) > 1:
        left_out = False
        for begin in range(len(parts) - size, -size, -size):
            some = parts[: max(0, begin)] + parts[begin + size :]
            if some and len(some) < len(parts) and fails(some):
                parts, left_out = some, True
        if not left_out and size == 1:
            break
        size = max(1, min(size // 2, len(parts) // 2)) if not left_out or size > 1 else 1
    return parts
