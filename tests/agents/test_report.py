"""How an agent's numbers for the moves of a position are printed, to the letter, and the order of the moves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nimtui.agents import Decision
from nimtui.agents.agent import Thought
from nimtui.agents.report import rank, rated
from nimtui.agents.searching import certain
from nimtui.games import parse_game
from nimtui.games.rule_text import Place
from nimtui.theory.answers import known_moves
from nimtui.trees import parse, search_of
from nimtui.trees.result import MoveResult
from tests.ui.drawn import as_reported

GAME = parse_game("nim:1,2")  # a1 is lost in 2, b1 won in 3, b2 lost in 2
A1, B1, B2 = range(3)
WON = 1_000_000


def decision(*thoughts: Thought, note: str = "", nodes: int | None = None, rate: float | None = None) -> Decision:
    return Decision(B1, thoughts, note, 0.25, nodes, rate)


COUNTED = Thought(A1, 0.0, 2, 2, 0, -0.77, 0.77), Thought(B1, 1.0, 4, 0, 0, -0.18, 1.0), Thought(B2, -1.0, 0, 4, 0)
WINDOWS = (
    *(Thought(A1, score=-1, bound="upper"), Thought(B1, score=-1, bound="exact")),
    Thought(B2, -1.0, score=2 - WON, bound="upper"),
)
ANSWERS = {
    "playouts": decision(*COUNTED),
    "playouts with draws": decision(replace(COUNTED[0], draws=3), *COUNTED[1:]),
    "a search with windows": decision(*WINDOWS, nodes=1_234, rate=56_789.4),
    "scores, visits and a note": decision(Thought(B1, score=3), Thought(B2, -1.0, visits=7), note="A note.", nodes=1),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_the_numbers_of_an_agent_are_as_drawn(name: str) -> None:
    truths = known_moves(GAME, GAME.new())
    as_reported("agents", name, rated(Place(GAME, GAME.new(), None), "someone", ANSWERS[name], truths), 100)


@pytest.mark.parametrize(
    "best_first",
    [
        (Thought(0, score=5, bound="exact"), Thought(1, score=4, bound="exact"), Thought(2, score=4, bound="upper")),
        (Thought(0, score=9 - WON, bound="exact"), Thought(1, score=7 - WON, bound="exact")),
        (Thought(0, 1.0), Thought(1, 0.5), Thought(2, -1.0), Thought(3)),
        (Thought(0, score=70), Thought(1, score=50), Thought(2, score=-1)),
        (Thought(0, 1.0, bound="exact"), Thought(1, 0.9), Thought(2, -0.9), Thought(3, -1.0, bound="exact")),
    ],
)
def test_the_better_move_ranks_higher_also_where_some_are_proven(best_first: tuple[Thought, ...]) -> None:
    ranks = list(map(rank, best_first))
    assert ranks == sorted(ranks, reverse=True) and len(set(ranks)) == len(ranks)


@pytest.mark.parametrize(
    ("how", "value", "bound", "result"),
    [
        ("alphabeta:depth=4", WON - 3, "exact", 1.0),
        ("alphabeta:depth=4", WON - 3, "upper", None),
        ("alphabeta:depth=4", 4 - WON, "exact", -1.0),
        ("alphabeta:depth=4", 4 - WON, "lower", None),
        ("alphabeta:depth=4", 900_000, "exact", None),
        ("alphabeta:depth=4", -900_000, "exact", None),
        ("alphabeta:depth=4", 0, "exact", None),
        ("alphabeta:depth=4", None, None, None),
        ("alphabeta:depth=-1", 0, "exact", 0.0),
        ("alphabeta:depth=-1", 0, "upper", None),
        ("alphabeta:time=1", 0, "exact", None),
        ("alphabeta:depth=4,heuristic=original", WON - 3, "exact", None),
    ],
)
def test_certain_is_what_a_search_proved(how: str, value: int | None, bound: str | None, result: float | None) -> None:
    search = search_of(GAME, GAME.new(), parse(how), record=False)
    assert certain(MoveResult(0, value, bound), search.result) == result
