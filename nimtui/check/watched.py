"""A learner's memory and graph as lists that detect forbidden access: which word writes where, and what."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from nimtui.check.trial import Broken, is_whole
from nimtui.engine.lessons import Memory
from nimtui.games import base
from nimtui.games.base import State
from nimtui.games.game import Game

OUTSIDE = {base.WON: -1, base.LOST: -2, base.DRAW: -3}  # the target of an edge that ends the game


class Watch:
    """Which word may write now, and the finding if it may not."""

    def __init__(self, learner: str, game: str) -> None:
        self.learner, self.game = learner, game
        self.doing = ""  # the word that runs now
        self.writes: tuple[str, ...] = ()  # the arrays that it may write

    def broken(self, name: str, example: str) -> Broken:
        return Broken(name, f"{self.learner} on {self.game}: {example}")


class Numbers(list[Any]):
    """A list that checks access like an array: indexes from 0 to its length − 1, numbers of one kind."""

    def __init__(self, watch: Watch, name: str, values: Any, kind: Any = np.int64) -> None:
        super().__init__(values)
        self._watch, self._name = watch, name
        self._real = np.dtype(kind).kind == "f"
        self._low, self._high = (0, 0) if self._real else (int(np.iinfo(kind).min), int(np.iinfo(kind).max))

    def _place(self, index: Any, does: str) -> int:
        if not is_whole(index):
            raise self._watch.broken(
                "bounds", f"{self._watch.doing} {does} {self._name}[{index!r}]: an index must be a whole number"
            )
        if not 0 <= index < len(self):
            lacks = f"{self._name}[{index}], which has {len(self)} elements"
            raise self._watch.broken("bounds", f"{self._watch.doing} {does} {lacks}")
        return int(index)

    def __getitem__(self, index: Any) -> Any:
        return super().__getitem__(self._place(index, "reads"))

    def __setitem__(self, index: Any, value: Any) -> None:
        watch = self._watch
        place = self._place(index, "writes")
        if self._name not in watch.writes:
            own = f"only {', '.join(watch.writes)}" if watch.writes else "nothing"
            raise watch.broken("own arrays", f"{watch.doing} writes {self._name}[{index}]; it may write {own}")
        if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating | np.bool_):
            raise watch.broken(
                "finite", f"{watch.doing} writes {value!r} to {self._name}[{index}], which is not a number"
            )
        if self._real:
            if not math.isfinite(value):
                raise watch.broken("finite", f"{watch.doing} writes {float(value)} to {self._name}[{index}]")
            super().__setitem__(place, float(value))
            return
        if not is_whole(value):
            hint = "; SCORES = np.float64 lets scores be real" if self._name == "scores" else ""
            array = f"{self._name}[{index}], which holds whole numbers{hint}"
            raise watch.broken("finite", f"{watch.doing} writes {value} to {array}")
        if not self._low <= value <= self._high:
            raise watch.broken("finite", f"{watch.doing} writes {value} to {self._name}[{index}], which is too large")
        super().__setitem__(place, int(value))


class Positions(NamedTuple):
    """All positions of a small game that are not over, and their moves, laid out as in `engine.graph`."""

    boards: list[base.Board]
    ptr: list[int]
    to: list[int]
    move: list[int]
    group_ptr: list[int]
    group: list[int]
    order: list[int]  # every node after the nodes that its moves lead to
    start: int
    longest: int
    payoff: list[int]  # [0]: learners are tried on games that end won, lost or drawn
    largest: int


def all_positions(game: Game) -> Positions:
    """Return all positions of a small game, computed by the interpreter."""
    boards: dict[int, base.Board] = {}
    after: dict[int, list[tuple[int, int, int]]] = {}  # number -> its moves: code, row, number or end
    depth: dict[int, int] = {}

    def visit(state: State) -> int:
        number = int(base.index(state))
        if number in depth:
            return depth[number]
        boards[number], after[number] = state.board.copy(), []
        longest = 0
        for move in base.legal_moves(state):
            row = int(base.row(state, move))
            base.play(state, move)
            end = int(base.outcome(state))
            to = OUTSIDE.get(end) if end != base.GOING_ON else int(base.index(state))
            assert to is not None
            longest = max(longest, 1 + (visit(state) if end == base.GOING_ON else 0))
            base.undo(state, move)
            after[number].append((move, row, to))
        depth[number] = longest
        return longest

    longest = visit(game.new())
    numbers = sorted(boards)
    node_of = {number: node for node, number in enumerate(numbers)}
    ptr, to, move, group_ptr, group = [0], [], [], [0], []  # type: ignore[var-annotated]
    for number in numbers:
        rows = [row for _, row, _ in after[number]]
        group += [len(to) + i for i in range(len(rows)) if not i or rows[i] != rows[i - 1]]
        to += [node_of[there] if there >= 0 else there for _, _, there in after[number]]
        move += [code for code, _, _ in after[number]]
        ptr.append(len(to))
        group_ptr.append(len(group))
    order = sorted(range(len(numbers)), key=lambda node: depth[numbers[node]])
    start = node_of[int(base.index(game.start))]
    return Positions(
        [boards[number] for number in numbers],
        ptr,
        to,
        move,
        group_ptr,
        [*group, len(to)],
        order,
        start,
        longest,
        [],
        0,
    )


def watched(positions: Positions, watch: Watch) -> Positions:
    """Return these positions as lists that detect writing."""
    lists = {
        name: Numbers(watch, f"graph.{name}", value)
        for name, value in positions._asdict().items()
        if name not in ("start", "longest", "boards", "largest")
    }
    return positions._replace(**lists)  # type: ignore[arg-type]


def memory(positions: Positions, watch: Watch, fresh: Any, scores: Any, notes: int) -> Memory:
    """Return the memory of a learner that has played no game."""
    edges, nodes = len(positions.to), len(positions.order)
    return Memory(
        Numbers(watch, "scores", [fresh] * edges, scores),
        Numbers(watch, "visits", [0] * edges, np.int32),
        Numbers(watch, "marks", [0] * edges, np.int8),
        Numbers(watch, "notes", [0] * (nodes * notes), np.int32),
        Numbers(watch, "links", [0] * edges, np.int32),
    )
