"""When a training has reached its goal. Needs no table and no NumPy: the start screen asks for every saved run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from nimtui.learning.training import Training


class Headed(NamedTuple):
    """What the header of a file says of its training."""

    games: int
    more: Mapping[str, Any]
    curve: Sequence[Sequence[float]]


def reached(training: Training | Headed, last: int | None, until_perfect: bool) -> bool:
    """Return whether the run has reached its goal: so many games, or every position played right."""
    if last is not None and training.games >= last:
        return True
    perfect = training.more.get("perfect") is not None
    return until_perfect and (perfect or (bool(training.curve) and training.curve[-1][1] == 1))
