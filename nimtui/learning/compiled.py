"""Compiled self-play on a table that lies along its game's graph. Loads the engine when used."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.engine.lessons import Memory
from nimtui.engine.rng import Counter
from nimtui.learning.learner import Learner, constants, notes
from nimtui.learning.table import NOTHING, Table
from nimtui.progress import SILENT, Progress

if TYPE_CHECKING:
    from nimtui.engine.graph import Graph


class Episode(NamedTuple):
    """One game of self-play, and what it taught about the moves that were made."""

    number: int  # the how manieth of its table it was, from 1
    nodes: npt.NDArray[np.int32]  # [plies]
    edges: npt.NDArray[np.int32]  # [plies]
    before: npt.NDArray[np.float64]  # [plies]: the scores of these edges before the game
    after: npt.NDArray[np.float64]  # [plies]: and after it
    outcome: int  # for the player who moved last


class Compiled:
    """Plays games of a learner against itself, which change the table and move the generator on."""

    def __init__(
        self, graph: Graph, learner: Learner, table: Table, counter: Counter, progress: Progress = SILENT
    ) -> None:
        from nimtui.engine import self_play

        kept = notes(learner)
        numbers = np.zeros(len(graph.order) * kept, np.int32)
        links = np.zeros(len(graph.to) if kept > 1 else 0, np.int32)
        self._graph, self._table, self._counter = graph, table, counter
        self._learner = constants(learner)
        self._memory = Memory(table.cells, table.visits, table.marks, numbers, links)
        self._room = self_play.scratch(graph)
        self._greedy = NOTHING.astype(np.int64)
        if kept:
            self_play.make_notes(self._learner, graph, self._memory, progress)

    @property
    def table(self) -> Table:
        return self._table

    @property
    def done(self) -> tuple[int, int]:
        """How many games it has played to their end, and their plies; right however `play` and `watch` ended."""
        games, plies = self._room.done.tolist()
        return games, plies

    def play(self, games: int) -> None:
        """So many games."""
        from nimtui.engine import self_play

        self_play.self_play(self._learner, self._graph, self._memory, games, self._counter, self._room)

    def watch(self, games: int, until_change: bool = False) -> tuple[int, bool]:
        """So many games, or only up to the first that changes a best-scored move of any position.

        Returns the plies of the last one, for `episode`, and whether it made such a change.
        """
        from nimtui.engine import self_play

        if until_change and not len(self._greedy):
            self._greedy = np.zeros(len(self._graph.order), np.int64)
        played = self_play.watched_play(
            self._learner, self._graph, self._memory, games, self._counter, self._room, self._greedy, until_change
        )
        last, changed = played
        return int(last), bool(changed)

    def episode(self, number: int, plies: int) -> Episode:
        """The game played last, which `watch` played and which had so many plies."""
        room = self._room
        seen, made, before = room.seen[:plies], room.made[:plies], room.before[:plies]
        end = int(self._graph.to[made[-1]])
        outcome = 2 if end == -3 else 1 if end == -1 else -1
        return Episode(
            number, seen.copy(), made.copy(), before.copy(), self._table.cells[made].astype(np.float64), outcome
        )
