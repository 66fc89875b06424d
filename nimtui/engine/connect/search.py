"""The search: negamax with null windows, on an explicit stack, so that it can pause at any node.

A null window asks a single question: is the score above alpha? The answer is a bound: if yes, the score is at least
the value returned; if no, at most. At a node, cheap answers come before expensive ones: forced moves, bounds without
search, the table, bounds of each child, the table about each child, and only then the children themselves.

Several threads may search the same position with one table. All of them begin a node with its best move, which often
answers the question. Of the other moves each takes the first that no other thread is searching, and finds the answers
of the others in the table (deferred moves, after ABDADA by Jean-Christophe Weill, 1996, as simplified by Tom Kerrigan).

The better the order in which moves are tried, the fewer nodes a search needs. Near the end the number of winning cells
that a disc creates is the best order for its price. Far from the end a weighted sum tells much more. Its weights come
from a logistic regression that predicts the winner of 20,000 positions with 16 to 24 empty cells, solved exactly: it
ranks a won position above a lost one in 91 of 100 pairs, the number of winning cells does so in 74. (Leader and
follower: see `board`.) A wrong weight costs time and changes no result. Ties go to the move that caused most cutoffs
elsewhere (the history heuristic, Schaeffer 1983), then to the middle.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.engine.connect.board import Board, cells_above, has_line, popcount, upper_bound, winning_cells
from nimtui.engine.connect.table import Table, ask, fetch, keep, key_of, lower_of, upper_of
from nimtui.engine.jit import helper, kernel

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


SCORED = 6  # empty cells from which on the table is used: smaller trees cost less than a look at memory
ASKED = 18  # empty cells from which on the table is asked about all children before one is searched
MIRRORED = 20  # empty cells from which on mirror images share an entry: later they rarely meet
SPLIT = 18  # empty cells from which on threads share out the moves of a node
SLOTS = 1 << 12  # for the positions that threads are searching

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
    busy: Ints  # [SLOTS]: the numbers of the positions that the threads are searching; one array for all of them


MINE, THEIRS, ALPHA, MOST, BEST, NEXT, COUNT, KEY, SIGN, BEFORE, FRAME = range(11)
"""The numbers of a frame: discs of the player to move and of the opponent, after forced moves; the window; an upper
bound; the best value so far; the next move's place in the list, and its length; the position's number; −1 if an odd
number of forced moves was played, else 1; the nodes before this one."""
PLY, NODES, VALUE, ENTERING, THREADS, WITHOUT, NUMBERS = range(7)
"""The places in `Stack.at`: the ply; the nodes so far; the last value, for the player to move at the node that returned
it; whether the frame at this ply is a new node, with MINE, THEIRS and ALPHA filled in; how many threads search; the
ideas left out."""


def stacks(board: Board, threads: int = 1) -> list[Stack]:
    """Return room for a search by so many threads."""
    columns, plies, busy = board.columns, board.columns * board.rows + 2, np.zeros(SLOTS, np.int64)
    stacks = []
    for _ in range(threads):
        frames, moves = np.zeros((plies, FRAME), np.int64), np.zeros((plies, columns), np.int64)
        stacks.append(Stack(frames, moves, np.zeros(columns, np.int64), np.zeros(NUMBERS, np.int64), busy))
        stacks[-1].at[THREADS] = threads
    return stacks


@helper
def begin(stack: Stack, mine: int, theirs: int, alpha: int) -> None:
    """Prepare the question whether a position's score is above alpha. The player to move must not win at once."""
    stack.frames[0, MINE], stack.frames[0, THEIRS], stack.frames[0, ALPHA] = mine, theirs, alpha
    stack.at[PLY], stack.at[ENTERING] = 0, 1


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
def slot_of(key: int) -> int:
    """Return the place of a position among those being searched."""
    return (key ^ key >> 12 ^ key >> 24 ^ key >> 36) & (SLOTS - 1)


@helper
def take(moves: Ints, place: int, count: int, theirs: int, discs: int, board: Board, mirrored: bool, busy: Ints) -> int:
    """Bring the first move after which no thread is searching to this place of the list, unless it is the first place
    or there is none. Return the number of the position after the move at this place.
    """
    key = key_of(theirs, discs | moves[place], board, mirrored)
    if place:
        for i in range(place, count):
            other = key_of(theirs, discs | moves[i], board, mirrored)
            if busy[slot_of(other)] != other:
                moves[place], moves[i] = moves[i], moves[place]
                return other
    return key


@kernel
def search(board: Board, table: Table, history: History, stack: Stack, until: int) -> bool:
    """Search until there are so many nodes. Return True at the end; then at[VALUE] bounds the root's score."""
    frames, moves, worth = stack.frames, stack.moves, stack.worth
    ply, nodes, value = stack.at[PLY], stack.at[NODES], stack.at[VALUE]
    entering = stack.at[ENTERING] != 0
    shared, busy, without = stack.at[THREADS] > 1, stack.busy, stack.at[WITHOUT]
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
            final = False
            while True:  # play forced moves
                danger = winning_cells(theirs, empty, board)
                reach = (discs + board.floor) & board.full
                good = not_losing(reach, danger)
                if good == 0:
                    final, value = True, -(room // 2)
                elif room <= 2:
                    final, value = True, 0
                if final or good & (good - 1):
                    break
                mine, theirs = theirs, mine | good
                sign, alpha = -sign, -alpha - 1
                room -= 1
                discs |= good
                empty ^= good
            most = (room - 1) // 2
            if not final:
                least = -((room - 2) // 2)
                if least > alpha:
                    final, value = True, least
                else:
                    if most > alpha:
                        most = bounded(mine, theirs, danger, reach, board, room, most, without)
                    if most <= alpha:
                        final, value = True, most
                    elif not has_line((mine if alpha >= 0 else theirs) | empty, board):
                        final, value = True, 0  # that player cannot win any more
            key = 0
            if not final and room >= SCORED:
                key = key_of(mine, discs, board, room >= mirrored)
                word = ask(table, key)
                if word:
                    upper, lower = upper_of(word, most), lower_of(word, least)
                    if lower > alpha:
                        final, value = True, lower
                    elif upper <= alpha:
                        final, value = True, upper
            count = 0
            if not final:
                rest = good
                while rest:
                    cell = rest & -rest
                    rest ^= cell
                    after = mine | cell
                    free = empty ^ cell
                    wins = winning_cells(after, free, board)
                    next_reach = ((discs | cell) + board.floor) & board.full
                    if not_losing(next_reach, wins) == 0:  # whatever the opponent plays, I win next
                        final, value = True, most
                        break
                    if room > SCORED:
                        fetch(table, key_of(theirs, discs | cell, board, room > mirrored))
                    bound = NOTHING
                    if without & CHILDREN == 0:
                        bound = -bounded(theirs, after, wins, next_reach, board, room - 1, -NOTHING, without)
                    if bound > alpha:
                        final, value = True, bound
                        break
                    merit = order_of(
                        after, theirs, wins, danger & free, free, room, cell, history, board, without & PROSPECTS == 0
                    )
                    i = count
                    while i > 0 and worth[i - 1] < merit:
                        worth[i], moves[ply, i] = worth[i - 1], moves[ply, i - 1]
                        i -= 1
                    worth[i], moves[ply, i] = merit, cell
                    count += 1
            if not final:
                most = min(most, (room - 3) // 2)  # no win with the move after this one
                if most <= alpha:
                    final, value = True, most
            if not final and room >= ASKED and without & ASKING == 0:
                for i in range(count):
                    word = ask(table, key_of(theirs, discs | moves[ply, i], board, room > mirrored))
                    bound = -upper_of(word, -NOTHING)
                    if bound > alpha:
                        final, value = True, bound
                        break
            if final:
                value *= sign
            else:
                frames[ply, MINE], frames[ply, THEIRS], frames[ply, ALPHA] = mine, theirs, alpha
                frames[ply, MOST], frames[ply, BEST], frames[ply, KEY] = most, NOTHING, key
                frames[ply, NEXT], frames[ply, COUNT] = 0, count
                frames[ply, SIGN], frames[ply, BEFORE] = sign, nodes - 1
        else:
            final = True
        if final:  # return the value to the parent
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
            if shared and room >= SPLIT:
                discs = frames[ply, MINE] | frames[ply, THEIRS]
                cell = moves[ply, frames[ply, NEXT] - 1]
                busy[slot_of(key_of(frames[ply, THEIRS], discs | cell, board, room > mirrored))] = 0
                word = 0 if cut else ask(table, frames[ply, KEY])  # answered by another thread?
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
        if shared and room >= SPLIT:
            discs = frames[ply, MINE] | frames[ply, THEIRS]
            place, count = frames[ply, NEXT], frames[ply, COUNT]
            child = take(moves[ply], place, count, frames[ply, THEIRS], discs, board, room > mirrored, busy)
            busy[slot_of(child)] = child
        cell = moves[ply, frames[ply, NEXT]]
        frames[ply, NEXT] += 1
        frames[ply + 1, MINE], frames[ply + 1, THEIRS] = frames[ply, THEIRS], frames[ply, MINE] | cell
        frames[ply + 1, ALPHA] = -frames[ply, ALPHA] - 1
        ply += 1
        entering = True
    stack.at[PLY], stack.at[NODES], stack.at[VALUE] = ply, nodes, value
    stack.at[ENTERING] = 1 if entering else 0
    return done
