"""What a game may cost: the memory of its graph, estimated before any of it is allocated, and the number of its moves.

A person's own rules may never end a game. No Numba here.
"""

from __future__ import annotations

import sys

from nimtui.errors import InputError
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


MOST_PLIES = 10_000  # for games of unknown length; the longest built-in game has 26 × 255
MOST_GRAPH_PLIES = 1_000_000  # for a game on a graph, which always ends; one game then takes some 10 ms


def name_of(state: State) -> str:
    """Return the name of the game that a state belongs to."""
    return str(sys.modules[type(state).__module__].name(state))


def endless(name: str) -> InputError:
    """Return the error for a game that has not ended after MOST_PLIES moves."""
    return InputError(f"no end after {MOST_PLIES:,} moves: {name} may be endless")


def check_longest(plies: int) -> None:
    """Raise InputError if the games of a graph can be too long for one kernel call."""
    if plies > MOST_GRAPH_PLIES:
        raise InputError(
            f"a game can take {plies:,} moves, and such games are not played compiled: "
            f"at most {MOST_GRAPH_PLIES:,} moves are allowed"
        )
