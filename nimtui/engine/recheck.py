"""Check a person's own rules on every edge of a graph, so that a wrong `undo` or `index` stops with an error.

`nimtui check` tests small games; this checks the requested game before any result is shown. Built-in rules are not
checked here: their tests do that.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nimtui.engine import dispatch  # noqa: F401 - lets kernels find the rules
from nimtui.engine.jit import paced_kernel
from nimtui.engine.own_rules import board_text
from nimtui.engine.pace import in_chunks
from nimtui.errors import InputError
from nimtui.games.base import State, following, index, outcome, play, restore, undo
from nimtui.progress import Progress

CHUNK = 20_000  # positions per kernel call, at first
SAME_NUMBER, NOT_UNDONE = 1, 2  # kinds of faults


@paced_kernel
def differ(
    state: State,
    boards: npt.NDArray[np.int64],
    node_of: npt.NDArray[np.int32],
    wrong: npt.NDArray[np.int64],
    first: int,
    last: int,
) -> None:
    """Check the moves of the nodes first … last − 1, unless a fault was found already.

    `wrong` [3] is the kind of the first fault, its node and its move, or 0. The state stays where the fault was found.
    """
    if wrong[0] != 0:
        return
    width = boards.shape[1]
    for node in range(first, last):
        restore(state, boards[node])
        move = following(state, -1)
        while move >= 0:
            play(state, move)
            if outcome(state) == 0:
                other = node_of[index(state)]
                for i in range(width):
                    if boards[other, i] != state.board[i]:
                        wrong[0], wrong[1], wrong[2] = SAME_NUMBER, node, move
                        return
            undo(state, move)
            for i in range(width):
                if boards[node, i] != state.board[i]:
                    wrong[0], wrong[1], wrong[2] = NOT_UNDONE, node, move
                    return
            move = following(state, move)


def recheck(
    state: State, boards: npt.NDArray[np.int64], node_of: npt.NDArray[np.int32], progress: Progress, what: str
) -> None:
    """Raise InputError if `undo` does not undo a move, or two positions share an index. Changes the state."""
    wrong = np.zeros(3, np.int64)
    in_chunks(
        (differ, type(state)),
        lambda first, last: differ(state, boards, node_of, wrong, first, last),
        len(boards),
        progress,
        what,
        CHUNK,
    )
    kind, node, move = wrong.tolist()
    if kind == SAME_NUMBER:
        number = int(index(state))
        one, other = board_text(boards[node_of[number]]), board_text(state.board)
        raise InputError(f"no table for this game: the boards {one} and {other} have the same index, {number:,}")
    if kind == NOT_UNDONE:
        before, after = board_text(boards[node]), board_text(state.board)
        raise InputError(f"no table for this game: undo after the move {move} from the board {before} gives {after}")
