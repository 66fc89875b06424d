"""Games that hang, by their variant: `endless` has no end, `loop` loops within one move, `late` from the third on."""

from typing import NamedTuple

import numpy as np

NAMES = ("hanging",)
ENDLESS, LOOP, LATE = "endless", "loop", "late"
VARIANTS = (ENDLESS, LOOP, LATE)
NEVER = 1 << 40


class Hanging(NamedTuple):
    board: np.ndarray  # [2]: moves so far, and how far the loop is
    loops: int  # from so many moves on
    end: int  # after so many moves


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


def parse(word, fields):
    variant = VARIANTS.index(fields[0])
    return Hanging(np.zeros(2, np.int64), (NEVER, 1, 3)[variant], (NEVER, 9, 9)[variant])


def name(state):
    return "hanging:" + (ENDLESS if state.end == NEVER else LOOP if state.loops == 1 else LATE)
