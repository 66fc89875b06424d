"""Compute the exact values of all positions of a game, once, on its graph.

All holders share the result; it is freed with the last of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from nimtui.engine import activity
from nimtui.games import Game
from nimtui.progress import SILENT, Progress

if TYPE_CHECKING:
    from nimtui.engine.graph import Graph


@dataclass(frozen=True, eq=False)
class Truth:
    """Holds all reachable positions that are not over, with their exact values."""

    graph: Graph
    values: npt.NDArray[np.int8 | np.int32]  # [nodes]: 1, −1, 0 for the player to move, or their payoff
    keeps: npt.NDArray[np.bool_]  # [edges]: does the move keep the value of its position?

    @property
    def signs(self) -> npt.NDArray[np.int8]:
        """[nodes]: `values`, below 0 where no move is a mistake; in a game with payoffs 0: any move may be one."""
        return np.zeros(len(self.values), np.int8) if self.graph.largest else self.values.astype(np.int8, copy=False)

    @cached_property
    def timely(self) -> npt.NDArray[np.bool_]:
        """[edges]: `keeps`, but where the player to move wins only the soonest wins, and only the latest losses."""
        from nimtui.engine.exact import timed

        return timed(self.graph, self.values, timed(self.graph, self.values, self.keeps, 1), -1)


_cache: WeakValueDictionary[Game, Truth] = WeakValueDictionary()


def truth(game: Game, progress: Progress = SILENT) -> Truth:
    """Return the exact values of a game. Raises InputError, before it allocates, if they would not fit in memory."""
    solution = _cache.get(game)
    if solution is not None:
        return solution
    from nimtui.engine import graph

    with activity.interpreting():  # small games need no compiled kernel
        solution = _cache[game] = truth_from(graph.build(game.start, progress), progress)
    return solution


def truth_from(graph: Graph, progress: Progress = SILENT) -> Truth:
    """Return the exact values of all positions of a graph."""
    from nimtui.engine import exact

    values = exact.values(graph, progress)
    keeps = exact.keeps(graph, values, progress)
    return Truth(graph, values, keeps)
