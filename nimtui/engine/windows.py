"""The numbers of a search with windows: its values, kinds of nodes and bounds. No Numba here."""

from __future__ import annotations

WIN = 1_000_000  # a game won at the root itself; one less for each ply until the win
DECIDED = 900_000  # values beyond ± this are decided games and count plies; no heuristic reaches them
EXPECTED = 100_000  # the value of a position that a learned function is sure to win: its values lie within ±
INFINITY = 1 << 30
LONGEST = 26 * 255  # plies of the longest built-in game: every match taken alone
MOST_NODES = (1 << 31) - 1  # the limit of nodes in a recorded tree

OPEN, EXPANDED, CUT, LEAF, TERMINAL, TABLE = range(6)
"""Kinds of nodes: entered and not left yet; all moves searched; pruned by a cutoff; evaluated; decided; answered by the
transposition table."""

EXACT, LOWER, UPPER = 1, 2, 3  # bounds: the value itself; the value is at least this; at most this

NARROW = 1 << 15  # a game with fewer moves has its moves recorded in 16 bits
ENTRY_BYTES = 8 + 4 + 2 + 4 + 1  # of the transposition table
FRAME_BYTES = 8 * 8  # of the stack, for each ply
ORDER_FRAME_BYTES = 8 + 2 * 4  # of the move order, for each ply: where its list starts, two killer moves
LISTED_BYTES = 4  # of a move in a list of the move order


def slots(entries: int) -> int:
    """Return the least power of two not below `entries`: the number of slots of a table."""
    return 1 << max(0, entries - 1).bit_length()


def record_bytes(size: int) -> int:
    """Return the bytes of a recorded node of a game with so many moves."""
    return 4 + (2 if size < NARROW else 4) + 2 + 4 + 4 + 4 + 4 + 1


def stack_bytes(plies: int) -> int:
    """Return the bytes reserved for a stack of so many plies."""
    return FRAME_BYTES * (plies + 2)


def order_bytes(plies: int, size: int) -> int:
    """Return the bytes reserved for the move lists of so many plies of a game with so many moves."""
    return LISTED_BYTES * (plies + 1) * size + ORDER_FRAME_BYTES * (plies + 3)


def used_bytes(frames: int, ordered: bool, listed: int) -> int:
    """Return the bytes of so many frames of the stack; with a move order also of its frames and its listed moves."""
    return frames * (FRAME_BYTES + (ORDER_FRAME_BYTES if ordered else 0)) + LISTED_BYTES * listed


def a_ply_later(value: int) -> int:
    """Return a value for the other player, in a search that starts one ply later."""
    if value > DECIDED:
        return -value - 1
    if value < -DECIDED:
        return -value + 1
    return -value
