"""The report of `nimtui train`, as JSON and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nimtui.cli import output
from nimtui.learning.export import with_end

if TYPE_CHECKING:
    from nimtui.learning.evaluate import Standing
    from nimtui.learning.run import Run
    from nimtui.learning.training import Point, Training

BAR = 30  # columns of a bar that stands for 1


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


def show(run: Run, keys: dict[str, Any]) -> None:
    grouped, training = output.grouped, run.training
    output.heading(training.game)
    output.say(
        f"{keys['learner']}, seed {keys['seed']}: {grouped(keys['games'])} games"
        f" in {output.seconds(keys['seconds'])}, {grouped(keys['games_per_second'])} a second",
        f"{grouped(keys['plies'])} plies, {grouped(keys['positions'])} positions",
        "",
    )
    output.columns(
        ["games", "accuracy", "", "against perfect"],
        [
            [grouped(point.games), f"{point.accuracy:.3f}", "█" * round(point.accuracy * BAR), f"{point.unbeaten:.3f}"]
            for point in points(training, keys)
        ],
        left=(2,),
    )
    output.say("", *reached(keys))
    if keys["saved"] is not None:
        output.say(f"saved to {keys['saved']}")


def points(training: Training, keys: dict[str, Any]) -> list[Point]:
    """Return the points at 0, 1, 10, 100 … games and at the end: enough for a person."""
    from nimtui.learning.training import Point

    decades = {point.games: point for point in training.curve if str(point.games).strip("0") in ("", "1")}
    return list((decades | {keys["games"]: Point(keys["games"], keys["accuracy"], keys["unbeaten"])}).values())


def reached(keys: dict[str, Any]) -> tuple[str, str]:
    """Return two lines: whether the table is proof, and whether it plays every position right."""
    after = keys["games_to_perfect"]
    right = "yes" if after is None else f"yes, after {after:,} games"
    if not keys["perfect"]:
        of_all = f" of {keys['right'] + keys['wrong'] + keys['undecided']:,}"
        counts = [f"{keys[what]:,}{{}} {what}" for what in ("wrong", "undecided") if keys[what]]
        right = f"no ({', '.join(counts).format(of_all, '')})"
    return f"proof against any opponent: {'yes' if keys['proof'] else 'no'}", f"every position right: {right}"
