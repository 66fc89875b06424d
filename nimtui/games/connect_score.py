"""Connect boards that end with a score: `connect4:score`, `connect:5x4x4:score`.

The rules are those of `nimtui.games.connect`. Who completes a line gets a point, and another for each own disc that was
still to come on a full board: the score of the Connect Four solvers (Pons, "Solving Connect 4", 2017).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.games import connect
from nimtui.games.base import DRAW, Board
from nimtui.games.bits import ones
from nimtui.games.connect import (  # noqa: F401 - the same rules, found through the class of the state
    BOARD,
    cells,
    changes,
    count,
    following,
    index,
    input,
    inputs,
    key,
    legal,
    levels,
    move_name,
    neighbours,
    nth,
    outcome,
    parse_move,
    parse_position,
    play,
    position_name,
    positions,
    side,
    size,
    symmetries,
    touched,
    undo,
)

OF, SUFFIX = connect, "score"  # games of the names of that family with this word at the end
FORMS = ("connect4:score", "connect:5x4x4:score")


class ScoredConnect(NamedTuple):
    """A position; the fields are those of `connect.Connect`."""

    board: Board
    bottom: npt.NDArray[np.int64]
    top: npt.NDArray[np.int64]
    shifts: npt.NDArray[np.int64]
    strides: npt.NDArray[np.int64]
    full: int
    tops: int
    rows: int
    k: int


def payoff(state: ScoredConnect) -> int:
    if outcome(state) == DRAW:  # type: ignore[arg-type]
        return 0
    return (ones(state.full ^ state.board[1]) + 2) // 2


def largest_payoff(state: ScoredConnect) -> int:
    return max(1, (ones(state.full) - 2 * state.k + 3) // 2)


def parse(word: str, fields: list[str]) -> ScoredConnect:
    """Return the game of the parts of its name, split at the colons; the last one is `score`."""
    return ScoredConnect(*connect.parse(word, fields[:-1]))


def name(state: ScoredConnect) -> str:
    return f"{connect.name(connect.Connect(*state))}:score"


def title(state: ScoredConnect) -> str:
    return f"{connect.title(connect.Connect(*state)).partition(' · ')[0]} · for a score"


def rules(state: ScoredConnect) -> str:
    return (
        f"Whoever has {state.k} discs in a line gets a point, and one for each own disc that is left. "
        "In turn, drop a disc into a column."
    )
