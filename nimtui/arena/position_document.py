"""Two agents on all positions as a JSON document, and as CSV."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from nimtui.arena.position_comparison import NAMES, PositionComparison
from nimtui.foreign.sheet import Sheet
from nimtui.learning.evaluate import NOTHING, RIGHT, UNDECIDED, WRONG

if TYPE_CHECKING:
    from nimtui.progress import Progress

WORDS = {NOTHING: "lost", RIGHT: "right", WRONG: "wrong", UNDECIDED: "undecided"}
OUTCOMES = {1: "win", 0: "draw", -1: "loss"}
COLUMNS = "position,outcome,remoteness,first,second,right"
STEP = 1_000  # positions between two reports


def rows(found: PositionComparison, progress: Progress) -> Iterator[tuple[Any, ...]]:
    """Yield position, outcome, remoteness, both verdicts and who is right, for each position. Raises Cancelled."""
    first, second = found.verdicts
    for node in range(found.positions):
        if node % STEP == 0:
            progress.report(node, found.positions, "naming positions")
        distance = int(found.distances[node])
        yield (
            found.game.position_name(found.state(node)),
            OUTCOMES[int(found.known.values[node])],
            None if distance < 0 else distance,
            WORDS[int(first[node])],
            WORDS[int(second[node])],
            NAMES[int(found.kinds[node])],
        )


def positions_csv(found: PositionComparison, progress: Progress) -> str:
    """Return a row for each position as CSV, with a header."""
    text = io.StringIO()
    Sheet(text, COLUMNS.split(",")).rows(rows(found, progress))
    return text.getvalue()


def positions_document(found: PositionComparison, seed: int, progress: Progress) -> dict[str, Any]:
    """Return the counts, the shares by distance to the end, and every position."""
    return {
        "game": found.game.name,
        "seed": seed,
        "agents": list(found.agents),
        "right": [found.share(0), found.share(1)],
        "counts": {name.replace(" ", "_"): count for name, count in zip(NAMES, found.counts, strict=True)},
        "by_distance": [row._asdict() for row in found.by_distance()],
        "positions": [dict(zip(COLUMNS.split(","), row, strict=True)) for row in rows(found, progress)],
    }
