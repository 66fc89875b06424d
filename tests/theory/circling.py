"""Not a game that ends: a marker goes round five places for ever, or leaves at the first."""

from typing import NamedTuple

import numpy as np

NAMES = ("circling",)


class Circling(NamedTuple):
    board: np.ndarray  # [1]: the place, 5 when it has left


def size(state):
    return 2


def legal(state, move):
    return move == 0 or state.board[0] == 0


def play(state, move):
    state.board[0] = 5 if move else (state.board[0] + 1) % 5


def undo(state, move):
    state.board[0] = 0 if move else (state.board[0] - 1) % 5


def outcome(state):
    return 1 if state.board[0] == 5 else 0


def parse(word, fields):
    return Circling(np.zeros(1, np.int64))


def name(state):
    return "circling"
