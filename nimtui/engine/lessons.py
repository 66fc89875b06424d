"""The vocabulary of learners: what self-play asks of any learner, and what it hands to it.

A learner is a module. It holds a NamedTuple of its constants and beside it functions named as the words below, which
are found through that class: by the interpreter here, by Numba through `nimtui.engine.dispatch`. So a learner is
written once, runs compiled on a game's graph, and interpreted on as much of the graph as its games have seen.

A graph, as a learner may use it: node n has the edges graph.ptr[n] … graph.ptr[n + 1] − 1, its moves in ascending
order; graph.to[e] is the node that edge e leads to or how it ends the game (known once the edge has been played in a
game of this graph; below −3 before);
graph.group_ptr[n] … graph.group_ptr[n + 1] − 1 are its groups (the rows that have a move), and graph.group[g] is the
first edge of a group; graph.start is the node that games begin at. No Numba in this module.

A learner remembers nothing but in its memory, and draws nothing at random but from `rng`. `choose` and `play` write
nothing; `recall` writes notes and links; `update` writes scores, marks, notes and links, within their bounds and only
numbers that they can hold. Visits, the graph and the game at hand are not a learner's to write. `nimtui check` tries
all of this.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from nimtui.engine.rng import draw_below, draw_bits60

Learner: TypeAlias = Any  # a NamedTuple of constants
Numbers: TypeAlias = Any  # an array, or a list while interpreted

WON_EDGE, LOST_EDGE, DRAWN_EDGE = -1, -2, -3  # where a move ends the game, for the player who makes it


class Memory(NamedTuple):
    """All that a learner remembers."""

    scores: Numbers  # [edges]: what it thinks of each move; the best-scored move is the one it would play
    visits: Numbers  # [edges]: how often each was played; counted for it, the game at hand included
    marks: Numbers  # [edges]: the learner's own small numbers, kept in files; [0] if it makes none
    notes: Numbers  # [nodes × NOTES]: follows from the others by `recall`; not kept; all 0 before
    links: Numbers  # [edges], or [0] where NOTES is below 2: likewise


@cache
def word(kind: type, name: str) -> Callable[..., Any]:
    """The function that answers `name` for learners of this class: the learner's own, or the default."""
    own = getattr(sys.modules[kind.__module__], name, None)
    return own if own is not None else DEFAULTS[name]


def choose(learner: Learner, graph: Any, memory: Memory, node: int, rng: Any) -> int:
    """The edge it plays from this node while it learns. Changes nothing but the generator."""
    return word(learner.__class__, "choose")(learner, graph, memory, node, rng)


def update(
    learner: Learner, graph: Any, memory: Memory, seen: Numbers, made: Numbers, plies: int, outcome: int
) -> None:
    """Learn from a game: its nodes and edges in order; `outcome` (WON, LOST, DRAW) is for who moved last."""
    word(learner.__class__, "update")(learner, graph, memory, seen, made, plies, outcome)


def recall(learner: Learner, graph: Any, memory: Memory, node: int) -> None:
    """Make this node's note from scores, visits and marks. Asked for all nodes before the first game of a run."""
    word(learner.__class__, "recall")(learner, graph, memory, node)


def play(learner: Learner, graph: Any, memory: Memory, node: int, rng: Any) -> int:
    """The edge it plays after training: one of the best-scored, each as likely as the others."""
    return word(learner.__class__, "play")(learner, graph, memory, node, rng)


def _recall(learner: Learner, graph: Any, memory: Memory, node: int) -> None:
    return


def _play(learner: Learner, graph: Any, memory: Memory, node: int, rng: Any) -> int:
    return best_edge(graph, memory, node, rng)


WORDS = (choose, update, recall, play)
REQUIRED = ("choose", "update")
DEFAULTS: dict[str, Callable[..., Any]] = {"recall": _recall, "play": _play}


# What learners share.


def any_edge(graph: Any, node: int, rng: Any) -> int:
    """One of the node's edges, each as likely as the others."""
    first = graph.ptr[node]
    return first + draw_below(rng, graph.ptr[node + 1] - first)


def casual_edge(graph: Any, node: int, rng: Any) -> int:
    """First a random row that has a move, then a random move in it: as `games.base.casual`."""
    bits = draw_bits60(rng)
    rows = graph.group_ptr[node + 1] - graph.group_ptr[node]
    row = graph.group_ptr[node] + (((bits & 0x3FFFFFFF) * rows) >> 30)
    first = graph.group[row]
    return first + (((bits >> 30) * (graph.group[row + 1] - first)) >> 30)


def best_score(graph: Any, memory: Memory, node: int) -> Any:
    """The highest score of the node's moves."""
    best = memory.scores[graph.ptr[node]]
    for edge in range(graph.ptr[node] + 1, graph.ptr[node + 1]):
        if memory.scores[edge] > best:
            best = memory.scores[edge]
    return best


def edge_above(graph: Any, memory: Memory, node: int, least: Any, rng: Any) -> int:
    """One of the node's edges whose score is at least `least`, each as likely as the others; there must be one."""
    above = 0
    for edge in range(graph.ptr[node], graph.ptr[node + 1]):
        above += memory.scores[edge] >= least
    at = draw_below(rng, above)
    edge = graph.ptr[node] - 1
    while at >= 0 and edge < graph.ptr[node + 1] - 1:  # a score that is no number is above nothing
        edge += 1
        at -= memory.scores[edge] >= least
    return edge


def best_edge(graph: Any, memory: Memory, node: int, rng: Any) -> int:
    """One of the node's best-scored edges, each as likely as the others."""
    return edge_above(graph, memory, node, best_score(graph, memory, node), rng)
