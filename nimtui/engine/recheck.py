"""Rules of a person's own, gone over on every edge of a graph: a wrong `undo` or `index` gives no answer at all.

`nimtui check` tries small games; this looks at the game that is asked for, before anything is said of it. The rules of
this program are not looked at: their tests do that.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nimtui.engine import dispatch  # noqa: F401 - lets kernels find the rules
from nimtui.engine.jit import kernel
from nimtui.engine.own_rules import board_text
from nimtui.engine.pace import in_chunks
from nimtui.errors import InputError
from nimtui.games.base import State, following, index, outcome, play, restore, undo
from nimtui.progress import Progress

CHUNK = 20_000  # positions in one call of the kernel, at first
SAME_NUMBER, NOT_UNDONE = 1, 2  # what can be wrong


@kernel
def differ(
    state: State,
    boards: npt.NDArray[np.int64],
    node_of: npt.NDArray[np.int32],
    wrong: npt.NDArray[np.int64],
    first: int,
    last: int,
) -> None:
    """Look at the moves of the nodes first … last − 1, unless something is wrong already.

    `wrong` [3] is what the first fault is, its node, and its move; 0 where there is none. The state is left as it was
    found to be wrong.
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
    """InputError where `undo` does not undo a move, or two positions have the same number. Changes the state."""
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
        raise InputError(
            f"no table for this game: by its rules the boards {one} and {other} have one index, {number:,}"
        )
    if kind == NOT_UNDONE:
        before, after = board_text(boards[node]), board_text(state.board)
        raise InputError(f"no table for this game: undo after the move {move} from the board {before} gives {after}")
