"""Estimate the memory of a game's graph before any of it is allocated. No Numba here."""

from __future__ import annotations

from nimtui.games import base
from nimtui.games.base import State
from nimtui.report.values import Bytes

MOST_BYTES = 2 << 30
MOST_FOLLOWING = 5_000_000  # positions that may follow one whose game is too large from its start


def moves_about(state: State) -> float:
    """Return the mean number of moves of a position, estimated as half of this one's."""
    return (int(base.count(state)) + 1) / 2


def bytes_per_position(state: State) -> int:
    """Return the approximate bytes of a graph per position, estimated from the number of first moves."""
    a_position = 4 + 4 + 4 + 2 * 8 * len(state.board) + 8 * 4
    a_move = 4 + 4 + 4
    return int(a_position + a_move * moves_about(state))


def bytes_needed(state: State) -> int:
    """Return the approximate bytes of a graph of all positions."""
    return int(base.positions(state)) * bytes_per_position(state)


def room_from(state: State, most_bytes: int = MOST_BYTES) -> int:
    """Return for how many of the positions that follow this one there is room; 0 if it has no numbers or too many."""
    if base.positions(state) == 0:
        return 0
    room = most_bytes - 4 * int(base.positions(state))  # a node for every number
    return max(0, min(MOST_FOLLOWING, room // bytes_per_position(state)))


def why_no_graph(state: State, most_bytes: int = MOST_BYTES) -> str | None:
    """Return why this game cannot have a graph, in one line, or None if it can."""
    if base.positions(state) == 0:
        return "it has too many positions to number them"
    needed = bytes_needed(state)
    if needed > most_bytes:
        return (
            f"its {base.positions(state):,} positions would need about {Bytes(needed)} "
            f"({needed:,} bytes), more than the {Bytes(most_bytes)} allowed"
        )
    return None
