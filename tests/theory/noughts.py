"""Noughts and crosses on 3 × 3, the five required rules alone: a game with draws whose positions have no numbers."""

from typing import NamedTuple

import numpy as np

NAMES = ("noughts",)
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class Noughts(NamedTuple):
    board: np.ndarray  # [9]: 1 the first player's, 2 the second's, 0 empty


def size(state):
    return 9


def legal(state, move):
    return state.board[move] == 0


def play(state, move):
    state.board[move] = 2 if (state.board > 0).sum() % 2 else 1


def undo(state, move):
    state.board[move] = 0


def outcome(state):
    board = state.board
    for a, b, c in LINES:
        if board[a] and board[a] == board[b] == board[c]:
            return 1
    return 2 if board.all() else 0


def parse(word, fields):
    return Noughts(np.zeros(9, np.int64))


def name(state):
    return "noughts"
