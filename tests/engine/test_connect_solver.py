from __future__ import annotations

from random import Random

import numpy as np
import pytest

from nimtui.engine import connect_solver
from nimtui.engine.connect_solver import FRAME, KEY, NEW, Solver, Stack, Table, search, shape_of, solve
from nimtui.games import base, parse_game
from nimtui.games.connect import Connect
from nimtui.progress import Cancelled
from tests.stops import StopAfter
from tests.theory.oracles import Columns


def board_of(name: str, position: str | None = None) -> Connect:
    state = parse_game(name).new(position)
    assert isinstance(state, Connect)
    return state


@pytest.mark.slow
@pytest.mark.parametrize(
    ("columns", "rows", "k"),
    [(3, 3, 3), (4, 3, 3), (3, 4, 3), (3, 3, 2), (5, 2, 3), (2, 5, 3), (6, 1, 3), (1, 6, 4), (4, 2, 4)],
)
def test_every_position_of_a_small_board_agrees_with_brute_force(columns: int, rows: int, k: int) -> None:
    oracle = Columns(columns, rows, k)
    name = f"connect:{columns}x{rows}x{k}"
    solver = Solver(board_of(name), slots=4099)
    for board, moves in oracle.positions():
        state = board_of(name, moves)
        assert solver.score(state) == oracle.score(board), moves
        if len(moves) % 3 == 0:
            assert solve(state) == (oracle.score(board), oracle.moves(board)), moves


@pytest.mark.slow
@pytest.mark.parametrize(("name", "played"), [("connect4:7x6", 31), ("connect:6x6x5", 26), ("connect4:4x4", 4)])
def test_late_positions_agree_with_brute_force(name: str, played: int) -> None:
    dice = Random(played)
    game = parse_game(name)
    state = game.new()
    assert isinstance(state, Connect)
    oracle = Columns(len(state.top), state.rows, state.k)
    for _ in range(12):
        board = oracle.empty()
        moves: list[int] = []
        while len(moves) < played:
            column = dice.choice(oracle.open(board))
            after = oracle.drop(board, column)
            if oracle.wins(after, column):
                board, moves = oracle.empty(), []
            else:
                board, moves = after, [*moves, column + 1]
        assert solve(board_of(name, "".join(map(str, moves)))) == (oracle.score(board), oracle.moves(board)), moves


@pytest.mark.parametrize(("position", "own_discs"), [("121212", 4), ("1212127", 4), ("12121277", 5), ("121212776", 5)])
def test_a_win_at_once_scores_22_less_the_discs_the_winner_has_played(position: str, own_discs: int) -> None:
    # source: the convention of Pons's solver on 7 × 6
    state = board_of("connect4", position)
    assert Solver(state).score(state) == 22 - own_discs


def test_mirrored_positions_have_mirrored_scores() -> None:
    left, right = board_of("connect4:5x4", "1123"), board_of("connect4:5x4", "5543")
    score, scores = solve(left)
    mirrored, mirrored_scores = solve(right)
    assert score == mirrored
    assert scores == {4 - column: value for column, value in mirrored_scores.items()}


def test_a_tiny_table_changes_the_time_and_not_the_answer() -> None:
    state = board_of("connect4:4x4")
    assert [Solver(state, slots).score(state) for slots in (7, 1001, 1 << 20)] == [0, 0, 0]


def fresh(state: Connect, slots: int) -> tuple[Table, Stack]:
    cells = len(state.top) * state.rows
    frames = np.zeros((cells + 1, FRAME), np.int64)
    frames[0, : KEY + 1] = state.board[0], state.board[1], 0, 1, NEW, 0
    moves, threats = (np.zeros((cells + 1, len(state.top)), np.int64) for _ in range(2))
    return (
        Table(np.zeros(slots, np.int64), np.zeros(slots, np.int8)),
        Stack(frames, moves, threats, np.zeros(2, np.int64)),
    )


@pytest.mark.parametrize("name", ["connect4:4x4", "connect:4x4x3", "connect:5x3x3"])
def test_chunks_of_any_size_make_the_same_search(name: str) -> None:
    state = board_of(name)
    found = []
    for chunk in (1, 7, 1000, 1 << 30):
        table, stack = fresh(state, 5003)
        while not search(shape_of(state), table, stack, chunk):
            pass
        found.append((int(stack.at[1]), table.keys.tobytes(), table.bounds.tobytes()))
    assert found == [found[0]] * 4


@pytest.mark.parametrize(
    ("name", "position"), [("connect:4x3x3", "12"), ("connect:5x5x5", "1234512345123451"), ("connect4:4x4", "1234112")]
)
def test_the_interpreted_search_is_the_compiled_one(name: str, position: str) -> None:
    state = board_of(name, position)
    compiled, interpreted = fresh(state, 1009), fresh(state, 1009)
    while not search(shape_of(state), *compiled, 50):
        pass
    while not search.py_func(shape_of(state), *interpreted, 50):
        pass
    for one, other in zip((*compiled[0], *compiled[1]), (*interpreted[0], *interpreted[1]), strict=True):
        assert (one == other).all()


def test_it_reports_and_is_cancelled_between_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect_solver, "CHUNK", 1000)
    state = board_of("connect4:5x5")
    with pytest.raises(Cancelled):
        solve(state, StopAfter(4))
    assert (state.board == board_of("connect4:5x5").board).all()


def test_the_position_given_is_not_changed() -> None:
    state = board_of("connect4:5x4", "3123")
    before = state.board.copy()
    solve(state)
    assert (state.board == before).all()
    assert base.outcome(state) == base.GOING_ON
