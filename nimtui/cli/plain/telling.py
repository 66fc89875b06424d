"""Puts what is known of a position into lines: why it is won or lost, a search, a training, a review."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nimtui.games.notation import plural
from nimtui.report.blocks import Figure, Figures, Report
from nimtui.report.spoken import spoken
from nimtui.report.values import Count, Share

if TYPE_CHECKING:
    from nimtui.games.base import Move
    from nimtui.games.place import Place
    from nimtui.learning.run import Run
    from nimtui.theory.answers import MoveValue
    from nimtui.theory.explanation import Explanation
    from nimtui.trees import Result


def why(explanation: Explanation) -> list[str]:
    """Return the reason in plain words, each row with its value, and the sentences that explain the outcome."""
    from nimtui.theory.explanation import sentences, signed
    from nimtui.theory.report import reason

    told = [" ".join(explanation.plain)] if explanation.plain else []
    told += spoken(Report(reason(explanation)))
    if explanation.scores:
        columns = ", ".join(f"column {name} {signed(score)}" for name, score in explanation.scores)
        told.append(f"Scores: {columns}.")
    return [*told, " ".join(sentences(explanation))]


def terms(explanation: Explanation) -> list[str]:
    """Return a line for each term that the explanation uses."""
    from nimtui import glossary

    return [f"{term}: {meaning}" for term, meaning in glossary.meanings(explanation.terms, explanation.meaning)]


def search(place: Place, result: Result, truths: dict[Move, MoveValue] | None) -> list[str]:
    """Return the move that a search plays, the best line, a line for each move of the root, and its effort."""
    from nimtui.trees.report import NOTHING_FOUND, found

    if result.best_move is None:
        return [f"{NOTHING_FOUND.capitalize()}."]
    effort = Figures([Figure("nodes", Count(result.nodes))])
    return [" ".join(said.split()) for said in spoken(Report([*found(place, result, truths), effort]))]


def training(run: Run) -> list[str]:
    """Return the learning curve and the standing of a run, in sentences."""
    from nimtui.learning import report

    training, standing = run.training, report.standing(run)
    curve = [
        f"After {plural(point.games, 'game', 'games')}: accuracy {Share(point.accuracy).text}, against perfect play"
        f" {Share(point.unbeaten).text}."
        for point in report.points(run, standing)
    ]
    return [
        f"Trained the learner {training.table.learner} on {plural(training.games, 'game', 'games')} of"
        f" {training.game.name}, seed {training.seed}.",
        *curve,
        *(f"{line[:1].upper()}{line[1:]}." for line in report.reached(run, standing)),
    ]
