"""Which moves the proof learner tries first, on a graph written here: plain lists, so the rules run interpreted."""

from __future__ import annotations

from types import SimpleNamespace as Plain

import pytest

from nimtui.learning.learners import proof
from nimtui.learning.learners.proof import LOST, OPEN, SETTLED, WON

# The start has five moves, into positions with 8, 8, 8, 4 and 1 replies, of which so many are open:
REPLIES, OPENED = (8, 8, 8, 4, 1), (2, 3, 8, 1, 0)


def graph() -> Plain:
    ptr = [0, 5]
    for replies in REPLIES:
        ptr.append(ptr[-1] + replies)
    return Plain(ptr=ptr, to=[1, 2, 3, 4, 5] + [-1] * sum(REPLIES), start=0)


def memory(start: int = OPEN, played: bool = True, marks: tuple[int, ...] = (OPEN,) * 5) -> Plain:
    replies = [
        mark for size, still in zip(REPLIES, OPENED, strict=True) for mark in [OPEN] * still + [WON] * (size - still)
    ]
    notes = [0] * (proof.NOTES * 6)
    notes[0] = start
    return Plain(marks=[*marks, *replies], visits=[int(played)] * 5 + [0] * sum(REPLIES), notes=notes)


def order(learner: proof.Proof, of: Plain) -> list[list[int]]:
    """The moves of the start, the first to be tried first; equal ones together."""
    coded = learner._replace(memory=list(proof.Remembers).index(learner.memory), aim=list(proof.Aim).index(learner.aim))
    worth = [proof._worth(coded, graph(), of, move) for move in range(5)]
    return [[move for move in range(5) if worth[move] == each] for each in sorted(set(worth), reverse=True)]


LEARNER, PLAYED = proof.Proof(), proof.Proof(memory=proof.Remembers.PLAYED)
ALL = proof.Proof(aim=proof.Aim.ALL)


@pytest.mark.parametrize(
    ("learner", "of", "moves"),
    [
        # at most a quarter of 8, 4 and 1 is open: nearly proven, the fewest open first
        (LEARNER, memory(), [[4], [3], [0], [1], [2]]),
        # with the start proven, or if all positions are to be, the most open first
        (LEARNER, memory(start=WON), [[0], [3], [4], [2], [1]]),
        (ALL, memory(), [[0], [3], [4], [2], [1]]),
        (ALL, memory(start=WON), [[0], [3], [4], [2], [1]]),
        # never played, or with no memory of where they led: all alike
        (LEARNER, memory(played=False), [[0, 1, 2, 3, 4]]),
        (PLAYED, memory(), [[0, 1, 2, 3, 4]]),
        # a proven move comes last, by what is open further on; with nothing open there it is settled
        (LEARNER, memory(marks=(WON, WON, OPEN, WON, WON | SETTLED)), [[2], [1], [0], [3], [4]]),
        (PLAYED, memory(marks=(WON, WON, OPEN, WON, WON | SETTLED)), [[2], [0, 1, 3], [4]]),
        (LEARNER, memory(marks=(SETTLED | WON,) * 4 + (WON,)), [[4], [0, 1, 2, 3]]),
    ],
)
def test_what_is_tried_first(learner: proof.Proof, of: Plain, moves: list[list[int]]) -> None:
    assert order(learner, of) == moves


def test_untried_moves_stand_between_nearly_proven_ones_and_the_others() -> None:
    of = memory()
    of.visits[1] = 0
    assert order(LEARNER, of) == [[4], [3], [0], [1], [2]]
    of.visits[0] = of.visits[2] = 0
    assert order(LEARNER, of) == [[4], [3], [0, 1, 2]]
    blind = graph()
    blind.to[3] = -1  # played before targets were recorded
    assert proof._worth(LEARNER._replace(memory=0, aim=0), blind, of, 3) == proof.UNTRIED  # type: ignore[arg-type]


def test_what_is_proven_bit_by_bit_reaches_the_start_each_time() -> None:
    # The start's only move leads to a position with two moves, each to a position whose only move ends the game.
    tree = Plain(ptr=[0, 1, 3, 4, 5], to=[1, 2, 3, -1, -1])
    of = Plain(marks=[OPEN] * 5, scores=[0] * 5, links=[0] * 5, notes=[0] * (proof.NOTES * 4))
    coded = proof.Proof()._replace(memory=proof.SUCCESSORS)  # type: ignore[arg-type]
    for edge in range(3):
        proof._link(tree, of, edge)  # type: ignore[arg-type]
    for edge, mark, node, start in ((3, LOST, 2, LOST), (4, WON, 3, LOST | SETTLED)):
        of.marks[edge] = mark | SETTLED
        proof._spread(coded, tree, of, node)  # type: ignore[arg-type]
        assert of.marks[0] == of.notes[0] == start
