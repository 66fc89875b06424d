"""What each lesson of a taught table changed: scores, best moves, and the accuracy where the game can be solved."""

from __future__ import annotations

from typing import Any, NamedTuple

from nimtui.errors import InputError
from nimtui.learning.evaluate import accuracy_of
from nimtui.learning.graph_table import on_graph, why_untrainable
from nimtui.learning.table import Table
from nimtui.learning.taught import Lesson, Taught, changed_positions
from nimtui.progress import SILENT, Progress
from nimtui.report.values import Fine
from nimtui.theory.answers import SOON, Until
from nimtui.theory.truth import truth

SEATS = ("first", "second")


class Version(NamedTuple):
    """One version of a taught table, and what its lesson changed."""

    number: int
    games: int
    lesson: Lesson | None  # None: the base
    moves: tuple[str, ...]  # of the lesson, by name
    positions: tuple[str, ...]  # whose best-scored moves the lesson changed
    accuracy: float | None  # None: unknown

    @property
    def winner(self) -> str:
        """The name of the lesson's winner; '' after a draw and for the base."""
        return "" if self.lesson is None or self.lesson.winner is None else self.lesson.players[self.lesson.winner]

    def document(self) -> dict[str, Any]:
        lesson = self.lesson
        return {
            "version": self.number,
            "games": self.games,
            "accuracy": self.accuracy,
            "when": None if lesson is None else lesson.when,
            "players": None if lesson is None else list(lesson.players),
            "start": None if lesson is None else lesson.position,
            "moves": list(self.moves),
            "weight": None if lesson is None else lesson.weight,
            "winner": None if lesson is None or lesson.winner is None else SEATS[lesson.winner],
            "changed_positions": list(self.positions),
        }


def versions(taught: Taught, progress: Progress = SILENT) -> list[Version]:
    """Return all versions, the base first. The accuracy is left out if the game takes long to solve.

    Raises StoreError if the lessons do not lead to the newest version.
    """
    tables, game = list(taught.versions()), taught.base.game
    shares = _accuracies(tables, progress)
    versions = [Version(0, taught.base.games, None, (), (), shares[0])]
    for number, lesson in enumerate(taught.lessons, 1):
        before, after = tables[number - 1 : number + 1]
        changed = tuple(changed_positions(before, after, lesson))
        moves = tuple(game.line_names(lesson.moves, lesson.record(game).state_at(0)))
        versions.append(Version(number, after.games, lesson, moves, changed, shares[number]))
    return versions


def change_text(before: float | None, after: float | None) -> str:
    """Return an accuracy before and after a lesson: '24.13 % → 24.51 %'; '' if it is unknown."""
    return "" if before is None or after is None else f"{Fine(before)} → {Fine(after)}"


def accuracy_change(taught: Taught, progress: Progress = SILENT) -> str:
    """Return what the last lesson did to the accuracy; '' if the game takes long to solve, or without lessons."""
    if not taught.lessons:
        return ""
    return change_text(*_accuracies([taught.version(len(taught) - 1), taught.newest], progress))


def _accuracies(tables: list[Table], progress: Progress) -> list[float | None]:
    if why_untrainable(tables[0].game) is not None:
        return [None] * len(tables)
    limited = Until(progress, SOON)
    accuracies: list[float | None] = []
    try:
        solution = truth(tables[0].game, limited)
        for number, table in enumerate(tables):
            limited.report(number, len(tables), "versions")
            accuracies.append(accuracy_of(solution, on_graph(table, solution.graph).cells))
    except InputError:  # too slow, or too large
        pass
    return accuracies + [None] * (len(tables) - len(accuracies))
