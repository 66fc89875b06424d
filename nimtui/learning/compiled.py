"""Compiled self-play on a table laid out along its game's graph. Loads the engine when used."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.engine.lessons import Memory
from nimtui.engine.rng import Counter
from nimtui.learning.learner import Learner, Scores, constants, notes
from nimtui.learning.table import Table
from nimtui.progress import SILENT, Progress

if TYPE_CHECKING:
    from nimtui.engine import self_play
    from nimtui.engine.graph import Graph

NO_NODES: npt.NDArray[np.int64] = np.zeros(0, np.int64)


class Episode(NamedTuple):
    """One game of self-play, with the scores of its moves before and after."""

    number: int  # counted from 1, over all games of the table
    nodes: npt.NDArray[np.int32]  # [plies]
    edges: npt.NDArray[np.int32]  # [plies]
    before: npt.NDArray[np.float64]  # [plies]: the scores of these edges before the game
    after: npt.NDArray[np.float64]  # [plies]: the same after the game
    outcome: int  # for the player who moved last


class Compiled:
    """Plays self-play games, which change the table and advance the random generator."""

    def __init__(
        self, graph: Graph, learner: Learner, table: Table, counter: Counter, progress: Progress = SILENT
    ) -> None:
        from nimtui.engine import self_play

        notes_per_node = notes(learner)
        numbers = np.zeros(len(graph.order) * notes_per_node, np.int32)
        links = np.zeros(len(graph.to) if notes_per_node > 1 else 0, np.int32)
        self._graph, self._table, self._counter = graph, table, counter
        self._learner = constants(learner)
        self._memory = Memory(table.cells, table.visits, table.marks, numbers, links)
        self._room = self_play.scratch(graph)
        self._watched: self_play.Watched | None = None
        if notes_per_node:
            self_play.make_notes(self._learner, graph, self._memory, progress)

    @property
    def table(self) -> Table:
        return self._table

    @property
    def done(self) -> tuple[int, int]:
        """The finished games and their plies; correct however `play` and `watch` ended."""
        games, plies = self._room.done.tolist()
        return games, plies

    def play(self, games: int) -> None:
        """Play this many games."""
        from nimtui.engine import self_play

        self_play.self_play(self._learner, self._graph, self._memory, games, self._counter, self._room)

    def watch(self, games: int, choices: npt.NDArray[np.int64] = NO_NODES) -> tuple[int, bool]:
        """Play this many games, or only up to the first that changes a best-scored move of one of these nodes.

        Return the plies of the last game, for `episode`, and whether it made such a change.
        """
        from nimtui.engine import self_play

        if self._watched is None or len(self._watched.nodes) != len(choices):
            scores = self._memory.scores.copy() if len(choices) else self._memory.scores[:0].copy()
            self._watched = self_play.Watched(choices, np.zeros(len(choices), np.int64), scores)
        played = self_play.watched_play(
            self._learner, self._graph, self._memory, games, self._counter, self._room, self._watched
        )
        last, changed = played
        return int(last), bool(changed)

    @property
    def scores_before(self) -> Scores:
        """A copy of all scores before the last game that `watch` played, if it had nodes to watch."""
        assert self._watched is not None
        return self._watched.scores.copy()

    def episode(self, number: int, plies: int) -> Episode:
        """Return the last game, which `watch` played and which had this many plies."""
        room = self._room
        nodes, edges, before = room.nodes[:plies], room.edges[:plies], room.before[:plies]
        end = int(self._graph.to[edges[-1]])
        outcome = 2 if end == -3 else 1 if end == -1 else -1
        return Episode(
            number, nodes.copy(), edges.copy(), before.copy(), self._table.cells[edges].astype(np.float64), outcome
        )
