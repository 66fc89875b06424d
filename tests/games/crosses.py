"""Noughts and crosses, as a person would add it: compiled rules, draws, and no numbers for its positions."""

from typing import NamedTuple

import numpy as np

NAMES = ("crosses",)


class Crosses(NamedTuple):
    board: np.ndarray  # [10]: 1 the first player's, 2 the second's, 0 empty; the last is the number of moves made


def size(state):
    return 9


def legal(state, move):
    return state.board[move] == 0


def play(state, move):
    state.board[move] = 1 + state.board[9] % 2
    state.board[9] += 1


def undo(state, move):
    state.board[move] = 0
    state.board[9] -= 1


def same(state, a, b, c):
    return state.board[a] > 0 and state.board[a] == state.board[b] and state.board[a] == state.board[c]


def outcome(state):
    for at in range(3):
        if same(state, 3 * at, 3 * at + 1, 3 * at + 2) or same(state, at, at + 3, at + 6):
            return 1
    if same(state, 0, 4, 8) or same(state, 2, 4, 6):
        return 1
    return 2 if state.board[9] == 9 else 0


def parse(word, fields):
    return Crosses(np.zeros(10, np.int64))


def name(state):
    return "crosses"


def position_name(state):
    return "".join(str(cell) for cell in state.board[:9])


def parse_position(state, text):
    cells = [int(sign) for sign in text]
    return np.array([*cells, sum(cell > 0 for cell in cells)], np.int64)
