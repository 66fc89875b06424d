"""The training games of a student's file: they run in the sandbox, and its `q` fills the table.

The process stops between two games, at each number of games that is asked for. So a run is shown, paused and measured
as any other. A resumed run trains the file again, up to the games that it had: the same seed gives the same values.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from nimtui.errors import InputError
from nimtui.games import Game, base
from nimtui.learning.compiled import OUTCOMES, Episode, OneByOne
from nimtui.learning.students.learner import ALLOWANCE, LOADING, StudentFile, built_in, check, train_to
from nimtui.progress import SILENT, Progress
from nimtui.sandbox.command import ProgramFault
from nimtui.sandbox.program import Program

if TYPE_CHECKING:
    from nimtui.engine.graph import Graph
    from nimtui.learning.table import Table


class StudentGames(OneByOne):
    """Plays the file's own training games, as `learning.compiled.Compiled` plays those of a table."""

    _graph: Graph

    def __init__(
        self, graph: Graph, learner: StudentFile, table: Table, over: int, progress: Progress = SILENT
    ) -> None:
        """Start the file's `train(over)`, and play the games that the table has. InputError if it fails or changed."""
        self._graph, self._table, self._file = graph, table, Path(learner.file)
        self._last: list[int] = []  # the edges of the last game
        self._edges = _edges(table.game, graph)
        check(learner, table.game)
        self._start(over, table.games, progress)

    def _start(self, over: int, games: int, progress: Progress = SILENT) -> None:
        """Start `train(over)` and play so many games, after which the table is as it was. Raises InputError if not."""
        table, self._over = self._table, over
        assignment = next(one for one in built_in() if one.trained == table.game.name)
        command = assignment.command(self._file, f"TRAIN, SEED = {over}, {table.seed}")
        try:
            self._process = Program(command, ALLOWANCE)
        except ProgramFault as fault:
            raise InputError(f"{self._file.name} {fault}") from None
        self._done, self._plies, self._ended = 0, 0, False
        before = table.cells.copy()
        table.cells[:], table.visits[:] = 0, 0
        if games:
            self._train(games, lambda: progress.report(self._done, games, "training games"))
            if not np.array_equal(before, table.cells):
                raise InputError(f"cannot continue: {self._file.name} learns other values now, or for more games")

    @property
    def done(self) -> tuple[int, int]:
        """The finished games and their plies."""
        return self._done, self._plies

    def play(self, games: int) -> None:
        """Play this many games. Raises InputError if the file fails or ends before."""
        if games:
            self._train(self._done + games)

    def episode(self, number: int, plies: int) -> Episode | None:
        """Return the last game, which `watch` played; None if the file played it by other rules."""
        edges = np.array(self._last, np.int32)
        if not self._last or (outcome := OUTCOMES.get(int(self._graph.to[edges[-1]]))) is None:
            return None
        nodes = (np.searchsorted(self._graph.ptr, edges, "right") - 1).astype(np.int32)
        return Episode(number, nodes, edges, self._scores_before[edges], self._table.cells[edges], outcome)

    def _train(self, until: int, pause: Callable[[], object] = bool) -> None:
        """Play until so many games are played, and take in what the file has learnt."""
        if self._ended and self._over >= until:
            raise InputError(f"{self._file.name}: its train() ended after {self._done:,} games")
        if self._ended:
            self._start(max(until, 2 * self._over), self._done)
        try:
            answer = train_to(self._process, until, LOADING, pause)
        except ProgramFault as fault:
            raise InputError(f"{self._file.name} {fault.whole}") from None
        for position, move, value, plays in answer["values"]:
            if not isfinite(value):
                raise InputError(f"{self._file.name} learnt {value} for {move} at {position}: no number")
            edge = self._edges.get((position, move))
            if edge is not None:
                self._table.cells[edge], self._table.visits[edge] = value, plays
        moves = [self._edges.get((position, move), -1) for position, move in answer["moves"]]
        self._last = [] if -1 in moves else moves
        self._done, self._plies = answer["games"], self._plies + answer["plies"]
        self._ended = answer["done"]
        if self._done < until:
            self.play(until - self._done)  # raises that it ended


def _edges(game: Game, graph: Graph) -> dict[tuple[str, str], int]:
    """Return the edge of each move by the names of its position and itself."""
    edges = {}
    for node, board in enumerate(graph.boards):
        state = base.with_board(game.start, board.astype(np.int64))
        position = game.position_name(state)
        for edge in range(graph.ptr[node], graph.ptr[node + 1]):
            edges[position, game.move_name(int(graph.move[edge]), state)] = edge
    return edges
