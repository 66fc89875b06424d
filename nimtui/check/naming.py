"""Check the names of moves and positions and the picture of the board: each name must lead back to its object."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any

import numpy as np

from nimtui.check.rules import Rules, value_text
from nimtui.check.trial import is_whole, own_code
from nimtui.errors import InputError
from nimtui.games import base
from nimtui.games.base import Board, State
from nimtui.games.game import are_verbs
from nimtui.games.notation import LETTERS
from nimtui.process.plugins import LONGEST

MOST_MOVES = 100  # per position
DECLARED = ("RULES", "rules", "VERBS", "BOARD")
PICTURE = ("cells", "touched", "square")
WRONG = ("", "?!", "999999999", "zz zz")  # may be refused or have a meaning, but must not raise anything else


def check_names(rules: Rules, boards: list[Board], seconds: float) -> None:
    """Check the names at these positions until the time is up, and at the first position in any case."""
    trial = rules.trial
    trial.tries(*DECLARED, "title", "move_name", "parse_move", "position_name", "parse_position", *PICTURE)
    with trial.noting():
        rules.in_time(partial(_title, rules))
    until = monotonic() + seconds
    faults = set(trial.broken)
    for number, board in enumerate(boards):
        if (number and monotonic() > until) or set(trial.broken) - faults:
            return
        with trial.noting():
            rules.in_time(partial(_at, rules, rules.fresh(board)))


def _title(rules: Rules) -> None:
    title = _text(rules, "title", None, rules.game.start)
    if len(title) > LONGEST:
        raise rules.broken("title", f"title returns {len(title):,} characters; {LONGEST} are allowed")
    _text(rules, "rules", None, rules.game.start)
    _declared(rules)
    text = getattr(rules.game.module, "RULES", "")
    if not isinstance(text, str) or len(text) > LONGEST:
        raise rules.broken("RULES", f"RULES must be a text of at most {LONGEST} characters, not {value_text(text)}")


def _declared(rules: Rules) -> None:
    """Raise Broken if the kind of board or the verbs are not what the interface of games allows."""
    module = rules.game.module
    kind, verbs = getattr(module, "BOARD", "list"), getattr(module, "VERBS", None)
    if kind not in base.BOARDS:
        raise rules.broken("BOARD", f"BOARD is {value_text(kind)}, not one of {', '.join(base.BOARDS)}")
    if kind != "list" and not hasattr(module, "cells"):
        raise rules.broken("BOARD", f"BOARD is '{kind}', so the game needs the function cells")
    if verbs is not None and not are_verbs(verbs):
        right = "a verb and its past, two lowercase words: ('take', 'took')"
        raise rules.broken("VERBS", f"VERBS is {value_text(verbs)}, not {right}")


def _at(rules: Rules, state: State) -> None:
    before = state.board.copy()
    moves = rules.answers(state).moves[:MOST_MOVES]
    _moves(rules, state, moves)
    _position(rules, state)
    _picture(rules, state, moves)
    if not np.array_equal(before, state.board):
        raise rules.broken("constants", "a name or picture changes the board", rules.fresh(before))
    rules.untouched("a name or picture", state)


def _own(rules: Rules, word: str, state: State | None, *given: Any) -> Any:
    """Return what the module's own function answers. Raise Broken if it raises anything but InputError."""
    rules.trial.at(word)
    rules.now = word
    at = state if word != "position_name" else None
    with own_code(word, lambda fault: rules.broken(word, f"{word} raises {fault}", at).example, passing=(InputError,)):
        return getattr(rules.game.module, word)(*given)


def _text(rules: Rules, word: str, state: State | None, *given: Any) -> str:
    """Return a name, which must be text; '' if the module does not define the function."""
    if not hasattr(rules.game.module, word):
        return ""
    name = _own(rules, word, state, *given)
    if not isinstance(name, str):
        raise rules.broken(word, f"{word} returns {value_text(name)}, not text")
    if not name.isprintable():
        raise rules.broken(word, f"{word} returns {value_text(name)}, which is not one line of printable characters")
    return name


def _moves(rules: Rules, state: State, moves: tuple[int, ...]) -> None:
    module = rules.game.module
    called: dict[str, int] = {}
    for move in moves:
        name = str(move)
        if hasattr(module, "move_name"):
            name = _text(rules, "move_name", state, state, move)
        if called.setdefault(name, move) != move:
            raise rules.broken("move_name", f"moves {called[name]} and {move} are both called {name}", state)
    for name, move in called.items() if hasattr(module, "parse_move") or hasattr(module, "move_name") else ():
        _read_back(rules, state, move, name)
    for text in WRONG if moves and hasattr(module, "parse_move") else ():
        _refused(rules, "parse_move", state, text, lambda text=text: rules.game.parse_move(text, state))


def _read_back(rules: Rules, state: State, move: int, name: str) -> None:
    """Raise Broken if a move's name does not parse to that move."""
    word = "parse_move" if hasattr(rules.game.module, "parse_move") else "move_name"
    try:
        again = rules.game.parse_move(name, state)
    except InputError as fault:
        raise rules.broken(word, f"move {move} is called {name}, which {word} refuses: {fault}") from None
    if again != move:
        raise rules.broken(word, f"move {move} is called {name}, which {word} reads as {again}", state)


def _position(rules: Rules, state: State) -> None:
    module = rules.game.module
    name = rules.game.position_name(state)
    if hasattr(module, "position_name"):
        name = _text(rules, "position_name", state, state)
    if not hasattr(module, "parse_position"):
        return
    word = "parse_position"
    try:
        board = _own(rules, word, state, rules.game.start, name.strip())
    except InputError as fault:
        raise rules.broken(word, f"{word} refuses {name}, the name of a position: {fault}") from None
    if not isinstance(board, np.ndarray) or board.dtype != np.int64 or board.shape != state.board.shape:
        raise rules.broken(word, f"{word} returns {value_text(board)} for {name}, not an array like the board")
    if any(np.shares_memory(board, own) for own in rules.arrays):
        raise rules.broken(word, f"{word} returns the start's own array for {name}: return a new one")
    if not np.array_equal(board, state.board):
        again = rules.position(rules.fresh(board))
        if again == name:
            again = f"the board {value_text(board.tolist())}, not {value_text(state.board.tolist())}"
        raise rules.broken(word, f"position {name} is read as {again}")
    for text in WRONG:
        _refused(rules, word, state, text, lambda text=text: rules.game.parse_position(text))


def _refused(rules: Rules, word: str, state: State, text: str, read: Any) -> None:
    """Raise Broken if a text causes anything but a value or an InputError."""

    def example(fault: str) -> str:
        return rules.broken(word, f"{word} raises {fault} for '{text}'", state).example

    with suppress(InputError), own_code(word, example, passing=(InputError,)):
        read()


def _picture(rules: Rules, state: State, moves: tuple[int, ...]) -> None:
    module = rules.game.module
    if not hasattr(module, "cells"):
        return
    cells = _own(rules, "cells", state, state)
    if not _is_grid(cells) or not _accepted(rules.game.cells, state):
        raise rules.broken("cells", f"cells returns {value_text(cells)}, not a list of lists of whole numbers", state)
    if rules.game.board_kind == "grid":
        _grid(rules, state, moves, cells)
    for move in moves if hasattr(module, "touched") and cells is not None else ():
        touched = _own(rules, "touched", state, state, move)
        if not _in_grid(touched, cells) or not _accepted(rules.game.touched, state, move):
            returns = f"touched returns {value_text(touched)} for move {rules.move(move, state)}"
            raise rules.broken("touched", f"{returns}, not pairs (row, column) on the board", state)


def _grid(rules: Rules, state: State, moves: tuple[int, ...], cells: Any) -> None:
    """Raise Broken unless the picture is a grid of at most 26 rows, and each move has a cell of it for the cursor."""
    if not cells or not 1 <= len(cells) <= len(LETTERS) or len(set(map(len, cells))) != 1 or not cells[0]:
        right = f"a grid has 1 to {len(LETTERS)} rows of the same length"
        raise rules.broken("cells", f"{right}, but cells returns {value_text(cells)}", state)
    for move in moves:
        if hasattr(rules.game.module, "square"):
            _own(rules, "square", state, state, move)
        try:
            square = rules.game.square(state, move)
        except InputError:
            square = None
        if square is None or not _in_grid([square], cells):
            lacks = "has no cell (row, column) on the board, where a cursor could stand"
            raise rules.broken("square", f"move {rules.move(move, state)} {lacks}", state)


def _accepted(ask: Any, *given: Any) -> bool:
    """Return whether the program itself accepts the answer."""
    try:
        ask(*given)
    except InputError:
        return False
    return True


def _is_grid(cells: Any) -> bool:
    if cells is None:
        return True
    return isinstance(cells, list | tuple) and all(isinstance(row, list) and all(map(is_whole, row)) for row in cells)


def _in_grid(touched: Any, cells: Any) -> bool:
    if not isinstance(touched, list | tuple):
        return False
    for place in touched:
        if not (isinstance(place, tuple) and len(place) == 2 and all(map(is_whole, place))):
            return False
        if not (0 <= place[0] < len(cells) and 0 <= place[1] < len(cells[place[0]])):
            return False
    return True
