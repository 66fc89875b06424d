"""Wythoff's game, as a person would add it: two heaps; take from one of them, or the same number from both."""

from typing import NamedTuple

import numpy as np

from nimtui.errors import whole_number

NAMES = ("wythoff",)
FORMS = ("wythoff:3,5",)
RULES = "Whoever takes the last match wins. In turn, take from one heap, or the same number from both."
IMPARTIAL = True


class Wythoff(NamedTuple):
    board: np.ndarray  # [2]: the heaps
    full: np.ndarray  # [2]: the heaps at the start
    most: int  # a move is which × most + take − 1: which is 0 the first heap, 1 the second, 2 both


def first_taken(state, move):
    return 0 if move // state.most == 1 else move % state.most + 1


def second_taken(state, move):
    return 0 if move // state.most == 0 else move % state.most + 1


def size(state):
    return 3 * state.most


def legal(state, move):
    return first_taken(state, move) <= state.board[0] and second_taken(state, move) <= state.board[1]


def play(state, move):
    state.board[0] -= first_taken(state, move)
    state.board[1] -= second_taken(state, move)


def undo(state, move):
    state.board[0] += first_taken(state, move)
    state.board[1] += second_taken(state, move)


def outcome(state):
    return 0 if state.board[0] or state.board[1] else 1


def positions(state):
    return (state.full[0] + 1) * (state.full[1] + 1)


def index(state):
    return state.board[0] * (state.full[1] + 1) + state.board[1]


def parse(word, fields):
    first, second = (whole_number(part, "a heap", 1, 100) for part in fields[0].split(","))
    heaps = np.array([first, second], np.int64)
    return Wythoff(heaps, heaps.copy(), max(first, second))


def name(state):
    return f"wythoff:{state.full[0]},{state.full[1]}"
