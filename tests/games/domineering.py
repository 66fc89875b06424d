"""Domineering, as a person would add it: two players cover a board with dominoes, one upright, the other lying."""

from typing import NamedTuple

import numpy as np

from nimtui.errors import whole_number

NAMES = ("domineering",)
FORMS = ("domineering:4x3",)
BOARD = "grid"
VERBS = ("cover", "covered")
RULES = (
    "Whoever cannot move loses. In turn, cover two free cells with a domino: the first player upright, the other lying."
)


class Domineering(NamedTuple):
    board: np.ndarray  # [cells + 1]: 0 free, 1 the first player's, 2 the second's; the last is whose turn it is, 0 or 1
    columns: int


def other(state, move):
    """Return the second cell of a domino whose upper or left cell is `move`; −1 if it would leave the board."""
    if state.board[-1] == 0:
        return move + state.columns if move + state.columns < size(state) else -1
    return move + 1 if (move + 1) % state.columns else -1


def size(state):
    return state.board.shape[0] - 1


def legal(state, move):
    return state.board[move] == 0 and other(state, move) >= 0 and state.board[other(state, move)] == 0


def play(state, move):
    mine = state.board[-1] + 1
    state.board[other(state, move)] = mine
    state.board[move] = mine
    state.board[-1] = 2 - mine


def undo(state, move):
    state.board[-1] = 1 - state.board[-1]
    state.board[other(state, move)] = 0
    state.board[move] = 0


def outcome(state):
    for move in range(size(state)):
        if legal(state, move):
            return 0
    return 1


def parse(word, fields):
    columns, rows = (whole_number(part, "a side", 2, 8) for part in fields[0].split("x"))
    return Domineering(np.zeros(columns * rows + 1, np.int64), columns)


def name(state):
    return f"domineering:{state.columns}x{size(state) // state.columns}"


def move_name(state, move):
    return f"{'abcdefgh'[move // state.columns]}{move % state.columns + 1}"


def parse_move(state, text):
    row = "abcdefgh".find(text[:1].lower())
    return row * state.columns + whole_number(text[1:], "the column", 1, state.columns) - 1


def cells(state):
    numbers = state.board[:-1].tolist()
    return [numbers[start : start + state.columns] for start in range(0, len(numbers), state.columns)]
