"""A memoryless player, written down for every position of a game's graph. No Numba here."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from nimtui.engine.graph import Graph


class Policy(NamedTuple):
    """The edges that a player may play at each node, with equal probabilities: edges[ptr[n]] … edges[ptr[n + 1] − 1].

    At a node marked as casual it plays any move, drawn as `lessons.casual_edge` does: the row first.
    """

    ptr: npt.NDArray[np.int64]  # [nodes + 1]
    edges: npt.NDArray[np.int64]  # ascending
    casual: npt.NDArray[np.bool_]  # [nodes]


def among(graph: Graph, may: npt.NDArray[np.bool_], casual: npt.NDArray[np.bool_] | None = None) -> Policy:
    """Return the player that plays any of the marked edges; each node must have one."""
    edges = np.flatnonzero(may)
    nowhere = np.zeros(len(graph.order), np.bool_)
    return Policy(np.searchsorted(edges, graph.ptr), edges, nowhere if casual is None else casual)


def best_of(graph: Graph, scores: npt.NDArray[np.float64] | npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """Return [edges]: whether an edge has the highest score of its node."""
    return scores == np.repeat(highest(graph, scores), np.diff(graph.ptr))


def highest(
    graph: Graph, scores: npt.NDArray[np.float64] | npt.NDArray[np.int32]
) -> npt.NDArray[np.float64] | npt.NDArray[np.int32]:
    """Return [nodes]: the highest score of a node's edges."""
    return np.maximum.reduceat(scores, graph.ptr[:-1])
