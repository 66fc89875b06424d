"""What the numbers of a search with windows mean: its values, its kinds of nodes, its bounds. No Numba here."""

from __future__ import annotations

WIN = 1_000_000  # a game won at the root itself, less 1 for each ply until it is
DECIDED = 900_000  # values beyond ± this are of decided games, and count plies; no heuristic comes near
INFINITY = 1 << 30
LONGEST = 26 * 255  # plies of the longest game there is: every match taken alone
MOST_NODES = (1 << 31) - 1  # that a recorded tree can number

OPEN, EXPANDED, CUT, LEAF, TERMINAL, TABLE = range(6)
"""Kinds of nodes: entered and not left yet; all moves searched; a move made a cut; evaluated; decided; answered by the
transposition table."""

EXACT, LOWER, UPPER = 1, 2, 3  # bounds: the value itself; the value is at least this; at most this

RECORD_BYTES = 4 + 4 + 2 + 4 + 4 + 4 + 4 + 1  # of a node
ENTRY_BYTES = 8 + 4 + 2 + 4 + 1  # of the transposition table


def slots(entries: int) -> int:
    """The least power of two that is not below this: how many entries such a table gets."""
    return 1 << max(0, entries - 1).bit_length()


def stack_bytes(plies: int) -> int:
    """What the stack of so many plies takes."""
    return 8 * 8 * (plies + 2)


def order_bytes(plies: int, size: int) -> int:
    """What lists of moves for so many plies of a game of so many moves take at most."""
    return 4 * (plies + 1) * size + (8 + 8) * (plies + 3)


def a_ply_later(value: int) -> int:
    """A value as the other player sees it, of a search that begins one ply later."""
    if value > DECIDED:
        return -value - 1
    if value < -DECIDED:
        return -value + 1
    return -value
