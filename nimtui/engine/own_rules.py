"""Check a person's own rules in the requested game: `nimtui check` tests only small games.

With a table of all positions, `recheck` checks every edge. In a game that is searched or played out without a table,
`spot_check` checks some random games. Built-in rules are not checked here: their tests do that.
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
SECONDS = 0.1  # time limit
MOST_SHOWN = 12  # cells of a board in a message

_seen: set[tuple[object, ...]] = set()  # games that were checked


def own(state: State) -> bool:
    """Return whether these rules are a person's own."""
    return not type(state).__module__.startswith("nimtui.")


def board_text(board: Iterable[int] | Board) -> str:
    """Return a board as text for a message: '[4, 17]'."""
    cells = [str(int(cell)) for cell in board]
    return f"[{', '.join(cells[:MOST_SHOWN])}{', …' if len(cells) > MOST_SHOWN else ''}]"


def spot_check(state: State) -> None:
    """Play random games from here, once per game. Raise InputError if `undo` does not restore a board, or two positions
    share an index or a key.
    """
    if not own(state):
        return
    game = _game(state)
    if game not in _seen:
        _look(base.copy(state))
        _seen.add(game)


def _game(state: State) -> tuple[object, ...]:
    """Return everything that identifies a game: its class and its constants."""
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
        if not (moves := base.legal_moves(state)):
            raise InputError(
                f"no answer for this game: the board {board_text(state.board)} has no legal move, but outcome gives 0"
            )
        move = random.choice(moves)
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
    """Raise InputError if another board has this one's index or key, or the index is out of range."""
    positions, own = base.positions(state), {}
    if positions > 0:
        own["index"] = base.index(state)
        if not 0 <= own["index"] < positions:
            raise InputError(f"no answer for this game: index returns a number outside 0 … {positions - 1:,}")
    if (key := base.key(state)) >= 0:
        own["key"] = key
    for what, number in own.items():
        other = numbers.setdefault((what, number), state.board.copy())
        if not np.array_equal(other, state.board):
            raise InputError(
                f"no answer for this game: the boards {board_text(other)} and"
                f" {board_text(state.board)} have the same {what}, {number:,}"
            )
