"""Chomp: a bar of squares, the one at the top left poisoned (Gale 1974).

A move eats a square and all squares right of it and below it. The rows that are left never get longer from the top
down, so a position is a Young diagram: one of C(rows + columns, rows).

`undo` has nothing but the board and the move, so a move is more than its square: it is the square and the shape of the
bite. Each square that is left has one legal bite.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.errors import InputError, invalid, whole_number
from nimtui.games import grid
from nimtui.games.base import GOING_ON, LOST, Board, Move
from nimtui.games.notation import LETTERS, cell_name, parse_cell
from nimtui.games.offer import Offer, of_boards

NAMES = ("chomp",)
FORMS = ("chomp:4x5",)
IMPARTIAL = True
BOARD = "grid"
VERBS = ("eat", "ate")
RULES = (
    "Whoever eats the poisoned square a1 loses. In turn, eat a square: all squares right of it and below it go with it."
)
OFFERS = (
    Offer(
        "chomp",
        "Chomp",
        "leave the poisoned square",
        of_boards("chomp", (4, 5), (3, 3), (5, 4), (6, 4)),
        presets=("chomp:4x5",),
        rank=7,
    ),
)

MOST_BITES = 10_000  # 6 × 6 squares have 3,382 bites, 7 × 7 have 12,805


class Chomp(NamedTuple):
    """A position of Chomp."""

    board: Board  # [rows]: the squares left in each row, from the top; no row is longer than the row above it
    bites: npt.NDArray[np.int64]  # [move, row]: the squares that the move eats in each row
    corners: npt.NDArray[np.int64]  # [move]: the bite's top left square, row × columns + column
    first: npt.NDArray[np.int64]  # [row, column]: the move code of the smallest bite at this square
    paths: npt.NDArray[np.int64]  # [a, b]: C(a + b, a), the shapes in a × b squares, the empty one included
    columns: int


def new(columns: int, rows: int) -> Chomp:
    """Return the whole bar. Raises InputError if it has more than 26 rows or too many bites."""
    if rows > len(LETTERS) or number_of_bites(columns, rows) > MOST_BITES:
        raise InputError(
            f"a bar of {columns} × {rows} squares is too large: at most {len(LETTERS)} rows and {MOST_BITES:,} shapes "
            "of a bite, for example chomp:6x6"
        )
    paths = np.array([[comb(a + b, a) for b in range(columns + 1)] for a in range(rows + 1)], np.int64)
    first = np.zeros((rows, columns), np.int64)
    shapes: list[list[int]] = []
    corners: list[int] = []
    for row in range(rows):
        for column in range(columns):
            first[row, column] = len(shapes)
            shapes += [[0] * row + shape for shape in _shapes(rows - row, columns - column) if shape[0]]
            corners += [row * columns + column] * (len(shapes) - len(corners))
    bar, eaten = np.full(rows, columns, np.int64), np.array(shapes, np.int64)
    return Chomp(bar, eaten, np.array(corners, np.int64), first, paths, columns)


def number_of_bites(columns: int, rows: int) -> int:
    """Return how many shapes a bite can have, at any square of a bar of this size."""
    return comb(columns + rows + 2, rows + 1) - (columns + 1) * (rows + 1) - 1


def _shapes(rows: int, longest: int) -> Iterator[list[int]]:
    """Yield the Young diagrams in so many rows and columns, in the order of their ranks."""
    if not rows:
        yield []
        return
    for length in range(longest + 1):
        for rest in _shapes(rows - 1, length):
            yield [length, *rest]


def rank(state: Chomp, row: int, column: int) -> int:
    """Return the number of the shape of all squares right of and below this square, among those that fit there.

    Ordered by the length of the first row, then of the second, …: the shapes whose first row is shorter than `length`
    are those in a box of one column less, C(rows + length − 1, rows) of them.
    """
    number = 0
    rows = state.board.shape[0]
    for at in range(row, rows):
        length = state.board[at] - column
        if length > 0:
            number += state.paths[rows - at, length - 1]
    return number


def bite(state: Chomp, row: int, column: int) -> Move:
    """Return the legal move that eats from this square, which is left."""
    return state.first[row, column] + rank(state, row, column) - 1


# The rules.


def size(state: Chomp) -> int:
    return state.bites.shape[0]


def legal(state: Chomp, move: Move) -> bool:
    row, column = state.corners[move] // state.columns, state.corners[move] % state.columns
    return column < state.board[row] and bite(state, row, column) == move


def play(state: Chomp, move: Move) -> None:
    for row in range(state.board.shape[0]):
        state.board[row] -= state.bites[move, row]


def undo(state: Chomp, move: Move) -> None:
    for row in range(state.board.shape[0]):
        state.board[row] += state.bites[move, row]


def outcome(state: Chomp) -> int:
    return GOING_ON if state.board[0] else LOST


def following(state: Chomp, move: Move) -> Move:
    after = 0 if move < 0 else state.corners[move] + 1
    for at in range(after, state.columns * state.board.shape[0]):
        row, column = at // state.columns, at % state.columns
        if column < state.board[row]:
            return bite(state, row, column)
    return -1


def count(state: Chomp) -> int:
    squares = 0
    for row in range(state.board.shape[0]):
        squares += state.board[row]
    return squares


def nth(state: Chomp, i: int) -> Move:
    row = 0
    while i >= state.board[row]:
        i -= state.board[row]
        row += 1
    return bite(state, row, i)


def positions(state: Chomp) -> int:
    return state.paths[state.board.shape[0], state.columns]


def index(state: Chomp) -> int:
    return rank(state, 0, 0)


# What a learner with a function sees: the squares left in each row, from the top.


def levels(state: Chomp) -> list[int]:
    return [state.columns + 1] * len(state.board)


def neighbours(state: Chomp) -> list[list[int]]:
    return grid.beside(len(state.board), 1)


# Names of games, moves and positions; what the board looks like.


def parse(word: str, fields: list[str]) -> Chomp:
    """Return the game of the parts of its name, split at the colons."""
    if len(fields) != 1:
        raise InputError(f"'chomp' needs a size: columns and rows, for example {FORMS[0]}")
    numbers = re.split(r"[x×]", fields[0].strip().lower())
    if len(numbers) != 2:
        raise invalid("size", fields[0], f"expected columns and rows, as in {FORMS[0]}")
    what = ("the number of columns", "the number of rows")
    columns, rows = (whole_number(number, kind, 1, MOST_BITES) for number, kind in zip(numbers, what, strict=True))
    return new(columns, rows)


def name(state: Chomp) -> str:
    return f"chomp:{state.columns}x{len(state.board)}"


def title(state: Chomp) -> str:
    return f"Chomp, {state.columns} × {len(state.board)} · the poisoned square loses"


def move_name(state: Chomp, move: Move) -> str:
    return cell_name(*square(state, move))


def parse_move(state: Chomp, text: str) -> Move:
    row, column = parse_cell(text, len(state.board), state.columns)
    if column >= state.board[row]:
        raise InputError(f"{cell_name(row, column)} is eaten already")
    return int(bite(state, row, column))


def position_name(state: Chomp) -> str:
    """Return the squares left in each row, from the top: '4,4,2,0,0'."""
    return ",".join(map(str, state.board))


def parse_position(state: Chomp, text: str) -> Board:
    parts = text.split(",")
    rows = [whole_number(part, "a row of squares", 0, state.columns) for part in parts]
    if len(rows) != len(state.board) or rows != sorted(rows, reverse=True):
        whole = ",".join([str(state.columns)] * len(state.board))
        right = f"expected the squares left in {len(state.board)} rows, none longer than the row above it"
        raise invalid("position", text, f"{right}, as in {whole}")
    return np.array(rows, np.int64)


def cells(state: Chomp) -> list[list[int]]:
    """Return the bar from the top row: 3 a square, 4 the poisoned square, −1 an eaten one."""
    rows = [[3] * int(squares) + [-1] * (state.columns - int(squares)) for squares in state.board]
    if rows[0][0] == 3:
        rows[0][0] = 4
    return rows


def square(state: Chomp, move: Move) -> tuple[int, int]:
    """Return the square under the cursor: the top left of the bite."""
    row, column = divmod(int(state.corners[move]), state.columns)
    return row, column
