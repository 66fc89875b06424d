"""Check a learner on small games: which memory it writes, whether a seed repeats its run, and its compiled code.

A learner's memory and graph as lists that detect forbidden access: which word writes where, and what.
"""

from __future__ import annotations

import math
from contextlib import suppress
from time import monotonic
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from nimtui.check.functions import check_function
from nimtui.check.rules import value_text
from nimtui.check.trial import Broken, Late, Overdue, Trial, at_most, compiling, is_whole, own_code
from nimtui.engine import lessons
from nimtui.engine.lessons import Memory
from nimtui.engine.rng import Stream, start
from nimtui.errors import InputError
from nimtui.games import base
from nimtui.games.base import State
from nimtui.games.game import Game
from nimtui.games.registry import parse_game
from nimtui.learning.learner import (
    Learner,
    constants,
    fresh,
    has_function,
    has_marks,
    make,
    most_games,
    notes,
    parse_learner,
    score_type,
    spec,
)
from nimtui.learning.parameter import Parameter
from nimtui.process.plugins import LONGEST

GAMES = {"nim:1,2,3": 200, "connect:3x3x3": 40}  # the number of games to play of each
VARIANT_GAMES = 50  # games of the first of them, for each variant of the constants
SECONDS = 5.0  # for all variants
PATIENCE = 5  # seconds for the games on one board
MOST_NOTES = 1_000  # numbers per node
SEED = 1
NAMES = ("parameters", "choose", "update", "recall", "play", "bounds", "own arrays", "finite", "same")


class Played(NamedTuple):
    """A learner's memory after its games."""

    learner: Learner
    game: str
    positions: Positions
    games: int
    remembered: Memory


def check_learner(module: ModuleType, trial: Trial, wanted: str = "") -> None:
    """Check the learner of a module with its defaults, and as `wanted` names it."""
    trial.stage("rules")
    named = [parse_learner(wanted)] if wanted else []  # raises InputError if the name is refused
    if has_function(module):
        trial.tries("parameters")
        with trial.noting():
            check_function(_learners(module, named)[0], module, trial)
        return
    trial.tries(*NAMES)
    played: list[Played] = []
    with trial.noting():
        usual, variants = _learners(module, named)
        boards = {name: all_positions(parse_game(name)) for name in GAMES}
        for learner in usual:
            for name, games in GAMES.items():
                first = _timely(learner, name, boards[name], games, trial)
                if _timely(learner, name, boards[name], games, trial).remembered != first.remembered:
                    raise Broken("same", f"{spec(learner)} on {name}: the same seed gives a different table")
                played.append(first)
        until = monotonic() + SECONDS
        name = next(iter(GAMES))
        for learner in variants:
            if monotonic() < until:
                played.append(_timely(learner, name, boards[name], min(VARIANT_GAMES, most_games(learner)), trial))
    if not trial.broken:
        _compiled(played, trial)


def _learners(module: ModuleType, named: list[Learner]) -> tuple[list[Learner], list[Learner]]:
    """Return the learners to check in full, and variants with other constants."""
    with own_code("parameters", lambda fault: f"{module.NAME}: {fault}"):
        _parameters(module)
        usual = list(dict.fromkeys([*named, make(module, {})]))
        variants = [one for one in dict.fromkeys(_variants(module)) if one not in usual]
        for one in (*usual, *variants):
            again = parse_learner(spec(one))
            if again != one:
                raise Broken("parameters", f"the name {spec(one)} is parsed as {spec(again)}")
            if not is_whole(notes(one)) or not is_whole(most_games(one)):
                raise Broken("parameters", "NOTES and largest must be whole numbers")
            if not 0 <= notes(one) <= MOST_NOTES:
                raise Broken("parameters", f"NOTES is {notes(one):,}: it must be from 0 to {MOST_NOTES:,}")
            value = fresh(one)
            if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
                raise Broken("finite", f"fresh returns {value_text(value)}, not a finite number")
            if np.dtype(score_type(one)) not in (np.dtype(np.int32), np.dtype(np.float64)):
                raise Broken("parameters", f"SCORES is {score_type(one)}: it must be np.int32 or np.float64")
    return usual, variants


def _parameters(module: ModuleType) -> None:
    """Raise Broken if ABOUT is not text, or a constant has no valid Parameter."""
    if not isinstance(module.ABOUT, str) or not module.ABOUT.strip():
        raise Broken("parameters", f"ABOUT is {value_text(module.ABOUT)}, not a line of text")
    if len(module.ABOUT) > LONGEST or not module.ABOUT.isprintable():
        raise Broken("parameters", f"ABOUT must be one line of at most {LONGEST} printable characters")
    for name, parameter in module.PARAMETERS.items():
        if not isinstance(parameter, Parameter):
            raise Broken("parameters", f"PARAMETERS['{name}'] is {value_text(parameter)}, not a Parameter")
        usual = module.LEARNER._field_defaults[name]
        if not _may_be(usual, parameter):
            raise Broken(
                "parameters", f"the default {name}={value_text(usual)} is invalid: expected {parameter.allowed}"
            )


def _may_be(value: object, parameter: Parameter) -> bool:
    """Return whether a constant may have this value."""
    if parameter.choices is not None:
        return isinstance(value, parameter.choices)
    kinds = int | float if parameter.real else int
    return isinstance(value, kinds) and not isinstance(value, bool) and parameter.low <= value <= parameter.high


def _variants(module: ModuleType) -> list[Learner]:
    """Return the learner with each choice and with the limits of each number; skip combinations that are refused."""
    learners = []
    for name, parameter in module.PARAMETERS.items():
        kind = float if parameter.real else int
        for value in parameter.choices or (kind(parameter.low), kind(parameter.high)):
            with suppress(InputError):
                learners.append(make(module, {name: value}))
    return learners


def _timely(learner: Learner, game: str, positions: Positions, games: int, trial: Trial) -> Played:
    watch = Watch(spec(learner), game)
    trial.at("learning", f"{watch.learner} on {watch.game}")
    try:
        with at_most(PATIENCE):
            return Played(learner, game, positions, games, _played(learner, positions, watch, games))
    except Overdue:
        late = f"{watch.doing} does not end: {games} games take longer than {PATIENCE} s"
        raise Late(watch.doing, f"{watch.learner} on {watch.game}: {late}") from None


def _played(learner: Learner, positions: Positions, watch: Watch, games: int) -> Memory:
    """Return the memory after so many interpreted games. Raise Broken if the learner does what it may not."""
    rule, graph, rng = constants(learner), watched(positions, watch), Stream(SEED)
    remembers = memory(positions, watch, fresh(learner), score_type(learner), notes(learner))
    own = ("scores", *(("marks",) if has_marks(learner) else ()), "notes", "links")

    def ask(word: str, writes: tuple[str, ...], *given: Any) -> Any:
        watch.doing, watch.writes = word, writes
        with own_code(word, lambda fault: watch.broken(word, f"{word} raises {fault}").example):
            return lessons.word(learner.__class__, word)(rule, graph, remembers, *given)

    def edge_of(word: str, node: int) -> int:
        edge = ask(word, (), node, rng)
        if not is_whole(edge) or not positions.ptr[node] <= edge < positions.ptr[node + 1]:
            edges = f"{positions.ptr[node]} to {positions.ptr[node + 1] - 1}"
            raise watch.broken(word, f"{word} returns {value_text(edge)} at node {node}, whose edges are {edges}")
        return int(edge)

    for node in positions.order:
        ask("recall", ("notes", "links"), node)
    for _ in range(games):
        node, nodes, edges = positions.start, [], []
        while node >= 0:
            edge = edge_of("choose", node)
            list.__setitem__(remembers.visits, edge, remembers.visits[edge] + 1)
            nodes.append(node)
            edges.append(edge)
            node = positions.to[edge]
        before = nodes.copy(), edges.copy()
        ask("update", own, nodes, edges, len(edges), 2 if node == -3 else 1 if node == -1 else -1)
        if (nodes, edges) != before:
            raise watch.broken("own arrays", "update changes `seen` or `made`: it may only read them")
    for node in positions.order:
        edge_of("play", node)
    return remembers


def _compiled(played: list[Played], trial: Trial) -> None:
    """Compare the memories of interpreted and compiled learners."""
    trial.stage("compiled")
    trial.tries("compiled")
    from nimtui.engine import probe

    probe.check_bounds()
    for learner, game, positions, games, remembered in played:
        where = f"{spec(learner)} on {game}"
        trial.at("the compiled code", where)
        kinds = (score_type(learner), np.int32, np.int8, np.int32, np.int32)
        fresh_memory = memory(positions, Watch("", ""), fresh(learner), score_type(learner), notes(learner))
        arrays = Memory(*(np.array(list(numbers), kind) for numbers, kind in zip(fresh_memory, kinds, strict=True)))
        with trial.noting():
            with compiling(where):
                node = probe.learn(constants(learner), positions, arrays, games, start(SEED))
            if node >= 0:
                raise Broken("compiled", f"{where}: compiled, it returns an edge that node {node} does not have")
            for name, slow, fast in zip(Memory._fields, remembered, arrays, strict=True):
                if list(slow) != fast.tolist():
                    raise Broken("compiled", f"{where}: compiled and interpreted {name} differ after the same games")
        if trial.broken:
            return


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
    in_order = [boards[number] for number in numbers]
    return Positions(in_order, ptr, to, move, group_ptr, [*group, len(to)], order, start, longest, [], 0)


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
