"""The report of `nimtui train`, as JSON and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nimtui.cli import output
from nimtui.report.values import Share

if TYPE_CHECKING:
    from nimtui.learning.run import Run
    from nimtui.learning.training import Point, Training

BAR = 30  # columns of a bar that stands for 1


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
            [
                grouped(point.games),
                Share(point.accuracy).text,
                "█" * round(point.accuracy * BAR),
                Share(point.unbeaten).text,
            ]
            for point in points(training, keys)
        ],
        left=(2,),
    )
    output.say("", *reached(training, keys))
    if keys["saved"] is not None:
        output.say(f"saved to {keys['saved']}")


def points(training: Training, keys: dict[str, Any]) -> list[Point]:
    """Return the points at 0, 1, 10, 100 … games and at the end: enough for a person."""
    from nimtui.learning.training import Point

    decades = {point.games: point for point in training.curve if str(point.games).strip("0") in ("", "1")}
    return list((decades | {keys["games"]: Point(keys["games"], keys["accuracy"], keys["unbeaten"])}).values())


def reached(training: Training, keys: dict[str, Any]) -> tuple[str, ...]:
    """Return what the accuracy counts, whether any opponent can bring about a mistake, and whether all is right."""
    from nimtui.learning.evaluate import seats_text

    assert training.truth is not None
    seats, after = seats_text(training.truth), keys["games_to_perfect"]
    there = keys["right"] + keys["wrong"] + keys["undecided"]
    right = "yes" if after is None else f"yes, after {after:,} games"
    if not keys["perfect"]:
        counts = [f"{keys[what]:,}{{}} {what}" for what in ("wrong", "undecided") if keys[what]]
        right = f"no ({', '.join(counts).format(f' of {there:,}', '')})"
    return (
        f"accuracy: over the {there:,} positions not lost",
        f"no mistake against any opponent, {seats}: {'yes' if keys['proof'] else 'no'}",
        f"every position right: {right}",
    )
