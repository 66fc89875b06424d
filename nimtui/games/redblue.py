"""Red-blue Nim: two piles of marbles, and a game that ends with a number of points.

A move takes one or two marbles of one pile. The game ends when a pile is empty: the player who emptied it gets 2 points
for each red and 3 for each blue marble that is left. In misère play the other player gets them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nimtui.errors import InputError, invalid, whole_number
from nimtui.games.base import DRAW, GOING_ON, LOST, WON, Board, Move
from nimtui.games.notation import row_letter
from nimtui.games.offer import Offer

NAMES = ("redblue",)
FORMS = ("redblue:4,4[:misere]",)
IMPARTIAL = True
VERBS = ("take", "took")
PILES = ("red", "blue")
OFFERS = (
    Offer(
        "redblue",
        "Red-blue Nim",
        "empty a pile for points",
        {"4 and 4": "redblue:4,4", "7 and 5": "redblue:7,5", "12 and 12": "redblue:12,12"},
        rank=10,
    ),
)

MOST = 1_000  # marbles of a pile
MOST_TAKEN = 2  # of a move
BOARD = "rows"


class RedBlue(NamedTuple):
    """A position of red-blue Nim."""

    board: Board  # [2]: the red and the blue marbles
    worth: Board  # [2]: the points of one red and one blue marble that is left
    red: int  # at the start
    blue: int
    misere: int  # 1 if the other player gets the points
    limit: int = MOST_TAKEN  # marbles of a move


def new(red: int, blue: int, misere: bool) -> RedBlue:
    """Return two whole piles."""
    return RedBlue(np.array([red, blue], np.int64), np.array([2, 3], np.int64), red, blue, int(misere))


# The rules. A move's code is pile × 2 + marbles − 1.


def size(state: RedBlue) -> int:
    return 2 * MOST_TAKEN


def legal(state: RedBlue, move: Move) -> bool:
    return state.board[move // MOST_TAKEN] > move % MOST_TAKEN


def play(state: RedBlue, move: Move) -> None:
    state.board[move // MOST_TAKEN] -= move % MOST_TAKEN + 1


def undo(state: RedBlue, move: Move) -> None:
    state.board[move // MOST_TAKEN] += move % MOST_TAKEN + 1


def payoff(state: RedBlue) -> int:
    points = state.board[0] * state.worth[0] + state.board[1] * state.worth[1]
    return -points if state.misere else points


def outcome(state: RedBlue) -> int:
    if state.board[0] > 0 and state.board[1] > 0:
        return GOING_ON
    points = payoff(state)
    return WON if points > 0 else LOST if points < 0 else DRAW


def largest_payoff(state: RedBlue) -> int:
    return max(state.red * state.worth[0], state.blue * state.worth[1])


def positions(state: RedBlue) -> int:
    return (state.red + 1) * (state.blue + 1)


def index(state: RedBlue) -> int:
    return state.board[0] * (state.blue + 1) + state.board[1]


# Names of games, moves and positions.


def parse(word: str, fields: list[str]) -> RedBlue:
    """Return the game of the parts of its name, split at the colons."""
    misere = len(fields) == 2 and fields[1].strip().lower() == "misere"
    if len(fields) != 1 + misere:
        raise InputError(f"'redblue' needs red and blue marbles, as in {FORMS[0]}")
    red, blue = _marbles(fields[0], 1, MOST, MOST)
    return new(red, blue, misere)


def _marbles(text: str, least: int, red: int, blue: int) -> list[int]:
    """Return the marbles of both piles."""
    parts = text.split(",")
    if len(parts) != len(PILES):
        raise invalid("piles", text, "expected red and blue marbles, as in 4,4")
    return [
        whole_number(part, f"the {pile} pile", least, most)
        for part, pile, most in zip(parts, PILES, (red, blue), strict=True)
    ]


def name(state: RedBlue) -> str:
    return f"redblue:{state.red},{state.blue}{':misere' if state.misere else ''}"


def title(state: RedBlue) -> str:
    whose = "the other player gets" if state.misere else "emptying one gets"
    return f"Red-blue Nim {state.red},{state.blue} · {whose} the marbles left"


def rules(state: RedBlue) -> str:
    who = "the other player" if state.misere else "whoever emptied it"
    return (
        f"When a pile is empty, {who} gets 2 points for each red and 3 for each blue marble left. "
        "In turn, take one or two marbles of one pile: A is red, B is blue."
    )


def move_name(state: RedBlue, move: Move) -> str:
    """Return the pile, a of the red and b of the blue marbles, and how many are taken: 'a1', 'b2'."""
    return f"{row_letter(move // MOST_TAKEN)}{move % MOST_TAKEN + 1}"


def parse_move(state: RedBlue, text: str) -> Move:
    names = [move_name(state, move) for move in range(2 * MOST_TAKEN)]
    name = text.lower().replace("r", "a", 1)
    if name not in names:
        raise invalid("move", text, f"expected one of {', '.join(names)}: a pile and the marbles to take")
    return names.index(name)


def cells(state: RedBlue) -> list[list[int]]:
    """Return each pile's marbles from left to right: 1 red, 2 blue, 0 gone. Moves take from the right."""
    piles = zip((1, 2), state.board, (state.red, state.blue), strict=True)
    return [[kind] * int(marbles) + [0] * int(full - marbles) for kind, marbles, full in piles]


def position_name(state: RedBlue) -> str:
    return f"{state.board[0]},{state.board[1]}"


def parse_position(state: RedBlue, text: str) -> Board:
    return np.array(_marbles(text, 0, state.red, state.blue), np.int64)
