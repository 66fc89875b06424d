"""The search: negamax with null windows, on an explicit stack, so that it can pause at any node.

A null window asks a single question: is the score above alpha? The answer is a bound: if yes, the score is at least
the value returned; if no, at most. At a node, cheap answers come before expensive ones: forced moves, bounds without
search, the table, bounds of each child, the table about each child, and only then the children themselves.

Several threads may search the same position with one table. Where a cutoff is expected they try the best move first.
At the other nodes all moves must be searched, so the order is free: there the threads take different orders and meet in
the middle, each with the answers of the other in the table. With null windows the two kinds of nodes alternate.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.engine.connect.board import Board, has_line, popcount, winning_cells
from nimtui.engine.connect.bounds import upper_bound
from nimtui.engine.connect.order import History, learn, order_of
from nimtui.engine.connect.table import Table, ask, fetch, keep, key_of, lower_of, upper_of
from nimtui.engine.jit import helper, kernel

SCORED = 6  # empty cells from which on the table is used: smaller trees cost less than a look at memory
ASKED = 18  # empty cells from which on the table is asked about all children before one is searched
MIRRORED = 20  # empty cells from which on mirror images share an entry: later they rarely meet
SPLIT = 14  # empty cells from which on threads try moves in different orders

NOTHING = -99  # less than every score

HISTORY, ASKING, MIRRORS, CHILDREN, ZUGZWANG, PAIRING, PROSPECTS = (1 << bit for bit in range(7))
"""Ideas that a search can leave out, to measure what each is worth: the history of cutoffs; asking the table about all
children; one entry for mirror images; bounds of the children; the two bounds without search; the weighted sum in the
order of moves."""

Ints = npt.NDArray[np.int64]


class Stack(NamedTuple):
    """The path from the root to the current node."""

    frames: Ints  # [ply, MINE … FRAME]
    moves: Ints  # [ply, columns]: the moves of a node, the best first
    worth: Ints  # [columns]: their sort keys, while a node's list is made
    at: Ints  # [NUMBERS]


MINE, THEIRS, ALPHA, MOST, BEST, NEXT, COUNT, KEY, SIGN, BEFORE, FRAME = range(11)
"""The numbers of a frame: discs of the player to move and of the opponent, after forced moves; the window; an upper
bound; the best value so far; the next move's place in the list, and its length; the position's number; −1 if an odd
number of forced moves was played, else 1; the nodes before this one."""
PLY, NODES, VALUE, ENTERING, THREAD, THREADS, DOUBTFUL, WITHOUT, NUMBERS = range(9)
"""The places in `Stack.at`: the ply; the nodes so far; the last value, for the player to move at the node that returned
it; whether the frame at this ply is a new node, with MINE, THEIRS and ALPHA filled in; which thread this is, of how
many; the parity of the room where the player to move is expected not to get more than asked; the ideas left out."""


def stack(board: Board, thread: int = 0, threads: int = 1) -> Stack:
    """Return room for a search by one of several threads."""
    plies = board.columns * board.rows + 2
    columns = board.columns
    made = Stack(
        np.zeros((plies, FRAME), np.int64),
        np.zeros((plies, columns), np.int64),
        np.zeros(columns, np.int64),
        np.zeros(NUMBERS, np.int64),
    )
    made.at[THREAD], made.at[THREADS] = thread, threads
    return made


def begin(stack: Stack, mine: int, theirs: int, alpha: int, doubtful: int = 0) -> None:
    """Prepare the question whether a position's score is above alpha. The player to move must not win at once.

    `doubtful` matters to threads only: the parity of the empty cells at nodes where all moves may have to be searched.
    """
    stack.frames[0, MINE], stack.frames[0, THEIRS], stack.frames[0, ALPHA] = mine, theirs, alpha
    stack.at[PLY], stack.at[ENTERING], stack.at[DOUBTFUL] = 0, 1, doubtful


@helper
def not_losing(reach: int, danger: int) -> int:
    """Return the moves after which the opponent, who would win on the cells `danger`, cannot win at once."""
    forced = reach & danger
    if forced & (forced - 1):  # two threats cannot both be stopped
        return 0
    return (forced if forced else reach) & ~(danger >> 1)


@helper
def bounded(mine: int, theirs: int, danger: int, reach: int, board: Board, room: int, most: int, without: int) -> int:
    """Return the upper bound of a position, without the ideas left out."""
    if without & (ZUGZWANG if room & 1 else PAIRING):
        return most
    return upper_bound(mine, theirs, danger, reach, board, room, most)


@helper
def spread(moves: Ints, count: int, thread: int) -> None:
    """Put the moves of a node, but the first, into the order of this thread: the second thread's is reversed, the
    third's and fourth's begin in the middle.
    """
    last = count - 1
    if thread & 1:
        for i in range(1, 1 + last // 2):
            moves[i], moves[last + 1 - i] = moves[last + 1 - i], moves[i]
    for _ in range(thread // 2 * last // 2):
        first = moves[1]
        for i in range(1, last):
            moves[i] = moves[i + 1]
        moves[last] = first


@kernel
def search(board: Board, table: Table, history: History, stack: Stack, until: int) -> bool:
    """Search until there are so many nodes. Return True at the end; then at[VALUE] bounds the root's score."""
    frames, moves, worth = stack.frames, stack.moves, stack.worth
    ply, nodes, value = stack.at[PLY], stack.at[NODES], stack.at[VALUE]
    entering = stack.at[ENTERING] != 0
    thread, shared, doubtful = stack.at[THREAD], stack.at[THREADS] > 1, stack.at[DOUBTFUL]
    without = stack.at[WITHOUT]
    mirrored = board.full if without & MIRRORS else MIRRORED
    done = False
    while True:
        if entering:
            if nodes >= until:
                break
            nodes += 1
            entering = False
            mine, theirs, alpha = frames[ply, MINE], frames[ply, THEIRS], frames[ply, ALPHA]
            sign = 1
            discs = mine | theirs
            empty = board.full ^ discs
            room = popcount(empty)
            known = False
            while True:  # play forced moves
                danger = winning_cells(theirs, empty, board)
                reach = (discs + board.floor) & board.full
                good = not_losing(reach, danger)
                if good == 0:
                    known, value = True, -(room // 2)
                elif room <= 2:
                    known, value = True, 0
                if known or good & (good - 1):
                    break
                mine, theirs = theirs, mine | good
                sign, alpha = -sign, -alpha - 1
                room -= 1
                discs |= good
                empty ^= good
            most = (room - 1) // 2
            if not known:
                least = -((room - 2) // 2)
                if least > alpha:
                    known, value = True, least
                else:
                    if most > alpha:
                        most = bounded(mine, theirs, danger, reach, board, room, most, without)
                    if most <= alpha:
                        known, value = True, most
                    elif not has_line((mine if alpha >= 0 else theirs) | empty, board):
                        known, value = True, 0  # that player cannot win any more
            key = 0
            if not known and room >= SCORED:
                key = key_of(mine, discs, board, room >= mirrored)
                word = ask(table, key)
                if word:
                    upper, lower = upper_of(word, most), lower_of(word, least)
                    if lower > alpha:
                        known, value = True, lower
                    elif upper <= alpha:
                        known, value = True, upper
            count = 0
            if not known:
                rest = good
                while rest:
                    cell = rest & -rest
                    rest ^= cell
                    after = mine | cell
                    left = empty ^ cell
                    wins = winning_cells(after, left, board)
                    next_reach = ((discs | cell) + board.floor) & board.full
                    if not_losing(next_reach, wins) == 0:  # whatever the opponent plays, I win next
                        known, value = True, most
                        break
                    if room > SCORED:
                        fetch(table, key_of(theirs, discs | cell, board, room > mirrored))
                    bound = NOTHING
                    if without & CHILDREN == 0:
                        bound = -bounded(theirs, after, wins, next_reach, board, room - 1, -NOTHING, without)
                    if bound > alpha:
                        known, value = True, bound
                        break
                    merit = order_of(
                        after, theirs, wins, danger & left, left, room, cell, history, board, without & PROSPECTS == 0
                    )
                    i = count
                    while i > 0 and worth[i - 1] < merit:
                        worth[i], moves[ply, i] = worth[i - 1], moves[ply, i - 1]
                        i -= 1
                    worth[i], moves[ply, i] = merit, cell
                    count += 1
            if not known:
                most = min(most, (room - 3) // 2)  # no win with the move after this one
                if most <= alpha:
                    known, value = True, most
            if not known and room >= ASKED and without & ASKING == 0:
                for i in range(count):
                    word = ask(table, key_of(theirs, discs | moves[ply, i], board, room > mirrored))
                    bound = -upper_of(word, -NOTHING)
                    if bound > alpha:
                        known, value = True, bound
                        break
            if known:
                value *= sign
            else:
                if thread and room >= SPLIT and room & 1 == doubtful:
                    spread(moves[ply], count, thread)
                frames[ply, MINE], frames[ply, THEIRS], frames[ply, ALPHA] = mine, theirs, alpha
                frames[ply, MOST], frames[ply, BEST], frames[ply, KEY] = most, NOTHING, key
                frames[ply, NEXT], frames[ply, COUNT] = 0, count
                frames[ply, SIGN], frames[ply, BEFORE] = sign, nodes - 1
        else:
            known = True
        if known:  # return the value to the parent
            ply -= 1
            if ply < 0:
                done = True
                break
            value = -value
            if value > frames[ply, BEST]:
                frames[ply, BEST] = value
            best = frames[ply, BEST]
            cut = best > frames[ply, ALPHA]
            room = popcount(board.full ^ (frames[ply, MINE] | frames[ply, THEIRS]))
            answered = False
            if shared and not cut and room >= SPLIT:  # by another thread?
                word = ask(table, frames[ply, KEY])
                upper, lower = upper_of(word, -NOTHING), lower_of(word, NOTHING)
                if lower > frames[ply, ALPHA]:
                    answered, value = True, lower
                elif upper <= frames[ply, ALPHA]:
                    answered, value = True, upper
            if answered:
                value *= frames[ply, SIGN]
                continue
            if cut or frames[ply, NEXT] == frames[ply, COUNT]:
                if cut and without & HISTORY == 0:
                    learn(history, room, moves[ply], frames[ply, NEXT] - 1)
                best = min(best, frames[ply, MOST])
                if room >= SCORED:
                    keep(table, frames[ply, KEY], best, best > frames[ply, ALPHA], nodes - frames[ply, BEFORE])
                value = best * frames[ply, SIGN]
                continue
        cell = moves[ply, frames[ply, NEXT]]
        frames[ply, NEXT] += 1
        frames[ply + 1, MINE], frames[ply + 1, THEIRS] = frames[ply, THEIRS], frames[ply, MINE] | cell
        frames[ply + 1, ALPHA] = -frames[ply, ALPHA] - 1
        ply += 1
        entering = True
    stack.at[PLY], stack.at[NODES], stack.at[VALUE] = ply, nodes, value
    stack.at[ENTERING] = 1 if entering else 0
    return done
