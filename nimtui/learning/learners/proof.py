"""The proof learner, our own: it carries proven results back from the last move of a game.

A move that ended a game is proven: it wins, loses or draws. A position with a proven winning move is proven won. A
position whose moves are all proven has the best of their results. A move into a proven position is proven itself, with
the opposite result. Unproven moves learn as in the quality learner. The rules give the learner only the legal moves of
its position. It learns everything else from its own games.

With `memory=successors` it remembers where each of its moves led, and proves at once what follows. With `memory=played`
a move is proven only when it is played into a proven position.

It tries unproven moves, even if a win is proven already. If all moves are proven, it goes where something further on is
unproven. So every game settles at least one more move of one position. It needs at most as many games as there are
moves of positions.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple

from nimtui.engine.lessons import Memory, Numbers
from nimtui.engine.rng import draw_below
from nimtui.games import base
from nimtui.learning.parameter import Parameter


class Remembers(Enum):
    """What the learner remembers of its moves."""

    SUCCESSORS = "successors"
    PLAYED = "played"


class Aim(Enum):
    """What the learner tries to prove first."""

    START = "start"  # the start of the game
    ALL = "all"  # every position


NAME = "proof"
ABOUT = "proves moves, beginning with the last; it tries unproven moves, and is perfect after the fewest games"
PARAMETERS = {
    "memory": Parameter("remember where each move led, or only what play has proven", choices=Remembers),
    "aim": Parameter("prove the start first, or all positions alike", choices=Aim),
    "start": Parameter("score of an untried move, and of a proven draw", 0, 1_000),
    "win": Parameter("gain of an unproven move of the winner", 0, 1_000),
    "loss": Parameter("loss of an unproven move of the loser", 0, 1_000),
}
MARKS = True
NOTES = 3  # of a node: its proven value; the first known edge to it; the next waiting node, or 0

SUCCESSORS, START = list(Remembers).index(Remembers.SUCCESSORS), list(Aim).index(Aim.START)
OPEN, WON, LOST, DRAWN, VALUE, SETTLED = 0, 1, 2, 3, 3, 4  # marks and notes: a value, and is all further on proven?
HIGH, SURE = 1_000, 10_000
UNPROVEN, UNTRIED, NEARLY = 1 << 20, 1 << 22, 1 << 24  # priorities of moves; their gaps exceed the moves of a position
NEAR = 4  # a position is nearly proven if at most one in NEAR of its moves is unproven
GAME_WON, GAME_LOST = base.WON, base.LOST


class Proof(NamedTuple):
    """The learner's parameters."""

    memory: Remembers = Remembers.SUCCESSORS
    aim: Aim = Aim.START
    start: int = 500
    win: int = 29
    loss: int = 11


LEARNER = Proof


def fresh(learner: Proof) -> int:
    return learner.start


def recall(learner: Any, graph: Any, memory: Memory, node: int) -> None:
    """Set the node's value from its marks, and add its played moves to the known edges of their targets."""
    memory.notes[NOTES * node] = _note(graph, memory, node)
    for edge in range(graph.ptr[node], graph.ptr[node + 1]):
        if memory.visits[edge] > 0:
            _link(graph, memory, edge)


def choose(learner: Any, graph: Any, memory: Memory, node: int, rng: Any) -> int:
    """Return one of the moves with the highest priority, each equally likely."""
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
    """Return the priority of a move: unproven moves first, then moves with something unproven further on.

    With successors in memory, the first unproven moves lead into a position of which at most a quarter is
    unproven. Then come moves that were never made. Until the start is proven, a position with few unproven moves comes
    first, because it may soon be proven. After that, a position with many comes first, so that each game finds much
    that is new. (Measured against some eighty rules, this is the simplest of the best.)
    """
    mark = memory.marks[edge]
    proven = mark & VALUE != OPEN
    if mark >= SETTLED:
        return 0
    if learner.memory != SUCCESSORS or memory.visits[edge] == 0:
        return 1 if proven else UNTRIED
    to = graph.to[edge]
    if to < 0:  # played before targets were recorded
        return UNTRIED
    open_replies = 0
    for reply in range(graph.ptr[to], graph.ptr[to + 1]):
        open_replies += memory.marks[reply] & VALUE == OPEN
    if proven:
        return 1 + open_replies
    kind = NEARLY if NEAR * open_replies <= graph.ptr[to + 1] - graph.ptr[to] else UNPROVEN
    if learner.aim == START and memory.notes[NOTES * graph.start] & VALUE == OPEN:
        return kind - open_replies
    return kind + open_replies


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
        _spread(learner, graph, memory, node)


def _turned(note: int) -> int:
    """Return a node's note from the view of the player who moves to the node."""
    value = note & VALUE
    if value == WON:
        return note - WON + LOST
    if value == LOST:
        return note - LOST + WON
    return note


def _mark(learner: Any, memory: Memory, edge: int, mark: int) -> None:
    """Set the mark of a move; a proven win or loss also gets a score far outside the range."""
    memory.marks[edge] = mark
    value = mark & VALUE
    if value == WON:
        memory.scores[edge] = SURE
    elif value == LOST:
        memory.scores[edge] = -SURE
    elif value == DRAWN:
        memory.scores[edge] = learner.start


def _note(graph: Any, memory: Memory, node: int) -> int:
    """Return the note of a node from the marks of its moves."""
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
    """Add this edge to the known edges of its target."""
    to = graph.to[edge]
    if to >= 0:
        memory.links[edge] = memory.notes[NOTES * to + 1]
        memory.notes[NOTES * to + 1] = edge + 1


def _spread(learner: Any, graph: Any, memory: Memory, node: int) -> None:
    """Update the note of a node; if it changed and successors are remembered, update all nodes that lead to it."""
    notes = memory.notes
    note = _note(graph, memory, node)
    if note == notes[NOTES * node]:
        return
    notes[NOTES * node] = note
    if learner.memory != SUCCESSORS:
        return
    top = node + 1  # the last waiting node + 1; 0: none
    notes[NOTES * node + 2] = 1
    while top:
        waiting = top - 1
        top = notes[NOTES * waiting + 2] - 1
        notes[NOTES * waiting + 2] = 0
        edge = notes[NOTES * waiting + 1] - 1
        while edge >= 0:
            _mark(learner, memory, edge, _turned(notes[NOTES * waiting]))
            above = _source(graph, edge)
            note = _note(graph, memory, above)
            if note != notes[NOTES * above]:
                notes[NOTES * above] = note
                if notes[NOTES * above + 2] == 0:
                    notes[NOTES * above + 2] = top + 1
                    top = above + 1
            edge = memory.links[edge] - 1


def _source(graph: Any, edge: int) -> int:
    """Return the node of an edge."""
    low = 0
    high = len(graph.ptr) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if graph.ptr[middle] <= edge:
            low = middle
        else:
            high = middle
    return low
