"""Noughts and crosses on m × n cells: k marks in a row win, in any direction; a full board is a draw.

`noughts:3x3x3` is tic-tac-toe. A move is row × columns + column, from the top left.
"""

from __future__ import annotations

import re
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.errors import InputError, invalid, whole_number
from nimtui.games import grid
from nimtui.games.base import DRAW, GOING_ON, WON, Board, Move
from nimtui.games.bits import ones
from nimtui.games.notation import LETTERS, cell_name, parse_cell
from nimtui.games.offer import Offer

NAMES = ("noughts",)
FORMS = ("noughts:3x3x3",)
BOARD = "grid"
VERBS = ("mark", "marked")
OFFERS = (
    Offer(
        "noughts",
        "Noughts and crosses",
        "marks in a line win",
        {
            f"{side} × {side}, {line} in a row": f"noughts:{side}x{side}x{line}"
            for side, line in ((3, 3), (4, 3), (4, 4), (5, 4))
        },
        presets=("noughts:3x3x3",),
        rank=6,
    ),
)

MOST_CELLS = 63
MOST_NUMBERED = 39  # cells: 3³⁹ is below 2⁶³
MOST_KEYED = 31  # cells: two bits each
SIGNS = ".xo"  # of a cell in a position's name


class Noughts(NamedTuple):
    """A position of noughts and crosses."""

    board: Board  # [2], bit sets of cells: the marks of the player to move; all marks
    lines: npt.NDArray[np.int64]  # the cells of every line of k
    columns: int
    rows: int
    k: int


def new(columns: int = 3, rows: int = 3, k: int = 3) -> Noughts:
    """Return the empty board. Raises InputError if it has more than 63 cells or no room for k in a row."""
    if columns * rows > MOST_CELLS or rows > len(LETTERS):
        raise InputError(
            f"a board of {columns} × {rows} is too large: at most {MOST_CELLS} cells and {len(LETTERS)} rows"
        )
    if (most := max(columns, rows)) < 2:
        raise InputError(f"a board of {columns} × {rows} is too small: expected 2 columns or rows at least")
    if not 2 <= k <= most:
        form = f"noughts:{columns}x{rows}x{most}"
        raise InputError(
            f"{k} in a row cannot win on a board of {columns} × {rows}: expected 2 to {most}, as in {form}"
        )
    lines = []
    for row, column, (down, right) in product(range(rows), range(columns), ((0, 1), (1, 0), (1, 1), (1, -1))):
        if 0 <= column + right * (k - 1) < columns and row + down * (k - 1) < rows:
            cells = ((row + down * step) * columns + column + right * step for step in range(k))
            lines.append(sum(1 << cell for cell in cells))
    return Noughts(np.zeros(2, np.int64), np.array(lines, np.int64), columns, rows, k)


# The rules.


def size(state: Noughts) -> int:
    return state.columns * state.rows


def legal(state: Noughts, move: Move) -> bool:
    return not state.board[1] >> move & 1


def play(state: Noughts, move: Move) -> None:
    marks = state.board[1]
    state.board[0] ^= marks
    state.board[1] = marks | 1 << move


def undo(state: Noughts, move: Move) -> None:
    marks = state.board[1] ^ 1 << move
    state.board[1] = marks
    state.board[0] ^= marks


def outcome(state: Noughts) -> int:
    mine = state.board[0] ^ state.board[1]  # of the player who just moved
    for at in range(state.lines.shape[0]):
        if mine & state.lines[at] == state.lines[at]:
            return WON
    if ones(state.board[1]) == size(state):
        return DRAW
    return GOING_ON


def following(state: Noughts, move: Move) -> Move:
    for cell in range(move + 1, state.columns * state.rows):
        if not state.board[1] >> cell & 1:
            return cell
    return -1


def count(state: Noughts) -> int:
    return state.columns * state.rows - ones(state.board[1])


def positions(state: Noughts) -> int:
    if state.columns * state.rows > MOST_NUMBERED:
        return 0
    numbers = 1
    for _ in range(state.columns * state.rows):
        numbers *= 3
    return numbers


def index(state: Noughts) -> int:
    number = 0
    for cell in range(state.columns * state.rows):
        number = 3 * number + (state.board[0] >> cell & 1) + 2 * ((state.board[0] ^ state.board[1]) >> cell & 1)
    return number


def key(state: Noughts) -> int:
    cells = state.columns * state.rows
    if cells <= MOST_KEYED:
        return state.board[1] << cells | state.board[0]
    if cells <= MOST_NUMBERED:
        return index(state)
    return -1


def evaluate(state: Noughts) -> int:
    # The lines without a mark of the opponent less those without one of the mover: the textbooks' value of
    # noughts and crosses (Nilsson 1971).
    mine, theirs = state.board[0], state.board[0] ^ state.board[1]
    value = 0
    for at in range(state.lines.shape[0]):
        if not state.lines[at] & theirs:
            value += 1
        if not state.lines[at] & mine:
            value -= 1
    return value


# What a learner with a function sees: each cell, empty, the first player's or the second's.


def inputs(state: Noughts) -> int:
    return state.columns * state.rows


def input(state: Noughts, i: int) -> int:
    if not state.board[1] >> i & 1:
        return 0
    return 1 + ((state.board[0] >> i & 1) == side(state))


def changes(state: Noughts, move: Move, i: int) -> int:
    return move if i == 0 else -1


def side(state: Noughts) -> int:
    return ones(state.board[1]) & 1


def levels(state: Noughts) -> list[int]:
    return [3] * inputs(state)


def neighbours(state: Noughts) -> list[list[int]]:
    return grid.beside(state.rows, state.columns)


def symmetries(state: Noughts) -> list[list[int]]:
    return grid.images(state.rows, state.columns)


# Names of games, moves and positions; what the board looks like.


def parse(word: str, fields: list[str]) -> Noughts:
    """Return the game of the parts of its name, split at the colons; without a size 3 × 3."""
    if not fields:
        return new()
    numbers = re.split(r"[x×]", fields[0].strip().lower())
    if len(fields) != 1 or len(numbers) != 3:
        text = ":".join(fields)
        raise invalid("size", text, f"expected columns, rows and marks in a row, as in {FORMS[0]}")
    what = ("the number of columns", "the number of rows", "the length of a winning line")
    columns, rows, k = (whole_number(number, kind, 1, MOST_CELLS) for number, kind in zip(numbers, what, strict=True))
    return new(columns, rows, k)


def name(state: Noughts) -> str:
    return f"noughts:{state.columns}x{state.rows}x{state.k}"


def title(state: Noughts) -> str:
    return f"Noughts and crosses, {state.columns} × {state.rows} · {state.k} in a row wins"


def rules(state: Noughts) -> str:
    return (
        f"Whoever first has {state.k} marks in a line, in any direction, wins; a full board is a draw. "
        "In turn, mark an empty cell."
    )


def move_name(state: Noughts, move: Move) -> str:
    return cell_name(move // state.columns, move % state.columns)


def parse_move(state: Noughts, text: str) -> Move:
    row, column = parse_cell(text, state.rows, state.columns)
    move = row * state.columns + column
    if not legal(state, move):
        raise InputError(f"{cell_name(row, column)} already has a mark")
    return move


def position_name(state: Noughts) -> str:
    """Return the rows of cells, from the top: 'x.o/.x./...'."""
    return "/".join("".join(SIGNS[cell] for cell in row) for row in cells(state))


def parse_position(state: Noughts, text: str) -> Board:
    """Return the board of these rows. Raises InputError if no moves lead to it."""
    rows = text.strip().lower().split("/")
    if len(rows) != state.rows or any(len(row) != state.columns or set(row) - set(SIGNS) for row in rows):
        right = f"expected {state.rows} rows of {state.columns} cells, each one of x o ., as in"
        raise invalid("position", text, f"{right} {position_name(new(state.columns, state.rows, state.k))}")
    marks = "".join(rows)
    first, second = (sum(1 << cell for cell, mark in enumerate(marks) if mark == sign) for sign in SIGNS[1:])
    ahead = first.bit_count() - second.bit_count()
    if ahead not in (0, 1):
        raise invalid("position", text, "x moves first, so it has as many marks as o, or one more")
    board = np.array([second if ahead else first, first | second], np.int64)
    if not _can_be(state._replace(board=board)):
        raise invalid("position", text, "the game was over before the last mark")
    return board


def _can_be(state: Noughts) -> bool:
    """Return whether the marks can be made in some order before a line ends the game."""
    last_mover = int(state.board[0] ^ state.board[1])
    lines = [int(line) for line in state.lines]
    if any(int(state.board[0]) & line == line for line in lines):
        return False
    mine = [line for line in lines if last_mover & line == line]
    return not mine or any(all(line >> cell & 1 for line in mine) for cell in range(size(state)))  # one last mark


def cells(state: Noughts) -> list[list[int]]:
    """Return the board from the top row: 0 empty, 1 a mark of the first player, 2 of the second."""
    mover, marks = int(state.board[0]), int(state.board[1])
    first = mover ^ marks if marks.bit_count() % 2 else mover
    signs = [(1 if first >> at & 1 else 2) if marks >> at & 1 else 0 for at in range(size(state))]
    return [signs[row * state.columns : (row + 1) * state.columns] for row in range(state.rows)]
