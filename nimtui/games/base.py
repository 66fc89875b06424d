"""The interface of game rules: what any algorithm may ask of any game.

A game is a module. It defines a NamedTuple state and functions named as the words below. The state's first field,
`board`, is a 1-D int64 array with everything that changes during a game. The interpreter finds a game's own function
through the class of the state. `nimtui.engine.dispatch` makes Numba find the same function, so every algorithm is
written once and compiled for every game.

`size`, `legal`, `play`, `undo` and `outcome` are required. The other words have defaults built from these.

A game may end with a number instead of won, lost and drawn alone: then it defines `payoff` and `largest_payoff`, and
`outcome` of a finished position is the sign of its payoff: WON above 0, LOST below, DRAW at 0.

Only `board` may change, and only `play` and `undo` change it. All other fields, arrays too, are constants of the
configured game. A rule depends only on the state: it keeps no history, reads nothing mutable and draws no random
numbers. Data about earlier moves (a count of moves, the last move) is a number in `board`. Every game ends within
10,000 moves. `nimtui check` tests all of this.

The module also defines names and notation. These functions are never compiled, so they may use all of Python. An
invalid text raises InputError, with one line that says what would be right.

- `NAMES`: the words that start a game's name, in lowercase. `FORMS`: examples of names; the check plays these.
- `parse(word, fields)`: the start state; the name is split at its colons.
- `name(state)`: the canonical name of the configured game, which `parse` reads as the same game.
- `title(state)`: the name people use, then ` · ` and the goal [default: the name]. `IMPARTIAL`: True if both players
  always have the same moves.
- `OFFERS`: what lists of games offer, an `Offer` (`nimtui.games.offer`) for each family: label, rule in one line, sizes
  [default: the examples in FORMS, and the first sentence of the rules].
- `RULES`: the rules in two sentences, the goal first, at most 200 characters. `rules(state)`: the same, if they depend
  on the configured game [default: RULES].
- `PLAYERS`: of a game with payoffs, the names of the players of side 0 and 1 (`side`), as in ('MAX', 'MIN').
- `VERBS`: what a move does, now and in the past, before the move's name: ('eat', 'ate') for 'You ate b2.'
- `BOARD`: how the board is drawn [default: 'list', the legal moves by name]. 'rows': heaps of matches. 'runs': matches
  in rows, taken anywhere. 'heaps': heaps that split, of nimtui's own octal games; elsewhere as 'list'. 'columns':
  discs that fall down. 'grid': cells in up to 26 rows, with a cursor on a cell.
- `move_name(state, move)`: the move as people type it, unique among the legal moves [default: the code].
- `parse_move(state, text)`: the code of the move of this name [default: digits are the code].
- `position_name(state)`: the position as people type it [default: the board's numbers].
- `parse_position(state, text)`: a new board, 1-D int64, of the position of this name; `state` is the start. Without
  it only the start has a name.
- `cells(state)`: the board as rows of cells from the top, each a list of integers. Matches: 1 standing, 2 standing and
  blue, 0 gone. Discs: 0 empty, 1 the first player's, 2 the second's. A grid also: 3 a piece of neither player, 4 a
  poisoned piece, −1 no cell (any more); a larger number is shown as it is. None if the game has no picture.
- `touched(state, move)`: the cells that a legal move changes, as pairs of row and column in `cells` [default: found by
  playing the move on a copy].
- `square(state, move)`: of a grid, the cell where the cursor stands for a legal move, as (row, column) [default: move
  row × columns + column, if there are as many moves as cells; else the first cell that the move changes]. Several moves
  may share a cell: + and − choose among them.
- A constant `k` of a state on a grid or with columns: k marks in a row have won, and the board shows them.

What a learner with a function sees of a position are its inputs, small whole numbers: the compiled words `inputs`,
`input`, `changes` and `side`, and in Python

- `levels(state)`: how many values each input can have, from 0 [default: found by random games].
- `neighbours(state)`: for each input the inputs beside it, from which patterns are drawn [default: all others].
- `symmetries(state)`: permutations of the inputs, each a list in which place i has the input that input i becomes; a
  position and its image have the same value [default: none].
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from nimtui.errors import InputError
from nimtui.process.plugins import RAISED, fault_text, one_line

GOING_ON = 0
WON = 1  # by the player who just moved
LOST = -1
DRAW = 2  # a code, never summed: 0 in searches, half a win in scores
LARGEST = 1_000_000_000  # what `largest_payoff` may be: with its sign it fits into 32 bits

BOARDS = ("rows", "runs", "heaps", "columns", "grid", "list")  # what BOARD may be
OUTCOMES = (GOING_ON, WON, LOST, DRAW)
SILENT = ("play", "undo")  # words that return nothing

Board: TypeAlias = npt.NDArray[np.int64]
Move: TypeAlias = int


class State(Protocol):
    """What every game's NamedTuple has. All its other fields are constants of the configured game."""

    @property
    def board(self) -> Board: ...


@cache
def rule(kind: type, word: str) -> Callable[..., Any]:
    """Return the function of `word` for states of this class: the game's own, or the default."""
    own = getattr(sys.modules[kind.__module__], word, None)
    return own if own is not None else DEFAULTS[word]


@cache
def _checked(kind: type, word: str) -> Callable[..., Any]:
    """Return the function of `word` for the interpreter. A person's own game gets one that checks the answer."""
    function = rule(kind, word)
    if kind.__module__.startswith("nimtui.") or function is DEFAULTS.get(word):
        return function
    return _with_checks(function, kind, word)


def _with_checks(own: Callable[..., Any], kind: type, word: str) -> Callable[..., Any]:
    """Return the rule, wrapped: a fault in it or an invalid answer raises InputError with one line."""
    where = getattr(sys.modules[kind.__module__], "__file__", None) or kind.__module__

    def answer(state: State, *arguments: Any) -> Any:
        try:
            value = own(state, *arguments)
        except InputError:
            raise
        except RAISED as fault:
            raise InputError(f"the game file {where}: {word} raises {fault_text(fault)}") from fault
        if word in SILENT:
            return value
        if not isinstance(value, int | np.integer | np.bool_):
            raise InputError(f"the game file {where}: {word} gives {one_line(value)}, not a whole number")
        if word == "outcome" and value not in OUTCOMES:
            raise InputError(f"the game file {where}: outcome gives {value}, not 0, 1, -1 or 2")
        return value

    return answer


def size(state: State) -> int:
    """Return the number of move codes: moves are 0 … size − 1, the same in every position."""
    return _checked(type(state), "size")(state)  # type: ignore[no-any-return]


def legal(state: State, move: Move) -> bool:
    """Return whether this move is legal now."""
    return _checked(type(state), "legal")(state, move)  # type: ignore[no-any-return]


def play(state: State, move: Move) -> None:
    """Play a legal move: change `board` in place, and nothing else."""
    _checked(type(state), "play")(state, move)


def undo(state: State, move: Move) -> None:
    """Take back the last move: the exact inverse of `play`, derived numbers included."""
    _checked(type(state), "undo")(state, move)


def outcome(state: State) -> int:
    """Return GOING_ON (then a legal move exists), or WON, LOST or DRAW for the player who just moved."""
    return _checked(type(state), "outcome")(state)  # type: ignore[no-any-return]


def following(state: State, move: Move) -> Move:
    """Return the next legal move above this one, or −1 if there is none. From −1: the first legal move."""
    return _checked(type(state), "following")(state, move)  # type: ignore[no-any-return]


def count(state: State) -> int:
    """Return the number of legal moves."""
    return _checked(type(state), "count")(state)  # type: ignore[no-any-return]


def nth(state: State, i: int) -> Move:
    """Return the i-th legal move, from 0, in the order of `following`."""
    return _checked(type(state), "nth")(state, i)  # type: ignore[no-any-return]


def row(state: State, move: Move) -> int:
    """Return the row (or another group) of a move. Moves of one row have consecutive codes."""
    return _checked(type(state), "row")(state, move)  # type: ignore[no-any-return]


def casual(state: State, bits: int) -> Move:
    """Return a random move of a random row that has one, from 60 random bits.

    The low 30 bits choose the row, the high 30 the move. Uniform over all moves if the game has no rows.
    """
    return _checked(type(state), "casual")(state, bits)  # type: ignore[no-any-return]


def positions(state: State) -> int:
    """Return how many numbers `index` can return; 0 if the game has no index or its numbers exceed 63 bits.

    Each of these numbers takes some 350 bytes while all positions are solved, one that no position has as well.
    """
    return _checked(type(state), "positions")(state)  # type: ignore[no-any-return]


def index(state: State) -> int:
    """Return the position's number, 0 … positions − 1. Call it only if `positions` is not 0."""
    return _checked(type(state), "index")(state)  # type: ignore[no-any-return]


def key(state: State) -> int:
    """Return a number ≥ 0, unique to this position, for transposition tables; −1 if the game has none."""
    return _checked(type(state), "key")(state)  # type: ignore[no-any-return]


def evaluate(state: State) -> int:
    """Return a heuristic value for the player to move, well below the value of a win."""
    return _checked(type(state), "evaluate")(state)  # type: ignore[no-any-return]


def payoff(state: State) -> int:
    """Return what a finished game pays the player who just moved; the other player pays it [default: 0].

    Only of a game with payoffs (`largest_payoff`). Its sign is that of `outcome`.
    """
    return _checked(type(state), "payoff")(state)  # type: ignore[no-any-return]


def largest_payoff(state: State) -> int:
    """Return a number, the same in all positions, that no payoff exceeds; at most LARGEST.

    0, the default, means that the game has no payoffs: it ends won, lost or drawn.
    """
    return _checked(type(state), "largest_payoff")(state)  # type: ignore[no-any-return]


def inputs(state: State) -> int:
    """Return how many inputs a learner with a function sees, in all positions alike [default: the board's length]."""
    return _checked(type(state), "inputs")(state)  # type: ignore[no-any-return]


def input(state: State, i: int) -> int:
    """Return the value of input i, 0 … its levels − 1 [default: the board's number i]."""
    return _checked(type(state), "input")(state, i)  # type: ignore[no-any-return]


def changes(state: State, move: Move, i: int) -> int:
    """Return the i-th input, from 0, that this legal move may change; −1 after the last one [default: every input].

    The position is the one before the move.
    """
    return _checked(type(state), "changes")(state, move, i)  # type: ignore[no-any-return]


def side(state: State) -> int:
    """Return 0 or 1, the player to move, where the inputs do not say whose pieces are the mover's [default: 0]."""
    return _checked(type(state), "side")(state)  # type: ignore[no-any-return]


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


def _payoff(state: State) -> int:
    return 0


def _largest_payoff(state: State) -> int:
    return 0


def _inputs(state: State) -> int:
    return state.board.shape[0]  # type: ignore[no-any-return]


def _input(state: State, i: int) -> int:
    return state.board[i]  # type: ignore[no-any-return]


def _changes(state: State, move: Move, i: int) -> int:
    return i if i < inputs(state) else -1


def _side(state: State) -> int:
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
    payoff,
    largest_payoff,
    inputs,
    input,
    changes,
    side,
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
    "payoff": _payoff,
    "largest_payoff": _largest_payoff,
    "inputs": _inputs,
    "input": _input,
    "changes": _changes,
    "side": _side,
}


def restore(state: State, board: Board) -> None:
    """Copy a saved board into the state's board."""
    for i in range(board.shape[0]):
        state.board[i] = board[i]


def copy(state: State) -> State:
    """Return the same position on a new board."""
    return with_board(state, state.board.copy())


def with_board(state: State, board: Board) -> State:
    """Return the same game with another board (not copied)."""
    changed: State = state._replace(board=board)  # type: ignore[attr-defined]
    return changed


def legal_moves(state: State) -> list[Move]:
    """Return all legal moves in ascending order; none if the game is over."""
    if outcome(state) != GOING_ON:
        return []
    moves = []
    move = following(state, -1)
    while move >= 0:
        moves.append(int(move))
        move = following(state, move)
    return moves
