"""Order the moves that a search tries at a position, if not in their natural order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.engine import dispatch  # noqa: F401 - lets kernels find the rules
from nimtui.engine.jit import helper
from nimtui.games.base import State, following


class Order(NamedTuple):
    """The moves of all positions on the path from the root, one list after the other, and the killer moves."""

    moves: npt.NDArray[np.int32]
    first: npt.NDArray[np.int64]  # [plies + 2]: the list of ply p is moves[first[p]] … moves[first[p + 1] − 1]
    killers: npt.NDArray[np.int32]  # [plies + 1, 2]: the moves of the last cutoffs at a ply, the newer first


def order(plies: int, size: int, root: npt.ArrayLike) -> Order:
    """Return room for the moves of so many plies, with the root's in the order given. Unused room takes no memory."""
    first = np.zeros(plies + 3, np.int64)
    moves = np.empty((plies + 1) * size, np.int32)
    root_moves = np.asarray(root, np.int32)
    moves[: len(root_moves)] = root_moves
    first[1] = len(root_moves)
    return Order(moves, first, np.full((plies + 2, 2), -1, np.int32))


@helper
def bring_forward(order: Order, begin: int, end: int, move: int) -> int:
    """Put a move first in the rest of a list, the others after it in order; return where the rest now starts."""
    for place in range(begin, end):
        if order.moves[place] == move:
            for later in range(place, begin, -1):
                order.moves[later] = order.moves[later - 1]
            order.moves[begin] = move
            return begin + 1
    return begin


@helper
def arrange(state: State, order: Order, ply: int, best: int, killers: bool) -> None:
    """List the moves of the position at this ply: the best known (−1 none), the killers, then the others in order."""
    begin = order.first[ply]
    end = begin
    move = following(state, -1)
    while move >= 0:
        order.moves[end] = move
        end += 1
        move = following(state, move)
    order.first[ply + 1] = end
    if best >= 0:
        begin = bring_forward(order, begin, end, best)
    if killers:
        begin = bring_forward(order, begin, end, order.killers[ply, 0])
        bring_forward(order, begin, end, order.killers[ply, 1])


@helper
def killed(order: Order, ply: int, move: int) -> None:
    """Note a move that caused a cutoff."""
    if order.killers[ply, 0] != move:
        order.killers[ply, 1] = order.killers[ply, 0]
        order.killers[ply, 0] = move
