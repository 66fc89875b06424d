"""What a check of own files asks: the answers of rules, of learners and of functions, against plain Python."""

from __future__ import annotations

import sys
from functools import reduce
from types import SimpleNamespace
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest

from nimtui.engine import graph, probe
from nimtui.engine.lessons import Memory
from nimtui.engine.rng import Stream
from nimtui.games import base, parse_game
from tests.games.refusal import refusal
from tests.theory.force import Force

BITS = (0, 2**60 - 1, 0x123456789ABCDEF)  # by which casual moves are tried


@pytest.fixture(autouse=True)
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "compiled", lambda function, *arguments: function(*arguments))


def mixed(numbers: Any) -> int:
    """Many numbers as one: a polynomial hash modulo the largest prime of 31 bits."""
    return reduce(lambda whole, number: (whole * 1_000_003 + number) % (2**31 - 1), map(int, numbers), 0)


def literal(state: base.State, most: int) -> dict[str, int]:
    """The answers of every word, by its name; 0 for a default that is made of the others."""
    own, end, size = vars(sys.modules[type(state).__module__]), int(base.outcome(state)), int(base.size(state))
    told: dict[str, Any] = {"size": size, "outcome": end, "positions": base.positions(state) if "index" in own else 0}
    told["index"] = base.index(state) if told["positions"] else 0
    told["key"] = base.key(state) if "key" in own else 0
    told["largest_payoff"] = base.largest_payoff(state)
    told["payoff"] = base.payoff(state) if end else 0
    if not end:
        moves = [move for move in range(min(size, most)) if base.legal(state, move)]
        boards = [base.with_board(state, state.board.copy()) for _ in moves]
        for after, move in zip(boards, moves, strict=True):
            base.play(after, move)
        told["legal"], told["undo"] = mixed(moves), mixed([*state.board] * len(moves))
        told["play"] = mixed(number for after in boards for number in after.board)
        words = {
            "evaluate": base.evaluate(state),
            "count": base.count(state),
            "nth": mixed(base.legal_moves(state)[: len(moves)]),
            "following": mixed(base.legal_moves(state)[: len(moves)]),
            "row": mixed(base.row(state, move) for move in moves),
            "casual": mixed(base.casual(state, bits) for bits in BITS),
        }
        told |= {word: answer for word, answer in words.items() if word in own}
    return dict.fromkeys(probe.WORDS, 0) | told


@pytest.mark.parametrize("most", [3, 99])
@pytest.mark.parametrize(
    "name", ["nim:1,2,1:misere", "connect:3x2x2", "noughts:2x2x2", "redblue:2,2", "octal:0.77:5", "noughts:8x5x3"]
)
def test_the_answers_of_rules_are_those_of_every_word_at_every_board(name: str, most: int) -> None:
    game, force = parse_game(name), Force(name)
    states = list(force.every()) if game.positions else [game.start, game.after(game.start, 0)]
    boards = np.array([state.board for state in states])
    wanted = [literal(state, most) for state in states]
    for ask in (probe.interpreted_answers, probe.compiled_answers):
        told = ask(game.new(), boards, most).tolist()
        assert [dict(zip(probe.WORDS, row, strict=True)) for row in told] == wanted


def owner(monkeypatch: pytest.MonkeyPatch, **words: Any) -> Any:
    """A learner or a function whose module has these words."""
    monkeypatch.setitem(sys.modules, "own_words", SimpleNamespace(**words))  # type: ignore[arg-type]
    return type("Owner", (NamedTuple("Owner", [("step", float)]),), {"__module__": "own_words"})(0.5)


def test_a_learner_plays_games_and_every_invalid_edge_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    built = graph.build(parse_game("connect:1x3x3").new())  # one game, drawn: its edges are 2, 1, 0 or 0, 1, 2
    memory = Memory(*(np.zeros(len(built.to), np.int32) for _ in range(5)))
    told: list[Any] = []

    def update(learner: Any, graph: Any, memory: Any, seen: Any, made: Any, plies: int, outcome: int) -> None:
        told.append((seen[:plies].tolist(), made[:plies].tolist(), plies, outcome))
        assert (len(graph.node_of), len(graph.payoff), graph.largest) == (0, 0, 0)

    def learn(games: int, **words: Any) -> int:
        told.clear()
        learner = owner(
            monkeypatch, **{"choose": lambda own, graph, *rest: graph.ptr[rest[1]], "update": update} | words
        )
        return probe.learn(learner, built, memory, games, Stream(0))  # type: ignore[arg-type]

    nodes = built.order[::-1].tolist()
    game = (nodes, [int(built.ptr[node]) for node in nodes], 3, base.DRAW)
    assert learn(2) == -1 and told == [game] * 2 and memory.visits.tolist() == [2, 2, 2]
    assert learn(1, recall=lambda *rest: told.append(rest[3])) == -1 and told == [*nodes[::-1], game]
    for wrong in (0, 1, -1):
        edges = {node: built.ptr[node] + (wrong if node == nodes[1] else 0) for node in nodes}
        answer, node = (lambda own, graph, memory, node, rng, edges=edges: edges[node]), nodes[1] if wrong else -1
        assert learn(1, choose=answer) == learn(0, play=answer) == node
    for name, outcome in (("nim:1", base.WON), ("nim:1:misere", base.LOST)):
        built = graph.build(parse_game(name).new())
        assert learn(1) == -1 and told == [([0], [0], 1, outcome)]


def test_a_function_is_asked_for_the_total_of_each_position_and_learns_from_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def noted(word: str, answer: float = 0.0) -> Any:
        return lambda function, *rest: (asked.append((word, *map(float, rest))), answer)[1]

    words = {word: noted(word) for word in ("clear", "shift", "note", "learn")}
    function, totals = owner(monkeypatch, **words, total=noted("total", 0.25)), np.zeros(2)
    probe.totals_of(function, np.array([[0, 5, 3], [1, 0, 0]]), np.array([1, 0]), 0.125, totals)
    first = [("clear",), ("shift", 1, 0, 5), ("shift", 2, 0, 3), ("total", 1), ("note", 0), ("learn", 1, 0, 0.125)]
    second = [("clear",), ("shift", 0, 0, 1), ("total", 0), ("note", 0), ("learn", 0, 0, 0.125)]
    assert asked == first + second and totals.tolist() == [0.25, 0.25]


def doubled(n: int) -> int:
    return 2 * n


def broken(n: int) -> int:
    return n + "one"  # type: ignore[operator, no-any-return]


def test_what_numba_cannot_compile_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert probe.compiled(doubled, 21) == 42
    assert refusal(probe.compiled, broken, 1).startswith("add(")
    options = {"nopython": True, "nogil": True, "boundscheck": True, "_nrt": False}
    assert probe._dispatcher(doubled).targetoptions.items() >= options.items()
    for name in ("BOUNDSCHECK", "OPT"):
        monkeypatch.setattr(numba.config, name, getattr(numba.config, name))
    probe.check_bounds()
    assert (numba.config.BOUNDSCHECK, int(numba.config.OPT)) == (1, 0)
