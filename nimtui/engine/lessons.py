"""The vocabulary of learners: the functions that self-play calls, and the data that it passes to them.

A learner is a module. It holds a NamedTuple of its constants and functions named as the words below. These are found
through that class: by the interpreter here, by Numba through `nimtui.engine.dispatch`. So a learner is written once,
runs compiled on a game's graph, and interpreted on the part of the graph that its games have seen.

A graph, as a learner may use it: node n has the edges graph.ptr[n] … graph.ptr[n + 1] − 1, its moves in ascending
order. graph.to[e] is the node that edge e leads to, or how the edge ends the game. It is known once a game of this
graph has played the edge; before, it is below −3. graph.group_ptr[n] … graph.group_ptr[n + 1] − 1 are the node's groups
(the rows that have a move), and graph.group[g] is the first edge of a group. graph.start is the node where games start.
A learner with `PAYOFFS = True` also learns games that end with a number: `last_result` reads it from graph.payoff.
No Numba in this module.

A learner stores everything in its memory and draws random numbers only from `rng`. `choose` and `play` write nothing;
`recall` writes notes and links; `update` writes scores, marks, notes and links, within their bounds and only numbers
that they can hold. A learner must not write visits, the graph or the current game. `nimtui check` tests all of this.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from nimtui.engine.rng import draw_below, draw_bits60
from nimtui.games import base

Learner: TypeAlias = Any  # a NamedTuple of constants
Numbers: TypeAlias = Any  # an array, or a list while interpreted

WON_EDGE, LOST_EDGE, DRAWN_EDGE = -1, -2, -3  # a move that ends the game, for the player who makes it
ENDS = {base.WON: WON_EDGE, base.LOST: LOST_EDGE, base.DRAW: DRAWN_EDGE}


class Memory(NamedTuple):
    """Everything that a learner remembers."""

    scores: Numbers  # [edges]: the score of each move; after training the learner plays a move with the best score
    visits: Numbers  # [edges]: how often each was played; self-play counts them, the current game included
    marks: Numbers  # [edges]: the learner's own small numbers, saved in files; [0] if it has none
    notes: Numbers  # [nodes × NOTES]: `recall` derives them from the others; not saved; 0 at first
    links: Numbers  # [edges], or [0] if NOTES is below 2: derived and unsaved like notes


@cache
def word(kind: type, name: str) -> Callable[..., Any]:
    """Return the function `name` for learners of this class: the learner's own, or the default."""
    own = getattr(sys.modules[kind.__module__], name, None)
    return own if own is not None else DEFAULTS[name]


def choose(learner: Learner, graph: Any, memory: Memory, node: int, rng: Any) -> int:
    """Return the edge to play from this node in training. Changes nothing but the generator."""
    return word(learner.__class__, "choose")(learner, graph, memory, node, rng)


def update(
    learner: Learner, graph: Any, memory: Memory, seen: Numbers, made: Numbers, plies: int, outcome: int
) -> None:
    """Learn from a game: its nodes and edges in order; `outcome` (WON, LOST, DRAW) is for the last mover."""
    word(learner.__class__, "update")(learner, graph, memory, seen, made, plies, outcome)


def recall(learner: Learner, graph: Any, memory: Memory, node: int) -> None:
    """Derive this node's note from scores, visits and marks. Called for all nodes before the first game of a run."""
    word(learner.__class__, "recall")(learner, graph, memory, node)


def play(learner: Learner, graph: Any, memory: Memory, node: int, rng: Any) -> int:
    """Return the edge to play after training: one of the best-scored, with equal probabilities."""
    return word(learner.__class__, "play")(learner, graph, memory, node, rng)


def _recall(learner: Learner, graph: Any, memory: Memory, node: int) -> None:
    return


def _play(learner: Learner, graph: Any, memory: Memory, node: int, rng: Any) -> int:
    return best_edge(graph, memory, node, rng)


WORDS = (choose, update, recall, play)
REQUIRED = ("choose", "update")
DEFAULTS: dict[str, Callable[..., Any]] = {"recall": _recall, "play": _play}


# What learners share.


def last_result(graph: Any, edge: int, outcome: int) -> float:
    """Return the result of a game for the player of its last move, this edge: 1 won, −1 lost, 0 drawn.

    Of a game with payoffs: its payoff divided by the largest one.
    """
    if graph.largest > 0:
        return float(graph.payoff[edge] / graph.largest)
    return 0.0 if outcome == 2 else 1.0 if outcome == 1 else -1.0


def any_edge(graph: Any, node: int, rng: Any) -> int:
    """Return one of the node's edges, with equal probabilities."""
    first = graph.ptr[node]
    return first + draw_below(rng, graph.ptr[node + 1] - first)


def casual_edge(graph: Any, node: int, rng: Any) -> int:
    """Return a random move of a random row that has a move, as `games.base.casual` does."""
    bits = draw_bits60(rng)
    rows = graph.group_ptr[node + 1] - graph.group_ptr[node]
    row = graph.group_ptr[node] + (((bits & 0x3FFFFFFF) * rows) >> 30)
    first = graph.group[row]
    return first + (((bits >> 30) * (graph.group[row + 1] - first)) >> 30)


def best_score(graph: Any, memory: Memory, node: int) -> Any:
    """Return the highest score of the node's moves."""
    best = memory.scores[graph.ptr[node]]
    for edge in range(graph.ptr[node] + 1, graph.ptr[node + 1]):
        if memory.scores[edge] > best:
            best = memory.scores[edge]
    return best


def edge_above(graph: Any, memory: Memory, node: int, least: Any, rng: Any) -> int:
    """Return one of the node's edges with a score of at least `least`, with equal probabilities; there must be one."""
    above = 0
    for edge in range(graph.ptr[node], graph.ptr[node + 1]):
        above += memory.scores[edge] >= least
    at = draw_below(rng, above)
    edge = graph.ptr[node] - 1
    while at >= 0 and edge < graph.ptr[node + 1] - 1:  # guards against NaN, which is never at least `least`
        edge += 1
        at -= memory.scores[edge] >= least
    return edge


def best_edge(graph: Any, memory: Memory, node: int, rng: Any) -> int:
    """Return one of the node's best-scored edges, with equal probabilities."""
    return edge_above(graph, memory, node, best_score(graph, memory, node), rng)
