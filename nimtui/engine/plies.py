"""How many moves a game may have: rules of a person's own may never come to an end. No Numba here."""

from __future__ import annotations

import sys

from nimtui.errors import InputError
from nimtui.games.base import State

MOST_PLIES = 10_000  # of a game whose end nobody knows before; the longest of the games here has 26 × 255
MOST_GRAPH_PLIES = 1_000_000  # of a game on a graph, which surely ends: one game then takes some 10 ms


def name_of(state: State) -> str:
    """Return the name of the game that a state belongs to."""
    return str(sys.modules[type(state).__module__].name(state))


def endless(name: str) -> InputError:
    """Return what is said of a game that has not come to an end after MOST_PLIES moves."""
    return InputError(f"no end after {MOST_PLIES:,} moves: {name} may be endless")


def check_longest(plies: int) -> None:
    """InputError where the games of a graph can be too long to be played in one call of a kernel."""
    if plies > MOST_GRAPH_PLIES:
        raise InputError(
            f"a game can take {plies:,} moves, and such games are not played compiled: "
            f"at most {MOST_GRAPH_PLIES:,} moves are allowed"
        )
