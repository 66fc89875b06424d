"""The order in which moves are tried: the better it is, the fewer nodes a search needs.

Near the end the number of winning cells that a disc creates is the best order for its price. Far from the end a
weighted sum tells much more. Its weights come from a logistic regression that predicts the winner of 20,000 positions
with 16 to 24 empty cells, solved exactly: it ranks a won position above a lost one in 91 of 100 pairs, the number of
winning cells does so in 74. (Leader and follower: see `bounds`.) A wrong weight costs time and changes no result.

Ties go to the move that caused most cutoffs elsewhere (the history heuristic, Schaeffer 1983), then to the middle.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nimtui.engine.connect.board import Board, cells_above, popcount
from nimtui.engine.jit import helper

FAR = 18  # empty cells from which on the weighted sum decides

OPEN_TWO, OPEN_ONE = 16, 4  # a line with so many own discs, the rest of its cells empty
LEADERS_GOOD, LEADERS_OTHER = 75, 22  # the leader's winning cells that are leader cells; others
FOLLOWERS_GOOD, FOLLOWERS_OTHER, FOLLOWERS_LOW = 45, 48, 35  # the follower's; FOLLOWERS_LOW more in the second row
EVEN = 4000  # the sum of a position that is even for both

MOST_HISTORY = 8000
HISTORY_BITS = 13

History = npt.NDArray[np.int64]  # [2 · 64]: by parity of the room and cell


def history() -> History:
    """Return an empty history."""
    return np.zeros(128, np.int64)


@helper
def open_lines(discs: int, empty: int, board: Board) -> int:
    """Return the worth of the lines of four in which only these discs stand, one or two of them."""
    h = board.rows + 1
    twos, ones = 0, 0
    usable = discs | empty
    for d in (1, h - 1, h, h + 1):
        pairs = usable & (usable >> d)
        free = pairs & (pairs >> 2 * d)  # the first cells of lines that are still open
        a, b, c = discs >> d, discs >> 2 * d, discs >> 3 * d
        one_below, two_below, one_above, two_above = discs ^ a, discs & a, b ^ c, b & c
        twos += popcount(free & ((two_below & ~(b | c)) | (two_above & ~(discs | a)) | (one_below & one_above)))
        ones += popcount(free & ((one_below & ~(b | c)) | (one_above & ~(discs | a))))
    return OPEN_TWO * twos + OPEN_ONE * ones


@helper
def prospects(mine: int, theirs: int, wins: int, danger: int, empty: int, leading: bool, board: Board) -> int:
    """Return the weighted sum for the player who has just moved, above EVEN if that player stands better.

    `wins` are the cells that complete a line for that player, `danger` those of the other. A winning cell above one
    of the other player does not count. `leading`: the mover gets the leader cells.
    """
    own, other = wins & ~cells_above(danger, board), danger & ~cells_above(wins, board)
    leaders, followers = (own, other) if leading else (other, own)
    good = popcount(leaders & board.leader) * LEADERS_GOOD + popcount(leaders & board.follower) * LEADERS_OTHER
    bad = popcount(followers & board.follower) * FOLLOWERS_GOOD + popcount(followers & board.leader) * FOLLOWERS_OTHER
    bad += popcount(followers & (board.floor << 1)) * FOLLOWERS_LOW
    return (
        EVEN
        + (good - bad if leading else bad - good)
        + open_lines(mine, empty, board)
        - open_lines(theirs, empty, board)
    )


@helper
def history_place(room: int, cell: int) -> int:
    """Return where the history of a cell is, given as its bit, for the player to move."""
    return (room & 1) * 64 + popcount(cell - 1)


@helper
def learn(history: History, room: int, moves: npt.NDArray[np.int64], cut: int) -> None:
    """Record that the move at `cut` of a list caused a cutoff and those before it did not. Moves near the root count
    more.
    """
    step = room >> 2
    for i in range(cut + 1):
        place = history_place(room, moves[i])
        if i < cut:
            history[place] = max(history[place] - step, 0)
        else:
            history[place] = min(history[place] + step, MOST_HISTORY)


@helper
def order_of(
    mine: int,
    theirs: int,
    wins: int,
    danger: int,
    empty: int,
    room: int,
    cell: int,
    history: History,
    board: Board,
    weighted: bool,
) -> int:
    """Return the sort key of a move, already made: `mine` holds its cell, `empty` does not. `weighted` allows the
    weighted sum.
    """
    if weighted and room >= FAR and board.k == 4:
        worth = prospects(mine, theirs, wins, danger, empty, room & 1 == 0, board)
    else:
        worth = popcount(wins)
    return (worth << HISTORY_BITS) + history[history_place(room, cell)]
