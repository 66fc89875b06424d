"""Rules that break the rules of rules, by their variant: a marker walks down to 0, from where the game is over."""

from typing import NamedTuple

import numpy as np

NAMES = ("astray",)
AGAIN, STUCK, UNNUMBERED, CIRCLING = "again", "stuck", "unnumbered", "circling"
VARIANTS = (AGAIN, STUCK, UNNUMBERED, CIRCLING)  # the last has no numbers


class Astray(NamedTuple):
    board: np.ndarray  # [1]: where the marker is
    variant: int


def size(state):
    return 2


def legal(state, move):
    if move == 1:
        return state.variant in (0, 3) and state.board[0] == 1  # back up to the start
    return state.variant != 1 or state.board[0] != 2  # stuck at 2


def play(state, move):
    state.board[0] += 2 if move else -1


def undo(state, move):
    state.board[0] -= 2 if move else -1


def outcome(state):
    return 1 if state.board[0] == 0 else 0


def positions(state):
    return 0 if state.variant == 3 else 4


def index(state):
    return state.board[0] + (5 if state.variant == 2 and state.board[0] == 1 else 0)


def parse(word, fields):
    at, variant = fields[0].split(",")
    return Astray(np.array([int(at)]), VARIANTS.index(variant))


def name(state):
    return f"astray:{state.board[0]},{VARIANTS[state.variant]}"
