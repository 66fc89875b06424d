"""Compile a person's own rules and learners with bounds checks, and return their answers as numbers.

Nothing here is cached on disk: it runs once per file, in the check's own process.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from numba import njit
from numba.core.errors import NumbaError

from nimtui.engine import dispatch  # noqa: F401 - lets kernels find the rules
from nimtui.engine.functions import clear, note, shift, total
from nimtui.engine.functions import learn as learn_at
from nimtui.engine.graph import Graph
from nimtui.engine.jit import first_cause, helper
from nimtui.engine.lessons import choose, recall, update
from nimtui.engine.lessons import play as play_trained
from nimtui.errors import InputError
from nimtui.games.base import (
    Board,
    State,
    casual,
    count,
    evaluate,
    following,
    index,
    key,
    largest_payoff,
    legal,
    nth,
    outcome,
    payoff,
    play,
    positions,
    restore,
    row,
    size,
    undo,
)

WORDS = (
    "size",
    "outcome",
    "positions",
    "index",
    "key",
    "evaluate",
    "legal",
    "following",
    "count",
    "nth",
    "row",
    "casual",
    "play",
    "undo",
    "largest_payoff",
    "payoff",
)
OPTIONAL = ("index", "key", "evaluate", "following", "count", "nth", "row", "casual", "payoff")
PRIME = 2_147_483_647


def check_bounds() -> None:
    """Check every array index in what this process compiles from now on, without optimisation."""
    settings: Any = numba.config
    settings.BOUNDSCHECK = 1
    settings.OPT = type(settings.OPT)(0)


@helper
def _mixed(number: int, value: int) -> int:
    return (number * 1_000_003 + value % PRIME) % PRIME


def answers(
    state: State,
    boards: npt.NDArray[np.int64],
    most: int,
    table: npt.NDArray[np.int64],
    numbered: Any,
    keyed: Any,
    valued: Any,
    followed: Any,
    counted: Any,
    placed: Any,
    grouped: Any,
    chosen: Any,
    paid: Any,
) -> None:
    """Fill `table` [boards, WORDS] with the answer of every rule for each board; combine many moves into one number.

    The last arguments are None for default rules, which are made of the others: Numba removes the code behind them.
    """
    for at in range(boards.shape[0]):
        restore(state, boards[at])
        table[at, :] = 0
        codes = size(state)
        table[at, 0] = codes
        result = outcome(state)
        table[at, 1] = result
        if numbered is not None:
            table[at, 2] = positions(state)
            if table[at, 2] > 0:
                table[at, 3] = index(state)
        if keyed is not None:
            table[at, 4] = key(state)
        if paid is not None:
            table[at, 14] = largest_payoff(state)
        if result != 0:
            if paid is not None:
                table[at, 15] = payoff(state)
            continue
        if valued is not None:
            table[at, 5] = evaluate(state)
        if counted is not None:
            table[at, 8] = count(state)
        if chosen is not None:
            for bits in (0, 0xFFFFFFFFFFFFFFF, 0x123456789ABCDEF):
                table[at, 11] = _mixed(table[at, 11], casual(state, bits))
        moves: Any = np.int64(0)
        for code in range(min(codes, most)):
            move: Any = np.int64(code)
            if not legal(state, move):
                continue
            table[at, 6] = _mixed(table[at, 6], move)
            if placed is not None:
                table[at, 9] = _mixed(table[at, 9], nth(state, moves))
            if grouped is not None:
                table[at, 10] = _mixed(table[at, 10], row(state, move))
            moves += 1
            play(state, move)
            for i in range(state.board.shape[0]):
                table[at, 12] = _mixed(table[at, 12], state.board[i])
            undo(state, move)
            for i in range(state.board.shape[0]):
                table[at, 13] = _mixed(table[at, 13], state.board[i])
        if followed is not None:
            move = np.int64(following(state, -1))
            while move >= 0 and moves > 0:
                table[at, 7] = _mixed(table[at, 7], move)
                moves -= 1
                move = np.int64(following(state, move))


def learned(
    learner: Any,
    graph: Any,
    memory: Any,
    games: int,
    rng: Any,
    nodes: npt.NDArray[np.int32],
    edges: npt.NDArray[np.int32],
    recalls: Any,
    plays: Any,
) -> int:
    """Let a learner play so many games by self-play on a graph. Return −1, or the node where it returned an invalid
    edge.

    The last two arguments are None for default words, as for `answers`.
    """
    if recalls is not None:
        for node in graph.order:
            recall(learner, graph, memory, node)
    for _ in range(games):
        node = graph.start
        plies = 0
        outcome = 0
        while outcome == 0:
            edge = choose(learner, graph, memory, node, rng)
            if not graph.ptr[node] <= edge < graph.ptr[node + 1]:
                return node
            memory.visits[edge] += 1
            nodes[plies] = node
            edges[plies] = edge
            plies += 1
            to = graph.to[edge]
            if to >= 0:
                node = to
            else:
                outcome = 2 if to == -3 else 1 if to == -1 else -1
        update(learner, graph, memory, nodes, edges, plies, outcome)
    if plays is not None:
        for node in graph.order:
            edge = play_trained(learner, graph, memory, node, rng)
            if not graph.ptr[node] <= edge < graph.ptr[node + 1]:
                return node
    return -1


def learn(learner: Any, source: Any, memory: Any, games: int, rng: npt.NDArray[np.uint64]) -> int:
    """Run `learned` compiled on the graph in these lists. Raise the errors of `compiled`."""
    graph = Graph(
        np.zeros(0, np.int32),
        np.array(source.boards, np.int64),
        np.array(source.ptr, np.int64),
        np.array(source.to, np.int32),
        np.array(source.move, np.int32),
        np.array(source.group_ptr, np.int64),
        np.array(source.group, np.int64),
        np.array(source.order, np.int32),
        source.start,
        source.longest,
        np.zeros(0, np.int32),
        0,
    )
    nodes, edges = np.zeros(source.longest, np.int32), np.zeros(source.longest, np.int32)
    own = _own(learner, "recall", "play")
    return int(compiled(learned, learner, graph, memory, games, rng, nodes, edges, *own))


def totals_of(
    function: Any, inputs: npt.NDArray[np.int64], sides: npt.NDArray[np.int64], step: float, totals: Any
) -> None:
    """Fill in the total of a function at each position of these inputs, [positions, inputs], learning from each."""
    for at in range(inputs.shape[0]):
        clear(function)
        for i in range(inputs.shape[1]):
            if inputs[at, i]:
                shift(function, i, 0, inputs[at, i])
        totals[at] = total(function, sides[at])
        note(function, 0)
        learn_at(function, sides[at], 0, step)


@cache
def _dispatcher(function: Callable[..., Any]) -> Any:
    compile_with: Any = njit  # its types do not declare the option _nrt
    checked: Any = compile_with(nogil=True, boundscheck=True, _nrt=False)(function)  # kernels allocate nothing
    return checked


def compiled(function: Callable[..., Any], *arguments: Any) -> Any:
    """Run a function of this module compiled. Raise InputError, in one line, if Numba cannot compile what it calls."""
    try:
        return _dispatcher(function)(*arguments)
    except NumbaError as fault:
        raise InputError(first_cause(str(fault))) from fault


def _own(owner: Any, *words: str) -> tuple[int | None, ...]:
    """Return 1 for each of these words that the module of a state or learner defines, otherwise None."""
    module = sys.modules[type(owner).__module__]
    return tuple(1 if hasattr(module, word) else None for word in words)


def compiled_answers(state: State, boards: Board, most: int) -> npt.NDArray[np.int64]:
    """Return the answers of the compiled rules for these boards, [boards, WORDS]. Raise InputError if compilation
    fails.
    """
    table = np.zeros((len(boards), len(WORDS)), np.int64)
    compiled(answers, state, boards, most, table, *_own(state, *OPTIONAL))
    return table


def interpreted_answers(state: State, boards: Board, most: int) -> npt.NDArray[np.int64]:
    """Return the answers of the interpreted rules for these boards, [boards, WORDS]."""
    table = np.zeros((len(boards), len(WORDS)), np.int64)
    answers(state, boards, most, table, *_own(state, *OPTIONAL))
    return table
