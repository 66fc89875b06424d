"""The document of `nimtui train`."""

from __future__ import annotations

from typing import Any

from nimtui.learning.evaluate import Standing
from nimtui.learning.export import with_end
from nimtui.learning.run import Run


def document(run: Run) -> dict[str, Any]:
    """Return the JSON document. Its numbers cover the whole run, with the games before this command."""
    training, found = run.training, _standing(run)
    return {
        "game": training.game.name,
        "learner": training.table.learner,
        "seed": training.seed,
        "games": training.games,
        "seconds": training.seconds,
        "games_per_second": training.games_per_second,
        "plies": training.plies,
        "accuracy": found.accuracy,
        "reachable": found.reachable,
        "unbeaten": found.unbeaten,
        "proof": found.proof,
        "perfect": found.perfect,
        "games_to_perfect": training.more.get("perfect"),
        "right": found.right,
        "wrong": found.wrong,
        "undecided": found.undecided,
        "curve": [point._asdict() for point in with_end(training, found)],
        "positions": len(training.table.numbers),
        "saved": None if run.file.path is None or run.file.fault else str(run.file.path),
        "saved_games": None if run.file.path is None else run.file.games or 0,
    }


def _standing(run: Run) -> Standing:
    view = run.views.newest
    return view.standing if view is not None and view.games == run.training.games else run.training.standing()
