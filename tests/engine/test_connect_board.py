"""The parts of the connect solver: bits of a board, bounds, the order of moves and the table, against plain loops."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from nimtui.engine import jit
from nimtui.engine.connect import search as kernel
from nimtui.engine.connect.board import (
    Board,
    board_of,
    cells_above,
    cells_below,
    from_lowest_up,
    has_line,
    popcount,
    upper_bound,
    winning_cells,
)
from nimtui.engine.connect.table import Table, ask, fetch, keep, key_of, lower_of, table, upper_of
from nimtui.games import base, parse_game
from nimtui.games.connect import Connect
from tests.games.literal import lines
from tests.theory.oracles import Columns

NAMES = ("connect4", "connect4:4x7", "connect:9x6x5", "connect:5x5x3", "connect:2x30x4", "connect:31x1x4")


def connect(name: str, position: str | None = None) -> Connect:
    state = parse_game(name).new(position)
    assert isinstance(state, Connect)
    return state


def boards() -> list[Board]:
    return [board_of(connect(name)) for name in NAMES]


def bit(board: Board, column: int, row: int) -> int:
    return 1 << column * (board.rows + 1) + row


def masks(board: Board) -> list[int]:
    """The bits of every line."""
    every = lines(board.columns, board.rows, board.k)
    return [sum(bit(board, column, row) for column, row in line) for line in every]


def filled(board: Board, dice: Random) -> int:
    """The cells below random heights."""
    heights = [dice.randint(0, board.rows) for _ in range(board.columns)]
    return sum(bit(board, column, height) - bit(board, column, 0) for column, height in enumerate(heights))


def test_what_is_constant_on_a_board() -> None:
    assert board_of(connect("connect:3x2x2")) == Board(
        3, 2, 2, 0b011011011, 0b001001001, 0b111, 0b010010010, 0b001001001
    )
    assert board_of(connect("connect:2x3x3")).follower == 0b01010101  # the top cells, and each second one below


def test_cells_above_and_below_stay_in_their_columns() -> None:
    dice = Random(5)
    for board in boards():
        for _ in range(20):
            cells = dice.getrandbits(63) & board.full
            assert popcount(cells) == cells.bit_count()
            above = up = below = 0
            for column in range(board.columns):
                rows = [row for row in range(board.rows) if cells & bit(board, column, row)]
                up += sum(bit(board, column, row) for row in range(board.rows) if rows and row >= rows[0])
                above += sum(bit(board, column, row) for row in range(board.rows) if rows and row > rows[0])
                below += sum(bit(board, column, row) for row in range(rows[-1] if rows else 0))
            places = [int(part(cells, board)) for part in (from_lowest_up, cells_above, cells_below)]
            assert places == [up, above, below]


@jit.kernel
def compiled_has_line(discs: int, board: Board) -> bool:
    """Shifts by more than 63 differ: Python has no limit."""
    return has_line(discs, board)


def test_lines_and_the_cells_that_complete_them() -> None:
    dice = Random(6)
    for board in boards():
        every = masks(board)
        for _ in range(60):
            cells = filled(board, dice)
            discs, empty = cells & dice.getrandbits(63), board.full ^ cells
            line = any(discs & mask == mask for mask in every)
            assert (bool(has_line(discs, board)), compiled_has_line(discs, board)) == (line, line)
            missing = [mask & ~discs for mask in every]
            holes = {mask for mask in missing if mask.bit_count() == 1 and mask & empty}
            assert int(winning_cells(discs, empty, board)) == sum(holes)


def test_open_lines_are_worth_16_with_two_discs_and_4_with_one() -> None:
    dice = Random(7)
    for board in boards()[:2]:
        for _ in range(60):
            cells = filled(board, dice)
            discs = cells & dice.getrandbits(63)
            other = cells & ~discs
            counts = [(mask & discs).bit_count() for mask in masks(board) if not mask & other]
            worth = kernel.OPEN_TWO * counts.count(2) + kernel.OPEN_ONE * counts.count(1)
            assert int(kernel.open_lines(discs, board.full ^ cells, board)) == worth


def prospects(board: Board, mine: int, theirs: int, wins: int, danger: int, empty: int, leading: bool) -> int:
    """The weighted sum, by its definition."""

    def usable(own: int, other: int) -> list[tuple[int, bool]]:
        """The rows of winning cells that no winning cell of the other lies below, and whether they are leader cells."""
        cells = []
        for column in range(board.columns):
            rows = [row for row in range(board.rows) if own & bit(board, column, row)]
            low = min((row for row in range(board.rows) if other & bit(board, column, row)), default=board.rows)
            cells += [(row, (board.rows - 1 - row) % 2 == 1) for row in rows if row <= low]
        return cells

    first, second = usable(wins, danger), usable(danger, wins)
    leaders, followers = (first, second) if leading else (second, first)
    good = sum(75 if leader else 22 for _, leader in leaders)
    bad = sum((48 if leader else 45) + (35 if row == 1 else 0) for row, leader in followers)
    lines_open = kernel.open_lines(mine, empty, board) - kernel.open_lines(theirs, empty, board)
    return 4_000 + (good - bad if leading else bad - good) + int(lines_open)


def test_the_order_of_moves_weighs_winning_cells_far_from_the_end_and_counts_them_near_it() -> None:
    dice, board, history = Random(8), board_of(connect("connect4")), kernel.history()
    history[:] = np.arange(128)
    for _ in range(60):
        cells = filled(board, dice)
        mine, empty = cells & dice.getrandbits(63), board.full ^ cells
        theirs, room = cells & ~mine, empty.bit_count()
        wins, danger = dice.getrandbits(63) & empty, dice.getrandbits(63) & empty
        cell = board.floor & -board.floor << 7 * dice.randrange(7)
        for weighted in (True, False):
            key = int(kernel.order_of(mine, theirs, wins, danger, empty, room, cell, history, board, weighted))
            far = weighted and room >= 18
            leading = room % 2 == 0
            worth = prospects(board, mine, theirs, wins, danger, empty, leading) if far else wins.bit_count()
            assert key == (worth << 13) + (room % 2) * 64 + cell.bit_length() - 1


def test_a_cutoff_raises_its_move_and_lowers_those_before_it() -> None:
    history, moves = kernel.history(), np.array([1 << 3, 1 << 10, 1 << 17], np.int64)
    history[[3, 10, 64 + 3]] = 2, 7_999, 5
    kernel.learn(history, 20, moves, 1)
    assert {at: int(value) for at, value in enumerate(history) if value} == {10: 8_000, 67: 5}
    kernel.learn(history, 21, moves, 2)
    assert {at: int(value) for at, value in enumerate(history) if value} == {10: 8_000, 81: 5}
    kernel.learn(history, 12, moves, 0)
    assert history[3] == 3 and history[10] == 8_000


@pytest.mark.parametrize("size", [(4, 3, 3), (3, 5, 3), pytest.param((4, 3, 4), marks=pytest.mark.slow)])
def test_a_bound_without_search_is_never_below_the_score_and_often_it(size: tuple[int, int, int]) -> None:
    oracle, start, tight, below = Columns(*size), connect("connect:" + "x".join(map(str, size))), 0, 0
    board = board_of(start)
    for number, (cells, moves) in enumerate(oracle.positions()):
        if number % 3:
            continue
        state = parse_game("connect:" + "x".join(map(str, size))).new(",".join(moves))
        mine, discs = int(state.board[0]), int(state.board[1])
        theirs, empty, reach = mine ^ discs, board.full ^ discs, (discs + board.floor) & board.full
        if not int(winning_cells(mine, empty, board)) & reach:
            danger, score = int(winning_cells(theirs, empty, board)), oracle.score(cells)
            bound = int(upper_bound(mine, theirs, danger, reach, board, empty.bit_count(), 99))
            assert score <= bound, moves
            assert int(upper_bound(mine, theirs, danger, reach, board, empty.bit_count(), -9)) == -9
            tight, below = tight + (bound == score), below + (bound < 0)
    assert (tight, below) == TIGHT[size]


TIGHT = {(4, 3, 3): (110, 115), (3, 5, 3): (192, 180), (4, 3, 4): (1_579, 79)}


def test_moves_that_do_not_lose_at_once() -> None:
    assert [int(kernel.not_losing(0b1011, danger)) for danger in (0, 0b10, 0b11, 0b100, 0b1000 << 1)] == [
        0b1011, 0b10, 0, 0b1001, 0b0011
    ]  # fmt: skip


def test_a_thread_takes_the_first_move_that_no_other_is_searching() -> None:
    board = board_of(connect("connect4"))
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


# The table.


def entry(words: Table, key: int) -> tuple[int, int]:
    word = ask(words, key)
    return int(upper_of(word, 99)), int(lower_of(word, -99))


def test_the_table_returns_what_was_stored_and_never_the_bounds_of_another_position() -> None:
    dice, board = Random(3), board_of(connect("connect4"))
    for size in (16, 1 << 12):
        words = table(size, board)
        stored: dict[int, tuple[int, int]] = {}
        for _ in range(600):
            key, value, is_lower = dice.randrange(1 << 49), dice.randint(-21, 21), dice.random() < 0.5
            keep(words, key, value, is_lower, dice.randrange(1 << 40))
            upper, lower = stored.get(key, (99, -99))
            stored[key] = (upper, value) if is_lower else (value, lower)
            assert entry(words, key)[is_lower] == value
        hits = [key for key in stored if ask(words, key)]
        assert all(entry(words, key) == stored[key] for key in hits) and 0 < len(hits) <= len(words.words)


def test_an_entry_keeps_its_other_bound_and_gives_way_to_more_work() -> None:
    words = table(0, board_of(connect("connect:2x2x2")))
    assert (words.words.shape, words.mask, words.rest) == ((4,), 0b111111, 5)
    keys = [key for key in range(64) if (key * 0x1E3779B97F4A7C15 & 63) >> 5 == 0][:4]
    keep(words, keys[0], -3, True, 0)
    keep(words, keys[0], 4, False, 9)
    assert entry(words, keys[0]) == (4, -3) and words.words[0] >> 14 & 31 == 4  # 9 nodes: a work of four bits
    keep(words, keys[1], 0, False, 32)
    assert [entry(words, key) for key in keys[:3]] == [(4, -3), (0, -99), (99, -99)]
    keep(words, keys[2], 5, True, 1 << 40)  # the entry of less work gives way, and the other one ages
    assert [entry(words, key) for key in keys[:3]] == [(99, -99), (0, -99), (99, 5)]
    assert [int(word) >> 14 & 31 for word in words.words[:2]] == [31, 5]
    keep(words, keys[3], 1, True, 1)
    assert [entry(words, key) for key in keys] == [(99, -99), (99, -99), (99, 5), (99, 1)]
    assert [int(word) >> 14 & 31 for word in words.words[:2]] == [30, 1]
    keep(words, keys[0], 2, True, 0)
    assert [int(word) >> 14 & 31 for word in words.words[:2]] == [30, 0], "entries of little work do not age others"
    assert fetch(words, keys[0]) is None
    assert table(1 << 20, board_of(connect("connect4"))).words.shape == (1 << 17,)


def test_a_mirror_image_has_the_same_number_and_no_other_position() -> None:
    dice, keys = Random(4), {False: set(), True: set()}
    game = parse_game("connect:5x4x4")
    board = board_of(connect("connect:5x4x4"))
    for _ in range(40):
        one, other = game.new(), game.new()
        for _ in range(6):
            move = dice.choice(base.legal_moves(one))
            base.play(one, move)
            base.play(other, 4 - move)
        numbers = [int(key_of(int(at.board[0]), int(at.board[1]), board, True)) for at in (one, other)]
        plain = [int(key_of(int(at.board[0]), int(at.board[1]), board, False)) for at in (one, other)]
        assert numbers[0] == numbers[1] == min(plain) and plain[0] == int(one.board[0] + one.board[1])
        keys[True].add(numbers[0])
        keys[False].add(tuple(sorted((tuple(one.board[:2]), tuple(other.board[:2])))))
    assert len(keys[True]) == len(keys[False])
