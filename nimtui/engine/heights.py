"""Compute how long a game can last from every position of a graph."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nimtui.engine.graph import Graph
from nimtui.engine.jit import paced_kernel
from nimtui.engine.pace import in_chunks


@paced_kernel
def _fill_heights(graph: Graph, heights: npt.NDArray[np.int32], first: int, last: int) -> None:
    for node in graph.order[first:last]:
        most = 0
        for edge in range(graph.ptr[node], graph.ptr[node + 1]):
            to = graph.to[edge]
            if to >= 0:
                most = max(most, heights[to])
        heights[node] = most + 1


def heights(graph: Graph) -> npt.NDArray[np.int32]:
    """Return [nodes]: the plies of the longest game from each position; in games with matches, the matches left."""
    heights = np.zeros(len(graph.order), np.int32)
    in_chunks(_fill_heights, lambda first, last: _fill_heights(graph, heights, first, last), len(heights))
    return heights
