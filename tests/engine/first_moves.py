"""A kernel that compiles in a fifth of a second."""

from __future__ import annotations

from nimtui.engine import dispatch  # noqa: F401 - lets the kernel find the rules
from nimtui.engine.jit import kernel
from nimtui.games.base import State, following, outcome, play


@kernel
def first_moves(state: State) -> tuple[int, int]:
    """Play the first legal move until the game is over. Return the number of moves and the outcome."""
    moves = 0
    while outcome(state) == 0:
        play(state, following(state, -1))
        moves += 1
    return moves, outcome(state)
