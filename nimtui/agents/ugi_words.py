"""The words of the Universal Game Interface (UGI) that both sides share: clocks, scores, whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence

from nimtui.engine.windows import DECIDED, WIN
from nimtui.games import base
from nimtui.games.base import State

CLOCK = ("p1time", "p2time", "p1inc", "p2inc")
SECONDS, NUMBERS, FLAGS = ("movetime",), ("depth", "nodes"), ("infinite",)
WAYS = (*SECONDS, *NUMBERS, *FLAGS)  # to say how long to search, beside the clock
LARGEST = 10**12  # of a number of milliseconds, plies or nodes


def player_of(state: State, moves: int = 0) -> int:
    """Return 0 if the first player is to move, so many moves after a position; 1 for the second.

    Where the position does not tell, the first player is to move in it: nimtui starts a game from it so.
    """
    return (int(base.side(state)) + moves) % 2


def score_words(value: float) -> str:
    """Return a search's value as a score: 'cp 12', or 'mate −5' if the game is decided, by its plies to the end."""
    if abs(value) > DECIDED:
        plies = WIN - int(abs(value))
        return f"mate {plies if value > 0 else -plies}"
    return f"cp {round(value)}"


def pairs_of(words: Sequence[str]) -> dict[str, str]:
    """Return the value after each of these words: 'depth 4 nodes 9' is depth: 4, nodes: 9."""
    return dict(zip(words[::2], words[1::2], strict=False))
