"""Limit the number of moves in a game: a person's own rules may never end a game. No Numba here."""

from __future__ import annotations

import sys

from nimtui.errors import InputError
from nimtui.games.base import State

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
