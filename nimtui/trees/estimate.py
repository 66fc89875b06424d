"""Estimates the size of a search from a few random games.

Source: Knuth, "Estimating the Efficiency of Backtrack Programs", 1975.
"""

from __future__ import annotations

import math

from nimtui.engine.rng import Stream
from nimtui.games import Game, base
from nimtui.games.base import State

GAMES = 60
MOST_NODES = 1e13  # a day and more
ENOUGH = 1e60  # the estimate stops at this size


def tree_nodes(state: State, depth: int, games: int = GAMES, seed: int = 0) -> float:
    """Estimate the nodes of the whole tree down to this ply, the root included.

    The estimate is the mean over some random games. Each counts as if all moves had as many answers as those it met.
    In trees that consist mostly of few long games, as in Nim, it is often ten times too low or more.
    """
    stream, total = Stream(seed), 0.0
    at = base.copy(state)
    for _ in range(games):
        base.restore(at, state.board)
        width = nodes = 1.0
        for _ in range(depth):
            if base.outcome(at) != base.GOING_ON or nodes > ENOUGH:
                break
            moves = int(base.count(at))
            width *= moves
            nodes += width
            base.play(at, base.nth(at, stream.below(moves)))
        total += nodes
    return total / games


def why_endless(game: Game, state: State, depth: int, cutting: bool) -> str | None:
    """Return why such a search would take too long, in one line; None if it may end.

    With the best pruning the search visits the square root of all nodes.
    """
    if int(base.count(state)) ** min(depth, 1000) <= MOST_NODES:
        return None
    nodes = tree_nodes(state, depth)
    if cutting:
        nodes = math.sqrt(nodes)
    if nodes <= MOST_NODES:
        return None
    return (
        f"{game.name} has too many positions for that depth, about 10^{round(math.log10(nodes))} "
        f"{'nodes even with the best pruning' if cutting else 'nodes'}: give a smaller depth, or a table"
    )
