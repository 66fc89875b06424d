"""A game whose name cannot be asked for without waiting for ever, by its variant.

`swallows` catches every exception, `holds` runs C code that keeps the interpreter's lock.
"""

from contextlib import suppress
from typing import NamedTuple

import numpy as np

NAMES = ("stubborn",)
SWALLOWS, HOLDS = "swallows", "holds"
VARIANTS = (SWALLOWS, HOLDS)


class Stubborn(NamedTuple):
    board: np.ndarray  # [1]: 1, then 0
    variant: int


def size(state):
    return 1


def legal(state, move):
    return state.board[0] > 0


def play(state, move):
    state.board[0] -= 1


def undo(state, move):
    state.board[0] += 1


def outcome(state):
    return 0 if state.board[0] else 1


def position_name(state):
    while state.variant == VARIANTS.index(SWALLOWS):
        with suppress(BaseException):  # an interrupt between two turns of the inner loop ends here
            while True:
                with suppress(BaseException):
                    sum(range(100))
    return str(sum(range(10**15)))


def parse(word, fields):
    return Stubborn(np.ones(1, np.int64), VARIANTS.index(fields[0]))


def name(state):
    return "stubborn:" + VARIANTS[state.variant]
