"""The measures of a table against independent computations, compiled and interpreted."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

from nimtui.engine import evaluate as kernels
from nimtui.games import parse_game
from nimtui.learning import evaluate, interpreted
from nimtui.learning.evaluate import FIRST, SECOND
from nimtui.learning.graph_table import on_graph
from nimtui.learning.table import Table
from nimtui.theory.truth import truth
from tests.learning import oracles
from tests.learning.helpers import stat_of

HEAPS = [
    ("nim:1,3,5,7", (1, 3, 5, 7), 255, False),
    ("nim:3,4,2:misere", (3, 4, 2), 255, True),
    ("nim:6,5:max=3", (6, 5), 3, False),
    ("subtraction:22,3:misere", (22,), 3, True),
]


def test_an_empty_table_of_the_tower() -> None:
    assert evaluate.accuracy(Table.empty(parse_game("nim:1,3,5,7"), "reward")) == pytest.approx(
        0.188, abs=0.0005
    )  # source: the definition in the design


@pytest.mark.slow
@pytest.mark.parametrize("games", [0, 3, 200, 2_000])
@pytest.mark.parametrize(("name", "rows", "limit", "misere"), HEAPS)
def test_both_measures_agree_with_brute_force(
    name: str, rows: tuple[int, ...], limit: int, misere: bool, games: int
) -> None:
    table = interpreted.train(parse_game(name), "reward", games, 7)
    stat = stat_of(table)
    assert evaluate.accuracy(table) == pytest.approx(oracles.accuracy(stat, rows, limit, misere), abs=1e-12)
    for seat in (FIRST, SECOND):
        chances = evaluate.against_perfect(table, seat)
        expected = oracles.wins(stat, rows, seat == SECOND, limit, misere)
        assert chances.win == pytest.approx(expected, abs=1e-12)
        assert chances.draw == 0 and sum(chances) == pytest.approx(1)
        assert evaluate.against_perfect(table, seat).win == chances.win


@pytest.mark.parametrize("name", ["nim:1,3,5,7", "adjacent:1,3:misere", "connect:3x3x3"])
def test_a_table_of_the_truth_is_perfect(name: str) -> None:
    game = parse_game(name)
    known = truth(game)
    perfect = on_graph(Table.empty(game, "reward"), known.graph)
    perfect.cells[:] = known.keeps
    assert evaluate.accuracy(perfect) == 1.0
    value = int(known.values[known.graph.start])
    expected = {1: (1, 0, 0), 0: (0, 1, 0), -1: (0, 0, 1)}
    assert evaluate.against_perfect(perfect, FIRST) == pytest.approx(expected[value])
    assert evaluate.against_perfect(perfect, SECOND) == pytest.approx(expected[-value]) or value < 0


def test_draws_are_counted_apart() -> None:
    game = parse_game("connect:3x3x3")  # a draw
    chances = evaluate.against_perfect(Table.empty(game, "reward"), SECOND)
    assert 0 < chances.draw < 1 and chances.win == 0
    assert sum(chances) == pytest.approx(1)


@pytest.mark.parametrize("name", ["nim:3,2", "adjacent:1,3", "connect:3x2x2", "nim:4,3:max=2:misere"])
def test_the_kernels_run_interpreted_with_the_same_result(name: str) -> None:
    game = parse_game(name)
    known = truth(game)
    table = on_graph(interpreted.train(game, "reward", 40, 1), known.graph)
    mine = known.graph, known.values, known.keeps, table.cells
    verdicts, shares = kernels.judge(*mine)
    interpreted_verdicts, interpreted_shares = np.empty_like(verdicts), np.empty_like(shares)
    kernels._judge.py_func(*mine, interpreted_verdicts, interpreted_shares, 0, len(verdicts))
    assert np.array_equal(verdicts, interpreted_verdicts) and np.array_equal(shares, interpreted_shares)
    reached, todo = np.zeros(len(verdicts), np.bool_), np.zeros(len(verdicts), np.int32)
    reached[known.graph.start], todo[0] = True, known.graph.start
    left = 1
    while left:
        left = kernels._reach.py_func(known.graph, table.cells, reached, todo, left, 2)
    assert np.array_equal(reached, kernels.reached(known.graph, table.cells, (True, False)))
    compiled, slow = (np.zeros((len(known.values), 2, 2)) for _ in range(2))
    kernels._fill_odds(known.graph, known.keeps, table.cells, compiled, 0, len(verdicts))
    kernels._fill_odds.py_func(known.graph, known.keeps, table.cells, slow, 0, len(verdicts))
    assert np.array_equal(compiled, slow)


def test_the_truth_about_a_game_is_shared_and_forgotten() -> None:
    first = truth(parse_game("nim:2,3,4"))
    assert truth(parse_game("nim:4,3,2")) is not first
    assert truth(parse_game("nim:2,3,4")) is first
    held = weakref.ref(first)
    del first
    gc.collect()
    assert held() is None
