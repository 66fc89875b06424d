"""Many positions of one board at once: read, played on and scored without Python between two of them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nimtui.engine.connect.board import Board, has_line, popcount, winning_cells
from nimtui.engine.connect.order import History
from nimtui.engine.connect.search import NODES, VALUE, Stack, begin, search
from nimtui.engine.connect.table import Table
from nimtui.engine.jit import helper, kernel

Numbers = npt.NDArray[np.int64]

PLACE, STARTED, ASKED, LOW, HIGH, LEAST, MOST, STEP, MIDDLE, NUMBERS = range(10)
"""The places in `at`: the position that is scored; whether its window is set, and a question about it asked; the
window, what it was at first, and how it shrinks; the question."""


@helper
def question(low: int, high: int, least: int, most: int, step: int) -> tuple[int, int]:
    """Return what to ask next of a score from low to high, which at first was from least to most, and the next step.

    First who wins, then windows that leave 0 faster and faster, then halves.
    """
    if low == least and high == most:
        middle = 0
    elif low == least:
        middle, step = high - step, 2 * step
    elif high == most:
        middle, step = low + step - 1, 2 * step
    else:
        middle = (low + high) // 2
    return min(max(middle, low), high - 1), step


@kernel
def score_many(
    board: Board,
    table: Table,
    history: History,
    stack: Stack,
    mine: Numbers,
    discs: Numbers,
    scores: Numbers,
    at: Numbers,
    until: int,
) -> bool:
    """Score the unfinished positions from at[PLACE] on, until there are so many nodes. Return True at the end.

    A position counts as a node, too.
    """
    while at[PLACE] < mine.shape[0]:
        place = at[PLACE]
        if not at[STARTED]:
            if stack.at[NODES] >= until:
                return False
            stack.at[NODES] += 1
            empty = board.full ^ discs[place]
            room = popcount(empty)
            if winning_cells(mine[place], empty, board) & (discs[place] + board.floor):
                scores[place] = (room + 1) // 2
                at[PLACE] += 1
                continue
            at[LOW] = at[LEAST] = -(room // 2)
            at[HIGH] = at[MOST] = (room - 1) // 2
            at[STEP], at[STARTED], at[ASKED] = 1, 1, 0
        while at[LOW] < at[HIGH]:
            if not at[ASKED]:
                at[MIDDLE], at[STEP] = question(at[LOW], at[HIGH], at[LEAST], at[MOST], at[STEP])
                begin(stack, mine[place], mine[place] ^ discs[place], at[MIDDLE])
                at[ASKED] = 1
            if not search(board, table, history, stack, until):
                return False
            at[ASKED] = 0
            if stack.at[VALUE] <= at[MIDDLE]:
                at[HIGH] = min(at[HIGH], stack.at[VALUE])
            else:
                at[LOW] = max(at[LOW], stack.at[VALUE])
        scores[place] = at[LOW]
        at[PLACE] += 1
        at[STARTED] = 0
    return True


WRONG, GOING, WON, DRAWN = -1, 0, 1, 2  # an impossible move; how a move ends the game, for the player who makes it


@helper
def ending(mover: int, discs: int, board: Board) -> int:
    """Return the result of a move after which the player who made it has the discs `mover`."""
    return WON if has_line(mover, board) else DRAWN if discs == board.full else GOING


@kernel
def read(
    board: Board, text: npt.NDArray[np.uint8], ends: Numbers, mine: Numbers, discs: Numbers, results: Numbers
) -> None:
    """Play positions that are columns from 1 on, a digit each. Each ends in `text` before its place in `ends`.

    `results` says how the last move ended the game. WRONG: the text has another form, or is no legal position.
    """
    height, first = board.rows + 1, 0
    for place in range(ends.shape[0]):
        mover, both, result = 0, 0, GOING
        for at in range(first, ends[place]):
            column = int(text[at]) - 49
            if result != GOING or not 0 <= column < board.columns:
                result = WRONG
                break
            cell = (both + (1 << column * height)) & (board.column << column * height) & board.full
            if cell == 0:
                result = WRONG
                break
            mover, both = mover ^ both, both | cell
            result = ending(mover ^ both, both, board)
        mine[place], discs[place], results[place] = mover, both, result
        first = ends[place]
