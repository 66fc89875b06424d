"""All positions of a game and what each of them is worth, worked out once on its graph.

Shared by all who hold it, forgotten when nobody does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from nimtui.games import Game
from nimtui.progress import SILENT, Progress

if TYPE_CHECKING:
    from nimtui.engine.graph import Graph


@dataclass(frozen=True, eq=False)
class Truth:
    """All reachable positions of a game that are not over, with their exact values."""

    graph: Graph
    values: npt.NDArray[np.int8]  # [nodes]: 1 the player to move wins, −1 loses, 0 a draw
    keeps: npt.NDArray[np.bool_]  # [edges]: does the move keep what its position is worth?


_cache: WeakValueDictionary[Game, Truth] = WeakValueDictionary()


def truth(game: Game, progress: Progress = SILENT) -> Truth:
    """The truth about a game. InputError, before anything is allocated, where it would not fit."""
    found = _cache.get(game)
    if found is not None:
        return found
    from nimtui.engine import graph

    found = _cache[game] = truth_from(graph.build(game.start, progress), progress)
    return found


def truth_from(graph: Graph, progress: Progress = SILENT) -> Truth:
    """The truth about all positions of a graph."""
    from nimtui.engine import exact

    values = exact.values(graph, progress)
    keeps = exact.keeps(graph, values, progress)
    return Truth(graph, values, keeps)
