"""What a lesson does to all positions of a game: the verdict on each before and after. Loads the engine.

Where they are too many, it is what the lesson does to some of the exact sample.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.games import base
from nimtui.games.notation import plural
from nimtui.learning import sample
from nimtui.learning.evaluate import RIGHT, WORDS, WRONG, differing, sampled_standing
from nimtui.learning.graph_table import on_graph, why_untrainable
from nimtui.learning.learner import Scores
from nimtui.learning.report import change_text
from nimtui.learning.sample import SampledTruth, truth_of
from nimtui.learning.table import Table
from nimtui.learning.taught import Lesson, after
from nimtui.progress import SILENT, Progress
from nimtui.report.values import Typed, nearest
from nimtui.theory.truth import Truth, truth


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A table on all positions."""

    scores: Scores  # [edges]
    verdicts: npt.NDArray[np.int8]  # [nodes]: RIGHT, WRONG, UNDECIDED, NOTHING
    accuracy: float  # 0 to 1

    @classmethod
    def of(cls, truth: Truth, table: Table) -> Judged:
        if isinstance(truth, SampledTruth) and table.function is not None:
            scores: Scores = np.zeros(len(truth.graph.to))
            table.function.fill(truth.graph, scores)
        else:
            scores = on_graph(table, truth.graph).cells
        standing = sampled_standing(truth, scores)
        return cls(scores, standing.verdicts, standing.accuracy)


class TaughtMove(NamedTuple):
    """A move of the lesson, with its score and the verdict on its position before and after."""

    node: int  # −1 if the position is not listed
    move: str  # its name
    scores: tuple[float, float]
    verdicts: tuple[int, int] | None  # None if it is not listed
    position: str  # its name


@dataclass(frozen=True, slots=True, eq=False)
class Effect:
    """A table before and after one lesson of some weight."""

    truth: Truth
    table: Table  # before
    taught: Table  # after
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
            name = game.move_name(move, state), game.position_name(state)
            node = self.truth.node(state.board) if isinstance(self.truth, SampledTruth) else node_at(graph, state)
            if node < 0:
                values = self.table.scores(state)[move], self.taught.scores(state)[move]
                moves.append(TaughtMove(node, name[0], values, None, name[1]))
                continue
            edge = int(graph.ptr[node]) + base.legal_moves(state).index(move)
            scores = self.before.scores[edge].item(), self.after.scores[edge].item()
            verdicts = int(self.before.verdicts[node]), int(self.after.verdicts[node])
            moves.append(TaughtMove(node, name[0], scores, verdicts, name[1]))
        return moves

    @property
    def text(self) -> str:
        """Say in how many positions the best moves change, and the accuracy before and after."""
        number = plural(int(self.changed.sum()), "position", "positions")
        share = change_text(self.before.accuracy, self.after.accuracy)
        text = f"1 lesson with weight {self.lesson.weight:,}: best moves change in {number}. Accuracy {share}."
        return text if self.table.function is None else f"{text} {self.values_text}"

    @property
    def values_text(self) -> str:
        """Say how many positions became right and wrong, and how far the values of a function moved."""
        right, wrong = (
            int(((self.after.verdicts == to) & (self.before.verdicts != to)).sum()) for to in (RIGHT, WRONG)
        )
        moved = np.abs(self.after.scores - self.before.scores)
        most = Typed(nearest(float(moved.max()), 3)).text
        values = f"{int((moved > 0).sum()):,} of {len(moved):,} values move, by {most} at most"
        return f"Of {len(self.before.verdicts):,} positions {right:,} became right, {wrong:,} wrong. {values}."


class Preview:
    """The effects of one game on a table, for any weight. The table stays as it is."""

    def __init__(self, table: Table, lesson: Lesson, progress: Progress = SILENT) -> None:
        """Solve the game, or a sample of it. Raises InputError if it is too large for both."""
        whole = table.function is None or why_untrainable(table.game) is None
        self.truth = truth(table.game, progress) if whole else truth_of(sample.of(table.game, progress))
        self._table, self._lesson = table, lesson
        self._before = Judged.of(self.truth, table)

    def effect(self, weight: int) -> Effect:
        """Return what the lesson does with this weight. Raises InputError if the table cannot learn so many games."""
        lesson = replace(self._lesson, weight=weight)
        table, _ = after(self._table, lesson)
        return Effect(self.truth, self._table, table, lesson, self._before, Judged.of(self.truth, table))
