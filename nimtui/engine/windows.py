"""The numbers of a search with windows: its values, kinds of nodes and bounds. No Numba here."""

from __future__ import annotations

WIN = 1_000_000  # a game won at the root itself; one less for each ply until the win
DECIDED = 900_000  # values beyond ± this are decided games and count plies; no heuristic reaches them
INFINITY = 1 << 30
LONGEST = 26 * 255  # plies of the longest built-in game: every match taken alone
MOST_NODES = (1 << 31) - 1  # the limit of nodes in a recorded tree

OPEN, EXPANDED, CUT, LEAF, TERMINAL, TABLE = range(6)
"""Kinds of nodes: entered and not left yet; all moves searched; pruned by a cutoff; evaluated; decided; answered by the
transposition table."""

EXACT, LOWER, UPPER = 1, 2, 3  # bounds: the value itself; the value is at least this; at most this

RECORD_BYTES = 4 + 4 + 2 + 4 + 4 + 4 + 4 + 1  # per node
ENTRY_BYTES = 8 + 4 + 2 + 4 + 1  # of the transposition table


def slots(entries: int) -> int:
    """Return the least power of two not below `entries`: the number of slots of a table."""
    return 1 << max(0, entries - 1).bit_length()


def stack_bytes(plies: int) -> int:
    """Return the bytes of a stack of so many plies."""
    return 8 * 8 * (plies + 2)


def order_bytes(plies: int, size: int) -> int:
    """Return the greatest number of bytes of move lists for so many plies of a game with so many moves."""
    return 4 * (plies + 1) * size + (8 + 8) * (plies + 3)


def a_ply_later(value: int) -> int:
    """Return a value for the other player, in a search that starts one ply later."""
    if value > DECIDED:
        return -value - 1
    if value < -DECIDED:
        return -value + 1
    return -value
