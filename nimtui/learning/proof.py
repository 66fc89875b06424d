"""The proof learner, our own: the certainty of a game's last move, carried backwards.

A move that ended a game is proven: it wins, loses or draws. A position with a move that is proven to win is proven won;
one whose every move is proven has the best of their results; and a move into a proven position is proven itself, with
the result turned round. What is not proven yet learns as the quality learner does. The rules are used for nothing but
to name the moves of a position that it is in: all else it learns from its own games.

With `memory=successors` it remembers where each move that it ever made has led, and what follows from that is proven at
once; with `memory=played` a move is only proven by being made when its successor is already proven.

It tries what is not proven yet, even where a win is proven already, and where all is proven goes where something behind
is not: so every game settles at least one more move of one position, which then is proven with all that lies behind it,
and no more games are needed than there are moves of positions.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple

from nimtui.engine.lessons import Memory, Numbers
from nimtui.engine.rng import draw_below
from nimtui.games import base
from nimtui.learning.parameter import Parameter


class Remembers(Enum):
    """What is remembered of the moves that were made."""

    SUCCESSORS = "successors"
    PLAYED = "played"


class Aim(Enum):
    """What it goes for first."""

    START = "start"  # the start's own proof
    ALL = "all"  # that of every position


NAME = "proof"
ABOUT = "carries the certainty of the last move backwards and tries what is not proven: perfect after the fewest games"
PARAMETERS = {
    "memory": Parameter(
        "whether it remembers where each move led, or only what was proven by playing", choices=Remembers
    ),
    "aim": Parameter("whether it goes for the proof of the start first, or of all positions alike", choices=Aim),
    "start": Parameter("the score of a move that was never tried, and of a proven draw", 0, 1_000),
    "win": Parameter("by how much the winner's moves rise while they are not proven", 0, 1_000),
    "loss": Parameter("by how much the loser's moves fall while they are not proven", 0, 1_000),
}
MARKS = True
NOTES = 3  # of a node: what is known of it; the first of the edges known to lead to it; which waits below it, or 0

SUCCESSORS, START = list(Remembers).index(Remembers.SUCCESSORS), list(Aim).index(Aim.START)
OPEN, WON, LOST, DRAWN, VALUE, SETTLED = 0, 1, 2, 3, 3, 4  # marks and notes: a value, and whether all behind is proven
HIGH, SURE = 1_000, 10_000
UNPROVEN, UNTRIED, NEARLY = 1 << 20, 1 << 22, 1 << 24  # how much is worth trying; apart by more than a position's moves
NEAR = 4  # a position is nearly proven if no more than one in so many of its moves is not
GAME_WON, GAME_LOST = base.WON, base.LOST


class Proof(NamedTuple):
    """Its constants."""

    memory: Remembers = Remembers.SUCCESSORS
    aim: Aim = Aim.START
    start: int = 500
    win: int = 29
    loss: int = 11


LEARNER = Proof


def fresh(learner: Proof) -> int:
    return learner.start


def recall(learner: Any, graph: Any, memory: Memory, node: int) -> None:
    """The node's value from its marks; and its moves among those that are known to lead to other nodes."""
    memory.notes[NOTES * node] = _known(graph, memory, node)
    for edge in range(graph.ptr[node], graph.ptr[node + 1]):
        if memory.visits[edge] > 0:
            _link(graph, memory, edge)


def choose(learner: Any, graph: Any, memory: Memory, node: int, rng: Any) -> int:
    """One of the moves that are most worth trying, each as likely as the others."""
    first, last = graph.ptr[node], graph.ptr[node + 1]
    most = -1
    among = 0
    for edge in range(first, last):
        worth = _worth(learner, graph, memory, edge)
        if worth > most:
            most = worth
            among = 1
        elif worth == most:
            among += 1
    at = draw_below(rng, among)
    edge = first - 1
    while at >= 0:
        edge += 1
        at -= _worth(learner, graph, memory, edge) == most
    return edge  # type: ignore[no-any-return]


def _worth(learner: Any, graph: Any, memory: Memory, edge: int) -> int:
    """How much a move is worth trying: first what is not proven, then what has something unproven behind it.

    Where it remembers successors: of the moves that are not proven, one into a position of which no more than a quarter
    is left to be proven; else one that was never made. Of several of a kind it takes the one into the position with the
    fewest unproven moves, which may soon be proven, until the game's start is; from then on the one with the most, so
    that each game finds much that is new. (Measured against some eighty rules, this is the simplest of the best.)
    """
    mark = memory.marks[edge]
    proven = mark & VALUE != OPEN
    if mark >= SETTLED:
        return 0
    if learner.memory != SUCCESSORS or memory.visits[edge] == 0:
        return 1 if proven else UNTRIED
    to = graph.to[edge]
    if to < 0:  # made before anybody noted where it led
        return UNTRIED
    left = 0
    for reply in range(graph.ptr[to], graph.ptr[to + 1]):
        left += memory.marks[reply] & VALUE == OPEN
    if proven:
        return 1 + left
    kind = NEARLY if NEAR * left <= graph.ptr[to + 1] - graph.ptr[to] else UNPROVEN
    if learner.aim == START and memory.notes[NOTES * graph.start] & VALUE == OPEN:
        return kind - left
    return kind + left


def update(learner: Any, graph: Any, memory: Memory, seen: Numbers, made: Numbers, plies: int, outcome: int) -> None:
    won = outcome == GAME_WON
    for ply in range(plies - 1, -1, -1):
        node, edge = seen[ply], made[ply]
        if memory.marks[edge] & VALUE == OPEN and outcome != base.DRAW:
            change = learner.win if won else -learner.loss
            memory.scores[edge] = max(0, min(HIGH, memory.scores[edge] + change))
        won = not won
        if ply == plies - 1:
            value = WON if outcome == GAME_WON else LOST if outcome == GAME_LOST else DRAWN
            _mark(learner, memory, edge, value | SETTLED)
        else:
            if memory.visits[edge] == 1:
                _link(graph, memory, edge)
            _mark(learner, memory, edge, _turned(memory.notes[NOTES * seen[ply + 1]]))
        _tell(learner, graph, memory, node)


def _turned(note: int) -> int:
    """What is known of a node, for the player who moves there."""
    value = note & VALUE
    if value == WON:
        return note - WON + LOST
    if value == LOST:
        return note - LOST + WON
    return note


def _mark(learner: Any, memory: Memory, edge: int, mark: int) -> None:
    """Note what is known of a move; a score far outside tells it where that is its result."""
    memory.marks[edge] = mark
    value = mark & VALUE
    if value == WON:
        memory.scores[edge] = SURE
    elif value == LOST:
        memory.scores[edge] = -SURE
    elif value == DRAWN:
        memory.scores[edge] = learner.start


def _known(graph: Any, memory: Memory, node: int) -> int:
    """What is known of a node by the marks of its moves."""
    best = LOST
    every = SETTLED
    unproven = False
    for edge in range(graph.ptr[node], graph.ptr[node + 1]):
        mark = memory.marks[edge]
        value = mark & VALUE
        if value == OPEN:
            unproven = True
        elif value == WON:
            best = WON
        elif value == DRAWN and best == LOST:
            best = DRAWN
        if mark < SETTLED:
            every = 0
    if best == WON or not unproven:
        return best | every
    return OPEN


def _link(graph: Any, memory: Memory, edge: int) -> None:
    """Let the node that this edge leads to know of it."""
    to = graph.to[edge]
    if to >= 0:
        memory.links[edge] = memory.notes[NOTES * to + 1]
        memory.notes[NOTES * to + 1] = edge + 1


def _tell(learner: Any, graph: Any, memory: Memory, node: int) -> None:
    """Note what is known of a node now; where that is more than before and is remembered, tell all that lead to it."""
    notes = memory.notes
    note = _known(graph, memory, node)
    if note == notes[NOTES * node]:
        return
    notes[NOTES * node] = note
    if learner.memory != SUCCESSORS:
        return
    top = node + 1  # the last of the nodes that wait, 0 for none
    notes[NOTES * node + 2] = 1
    while top:
        told = top - 1
        top = notes[NOTES * told + 2] - 1
        notes[NOTES * told + 2] = 0
        edge = notes[NOTES * told + 1] - 1
        while edge >= 0:
            _mark(learner, memory, edge, _turned(notes[NOTES * told]))
            above = _source(graph, edge)
            note = _known(graph, memory, above)
            if note != notes[NOTES * above]:
                notes[NOTES * above] = note
                if notes[NOTES * above + 2] == 0:
                    notes[NOTES * above + 2] = top + 1
                    top = above + 1
            edge = memory.links[edge] - 1


def _source(graph: Any, edge: int) -> int:
    """The node that an edge belongs to."""
    low = 0
    high = len(graph.ptr) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if graph.ptr[middle] <= edge:
            low = middle
        else:
            high = middle
    return low
