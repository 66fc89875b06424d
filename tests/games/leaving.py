"""A small game from elsewhere whose moves are named by what they leave: one pile, take 1 or 2."""

from typing import NamedTuple

import numpy as np

from tests.games.takeaway import legal, play, size, undo  # noqa: F401 - its rules

NAMES = ("leaving",)


class Leaving(NamedTuple):
    board: np.ndarray  # [1]: what is left


def outcome(state):
    return 0 if state.board[0] else 1


def move_name(state, move):
    return f"to{state.board[0] - move - 1}"


def parse_move(state, text):
    return int(state.board[0]) - int(text.removeprefix("to")) - 1


def parse(word, fields):
    return Leaving(np.array([int(fields[0])], np.int64))


def name(state):
    return f"leaving:{state.board[0]}"
