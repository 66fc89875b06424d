"""A heap whose rules end the process they run in, or never return: at a move of three."""

import ctypes
import os
import signal
from typing import NamedTuple

import numpy as np

from nimtui.errors import whole_number
from tests.games.leaving import legal, outcome, undo  # noqa: F401 - its rules

NAMES = ("crashing",)
FORMS = ("crashing:9",)
IMPARTIAL = True


class Crashing(NamedTuple):
    board: np.ndarray  # [1]: what is left


def size(state):
    return 3


def play(state, move):
    if move == 2:
        crash = os.environ.get("CRASH")
        if crash == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if crash == "exit":
            os._exit(0)
        while crash == "loop":
            pass
        if crash == "hold":  # C code that keeps the interpreter's lock
            sum(range(10**15))
        ctypes.string_at(0)
    state.board[0] -= move + 1


def parse(word, fields):
    return Crashing(np.array([whole_number(fields[0], "the heap", 1, 100)], np.int64))


def name(state):
    return f"crashing:{state.board[0]}"
