"""Two heaps, from each of which one or two are taken; right while they are small, and wrong in larger games."""

from typing import NamedTuple

import numpy as np

NAMES = ("crowded",)
IMPARTIAL = True
HEAPS, FORGETS, BEYOND = "heaps", "forgets", "beyond"
VARIANTS = (HEAPS, FORGETS, BEYOND)


class Crowded(NamedTuple):
    board: np.ndarray  # [2]
    full: np.ndarray  # [2]: the heaps of the start
    variant: int


def size(state):
    return 4


def legal(state, move):
    return state.board[move // 2] > move % 2


def play(state, move):
    state.board[move // 2] -= 1 + move % 2


def undo(state, move):
    state.board[move // 2] += 1 + move % 2
    if state.variant == 1 and state.board[0] > 20:
        state.board[1] = 0  # wrong only in heaps above 20


def outcome(state):
    return 1 if state.board[0] + state.board[1] == 0 else 0


def positions(state):
    if state.variant == 2:
        return 10 * state.full[0] + 1
    return (state.full[0] + 1) * (10 + state.full[1])


def index(state):
    return state.board[0] * 10 + state.board[1]  # one to one while the second heap is below 10


def parse(word, fields):
    heaps, variant = fields
    board = np.array([int(heap) for heap in heaps.split(",")])
    return Crowded(board, board.copy(), VARIANTS.index(variant))


def name(state):
    return f"crowded:{state.board[0]},{state.board[1]}:{VARIANTS[state.variant]}"
