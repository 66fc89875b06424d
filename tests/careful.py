"""Measures a saved function with and without a rule: `python -m tests.careful FILE …` prints its points.

The rule takes a win in one, and gives none unless every move does. It is another player than the function: the field's
figures for Connect Four are often taken with it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

from nimtui.games import base
from nimtui.games.base import State
from nimtui.learning import curve_points, saved_tables
from nimtui.learning.estimator import Estimator

CARELESS = -1.5  # below every value of a move, above that of an illegal one


class Careful:
    """A function whose moves give no win in one where another move does not."""

    def __init__(self, estimator: Estimator) -> None:
        self.game, self.estimator = estimator.game, estimator

    def all_values(self, boards: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Return the values of all moves, as the function has them or by the rule."""
        values = self.estimator.all_values(boards)
        for board, row in zip(boards, values, strict=True):
            for move in np.flatnonzero(row >= -1):
                state = self.game.new()
                state.board[:] = board
                base.play(state, int(move))
                if base.outcome(state) == base.WON:
                    row[move] = 1.5
                elif wins_in_one(state):
                    row[move] = CARELESS
        return values


def wins_in_one(state: State) -> bool:
    """Return whether the player to move has a move that wins at once."""
    for nth in range(base.count(state)):
        after = base.copy(state)
        base.play(after, base.nth(state, nth))
        if base.outcome(after) == base.WON:
            return True
    return False


def main(files: list[str]) -> None:
    for file in files:
        estimator = saved_tables.load_file(Path(file)).table.function
        assert estimator is not None, f"{file} holds a table, not a function"
        for name, player in (("without", estimator), ("with", Careful(estimator))):
            share = curve_points.against_perfect(player, curve_points.MANY)
            print(file, name, *(f"{100 * part:.1f}" for part in share), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
