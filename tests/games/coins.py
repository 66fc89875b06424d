"""Coins in a line: take the first or the last. The game pays what your coins are worth more than the opponent's."""

from typing import NamedTuple

import numpy as np

from nimtui.errors import whole_number

NAMES = ("coins",)
FORMS = ("coins:3,9,2,7",)
RULES = "Have coins worth more than the opponent's, by as much as possible. In turn, take the first or the last coin."


class Coins(NamedTuple):
    board: np.ndarray  # the first coin left, the coins left, and what the player to move is ahead
    worth: np.ndarray


def size(state):
    return 2


def legal(state, move):
    return state.board[1] > move  # 0: the first coin, 1: the last of two or more


def coin(state, move):
    return state.worth[state.board[0] + (state.board[1] - 1) * move]


def play(state, move):
    ahead = state.board[2] + coin(state, move)
    state.board[0] += 1 - move
    state.board[1] -= 1
    state.board[2] = -ahead


def undo(state, move):
    ahead = -state.board[2]
    state.board[0] -= 1 - move
    state.board[1] += 1
    state.board[2] = ahead - coin(state, move)


def payoff(state):
    return -state.board[2]  # for the player who has just moved


def largest_payoff(state):
    return state.worth.sum()


def outcome(state):
    if state.board[1]:
        return 0
    return 1 if payoff(state) > 0 else -1 if payoff(state) < 0 else 2


def parse(word, fields):
    worth = np.array([whole_number(coin, "a coin", 1, 1_000) for coin in fields[0].split(",")], np.int64)
    return Coins(np.array([0, len(worth), 0], np.int64), worth)


def name(state):
    return f"coins:{','.join(map(str, state.worth))}"
