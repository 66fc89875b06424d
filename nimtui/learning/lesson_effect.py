"""What a lesson does to all positions of a game: the verdict on each before and after. Loads the engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.games import base
from nimtui.games.notation import plural
from nimtui.learning.evaluate import WORDS, differing, judged
from nimtui.learning.graph_table import on_graph
from nimtui.learning.learner import Scores
from nimtui.learning.report import change_text
from nimtui.learning.table import Table
from nimtui.learning.taught import Lesson, after
from nimtui.progress import SILENT, Progress
from nimtui.theory.truth import Truth, truth


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A table on all positions."""

    scores: Scores  # [edges]
    verdicts: npt.NDArray[np.int8]  # [nodes]: RIGHT, WRONG, UNDECIDED, NOTHING
    accuracy: float  # 0 to 1

    @classmethod
    def of(cls, truth: Truth, table: Table) -> Judged:
        scores = on_graph(table, truth.graph).cells
        return cls(scores, *judged(truth, scores))


class TaughtMove(NamedTuple):
    """A move of the lesson, with its score and the verdict on its position before and after."""

    node: int
    move: str  # its name
    scores: tuple[float, float]
    verdicts: tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Effect:
    """A table before and after one lesson of some weight."""

    truth: Truth
    table: Table  # before
    lesson: Lesson
    before: Judged
    after: Judged

    @property
    def changed(self) -> npt.NDArray[np.bool_]:
        """Where the best-scored moves differ, [nodes]."""
        return differing(self.truth, self.before.scores, self.after.scores)

    def became(self) -> Mapping[int, list[int]]:
        """Return the nodes whose best moves changed, ascending, by their new verdict: right, wrong, undecided, lost."""
        differ = self.changed
        return {verdict: np.flatnonzero(differ & (self.after.verdicts == verdict)).tolist() for verdict in WORDS}

    def name(self, node: int) -> str:
        """Return the name of a position."""
        game = self.table.game
        return game.position_name(game.at(self.truth.graph.boards[node].astype(np.int64)))

    def best(self, node: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the names of the best-scored moves of a position, before and after."""
        graph, game = self.truth.graph, self.table.game
        here = slice(int(graph.ptr[node]), int(graph.ptr[node + 1]))
        state = game.at(graph.boards[node].astype(np.int64))
        before, after = (
            tuple(game.move_name(int(move), state) for move in graph.move[here][scores[here] == scores[here].max()])
            for scores in (self.before.scores, self.after.scores)
        )
        return before, after

    def moves(self) -> list[TaughtMove]:
        """Return the moves of the lesson, in the order of play."""
        from nimtui.engine.graph import node_at

        graph, game, record = self.truth.graph, self.table.game, self.lesson.record(self.table.game)
        moves = []
        for ply, move in enumerate(self.lesson.moves):
            state = record.state_at(ply)
            node = node_at(graph, state)
            edge = int(graph.ptr[node]) + base.legal_moves(state).index(move)
            scores = self.before.scores[edge].item(), self.after.scores[edge].item()
            verdicts = int(self.before.verdicts[node]), int(self.after.verdicts[node])
            moves.append(TaughtMove(node, game.move_name(move, state), scores, verdicts))
        return moves

    @property
    def text(self) -> str:
        """Say in how many positions the best moves change, and the accuracy before and after."""
        number = plural(int(self.changed.sum()), "position", "positions")
        share = change_text(self.before.accuracy, self.after.accuracy)
        return f"1 lesson with weight {self.lesson.weight:,}: best moves change in {number}. Accuracy {share}."


class Preview:
    """The effects of one game on a table, for any weight. The table stays as it is."""

    def __init__(self, table: Table, lesson: Lesson, progress: Progress = SILENT) -> None:
        """Solve the game. Raises InputError if it is too large."""
        self.truth = truth(table.game, progress)
        self._table, self._lesson = table, lesson
        self._before = Judged.of(self.truth, table)

    def effect(self, weight: int) -> Effect:
        """Return what the lesson does with this weight. Raises InputError if the table cannot learn so many games."""
        lesson = replace(self._lesson, weight=weight)
        table, _ = after(self._table, lesson)
        return Effect(self.truth, self._table, lesson, self._before, Judged.of(self.truth, table))
