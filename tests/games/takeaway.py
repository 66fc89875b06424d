"""A small game from elsewhere that is impartial and yet can be drawn: one pile, take 1 or 2; who leaves 3 has drawn."""

from typing import NamedTuple

import numpy as np

NAMES = ("takeaway",)
IMPARTIAL = True


class Takeaway(NamedTuple):
    board: np.ndarray  # [1]: what is left


def size(state):
    return 2


def legal(state, move):
    return state.board[0] > move


def play(state, move):
    state.board[0] -= move + 1


def undo(state, move):
    state.board[0] += move + 1


def outcome(state):
    if state.board[0] == 3:
        return 2
    return 0 if state.board[0] else 1


def positions(state):
    return 100


def index(state):
    return state.board[0]


def parse(word, fields):
    return Takeaway(np.array([int(fields[0])], np.int64))


def name(state):
    return f"takeaway:{state.board[0]}"
