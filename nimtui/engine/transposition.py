"""The transposition table: results of a search about positions, for reuse when the positions come up again.

A slot holds one entry; the newer one replaces the older. It stores how many plies were searched below its position, the
exact value or a bound, and the best move. An entry answers only for exactly the requested depth, or for less if all
games below ended sooner. So a table saves nodes and never changes a value. Values of decided games count the plies from
the position itself, not from the root, so that they hold wherever the position comes up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.engine.jit import helper
from nimtui.engine.windows import DECIDED, EXACT, LOWER, UPPER, slots

TO_THE_END = 0x7FFF  # the depth of entries that searched every game to its end
NOTHING = -(1 << 31)  # no answer
BLOCK = 1 << 20  # slots counted at once
GUESSED = 4  # added to the bound of a value that rests on a heuristic


class Table(NamedTuple):
    """Slots; their number is a power of two."""

    key: npt.NDArray[np.int64]  # −1: empty
    value: npt.NDArray[np.int32]
    depth: npt.NDArray[np.int16]  # plies searched below, or TO_THE_END
    move: npt.NDArray[np.int32]  # the best move
    bound: npt.NDArray[np.int8]  # EXACT, LOWER or UPPER, optionally plus GUESSED


def table(entries: int) -> Table:
    """Return an empty table of `slots(entries)` slots."""
    n = slots(entries)
    value, depth, move, bound = (
        np.zeros(n, np.int32),
        np.zeros(n, np.int16),
        np.zeros(n, np.int32),
        np.zeros(n, np.int8),
    )
    return Table(np.full(n, -1, np.int64), value, depth, move, bound)


def used(table: Table) -> int:
    """Return how many slots hold an entry."""
    return sum(int(np.count_nonzero(table.key[at : at + BLOCK] >= 0)) for at in range(0, len(table.key), BLOCK))


@helper
def slot_of(table: Table, key: int) -> int:
    """Return the slot of a position. Neighbouring keys are spread; nothing exceeds 63 bits."""
    mixed = ((key ^ (key >> 32)) & 0x7FFFFFFF) * 0x45D9F3B
    mixed ^= (mixed >> 23) ^ (key >> 31)
    return mixed & (table.key.shape[0] - 1)


@helper
def remembered(table: Table, key: int) -> int:
    """Return the best move known for a position, at any depth, or −1."""
    slot = slot_of(table, key)
    if key >= 0 and table.key[slot] == key:
        return np.int64(table.move[slot])  # type: ignore[return-value]
    return -1


@helper
def answer(table: Table, key: int, depth: int, alpha: int, beta: int, plies: int) -> tuple[int, bool]:
    """Return a position's value, or a bound outside the window, and whether it is guessed; NOTHING if none is known.

    `plies` is how much closer to zero a decided value is at this node.
    """
    slot = slot_of(table, key)
    if key < 0 or table.key[slot] != key:
        return NOTHING, False
    bound = np.int64(table.bound[slot])
    guessed = bound >= GUESSED
    if table.depth[slot] != depth and (guessed or table.depth[slot] > depth):
        return NOTHING, False
    bound &= GUESSED - 1
    value = np.int64(table.value[slot])
    if value > DECIDED:
        value -= plies
    elif value < -DECIDED:
        value += plies
    if bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha):
        return value, guessed  # type: ignore[return-value]
    return NOTHING, False


@helper
def keep(
    table: Table,
    key: int,
    depth: int,
    alpha: int,
    beta: int,
    plies: int,
    value: int,
    guessed: bool,
    move: int,
) -> None:
    """Store what a search of a position with this window returned."""
    if key < 0:
        return
    slot = slot_of(table, key)
    bound = EXACT
    if value >= beta:
        bound = LOWER
    elif value <= alpha:
        bound = UPPER
    if value > DECIDED:
        value += plies
    elif value < -DECIDED:
        value -= plies
    table.key[slot] = key
    table.value[slot] = value
    table.depth[slot] = depth
    table.move[slot] = move
    table.bound[slot] = bound + GUESSED * guessed
