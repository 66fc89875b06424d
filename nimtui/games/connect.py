"""Rules of Connect Four on any board: a move drops a disc into a column, and k in a row win.

The board is a bitboard of at most 63 bits. A column has rows + 1 bits; the top bit is always 0, so shifted lines
never wrap:

     6 13 20 …
     5 12 19
     .  .  .
     0  7 14
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.errors import InputError, invalid, shortened, whole_number
from nimtui.games import grid
from nimtui.games.base import DRAW, GOING_ON, WON, Board, Move
from nimtui.games.bits import ones
from nimtui.games.offer import Offer, of_boards

NAMES = ("connect", "connect4")
FORMS = ("connect:7x6x4", "connect4[:7x6]")
BOARD = "columns"
OFFERS = (
    Offer(
        "connect4",
        "Connect Four",
        "four discs in a line win",
        {"7 × 6": "connect4", **of_boards("connect4", (6, 5), (5, 4), (4, 4))},
        presets=("connect4", "connect4:4x4"),
        rank=5,
    ),
)

MOST_BITS = 63


class Connect(NamedTuple):
    """A position of a connect game."""

    board: Board  # [3]: the discs of the player to move; all discs; the number of open columns
    bottom: npt.NDArray[np.int64]  # column -> its lowest cell's bit
    top: npt.NDArray[np.int64]  # column -> its highest cell's bit
    shifts: npt.NDArray[np.int64]  # [direction, step]: k in a row survives all shifts of one direction
    strides: npt.NDArray[np.int64]  # direction -> how far apart the bits of neighbours are
    full: int  # the bits of all cells
    tops: int  # the bits of all highest cells
    rows: int
    k: int


def new(columns: int, rows: int, k: int) -> Connect:
    """Return the empty board. Raises InputError if it exceeds 63 bits or has no room for k in a row."""
    height = rows + 1
    if columns < 1 or rows < 1 or columns * height > MOST_BITS:
        raise InputError(
            f"a board of {columns} columns and {rows} rows is too large: "
            f"columns × (rows + 1) may be at most {MOST_BITS}"
        )
    if not 2 <= k <= max(columns, rows):
        if (most := max(columns, rows)) < 2:
            raise InputError(f"a board of {columns} × {rows} is too small")
        allowed = "2" if most == 2 else f"from 2 to {most}"
        form = f"connect:{columns}x{rows}x{most}"
        raise InputError(f"{k} in a row cannot win on a board of {columns} × {rows}: expected {allowed}, as in {form}")
    bottom = np.array([1 << column * height for column in range(columns)], np.int64)
    top = bottom << (rows - 1)
    steps, have = [], 1  # discs in a row that the shifts so far have found
    while have < k:
        steps.append(min(have, k - have))
        have += steps[-1]
    directions = (1, height, height + 1, height - 1)
    shifts = np.array([[step * stride for step in steps] for stride in directions], np.int64)
    full = sum(((1 << rows) - 1) << column * height for column in range(columns))
    board = np.array([0, 0, columns], np.int64)
    return Connect(board, bottom, top, shifts, np.array(directions, np.int64), full, int(top.sum()), rows, k)


# The rules.


def size(state: Connect) -> int:
    return state.top.shape[0]


def legal(state: Connect, move: Move) -> bool:
    return not state.board[1] & state.top[move]


def play(state: Connect, move: Move) -> None:
    discs = state.board[1]
    state.board[0] ^= discs
    discs |= discs + state.bottom[move]
    state.board[1] = discs
    state.board[2] -= (discs & state.top[move]) != 0


def undo(state: Connect, move: Move) -> None:
    discs = state.board[1]
    state.board[2] += (discs & state.top[move]) != 0
    column = discs & (state.top[move] | (state.top[move] - state.bottom[move]))
    discs ^= column & ~(column >> 1)  # without the column's highest disc
    state.board[1] = discs
    state.board[0] ^= discs


def outcome(state: Connect) -> int:
    mine = state.board[0] ^ state.board[1]
    for direction in range(4):
        line = mine
        for step in range(state.shifts.shape[1]):
            line &= line >> state.shifts[direction, step]
        if line:
            return WON
    if state.board[1] == state.full:
        return DRAW
    return GOING_ON


def following(state: Connect, move: Move) -> Move:
    for column in range(move + 1, state.top.shape[0]):
        if not state.board[1] & state.top[column]:
            return column
    return -1


def count(state: Connect) -> int:
    return state.board[2]


def nth(state: Connect, i: int) -> Move:
    if not state.board[1] & state.tops:
        return i
    column = 0
    while True:
        if not state.board[1] & state.top[column]:
            if i == 0:
                return column
            i -= 1
        column += 1


def positions(state: Connect) -> int:
    codes = (1 << (state.rows + 1)) - 1  # of one column: its discs below a marker bit of its height, minus one
    numbers = 1
    for _ in range(state.top.shape[0]):
        numbers *= codes
    return numbers


def index(state: Connect) -> int:
    codes = (1 << (state.rows + 1)) - 1
    marked = key(state)
    number = 0
    for column in range(state.top.shape[0] - 1, -1, -1):
        number = number * codes + (((marked >> column * (state.rows + 1)) & codes) - 1)
    return number


def key(state: Connect) -> int:
    number = state.board[0] + state.board[1]
    for column in range(state.bottom.shape[0]):
        number += state.bottom[column]
    return number


def evaluate(state: Connect) -> int:
    # The mover's discs in every window of k cells that has an empty cell and no disc of the opponent, added up over
    # the windows. Source: minimax and alpha-beta, with windows of four.
    mine = state.board[0]
    free = state.full & ~(state.board[0] ^ state.board[1])
    value = 0
    for direction in range(4):
        open_windows, full_windows = free, mine
        for step in range(state.shifts.shape[1]):
            open_windows &= open_windows >> state.shifts[direction, step]
            full_windows &= full_windows >> state.shifts[direction, step]
        open_windows ^= full_windows
        for place in range(state.k):
            value += ones(open_windows & (mine >> place * state.strides[direction]))
    return value


# What a learner with a function sees: each cell, column by column from the bottom. A cell has four values (M. Thill,
# P. Koch and W. Konen, "Reinforcement learning with n-tuples on the game Connect-4", PPSN 2012).

OUT_OF_REACH, NEXT, FIRSTS, SECONDS = 0, 1, 2, 3  # empty above an empty cell; filled next; whose disc


def inputs(state: Connect) -> int:
    return state.top.shape[0] * state.rows


def input(state: Connect, i: int) -> int:
    discs = state.board[1]
    column = i // state.rows
    bit = state.bottom[column] << (i - column * state.rows)
    if not discs & bit:
        return NEXT if (discs + state.bottom[column]) & bit else OUT_OF_REACH
    return FIRSTS + (((state.board[0] & bit) != 0) == (side(state) != 0))


def changes(state: Connect, move: Move, i: int) -> int:
    height = ones(state.board[1] & (state.top[move] | (state.top[move] - state.bottom[move])))
    return move * state.rows + height + i if i < 2 and height + i < state.rows else -1


def side(state: Connect) -> int:
    return ones(state.board[1]) & 1


def levels(state: Connect) -> list[int]:
    return [SECONDS + 1] * inputs(state)


def neighbours(state: Connect) -> list[list[int]]:
    return grid.beside(len(state.top), state.rows)


def symmetries(state: Connect) -> list[list[int]]:
    columns, rows = len(state.top), state.rows
    return [[(columns - 1 - i // rows) * rows + i % rows for i in range(inputs(state))]]


def stacks(state: Connect) -> list[list[int]]:
    rows = state.rows
    return [list(range(first, first + rows)) for first in range(0, inputs(state), rows)]


# Names of games, moves and positions; what the board looks like.


def parse(word: str, fields: list[str]) -> Connect:
    """Return the game of the parts of its name, split at the colons."""
    form = FORMS[NAMES.index(word)]
    if word == "connect4" and not fields:
        return new(7, 6, 4)
    if len(fields) != 1:
        raise InputError(f"a connect game needs its board's size; expected {form}")
    numbers = re.split(r"[x×]", fields[0].strip().lower())
    if word == "connect4":
        numbers.append("4")
    if len(numbers) != 3:
        raise invalid("board size", fields[0], f"expected {form}")
    what = ("the number of columns", "the number of rows", "the length of a winning line")
    columns, rows, k = (whole_number(number, kind, 1, MOST_BITS) for number, kind in zip(numbers, what, strict=True))
    return new(columns, rows, k)


def name(state: Connect) -> str:
    return f"connect:{len(state.top)}x{state.rows}x{state.k}"


def title(state: Connect) -> str:
    what = {4: "Connect Four", 3: "Connect Three", 5: "Connect Five"}.get(state.k, "Connect")
    return f"{what}, {len(state.top)} × {state.rows} · {state.k} in a row wins"


def move_name(state: Connect, move: Move) -> str:
    return str(move + 1)


def parse_move(state: Connect, text: str) -> Move:
    columns = len(state.top)
    column = whole_number(text, "a move (a column)", 1, columns) - 1
    if not legal(state, column):
        raise InputError(f"column {column + 1} is full")
    return column


def parse_position(state: Connect, text: str) -> Board:
    """Return the board after these moves: '4455', or '10,4,4' on more than 9 columns."""
    columns = len(state.top)
    commas = "," in text or columns > 9
    parts = [part for part in (text.split(",") if commas else list(text)) if part.strip()]
    at = state._replace(board=state.board.copy())
    for number, part in enumerate(parts, 1):
        if outcome(at) != GOING_ON:
            raise invalid("position", text, f"the game was over after {number - 1} moves")
        try:
            play(at, parse_move(at, part.strip()))
        except InputError as fault:
            raise InputError(f"invalid position '{shortened(text)}', move {number}: {fault}") from None
    return at.board


def position_name(state: Connect) -> str:
    """Return moves that lead to this board, not always those of the game; '' at the start."""
    moves = _moves_to(state, set())
    if moves is None:
        raise ValueError("no sequence of moves leads to this board")
    return ("," if len(state.top) > 9 else "").join(str(move + 1) for move in moves)


def _moves_to(state: Connect, dead: set[int]) -> list[Move] | None:
    """Return moves to this board, found by undoing discs until it is empty; `dead` holds boards where that fails."""
    discs, theirs = int(state.board[1]), int(state.board[0] ^ state.board[1])
    if discs == 0:
        return []
    if discs in dead:
        return None
    for column, (low, high) in enumerate(zip(state.bottom, state.top, strict=True)):
        stack = discs & int(high | (high - low))
        if stack and theirs >> (stack.bit_length() - 1) & 1:
            before = state._replace(board=state.board.copy())
            undo(before, column)
            if outcome(before) == GOING_ON:
                moves = _moves_to(before, dead)
                if moves is not None:
                    return [*moves, column]
    dead.add(discs)
    return None


def cells(state: Connect) -> list[list[int]]:
    """Return the board from the top row: 0 empty, 1 a disc of the first player, 2 of the second."""
    mover, discs = int(state.board[0]), int(state.board[1])
    second_to_move = discs.bit_count() % 2
    first = mover ^ discs if second_to_move else mover
    picture = []
    for row in range(state.rows - 1, -1, -1):
        bits = [int(low) << row for low in state.bottom]
        picture.append([(1 if first & bit else 2) if discs & bit else 0 for bit in bits])
    return picture


def touched(state: Connect, move: Move) -> list[tuple[int, int]]:
    """Return the cell (row from the top, column) where the disc lands."""
    low, high = int(state.bottom[move]), int(state.top[move])
    height = (int(state.board[1]) & (high | (high - low))).bit_count()
    return [(state.rows - 1 - height, move)]
