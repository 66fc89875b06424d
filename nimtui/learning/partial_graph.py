"""The part of a game's graph that some games have seen, and the learner's memory of it, in growing lists.

It has the names that `engine.lessons` expects of a graph, so a learner's functions run on it interpreted: no engine,
nothing compiled, memory only for the positions seen.
"""

from __future__ import annotations

from typing import Any

from nimtui.engine.lessons import DRAWN_EDGE, LOST_EDGE, WON_EDGE, Memory, choose, recall, update
from nimtui.engine.rng import Stream
from nimtui.games import base
from nimtui.games.base import Board, Move, State
from nimtui.learning.learner import Learner, constants, fresh, notes

UNSEEN = -9  # the target of an edge that was never played
ENDS = {base.WON: WON_EDGE, base.LOST: LOST_EDGE, base.DRAW: DRAWN_EDGE}


class PartialGraph:
    """A learner on the part of a game that it has seen. Nodes are numbered in the order of first sight."""

    start = 0  # the first position seen; the game's start if games are played

    def __init__(self, learner: Learner) -> None:
        self.learner = constants(learner)
        self.memory = Memory([], [], [], [], [])
        self.node_of: dict[int, int] = {}  # position number → node
        self.boards: list[Board] = []
        self.ptr, self.to, self.move = [0], [], []  # type: ignore[var-annotated]
        self.group_ptr, self.group = [0], [0]
        self.payoff: list[int] = []  # [edges]: 0 until a game of payoffs ended with the edge
        self.largest = 0
        self._fresh, self._notes = fresh(learner), notes(learner)

    def node(self, state: State) -> int:
        """Return the node of a position that is not over; a new node if it was never seen."""
        number = int(base.index(state))
        if number not in self.node_of:
            self.node_of[number] = len(self.boards)
            self._add(state)
        return self.node_of[number]

    def _add(self, state: State) -> None:
        moves = base.legal_moves(state)
        first, rows = len(self.move), [base.row(state, move) for move in moves]
        self.boards.append(state.board.copy())
        self.move += moves
        self.payoff += [0] * len(moves)
        self.largest = int(base.largest_payoff(state))
        self.to += [UNSEEN] * len(moves)
        self.ptr.append(len(self.move))
        starts = [first + i for i in range(len(moves)) if not i or rows[i] != rows[i - 1]]
        self.group[-1:] = [*starts, len(self.move)]
        self.group_ptr.append(len(self.group) - 1)
        self.memory.scores.extend([self._fresh] * len(moves))
        self.memory.visits.extend([0] * len(moves))
        self.memory.marks.extend([0] * len(moves))
        self.memory.notes.extend([0] * self._notes)
        self.memory.links.extend([0] * len(moves))
        self.recall(len(self.boards) - 1)

    def put(self, node: int, scores: Any, visits: Any, marks: Any) -> None:
        """Set the memory of a node."""
        here = slice(self.ptr[node], self.ptr[node + 1])
        for column, values in zip(self.memory, (scores, visits, marks), strict=False):
            if len(values):
                column[here] = list(values)
        self.recall(node)

    def recall(self, node: int) -> None:
        recall(self.learner, self, self.memory, node)

    def choose(self, node: int, stream: Stream) -> Move:
        """Return the move that the learner plays at this node while it learns."""
        return int(self.move[choose(self.learner, self, self.memory, node, stream)])

    def edge(self, node: int, move: Move) -> int:
        """Return the edge of a legal move."""
        return self.move.index(move, self.ptr[node], self.ptr[node + 1])

    def learn(self, nodes: list[int], moves: list[Move], outcome: int, payoff: int = 0) -> None:
        """Learn from a game: its nodes and moves in order; `outcome`, `payoff` are those of who moved last."""
        edges = [self.edge(node, move) for node, move in zip(nodes, moves, strict=True)]
        for edge, to in zip(edges, [*nodes[1:], ENDS[outcome]], strict=True):
            self.to[edge] = to
            self.memory.visits[edge] += 1
        self.payoff[edges[-1]] = payoff
        update(self.learner, self, self.memory, nodes, edges, len(edges), outcome)
