"""The vocabulary of rules: what any algorithm may ask of any game.

A game is a module. It holds a NamedTuple state, whose first field `board` is a 1-D int64 array with all that
changes during a game, and beside it functions named as the words below. The interpreter finds a game's own function
through the class of the state; `nimtui.engine.dispatch` lets Numba find the very same function, so that every
algorithm is written once and compiled for every game.

Required are `size`, `legal`, `play`, `undo` and `outcome`. The others have a default made from these.

Only `board` may change, and only `play` and `undo` change it. All other fields, arrays too, are constants of the
configured game. A rule depends on the state alone: it keeps no history, reads nothing that changes, draws nothing at
random. What depends on earlier moves (a count of moves, the last move) is a number in `board`. Every game ends, within
10,000 moves. `nimtui check` tries all of this.

The module says besides what things are called. These functions are never compiled, so they may use all of Python; a
text that means nothing raises InputError, with one line that says what would be right.

- `NAMES`: the words that names of games begin with, in lowercase. `FORMS`: examples of names; the check plays these.
- `parse(word, fields)`: the state at the start; the name is split at its colons.
- `name(state)`: the one canonical name of the configured game, which `parse` reads as the same game.
- `title(state)`: what people call it; the name if left out. `IMPARTIAL`: True if both players always have the same
  moves. `BOARD`: how the board is drawn, 'rows', 'runs', 'columns' or 'list'.
- `move_name(state, move)`: the move as people type it, no two legal moves of a position alike; the code if left out.
- `parse_move(state, text)`: the code of the move of this name; digits are the code if left out.
- `position_name(state)`: the position as people type it; the board's numbers if left out.
- `parse_position(state, text)`: a new board, 1-D int64, of the position of this name; `state` is the start. If left
  out, no position but the start can be named.
- `cells(state)`: the board as rows of cells from the top, each a list of whole numbers: matches 1 standing, 0 gone;
  discs 0 empty, 1 the first player's, 2 the second's. None where the game has no picture.
- `touched(state, move)`: the cells, as pairs of row and column in `cells`, that a legal move changes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from nimtui.errors import InputError
from nimtui.plugins import fault_text, one_line

GOING_ON = 0
WON = 1  # … by the player who has just moved
LOST = -1
DRAW = 2  # never added to anything: worth 0 in search, half a win in counts of points

OUTCOMES = (GOING_ON, WON, LOST, DRAW)
SILENT = ("play", "undo")  # words that answer nothing

Board: TypeAlias = npt.NDArray[np.int64]
Move: TypeAlias = int


class State(Protocol):
    """What every game's NamedTuple has; all its other fields are constants of the configured game."""

    @property
    def board(self) -> Board: ...


@cache
def rule(kind: type, word: str) -> Callable[..., Any]:
    """The function that answers `word` for states of this class: the game's own, or the default."""
    own = getattr(sys.modules[kind.__module__], word, None)
    return own if own is not None else DEFAULTS[word]


@cache
def _asked(kind: type, word: str) -> Callable[..., Any]:
    """The function that answers `word` to the interpreter: of a person's own game, one that looks at the answer."""
    found = rule(kind, word)
    if kind.__module__.startswith("nimtui.") or found is DEFAULTS.get(word):
        return found
    return _looked_at(found, kind, word)


def _looked_at(own: Callable[..., Any], kind: type, word: str) -> Callable[..., Any]:
    """The rule as it is, but that a fault in it, and what is no answer, raise InputError with one line."""
    where = getattr(sys.modules[kind.__module__], "__file__", None) or kind.__module__

    def answer(state: State, *given: Any) -> Any:
        try:
            found = own(state, *given)
        except InputError:
            raise
        except (Exception, SystemExit) as fault:
            raise InputError(f"the game file {where}: {word} raises {fault_text(fault)}") from fault
        if word in SILENT:
            return found
        if not isinstance(found, int | np.integer | np.bool_):
            raise InputError(f"the game file {where}: {word} gives {one_line(found)}, not a whole number")
        if word == "outcome" and found not in OUTCOMES:
            raise InputError(f"the game file {where}: outcome gives {found}, not 0, 1, -1 or 2")
        return found

    return answer


def size(state: State) -> int:
    """The number of move codes: moves are 0 … size − 1, the same in every position."""
    return _asked(type(state), "size")(state)  # type: ignore[no-any-return]


def legal(state: State, move: Move) -> bool:
    """May this move be played now?"""
    return _asked(type(state), "legal")(state, move)  # type: ignore[no-any-return]


def play(state: State, move: Move) -> None:
    """Play a legal move: changes `board` in place, and nothing else."""
    _asked(type(state), "play")(state, move)


def undo(state: State, move: Move) -> None:
    """Take back the move played last: the exact inverse of `play`, derived numbers included."""
    _asked(type(state), "undo")(state, move)


def outcome(state: State) -> int:
    """GOING_ON (then a legal move exists), or WON, LOST, DRAW for the player who has just moved."""
    return _asked(type(state), "outcome")(state)  # type: ignore[no-any-return]


def following(state: State, move: Move) -> Move:
    """The next legal move above this one, −1 if there is none; from −1 the first."""
    return _asked(type(state), "following")(state, move)  # type: ignore[no-any-return]


def count(state: State) -> int:
    """The number of legal moves."""
    return _asked(type(state), "count")(state)  # type: ignore[no-any-return]


def nth(state: State, i: int) -> Move:
    """The i-th legal move, from 0, in the order of `following`."""
    return _asked(type(state), "nth")(state, i)  # type: ignore[no-any-return]


def row(state: State, move: Move) -> int:
    """The row (or another group) a move belongs to; moves of one row have neighbouring codes."""
    return _asked(type(state), "row")(state, move)  # type: ignore[no-any-return]


def casual(state: State, bits: int) -> Move:
    """A random row that has a move, then a random move in it, from 60 random bits.

    The low 30 bits choose the row, the high 30 the move. Uniform over all moves where rows are not told apart.
    """
    return _asked(type(state), "casual")(state, bits)  # type: ignore[no-any-return]


def positions(state: State) -> int:
    """How many numbers `index` can give; 0 where the game has no index or its numbers exceed 63 bits."""
    return _asked(type(state), "positions")(state)  # type: ignore[no-any-return]


def index(state: State) -> int:
    """The position's number, 0 … positions − 1. Ask only where `positions` is not 0."""
    return _asked(type(state), "index")(state)  # type: ignore[no-any-return]


def key(state: State) -> int:
    """A number ≥ 0 that no other position of this game has, for transposition tables; −1 where there is none."""
    return _asked(type(state), "key")(state)  # type: ignore[no-any-return]


def evaluate(state: State) -> int:
    """A heuristic from the view of the player to move, well inside ± a win."""
    return _asked(type(state), "evaluate")(state)  # type: ignore[no-any-return]


def _following(state: State, move: Move) -> Move:
    move += 1
    while move < size(state):
        if legal(state, move):
            return move
        move += 1
    return -1


def _count(state: State) -> int:
    n = 0
    move = following(state, -1)
    while move >= 0:
        n += 1
        move = following(state, move)
    return n


def _nth(state: State, i: int) -> Move:
    move = following(state, -1)
    for _ in range(i):
        move = following(state, move)
    return move


def _row(state: State, move: Move) -> int:
    return 0


def _casual(state: State, bits: int) -> Move:
    return nth(state, ((bits >> 30) * count(state)) >> 30)


def _positions(state: State) -> int:
    return 0


def _index(state: State) -> int:
    return -1


def _key(state: State) -> int:
    if positions(state) > 0:
        return index(state)
    return -1


def _evaluate(state: State) -> int:
    return 0


WORDS = (
    size,
    legal,
    play,
    undo,
    outcome,
    following,
    count,
    nth,
    row,
    casual,
    positions,
    index,
    key,
    evaluate,
)
REQUIRED = ("size", "legal", "play", "undo", "outcome")
DEFAULTS: dict[str, Callable[..., Any]] = {
    "following": _following,
    "count": _count,
    "nth": _nth,
    "row": _row,
    "casual": _casual,
    "positions": _positions,
    "index": _index,
    "key": _key,
    "evaluate": _evaluate,
}


def restore(state: State, board: Board) -> None:
    """Set the state's board to a saved one."""
    for i in range(board.shape[0]):
        state.board[i] = board[i]


def copy(state: State) -> State:
    """The same position on a board of its own."""
    return with_board(state, state.board.copy())


def with_board(state: State, board: Board) -> State:
    """The same game at another board (not copied)."""
    changed: State = state._replace(board=board)  # type: ignore[attr-defined]
    return changed


def legal_moves(state: State) -> list[Move]:
    """All legal moves in ascending order; none where the game is over."""
    if outcome(state) != GOING_ON:
        return []
    moves = []
    move = following(state, -1)
    while move >= 0:
        moves.append(int(move))
        move = following(state, move)
    return moves
