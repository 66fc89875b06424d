"""The exact solver of connect games, against brute force that shares no code with it."""

from __future__ import annotations

from collections import Counter
from random import Random
from threading import enumerate as enumerate_threads

import numpy as np
import pytest

from nimtui.engine.connect import Solver
from nimtui.engine.connect import search as kernel
from nimtui.engine.connect.board import board_of
from nimtui.engine.connect.table import table
from nimtui.games import base, parse_game
from nimtui.games.connect import Connect
from nimtui.progress import Cancelled, Progress
from tests.engine.test_connect_board import connect
from tests.examples import few
from tests.stops import StopAfter
from tests.theory.oracles import Columns

TINY = 16  # bytes: one bucket where the board allows it
SMALL = [(3, 2, 2), (2, 3, 3), (4, 2, 3), (2, 5, 3), (6, 1, 3), (1, 6, 4)]
LARGER = [(3, 3, 3), (4, 3, 3), (3, 4, 3), (4, 3, 4), (3, 6, 3)]


def check(solver: Solver, state: Connect, oracle: Columns, board: tuple[str, ...]) -> None:
    """Compare every answer about a position with brute force."""
    score, moves = oracle.score(board), oracle.moves(board)
    sign = (score > 0) - (score < 0)
    assert (solver.score(state), solver.sign(state)) == (score, sign)
    assert solver.score(state, least=score) == solver.score(state, least=score - 1) == score
    assert solver.scores(state) == moves
    for least in {score, sign, score - 1, min(moves.values())}:
        assert solver.keeping(state, least) == tuple(move for move, value in sorted(moves.items()) if value >= least)
    line, at = solver.line(state, score=score), board
    assert line == solver.line(state) and line[0] == min(move for move in moves if moves[move] == score)
    for number, move in enumerate(line):
        assert oracle.moves(at)[move] == score * (-1) ** number
        at = oracle.drop(at, move)
    assert oracle.wins(at, line[-1]) or not oracle.open(at)


@pytest.mark.parametrize("size", [*SMALL, *(pytest.param(size, marks=pytest.mark.slow) for size in LARGER)])
def test_every_answer_about_a_small_board_is_that_of_brute_force(size: tuple[int, int, int]) -> None:
    oracle, game = Columns(*size), parse_game("connect:" + "x".join(map(str, size)))
    start = connect(game.name)
    solvers = Solver(start, 1 << 16), Solver(start, TINY)
    for number, (board, moves) in enumerate(oracle.positions()):
        if size in SMALL or number % few(21, 7) == 0:
            check(solvers[number % 2], connect(game.name, moves), oracle, board)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "played"), [("connect4", 31), ("connect4:9x5", 34), ("connect:6x6x5", 27)])
def test_late_positions_agree_with_brute_force(name: str, played: int) -> None:
    dice, state = Random(played), connect(name)
    oracle = Columns(len(state.top), state.rows, state.k)
    for _ in range(6):
        board, moves = oracle.empty(), ""
        while len(moves) < played:
            column = dice.choice(oracle.open(board))
            after = oracle.drop(board, column)
            board, moves = (oracle.empty(), "") if oracle.wins(after, column) else (after, f"{moves}{column + 1}")
        check(Solver(state), connect(name, moves), oracle, board)


def test_a_win_at_once_scores_22_less_the_discs_the_winner_has_played() -> None:
    # source: the convention of Pons's solver on 7 × 6
    for position, own_discs in (("121212", 4), ("1212127", 4), ("12121277", 5), ("121212776", 5)):
        state = connect("connect4", position)
        solver = Solver(state)
        assert solver.score(state) == 22 - own_discs and solver.nodes == 0


# Source: the solutions of small boards published by John Tromp: 1 the first player wins, −1 the second, 0 a draw.
VALUES = {"4x4": 0, "5x4": 0, "6x4": -1, "4x5": 0, "5x5": 0, "4x6": 0, "5x6": 0, "4x7": 0}


@pytest.mark.slow
@pytest.mark.parametrize("size", VALUES)
def test_published_values_of_whole_boards(size: str) -> None:
    state = connect(f"connect4:{size}")
    assert Solver(state).sign(state) == VALUES[size]


@pytest.mark.slow
def test_whatever_is_left_out_or_shared_and_in_any_order_the_answer_is_the_same() -> None:
    ideas, nodes = [1 << bit for bit in range(kernel.PROSPECTS.bit_length())], Counter[int]()
    for name, position in (("connect4:5x5", "3333"), ("connect4:6x5", "33442112"), ("connect:5x5x3", "12")):
        state = connect(name, position)
        solvers = {idea: Solver(state, without=idea) for idea in (0, *ideas)}
        scores = solvers[0].scores(state)
        assert all(solver.scores(state) == scores for solver in solvers.values())
        nodes.update({idea: solver.nodes for idea, solver in solvers.items()})
        shuffled = Solver(state, TINY, threads=3)
        shuffled.history[:] = np.random.default_rng(1).integers(0, kernel.MOST_HISTORY, len(shuffled.history))
        assert shuffled.scores(state) == scores
        mirror = connect(name, "".join(str(len(state.top) + 1 - int(column)) for column in position or ""))
        assert {len(state.top) - 1 - move: score for move, score in Solver(mirror).scores(mirror).items()} == scores
    assert all(nodes[idea] != nodes[0] for idea in ideas)


def test_threads_that_share_a_table_give_the_same_answer_and_end() -> None:
    state = connect("connect4:5x4", "33")
    shared = Solver(state, TINY, threads=3)
    assert shared.scores(state) == Solver(state, 1 << 16).scores(state)
    state = connect("connect4", "44")
    with pytest.raises(Cancelled):
        Solver(state, threads=2).score(state, StopAfter(3))
    assert not [thread for thread in enumerate_threads() if thread.name == "connect solver"]


def fresh(state: Connect) -> tuple[object, ...]:
    board = board_of(state)
    stack = kernel.stacks(board)[0]
    mine = int(state.board[0])
    kernel.begin(stack, mine, mine ^ int(state.board[1]), 0)
    return board, table(1 << 12, board), kernel.history(), stack


@pytest.mark.parametrize(("name", "position"), [("connect:4x3x3", "12"), ("connect4:4x4", "1234112")])
def test_interpreted_and_in_chunks_of_any_size_it_is_the_same_search(name: str, position: str) -> None:
    results = []
    for search, chunk in ((kernel.search.py_func, 1 << 30), *((kernel.search, size) for size in (1, 7, 1 << 30))):
        board, words, history, stack = fresh(connect(name, position))
        with np.errstate(over="ignore"):
            while not search(board, words, history, stack, int(stack.at[kernel.NODES]) + chunk):  # type: ignore[attr-defined]
                pass
        results.append((stack.at.tolist(), words.words.tobytes(), history.tobytes()))  # type: ignore[attr-defined]
    assert results == [results[0]] * 4


def test_a_search_that_cuts_enters_fewer_positions_than_the_square_root_of_all() -> None:
    # Knuth and Moore, 1975: with the best order of moves about the root of the tree. 4 × 4 has 161,029 positions.
    board, words, history, stack = fresh(connect("connect4:4x4"))
    with np.errstate(over="ignore"):
        assert kernel.search.py_func(board, words, history, stack, 401)
    assert 1 < int(stack.at[kernel.NODES]) < 401  # type: ignore[attr-defined]


class Noted(Progress):
    """Notes what is reported, and cancels at a report."""

    def __init__(self, last: int) -> None:
        self.last = last
        self.lines: list[tuple[float, float, str]] = []

    def report(self, done: float, total: float, what: str = "") -> None:
        self.lines.append((done, total, what))
        if len(self.lines) == self.last:
            raise Cancelled("test")


def test_a_cancelled_solver_reports_leaves_the_position_alone_and_still_answers_right() -> None:
    state, late, noted = connect("connect4:7x5"), connect("connect4:7x5", "3332254441"), Noted(3)
    solver, before = Solver(state), state.board.copy()
    with pytest.raises(Cancelled):
        solver.scores(state, noted)
    assert (state.board == before).all()
    assert all(line[:2] == (0, 7) and line[2].startswith("moves, ") for line in noted.lines)
    assert noted.lines[-1][2] == f"moves, {solver.nodes:,} positions" and 0 < solver.filled < 1
    assert solver.scores(late) == Solver(late).scores(late) and solver.bytes == 1 << 26
    solver.forget()
    assert (solver.filled, solver.history.any()) == (0.0, False)
    small = Solver(connect("connect:3x2x2"), TINY)
    small.get_ready()
    assert (small.nodes, small.bytes, small.filled) == (0, 32, 0.0)
    assert base.outcome(state) == base.GOING_ON
