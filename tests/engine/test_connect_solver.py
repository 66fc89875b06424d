"""The exact solver of connect games, against brute force that shares no code with it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from threading import enumerate as enumerate_threads

import numpy as np
import pytest

from nimtui.engine.connect import Solver, order
from nimtui.engine.connect import search as kernel
from nimtui.engine.connect.board import (
    Board,
    board_of,
    cells_above,
    cells_below,
    from_lowest_up,
    has_line,
    upper_bound,
    winning_cells,
)
from nimtui.engine.connect.table import Table, ask, keep, key_of, lower_of, table, upper_of
from nimtui.games import base, parse_game
from nimtui.games.base import Move
from nimtui.games.connect import Connect
from nimtui.progress import SILENT, Cancelled, Progress
from tests.stops import StopAfter
from tests.theory.oracles import Columns

TINY = 16  # bytes: one bucket where the board allows it

SMALL = [(3, 3, 3), (4, 3, 3), (3, 4, 3), (3, 3, 2), (5, 2, 3), (2, 5, 3), (6, 1, 3), (1, 6, 4), (4, 2, 4), (2, 6, 2)]
LARGER = [(4, 3, 4), (3, 5, 4), (4, 4, 3), (3, 6, 3)]


def board_named(name: str, position: str | None = None) -> Connect:
    state = parse_game(name).new(position)
    assert isinstance(state, Connect)
    return state


def solve(state: Connect, progress: Progress = SILENT) -> tuple[int, dict[Move, int]]:
    """The score of an unfinished position, and of each of its moves."""
    scores = Solver(state).scores(state, progress)
    return max(scores.values()), scores


def parts(state: Connect) -> tuple[int, int, int]:
    """The discs of the player to move, of the opponent, and the empty cells."""
    mine, discs = int(state.board[0]), int(state.board[1])
    return mine, mine ^ discs, int(state.full) ^ discs


def after(start: Connect, moves: str) -> Connect:
    """The position after these columns, counted from 1."""
    state = base.copy(start)
    for column in moves:
        base.play(state, int(column) - 1)
    assert isinstance(state, Connect)
    return state


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "rows", "k"), SMALL + LARGER)
def test_every_position_of_a_small_board_agrees_with_brute_force(columns: int, rows: int, k: int) -> None:
    """With a table for all positions; with one bucket, every third."""
    oracle, start = Columns(columns, rows, k), board_named(f"connect:{columns}x{rows}x{k}")
    large, tiny = Solver(start, 1 << 20), Solver(start, TINY)
    for number, (board, moves) in enumerate(oracle.positions()):
        state, expected = after(start, moves), oracle.score(board)
        for solver in (large, tiny)[: 1 + (number % 3 == 0)]:
            assert solver.score(state) == expected, moves
            assert solver.sign(state) == (expected > 0) - (expected < 0), moves
            if number % 5 == 0:
                assert solver.scores(state) == oracle.moves(board), moves


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "played"),
    [("connect4:7x6", 30), ("connect4:6x7", 30), ("connect4:9x5", 33), ("connect:6x6x5", 26), ("connect4:4x4", 4)],
)
def test_late_positions_agree_with_brute_force(name: str, played: int) -> None:
    dice = Random(played)
    state = board_named(name)
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
        assert solve(board_named(name, "".join(map(str, moves)))) == (oracle.score(board), oracle.moves(board)), moves


def random_games(oracle: Columns, plies: int, games: int) -> Iterator[tuple[tuple[str, ...], str]]:
    """The positions of so many random games after so many plies and more; none is over."""
    dice = Random(1)
    for _ in range(games):
        board, moves = oracle.empty(), ""
        while columns := oracle.open(board):
            column = dice.choice(columns)
            board, moves = oracle.drop(board, column), f"{moves}{column + 1}"
            if oracle.wins(board, column) or not oracle.open(board):
                break
            if len(moves) >= plies:
                yield board, moves


@pytest.mark.slow
@pytest.mark.parametrize(
    ("columns", "rows", "k", "plies"), [(4, 4, 4, 7), (5, 3, 4, 7), (4, 3, 3, 0), (4, 3, 4, 0), (3, 5, 3, 0)]
)
def test_a_bound_without_search_is_never_below_the_score(columns: int, rows: int, k: int, plies: int) -> None:
    """In all positions of small boards; in those of random games on larger ones."""
    oracle, start = Columns(columns, rows, k), board_named(f"connect:{columns}x{rows}x{k}")
    board, tight = board_of(start), 0
    for cells, moves in random_games(oracle, plies, 600) if plies else oracle.positions():
        mine, theirs, empty = parts(after(start, moves))
        reach = (mine + theirs + board.floor) & board.full
        if int(winning_cells(mine, empty, board)) & reach:
            continue
        danger, score = int(winning_cells(theirs, empty, board)), oracle.score(cells)
        bound = int(upper_bound(mine, theirs, danger, reach, board, empty.bit_count(), 99))
        assert score <= bound, moves
        tight += bound == score
    assert tight > 0


def test_a_win_at_once_scores_22_less_the_discs_the_winner_has_played() -> None:
    # source: the convention of Pons's solver on 7 × 6
    for position, own_discs in (("121212", 4), ("1212127", 4), ("12121277", 5), ("121212776", 5)):
        state = board_named("connect4", position)
        assert Solver(state).score(state) == 22 - own_discs


# Source: the solutions of small boards published by John Tromp; '=' a draw, 1 or 2 the player who wins.
VALUES = {
    "4x4": 0, "5x4": 0, "6x4": -1, "7x4": 0, "4x5": 0, "5x5": 0, "6x5": 0, "4x6": 0, "5x6": 0, "4x7": 0, "5x7": 0,
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("size", VALUES)
def test_published_values_of_whole_boards(size: str) -> None:
    state = board_named(f"connect4:{size}")
    assert Solver(state).sign(state) == VALUES[size]


def test_mirrored_positions_have_mirrored_scores() -> None:
    left, right = board_named("connect4:5x4", "1123"), board_named("connect4:5x4", "5543")
    score, scores = solve(left)
    mirrored, mirrored_scores = solve(right)
    assert score == mirrored
    assert scores == {4 - column: value for column, value in mirrored_scores.items()}


def test_a_line_is_best_play_to_the_end() -> None:
    state = board_named("connect4:5x5", "3321")
    solver = Solver(state)
    line, score = solver.line(state), solver.score(state)
    for move in line:
        assert base.outcome(state) == base.GOING_ON
        scores = solver.scores(state)
        assert scores[move] == max(scores.values()) == score
        base.play(state, move)
        score = -score
    assert base.outcome(state) != base.GOING_ON


def test_a_tiny_table_changes_the_time_and_not_the_answer() -> None:
    state = board_named("connect4:4x4")
    assert [Solver(state, size).score(state) for size in (TINY, 1 << 10, 1 << 24)] == [0, 0, 0]


@pytest.mark.parametrize("idea", [0, *(1 << bit for bit in range(7)), 127])
def test_without_any_idea_the_answer_is_the_same(idea: int) -> None:
    nodes = []
    for name, position in (("connect4:5x5", None), ("connect4:6x5", "334421"), ("connect:5x5x3", "12")):
        state = board_named(name, position)
        whole, part = Solver(state), Solver(state, without=idea)
        assert part.scores(state) == whole.scores(state)
        nodes.append((part.nodes, whole.nodes))
    assert (sum(part for part, _ in nodes) == sum(whole for _, whole in nodes)) == (idea == 0)


@pytest.mark.parametrize("size", [TINY, 1 << 22])
def test_threads_that_share_a_table_give_the_same_answer(size: int) -> None:
    for name, position in (("connect4:5x5", None), ("connect4:6x5", "334421"), ("connect4:7x6", "4455331226")):
        state = board_named(name, position)
        assert Solver(state, size, threads=3).scores(state) == Solver(state, 1 << 22).scores(state)


def test_threads_end_when_the_question_is_cancelled() -> None:
    state = board_named("connect4", "44")
    with pytest.raises(Cancelled):
        Solver(state, threads=2).score(state, StopAfter(3))
    assert not [thread for thread in enumerate_threads() if thread.name == "connect solver"]


def test_a_thread_takes_the_first_move_that_no_other_is_searching() -> None:
    board = board_of(board_named("connect4"))
    cells = [int(board.floor & (board.column << 7 * column)) for column in range(7)]
    numbers = {cell: kernel.key_of(0, cell, board, False) for cell in cells}

    def taken(place: int, searched: list[int]) -> tuple[int, list[int]]:
        busy, moves = np.zeros(kernel.SLOTS, np.int64), np.array(cells, np.int64)
        for cell in searched:
            busy[kernel.slot_of(numbers[cell])] = numbers[cell]
        key = kernel.take(moves, place, len(moves), 0, 0, board, False, busy)
        assert sorted(moves) == cells  # no move is lost or doubled
        assert key == numbers[int(moves[place])]
        return cells.index(int(moves[place])), [cells.index(int(move)) for move in moves[:place]]

    assert taken(0, cells) == (0, [])  # all begin with the best
    assert taken(1, []) == (1, [0])
    assert taken(1, cells[1:4]) == (4, [0])
    assert taken(5, cells[:5]) == (5, [0, 1, 2, 3, 4])
    assert taken(2, cells) == (2, [0, 1])  # all are searched: then together


def test_the_order_of_moves_changes_the_time_and_not_the_answer() -> None:
    state = board_named("connect4:5x4", "33")
    expected = Solver(state).scores(state)
    for seed in range(3):
        solver = Solver(state)
        solver.history[:] = np.random.default_rng(seed).integers(0, order.MOST_HISTORY, len(solver.history))
        assert solver.scores(state) == expected


def fresh(state: Connect, size: int) -> tuple[Board, Table, order.History, kernel.Stack]:
    board = board_of(state)
    mine, theirs, _ = parts(state)
    stack = kernel.stacks(board)[0]
    kernel.begin(stack, mine, theirs, 0)
    return board, table(size, board), order.history(), stack


@pytest.mark.parametrize("name", ["connect4:4x4", "connect:4x4x3", "connect:5x3x3"])
def test_chunks_of_any_size_make_the_same_search(name: str) -> None:
    state, found = board_named(name), []
    for chunk in (1, 7, 1000, 1 << 30):
        board, words, history, stack = fresh(state, 1 << 12)
        while not kernel.search(board, words, history, stack, int(stack.at[kernel.NODES]) + chunk):
            pass
        found.append((stack.at.tolist(), words.words.tobytes(), history.tobytes()))
    assert found == [found[0]] * 4


@pytest.mark.parametrize(
    ("name", "position"), [("connect:4x3x3", "12"), ("connect:5x5x5", "1234512345123451"), ("connect4:4x4", "1234112")]
)
def test_the_interpreted_search_is_the_compiled_one(name: str, position: str) -> None:
    state = board_named(name, position)
    compiled, interpreted = fresh(state, 1 << 12), fresh(state, 1 << 12)
    assert kernel.search(*compiled, 1 << 30)
    with np.errstate(over="ignore"):
        assert kernel.search.py_func(*interpreted, 1 << 30)
    assert (compiled[3].at == interpreted[3].at).all()
    assert (compiled[2] == interpreted[2]).all()
    assert (compiled[1].words == interpreted[1].words).all()


def test_the_table_returns_what_was_stored_and_never_the_bounds_of_another_position() -> None:
    dice, board = Random(3), board_of(board_named("connect4"))
    for size in (TINY, 1 << 12, 1 << 16):
        words = table(size, board)
        known: dict[int, tuple[int, int]] = {}
        for _ in range(3000):
            key = dice.randrange(1 << 49)
            value, is_lower = dice.randint(-21, 21), dice.random() < 0.5
            keep(words, key, value, is_lower, dice.randrange(1 << 40))
            upper, lower = known.get(key, (99, -99))
            known[key] = (upper, value) if is_lower else (value, lower)
            word = ask(words, key)
            assert (lower_of(word, -99) if is_lower else upper_of(word, 99)) == value
        hits = 0
        for key, (upper, lower) in known.items():
            word = ask(words, key)
            assert word == 0 or (upper_of(word, 99), lower_of(word, -99)) in {(upper, lower), (99, lower), (upper, -99)}
            hits += word != 0
        assert 0 < hits <= len(words.words)


def test_a_mirror_image_has_the_same_number() -> None:
    dice = Random(4)
    for name in ("connect4", "connect4:6x5", "connect:9x6x5", "connect:12x4x4"):
        game = parse_game(name)
        board = board_of(board_named(name))
        columns = board.columns
        for _ in range(20):
            one, other = game.new(), game.new()
            for _ in range(6):
                move = dice.choice(base.legal_moves(one))
                base.play(one, move)
                base.play(other, columns - 1 - move)
            keys = [int(key_of(int(state.board[0]), int(state.board[1]), board, True)) for state in (one, other)]
            assert keys[0] == keys[1]


def test_cells_above_and_below_stay_in_their_columns() -> None:
    dice = Random(5)
    for name in ("connect4", "connect4:4x7", "connect:9x6x4", "connect:31x1x4", "connect:2x30x4"):
        board = board_of(board_named(name))
        height = board.rows + 1
        for _ in range(50):
            cells = dice.getrandbits(63) & board.full
            above = up = below = 0
            for column in range(board.columns):
                rows = [row for row in range(board.rows) if cells >> column * height + row & 1]
                for row in range(board.rows):
                    bit = 1 << column * height + row
                    up |= bit * bool(rows and row >= rows[0])
                    above |= bit * bool(rows and row > rows[0])
                    below |= bit * bool(rows and row < rows[-1])
            assert int(from_lowest_up(cells, board)) == up
            assert int(cells_above(cells, board)) == above
            assert int(cells_below(cells, board)) == below


@pytest.mark.parametrize("name", ["connect4", "connect4:4x7", "connect:9x6x5", "connect:5x5x3", "connect:2x30x4"])
def test_lines_and_the_cells_that_complete_them(name: str) -> None:
    dice, state = Random(6), board_named(name)
    board = board_of(state)
    height = board.rows + 1
    lines = [
        [(column + i * across, row + i * up) for i in range(board.k)]
        for column in range(board.columns)
        for row in range(board.rows)
        for across, up in ((0, 1), (1, 0), (1, 1), (1, -1))
    ]
    inside = [
        [column * height + row for column, row in line]
        for line in lines
        if all(0 <= column < board.columns and 0 <= row < board.rows for column, row in line)
    ]
    masks = [sum(1 << bit for bit in line) for line in inside]
    for _ in range(200):
        heights = [dice.randint(0, board.rows) for _ in range(board.columns)]
        filled = sum(((1 << heights[column]) - 1) << column * height for column in range(board.columns))
        discs, empty = filled & dice.getrandbits(63), board.full ^ filled
        assert bool(has_line(discs, board)) == any(discs & mask == mask for mask in masks)
        expected = 0
        for mask in masks:
            missing = mask & ~discs
            if missing.bit_count() == 1 and missing & empty:
                expected |= missing
        assert int(winning_cells(discs, empty, board)) == expected


def test_it_reports_and_is_cancelled_between_chunks() -> None:
    state = board_named("connect4", "4455")
    with pytest.raises(Cancelled):
        solve(state, StopAfter(4))
    assert (state.board == board_named("connect4", "4455").board).all()


def test_a_cancelled_solver_still_answers_right() -> None:
    state = board_named("connect4:7x5")  # millions of nodes: many chunks
    solver = Solver(state)
    with pytest.raises(Cancelled):
        solver.score(state, StopAfter(2))
    late = board_named("connect4:7x5", "3332254441")
    assert solver.scores(late) == Solver(late).scores(late)


def test_the_position_given_is_not_changed() -> None:
    state = board_named("connect4:5x4", "3123")
    before = state.board.copy()
    solve(state)
    assert (state.board == before).all()
    assert base.outcome(state) == base.GOING_ON
