"""One heap, a move takes exactly two: from an even heap no odd one can come up."""

from typing import NamedTuple

import numpy as np

NAMES = ("pairs",)
IMPARTIAL = True


class Pairs(NamedTuple):
    board: np.ndarray  # [1]: the heap
    full: int


def size(state):
    return 1


def legal(state, move):
    return state.board[0] >= 2


def play(state, move):
    state.board[0] -= 2


def undo(state, move):
    state.board[0] += 2


def outcome(state):
    return 1 if state.board[0] < 2 else 0


def positions(state):
    return state.full + 1


def index(state):
    return state.board[0]


def parse(word, fields):
    return Pairs(np.array([int(fields[0])], np.int64), int(fields[0]))


def name(state):
    return f"pairs:{state.full}"
