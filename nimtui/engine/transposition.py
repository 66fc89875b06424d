"""The transposition table: what a search found out about positions, to be used where they come up again.

One entry a slot; the newer one stays. It tells how many plies were searched below its position, the exact value or a
bound, and the best move. An answer is taken from an entry of exactly the depth that is asked for, or of less where all
games below ended sooner, so that a table saves nodes and never changes a value. Values of decided games count the
plies from the position itself, not from the root, so that they hold wherever it comes up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.engine.jit import helper
from nimtui.engine.windows import DECIDED, EXACT, LOWER, UPPER, slots

TO_THE_END = 0x7FFF  # the depth of entries that saw every game to its end
NOTHING = -(1 << 31)  # no answer
GUESSED = 4  # added to the bound of a value that rests on a heuristic


class Table(NamedTuple):
    """Slots, a power of two of them."""

    key: npt.NDArray[np.int64]  # −1: empty
    value: npt.NDArray[np.int32]
    depth: npt.NDArray[np.int16]  # plies searched below, or TO_THE_END
    move: npt.NDArray[np.int32]  # the best one
    bound: npt.NDArray[np.int8]  # EXACT, LOWER or UPPER, and perhaps GUESSED


def table(entries: int) -> Table:
    """An empty table of `slots(entries)` slots."""
    n = slots(entries)
    value, depth, move, bound = (
        np.zeros(n, np.int32),
        np.zeros(n, np.int16),
        np.zeros(n, np.int32),
        np.zeros(n, np.int8),
    )
    return Table(np.full(n, -1, np.int64), value, depth, move, bound)


@helper
def slot_of(table: Table, key: int) -> int:
    """Where a position is kept. Neighbouring keys are spread; nothing exceeds 63 bits."""
    mixed = ((key ^ (key >> 32)) & 0x7FFFFFFF) * 0x45D9F3B
    mixed ^= (mixed >> 23) ^ (key >> 31)
    return mixed & (table.key.shape[0] - 1)


@helper
def remembered(table: Table, key: int) -> int:
    """The best move known of a position, whatever the depth; −1 where none is."""
    slot = slot_of(table, key)
    if key >= 0 and table.key[slot] == key:
        return np.int64(table.move[slot])  # type: ignore[return-value]
    return -1


@helper
def answer(table: Table, key: int, depth: int, alpha: int, beta: int, plies: int) -> tuple[int, bool]:
    """The value of a position, or a bound outside the window, and whether it is guessed; NOTHING where none is known.

    `plies` is by how much a decided value at this node is nearer to zero.
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
    """Keep what a search of a position with this window returned."""
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
