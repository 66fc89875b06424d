"""The exact sample of a game laid out like a graph, so that what shows and judges all positions shows and judges it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nimtui.games import base
from nimtui.games.base import Board
from nimtui.learning.atlas import Axis, Order, values_of
from nimtui.learning.partial_graph import ENDS
from nimtui.learning.sample import NOT_LEGAL, Sample
from nimtui.theory.truth import Truth

MOST = 2_000  # positions: their values are computed anew for each picture
ELSEWHERE = -9  # the target of a move that leads to a position that is not listed


@dataclass(frozen=True, eq=False)
class SampledTruth(Truth):
    """Positions of a sample with their exact values; all of them have a choice between results.

    Most moves lead ELSEWHERE. Positions are sorted by plies; the first node is the start if the sample holds it.
    """

    plies: npt.NDArray[np.int16]  # [nodes]: from the start of the game
    results: npt.NDArray[np.int8]  # [edges]: of each move for the player who makes it: 1 won, 0 drawn, −1 lost
    of: int  # positions of the whole sample
    about: str  # what they are, after their number: 'of 10,000 solved exactly'

    def node(self, board: Board) -> int:
        """Return the node of a position, −1 if it is not listed."""
        rows = np.flatnonzero((self.graph.boards == board).all(axis=1))
        return int(rows[0]) if len(rows) else -1

    def lists_as(self, other: Truth) -> bool:
        """Return whether another list has the same positions in the same order."""
        return self is other or np.array_equal(self.graph.boards, other.graph.boards)

    def orders(self) -> list[Order]:
        """Return the positions by plies played, and by exact value."""
        by_plies = np.lexsort((self.values, self.plies)).astype(np.int32)
        counts, groups = np.unique(self.plies[by_plies], return_inverse=True)
        labels = tuple(map(str, counts.tolist()))
        title, of = "plies played", self.about
        what, worth, names = values_of(self)
        by_worth = np.lexsort((self.plies, worth)).astype(np.int32)
        return [
            Order(title, f"{of}, by {title}", by_plies, Axis(title, labels, groups.astype(np.int32))),
            Order(what, f"{of}, by {what}", by_worth, down=Axis(what, names, worth[by_worth])),
        ]


def truth_of(sample: Sample, most: int = MOST, about: str = "") -> SampledTruth:
    """Return at most so many positions of a sample, evenly chosen over the plies; `about` says what they are."""
    from nimtui.engine.graph import Graph

    places = np.unique(np.linspace(0, len(sample.boards) - 1, min(most, len(sample.boards))).astype(np.int64))
    boards, results = sample.boards[places], sample.results[places]
    legal = results != NOT_LEGAL
    nodes, moves = np.nonzero(legal)
    values = results.max(axis=1)
    ptr = np.concatenate(([0], np.cumsum(legal.sum(axis=1)))).astype(np.int64)
    count = np.arange(len(places), dtype=np.int32)
    at = {board.tobytes(): node for node, board in enumerate(boards)}
    state, to = sample.game.new(), np.full(len(moves), ELSEWHERE, np.int32)
    for edge, (node, move) in enumerate(zip(nodes.tolist(), moves.tolist(), strict=True)):
        state = base.with_board(state, boards[node].copy())
        base.play(state, move)
        end = base.outcome(state)
        to[edge] = ENDS.get(end, at.get(state.board.tobytes(), ELSEWHERE))
    graph = Graph(
        np.zeros(0, np.int32), boards, ptr, to, moves.astype(np.int32), np.zeros(1, np.int64), np.zeros(1, np.int64),
        count, 0, int(sample.plies.max()), np.zeros(0, np.int32), 0,
    )  # fmt: skip
    exact, of = results[legal], len(sample.boards)
    right, about = exact == values[nodes], about or f"of {of:,} solved exactly"
    return SampledTruth(graph, values, right, sample.plies[places], exact, of, about)
