"""Rules of a person's own, looked at in the game that is asked for: `nimtui check` tries small ones only.

Where there is a table of all positions, `recheck` goes over every edge of it. Where a game is searched or played out
without one, `spot_check` looks closely at some random games. The rules of this program are not looked at: their tests
do that.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from time import monotonic

import numpy as np

from nimtui.errors import InputError
from nimtui.games import base
from nimtui.games.base import Board, State

MOVES = 2_000  # that are made and taken back, at most
SECONDS = 0.1  # in which that is done, or as much of it as can be
MOST_SHOWN = 12  # cells of a board in a message

_seen: set[tuple[object, ...]] = set()  # games that were looked at


def own(state: State) -> bool:
    """Are these rules a person's own?"""
    return not type(state).__module__.startswith("nimtui.")


def board_text(board: Iterable[int] | Board) -> str:
    """A board in a message: '[4, 17]'."""
    cells = [str(int(cell)) for cell in board]
    return f"[{', '.join(cells[:MOST_SHOWN])}{', …' if len(cells) > MOST_SHOWN else ''}]"


def spot_check(state: State) -> None:
    """Play random games from here, once for a game. InputError where a move is not taken back as it was made, or two
    positions have one index or one key.
    """
    if not own(state):
        return
    game = _game(state)
    if game not in _seen:
        _look(base.copy(state))
        _seen.add(game)


def _game(state: State) -> tuple[object, ...]:
    """What does not change while a game is played."""
    constants = (value for name, value in state._asdict().items() if name != "board")  # type: ignore[attr-defined]
    return (
        type(state),
        len(state.board),
        *(value.tobytes() if isinstance(value, np.ndarray) else repr(value) for value in constants),
    )


def _look(state: State) -> None:
    random, until = Random(0), monotonic() + SECONDS
    start = state.board.copy()
    numbers: dict[tuple[str, int], Board] = {}
    for _ in range(MOVES):
        if base.outcome(state) != base.GOING_ON:
            state.board[:] = start
        _tell_apart(state, numbers)
        move = random.choice(base.legal_moves(state))
        before = state.board.copy()
        base.play(state, move)
        after = state.board.copy()
        base.undo(state, move)
        if not np.array_equal(state.board, before):
            raise InputError(
                f"no answer for this game: undo after the move {move} from the board {board_text(before)} gives "
                f"{board_text(state.board)}"
            )
        state.board[:] = after
        if monotonic() > until:
            return


def _tell_apart(state: State, numbers: dict[tuple[str, int], Board]) -> None:
    """InputError where another board has this one's number."""
    positions, found = base.positions(state), {}
    if positions > 0:
        found["index"] = base.index(state)
        if not 0 <= found["index"] < positions:
            raise InputError(f"no answer for this game: a position has a number that is not below {positions:,}")
    if (key := base.key(state)) >= 0:
        found["key"] = key
    for what, number in found.items():
        other = numbers.setdefault((what, number), state.board.copy())
        if not np.array_equal(other, state.board):
            raise InputError(
                f"no answer for this game: by its rules the boards {board_text(other)} and"
                f" {board_text(state.board)} have one {what}, {number:,}"
            )
