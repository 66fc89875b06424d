"""Games that hang, by their variant.

`endless` has no end, `loop` loops within one move, `late` from the third on. The name of a position of `swallows`
catches every exception, that of `holds` runs C code that keeps the interpreter's lock.
"""

from contextlib import suppress
from typing import NamedTuple

import numpy as np

NAMES = ("hanging",)
ENDLESS, LOOP, LATE, SWALLOWS, HOLDS = VARIANTS = ("endless", "loop", "late", "swallows", "holds")
NEVER = 1 << 40


class Hanging(NamedTuple):
    board: np.ndarray  # [2]: moves so far, and how far the loop is
    loops: int  # from so many moves on
    end: int  # after so many moves
    variant: int


def size(state):
    return 2


def legal(state, move):
    return True


def play(state, move):
    state.board[0] += 1
    while state.board[0] >= state.loops:
        state.board[1] += 1


def undo(state, move):
    state.board[0] -= 1


def outcome(state):
    return 1 if state.board[0] >= state.end else 0


def positions(state):
    return 0 if state.end == NEVER else state.end + 1


def index(state):
    return state.board[0]


def position_name(state):
    while VARIANTS[state.variant] == SWALLOWS:
        with suppress(BaseException):  # an interrupt between two turns of the inner loop ends here
            while True:
                with suppress(BaseException):
                    sum(range(100))
    return str(sum(range(10**15))) if VARIANTS[state.variant] == HOLDS else ",".join(map(str, state.board))


def parse(word, fields):
    variant = VARIANTS.index(fields[0])
    return Hanging(np.zeros(2, np.int64), {LOOP: 1, LATE: 3}.get(fields[0], NEVER), 9 if variant else NEVER, variant)


def name(state):
    return "hanging:" + VARIANTS[state.variant]
