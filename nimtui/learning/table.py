"""A strategy table: a score for each move of each position that is not over, and how often the move was played.

Rows are positions, ascending by number. Each row has the scores of all legal moves, ascending by move, and rows follow
each other in the arrays. Compiled training fills the row of every reachable position and shares arrays with the game's
graph. A table trained interpreted has rows only for the positions seen; all others are as before any game. Nothing here
needs the engine.

A `PartialGraph` is the part of a game's graph that some games have seen, and the learner's memory of it, in growing
lists. It has the names that `engine.lessons` expects of a graph, so a learner's functions run on it interpreted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.engine import lessons
from nimtui.engine.lessons import ENDS, Memory, choose, recall, update
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game, Record, base, parse_game
from nimtui.games.base import Board, Move, State
from nimtui.learning import learner as learners
from nimtui.learning.learner import (
    Cells,
    Learner,
    Scores,
    check_games,
    constants,
    fresh,
    has_function,
    notes,
    parse_learner,
    spec,
)
from nimtui.store import StoreError, arrays

if TYPE_CHECKING:
    from nimtui.learning.estimator import Estimator

UNSEEN = -9  # the target of an edge that was never played


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


KIND = "table"
NOTHING = np.zeros(0, np.int8)


class Row(NamedTuple):
    """One position of a table."""

    state: State
    scores: Cells
    visits: dict[Move, int]


@dataclass(frozen=True, slots=True)
class Change:
    """The change of one score by learning."""

    position_name: str
    move: Move
    before: float
    after: float


@dataclass(slots=True, eq=False)
class Table:
    """The scores of a learner. Learning changes only `cells`, `visits`, `marks` and `games`."""

    game: Game
    learner: str  # the learner's canonical name
    seed: int
    games: int  # games learned from
    numbers: npt.NDArray[np.int64]  # [rows]: the positions' numbers, ascending
    boards: npt.NDArray[Any]  # [rows, board]
    ptr: npt.NDArray[np.int64]  # [rows + 1]: row r has the cells ptr[r] … ptr[r + 1] − 1
    moves: npt.NDArray[Any]  # [cells]
    cells: Scores  # [cells]: the scores
    visits: npt.NDArray[np.int32]  # [cells]: how often each move was played
    marks: npt.NDArray[np.int8]  # [cells]: the learner's own marks; [0] if it makes none
    function: Estimator | None = None  # of a learner with one: what its scores come from, also where there is no row

    @classmethod
    def empty(cls, game: Game, learner: str, seed: int = 0) -> Table:
        """Return a table before any game."""
        rule = parse_learner(learner)
        table = cls.from_partial_graph(game, rule, seed, 0, PartialGraph(rule))
        table.function = _function(game, rule, seed)
        return table

    @classmethod
    def from_partial_graph(cls, game: Game, learner: Learner, seed: int, games: int, seen: PartialGraph) -> Table:
        """Return the table of a learner's memory of the positions seen."""
        numbers = sorted(seen.node_of)
        nodes = [seen.node_of[number] for number in numbers]
        edges = [edge for node in nodes for edge in range(seen.ptr[node], seen.ptr[node + 1])]
        scores, visits, marks, *_ = seen.memory
        boards = np.array([seen.boards[node] for node in nodes], np.int64)
        return cls(
            game,
            spec(learner),
            seed,
            games,
            np.array(numbers, np.int64),
            boards.reshape(len(numbers), len(game.start.board)),
            np.cumsum([0, *(seen.ptr[node + 1] - seen.ptr[node] for node in nodes)], dtype=np.int64),
            np.array([seen.move[edge] for edge in edges], np.int32),
            np.array([scores[edge] for edge in edges], learners.score_type(learner)),
            np.array([visits[edge] for edge in edges], np.int32),
            np.array([marks[edge] for edge in edges], np.int8) if learners.has_marks(learner) else NOTHING,
        )

    def scores(self, state: State) -> Cells:
        """Return the score of each legal move, ascending by move; empty if the game is over."""
        if self.function is not None:
            return self.function.values(state)
        row = self._row(state)
        if row < 0:
            return dict.fromkeys(base.legal_moves(state), learners.fresh(parse_learner(self.learner)))
        return self._of(row, self.cells)

    def visits_of(self, state: State) -> dict[Move, int]:
        """Return how often each legal move was played; empty if unknown: a function counts only where it has a row."""
        row = self._row(state)
        if row < 0 and self.function is not None:
            return {}
        return dict.fromkeys(base.legal_moves(state), 0) if row < 0 else self._of(row, self.visits)

    def best_moves(self, state: State) -> tuple[Move, ...]:
        """Return the moves with the highest score, possibly all; empty if the game is over."""
        scores = self.scores(state)
        most = max(scores.values(), default=0)
        return tuple(move for move, score in scores.items() if score == most)

    def move(self, state: State, stream: Stream) -> Move:
        """Return the move that the learner plays here after training."""
        if self.function is not None:
            return stream.choose(self.best_moves(state))
        seen = self._partial_graph([state])
        edge = lessons.play(seen.learner, seen, seen.memory, 0, stream)
        return int(seen.move[edge])

    def rows(self) -> Iterator[Row]:
        """Yield every position that has a row, by number."""
        for row, board in enumerate(self.boards):
            state = base.with_board(self.game.start, board.astype(np.int64))
            yield Row(state, self._of(row, self.cells), self._of(row, self.visits))

    def copy(self) -> Table:
        """Return a copy that training does not change."""
        function = None if self.function is None else self.function.copy()
        cells, visits, marks = self.cells.copy(), self.visits.copy(), self.marks.copy()
        return replace(self, cells=cells, visits=visits, marks=marks, function=function)

    def learn(self, record: Record, weight: int = 1) -> list[Change]:
        """Learn from a finished game as from `weight` equal games of self-play, one after the other.

        Return the changed scores in the order of play. Raises InputError for an unfinished game, a game of other rules,
        and more games than the scores have room for.
        """
        if record.game != self.game:
            raise InputError(f"a table for {self.game.name} cannot learn from {record.game.name}")
        if not record.over:
            raise InputError("cannot learn from an unfinished game")
        check_games(parse_learner(self.learner), self.games + weight)
        states = [record.state_at(ply) for ply in range(record.ply)]
        before = [self.scores(state) for state in states]
        if self.function is not None:
            self._learn_by_function(self.function, record, states, weight)
        else:
            self._learn_by_rows(record, states, weight)
        self.games += weight
        changes = {}
        for state, scores in zip(states, before, strict=True):
            for move, after in self.scores(state).items():
                if after != scores[move]:
                    name = self.game.position_name(state)
                    changes[name, move] = Change(name, move, scores[move], after)
        return list(changes.values())

    def _learn_by_rows(self, record: Record, states: list[State], weight: int) -> None:
        for state in states:
            if self._row(state) < 0:
                self._insert(state)
        seen = self._partial_graph(states)
        nodes = [seen.node(state) for state in states]
        for _ in range(weight):
            seen.learn(nodes, list(record.moves), record.outcome, int(base.payoff(record.state)))
        for node, state in zip(nodes, states, strict=True):
            row = self._row(state)
            edges, here = slice(seen.ptr[node], seen.ptr[node + 1]), slice(self.ptr[row], self.ptr[row + 1])
            self.cells[here], self.visits[here] = seen.memory.scores[edges], seen.memory.visits[edges]
            if len(self.marks):
                self.marks[here] = seen.memory.marks[edges]

    def _learn_by_function(self, function: Estimator, record: Record, states: list[State], weight: int) -> None:
        function.learn(states[0], record.moves, weight)
        for state, move in zip(states, record.moves, strict=True):
            if (row := self._row(state)) >= 0:
                moves = self.moves[self.ptr[row] : self.ptr[row + 1]].tolist()
                self.visits[self.ptr[row] + moves.index(move)] += weight
        if len(self.cells):
            values = function.all_values(self.boards.astype(np.int64))
            self.cells[:] = values[np.repeat(np.arange(len(self.boards)), np.diff(self.ptr)), self.moves]

    def _partial_graph(self, states: list[State]) -> PartialGraph:
        """Return the memory of these positions as a graph; the first is node 0."""
        seen = PartialGraph(parse_learner(self.learner))
        for state in states:
            if (row := self._row(state)) >= 0:
                here = slice(self.ptr[row], self.ptr[row + 1])
                marks = self.marks[here].tolist() if len(self.marks) else []
                seen.put(seen.node(state), self.cells[here].tolist(), self.visits[here].tolist(), marks)
            else:
                seen.node(state)
        return seen

    def save(self, path: Path, run: Mapping[str, Any] | None = None) -> None:
        """Save the table in a file, with the state of its run. Raises StoreError if that fails."""
        arrays.save(path, {**self.header(), "run": None if run is None else dict(run)}, self.parts())

    def header(self) -> dict[str, Any]:
        """Return what a file says of the table beside its arrays."""
        return {"kind": KIND, "game": self.game.name, "learner": self.learner, "seed": self.seed, "games": self.games}

    def parts(self, prefix: str = "") -> dict[str, npt.NDArray[Any]]:
        """Return the arrays as a file holds them; each name starts with `prefix`."""
        return {
            f"{prefix}numbers": self.numbers,
            f"{prefix}boards": _narrow(self.boards),
            f"{prefix}ptr": self.ptr,
            f"{prefix}moves": _narrow(self.moves),
            f"{prefix}scores": self.cells,
            f"{prefix}visits": _narrow(self.visits),
            f"{prefix}marks": self.marks,
            **({} if self.function is None else self.function.parts(prefix)),
        }

    @classmethod
    def load(cls, path: Path) -> Table:
        """Return the table in a file. Raises StoreError with one line for any other file."""
        return load_run(path)[0]

    def _row(self, state: State) -> int:
        """Return the row of a position, −1 if it has none."""
        if not len(self.numbers):
            return -1
        number = int(base.index(state))
        row = int(np.searchsorted(self.numbers, number))
        return row if row < len(self.numbers) and self.numbers[row] == number else -1

    def _of(self, row: int, numbers: npt.NDArray[Any]) -> dict[Move, Any]:
        here = slice(self.ptr[row], self.ptr[row + 1])
        return dict(zip(self.moves[here].tolist(), numbers[here].tolist(), strict=True))

    def _insert(self, state: State) -> None:
        """Add the row of a new position. The arrays become new ones, not shared with a graph."""
        row = int(np.searchsorted(self.numbers, int(base.index(state))))
        moves = base.legal_moves(state)
        at = int(self.ptr[row])
        self.numbers = np.insert(self.numbers, row, int(base.index(state)))
        self.boards = np.insert(self.boards.astype(np.int64), row, state.board, axis=0)
        self.moves = np.insert(self.moves.astype(np.int32), at, moves)
        self.cells = np.insert(self.cells, at, [learners.fresh(parse_learner(self.learner))] * len(moves))
        self.visits = np.insert(self.visits, at, [0] * len(moves))
        if learners.has_marks(parse_learner(self.learner)):
            self.marks = np.insert(self.marks, at, [0] * len(moves))
        self.ptr = np.insert(self.ptr, row, at)
        self.ptr[row + 1 :] += len(moves)


def load_run(path: Path) -> tuple[Table, dict[str, Any] | None]:
    """Return the table in a file, and the state of its run, or None if the file has none."""
    header, parts = arrays.load(path)
    return table_of(path, header, parts), header.get("run")


def table_of(path: Path, header: Mapping[str, Any], parts: Mapping[str, npt.NDArray[Any]], prefix: str = "") -> Table:
    """Return the table of a file's header and arrays, whose names start with `prefix`. Raises StoreError, one line."""
    if header.get("kind") != KIND:
        raise StoreError(f"{path} holds no strategy table")
    try:
        game, learner = parse_game(header["game"]), parse_learner(header["learner"])
        columns = (
            parts[f"{prefix}{name}"] for name in ("numbers", "boards", "ptr", "moves", "scores", "visits", "marks")
        )
        numbers, boards, ptr, moves, cells, visits, marks = columns
        about, visits = (game, spec(learner), int(header["seed"]), int(header["games"])), visits.astype(np.int32)
        table = Table(*about, numbers, boards, ptr, moves, cells, visits, marks)
    except InputError as fault:
        raise StoreError(f"{path} cannot be used: {fault}") from None
    except (LookupError, TypeError, ValueError, OverflowError, AttributeError) as fault:
        raise StoreError(f"{path} lacks parts of a strategy table: {fault}") from None
    if not are_numbers(table.cells):
        raise StoreError(f"{path} holds invalid scores: expected numbers")
    if not _fits(table, learner):
        raise StoreError(f"{path} does not fit the current rules of {game.name}")
    try:
        if (function := _function(game, learner, table.seed)) is not None:
            function.restore(parts, prefix)
            table.function = function
    except InputError as fault:  # also a StoreError
        raise StoreError(f"{path} cannot be used: {fault}") from None
    return table


def _function(game: Game, learner: Learner, seed: int) -> Estimator | None:
    """Return the function of a learner before it has learned; None if it has a table."""
    if not has_function(learner):
        return None
    from nimtui.learning.estimator import Estimator

    return Estimator(game, learner, seed)


def _fits(table: Table, learner: Learner) -> bool:
    """Do the arrays fit a table of this game? (A personal game may have changed.)"""
    rows, cells = len(table.numbers), len(table.cells)
    return (
        table.numbers.shape == (rows,)
        and table.boards.shape == (rows, len(table.game.start.board))
        and table.ptr.shape == (rows + 1,)
        and table.moves.shape == table.cells.shape == table.visits.shape == (cells,)
        and table.cells.dtype == learners.score_type(learner)
        and table.marks.shape == (cells if learners.has_marks(learner) else 0,)
        and table.marks.dtype == np.int8
        and {table.numbers.dtype.kind, table.boards.dtype.kind, table.ptr.dtype.kind} == {"i"}
        and (table.ptr[0], table.ptr[-1]) == (0, cells)
        and bool((np.diff(table.ptr) > 0).all() and (np.diff(table.numbers) > 0).all())
        and (cells == 0 or 0 <= table.moves.min() <= table.moves.max() < table.game.size)
    )


def are_numbers(scores: Scores) -> bool:
    """Are all scores finite? (A finite sum means that they are.)"""
    return bool(np.isfinite(scores.sum()) or np.isfinite(scores).all())


def _narrow(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the same integers in the smallest type that fits."""
    most = max(int(numbers.max(initial=0)), -int(numbers.min(initial=0)) - 1)
    for kind in (np.int8, np.int16, np.int32):
        if most <= np.iinfo(kind).max:
            return numbers.astype(kind)
    return numbers
