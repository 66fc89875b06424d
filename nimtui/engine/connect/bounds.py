"""Bounds of a score that need no search: what the opponent can always reach by answering in pairs.

The opponent answers every disc in the same column, as long as that column has a reply: the *follow-up* strategy. Call a
cell with an even number of cells above it a *follower* cell, the others *leader* cells. In a column with even room the
next cell is a leader cell, and whoever answers there gets all follower cells. In a column with odd room the next cell
is a follower cell; once it is filled, the column has even room. Sources: Allis 1988 ("claimeven", "follow-up"); the
generalisation to columns with odd room is ours, as are the proofs.
"""

from __future__ import annotations

from nimtui.engine.connect.board import Board, cells_above, cells_below, has_line, popcount
from nimtui.engine.jit import helper


@helper
def upper_bound(mine: int, theirs: int, danger: int, reach: int, board: Board, room: int, most: int) -> int:
    """Return an upper bound, at most `most`, of the score of the player to move.

    `danger` are the empty cells on which the opponent would complete a line, `reach` the cells that can be filled now,
    `room` the number of empty cells. The player to move must not be able to win at once.
    """
    odd = reach & board.follower  # the next cell of each column with odd room
    if room & 1 == 0:
        return _when_all_is_paired(mine, theirs, danger, odd, board, most)
    return _by_zugzwang(mine, theirs, danger, odd, reach, board, most)


@helper
def _when_all_is_paired(mine: int, theirs: int, danger: int, odd: int, board: Board, most: int) -> int:
    """Return the bound when the room is even: then so is the number of columns with odd room.

    The opponent answers in the same column, and the next cell of a column with odd room with that of another such
    column. So the player to move gets the leader cells, and at worst all next cells of odd columns. But cells above a
    winning cell that is surely the opponent's are never filled. Without a line in all that, the player to move cannot
    win. And if the cells that are surely the opponent's hold a line, the opponent wins, at the latest when only the
    cells above them are empty.
    """
    empty = board.full ^ (mine | theirs)
    surely_theirs = empty & board.follower & ~odd
    hoped = mine | (empty & board.leader)
    winning = danger & surely_theirs
    if winning:
        hoped &= ~(cells_above(winning, board) & empty)
    if has_line(hoped | odd, board):
        if popcount(odd) != 2:
            return most
        one = odd & -odd  # of two next cells each player gets one
        if has_line(hoped | one, board) or has_line(hoped | (odd ^ one), board):
            return most
    bound = 0
    spare = 0  # cells above each of the opponent's cells
    while surely_theirs and has_line(theirs | surely_theirs, board):
        bound = -(spare // 2 + 1)
        spare += 2
        surely_theirs &= board.floor * ((1 << max(board.rows - spare, 0)) - 1)
    return min(most, bound)


@helper
def _by_zugzwang(mine: int, theirs: int, danger: int, odd: int, reach: int, board: Board, most: int) -> int:
    """Return the bound when the room is odd: one column with odd room is left over.

    Let the opponent have a winning leader cell in a column with odd room, not the next one to fill. The opponent leaves
    that column to the last and answers in all others. In the end the player to move must fill the cell below. Until
    then that player gets, at most, the leader cells of the other columns, the next cells of columns with odd room, and
    the follower cells below the winning one. Without a line there, the player loses.
    """
    empty = board.full ^ (mine | theirs)
    winning = danger & board.leader & ~reach
    while winning:
        cell = winning & -winning
        winning ^= cell
        above, below = cells_above(cell, board), cells_below(cell, board)
        column = cell | above | below
        if odd & column:
            rest = mine | (empty & board.leader & ~column) | (odd & ~column) | (empty & board.follower & below)
            if not has_line(rest, board):
                most = min(most, -((popcount(above) + 2) // 2))
    return most
