"""A configured game: its name, and its moves and positions as text. All code above the rules uses this.

A `Record` holds the moves of one game, with undo and redo.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from types import ModuleType
from typing import Any

import numpy as np

from nimtui.errors import InputError, reading, shortened
from nimtui.games import base
from nimtui.games.base import Board, Move, State
from nimtui.process.plugins import LONGEST, RAISED, are, fault_text, is_word


def is_board(value: object) -> bool:
    """Return whether this is a valid board: a 1-D int64 array."""
    return isinstance(value, np.ndarray) and value.dtype == np.int64 and value.ndim == 1


def are_verbs(value: object) -> bool:
    """Return whether this is what VERBS may be: a verb and its past, two lowercase words."""
    return isinstance(value, tuple) and len(value) == 2 and are(value, is_word)


class Game:
    """One game with its starting position. Games with the same canonical name are equal.

    `start` never changes: `new` returns states to play on. `first` is the position that play starts from.
    """

    def __init__(self, module: ModuleType, start: State, first: State | None = None) -> None:
        self.module = module
        self.start = start
        self.first = first or start

    @cached_property
    def name(self) -> str:
        """The canonical name, which parses to an equal game."""
        return str(self._own("name", self.start))

    @property
    def whole_name(self) -> str:
        """The name with all that it stands for, which also another program or home can read."""
        return str(self._ask("whole_name", self.start, default=self.name))

    @cached_property
    def title(self) -> str:
        """The name people use, and who wins: 'Tower of 16 · the last match wins'."""
        return str(self._ask("title", self.start, default=self.name))

    @property
    def called(self) -> str:
        """The name people use, without the goal but for misère."""
        return self.title.partition(" · ")[0] + ", misère" * self.name.endswith(":misere")

    @cached_property
    def size(self) -> int:
        """The number of move codes."""
        return int(base.size(self.start))

    @cached_property
    def positions(self) -> int:
        """The number of position numbers, terminal ones included; 0 if positions have no numbers."""
        return int(base.positions(self.start))

    @cached_property
    def pays(self) -> bool:
        """Whether games end with a number (`base.payoff`), not only won, lost or drawn."""
        return int(base.largest_payoff(self.start)) > 0

    @property
    def players(self) -> tuple[str, str] | None:
        """The names of the players of side 0 and 1 (`base.side`), as in ('MAX', 'MIN'); None if they have none."""
        names = getattr(self.module, "PLAYERS", None)
        return names if isinstance(names, tuple) and len(names) == 2 else None

    @property
    def board_kind(self) -> str:
        """How the board is drawn, one of `base.BOARDS`: 'rows' of matches, 'columns' with discs, a 'list' …"""
        kind = str(getattr(self.module, "BOARD", "list"))
        if kind == "heaps" and not self.module.__name__.startswith("nimtui."):
            return "list"  # the cursor on heaps reads the state of octal games
        return kind if kind in base.BOARDS and hasattr(self.module, "cells") else "list"

    @property
    def rules(self) -> str:
        """The rules in two sentences, in one line; '' if the game does not tell them."""
        text = self._ask("rules", self.start, default=getattr(self.module, "RULES", ""))
        return " ".join(text.split())[:LONGEST] if isinstance(text, str) else ""

    @property
    def verbs(self) -> tuple[str, str] | None:
        """What a move does, now and in the past: ('take', 'took'); None if the game does not say."""
        verbs = getattr(self.module, "VERBS", None)
        return verbs if are_verbs(verbs) else None

    @property
    def impartial(self) -> bool:
        """Whether both players have the same moves in every position, and no payoffs. Only then Grundy values exist."""
        return bool(getattr(self.module, "IMPARTIAL", False)) and not self.pays

    def new(self, position: str | None = None) -> State:
        """Return a state to play on: the start, or the named position. Raises InputError if it is invalid."""
        if position is None:
            return base.copy(self.start)
        return base.with_board(self.start, self.parse_position(position))

    def beginning(self, position: str | None) -> Game:
        """Return the game played from a position: agents solve only what follows. Raises InputError if invalid."""
        return Game(self.module, self.start, self.new(position))

    def at(self, board: Board) -> State:
        """Return a state to play on, with a copy of this board."""
        return base.with_board(self.start, board.copy())

    def move_name(self, move: Move, state: State | None = None) -> str:
        """Return the move as people type it: 'c3'."""
        return str(self._ask("move_name", state or self.start, move, default=str(move)))

    def line_names(self, line: Iterable[Move], state: State) -> list[str]:
        """Return the names of moves that are played one after the other from this position."""
        at, names = base.copy(state), []
        for move in line:
            names.append(self.move_name(move, at))
            base.play(at, move)
        return names

    def parse_move(self, text: str, state: State) -> Move:
        """Return the legal move that this text means here. Raises InputError with the reason if there is none."""
        text = text.strip()
        if base.outcome(state) != base.GOING_ON:
            raise InputError("the game is over: no moves are left")
        if hasattr(self.module, "parse_move"):
            with reading(text, self.move_name(base.nth(state, 0), state)):
                move = int(self._own("parse_move", state, text))
        else:
            move = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
        if not 0 <= move < self.size or not base.legal(state, move):
            moves = [self.move_name(move, state) for move in base.legal_moves(state)]
            examples = ", ".join(moves[:12]) + (", …" if len(moves) > 12 else "")
            raise InputError(f"illegal move '{shortened(text)}'. Legal moves: {examples}")
        return move

    def position_name(self, state: State) -> str:
        """Return the position as people type it: '1,3,0,7'."""
        plain = ",".join(str(number) for number in state.board)
        return str(self._ask("position_name", state, default=plain))

    def parse_position(self, text: str) -> Board:
        """Return the board of a named position. Raises InputError with the reason if it is invalid."""
        if not hasattr(self.module, "parse_position"):
            if text.strip() == self.position_name(self.start):
                return self.start.board.copy()
            raise InputError(f"positions of {self.name} have no names: only its start is allowed")
        with reading(text, self.position_name(self.start)):
            board: Board = self.module.parse_position(self.start, text.strip())
        if not is_board(board) or board.shape != self.start.board.shape:
            right = f"gives no board of {len(self.start.board)} numbers"
            raise self._fault("parse_position", f"{right} for '{shortened(text)}'")
        return board

    def cells(self, state: State) -> list[list[int]] | None:
        """Return the board as rows of cells, from the top; None if the game has no picture.

        `nimtui.games.base` says what a cell's number means on each kind of board.
        """
        cells: list[list[int]] | None = self._ask("cells", state, default=None)
        if cells is not None and not (isinstance(cells, list | tuple) and all(isinstance(row, list) for row in cells)):
            raise self._fault("cells", "gives no rows of cells")
        return cells

    def touched(self, state: State, move: Move) -> list[tuple[int, int]]:
        """Return the cells (row, column) that a legal move changes; none if the game has no picture."""
        if not hasattr(self.module, "touched"):
            return self._changed(state, move)
        touched: list[tuple[int, int]] = self._own("touched", state, move)
        if not (isinstance(touched, list | tuple) and all(isinstance(one, tuple) and len(one) == 2 for one in touched)):
            raise self._fault("touched", "gives no cells")
        return touched

    def _changed(self, state: State, move: Move) -> list[tuple[int, int]]:
        """Return the cells that differ after the move, found by playing it on a copy."""
        before = self.cells(state)
        after = None if before is None else self.cells(self.after(state, move))
        if before is None or after is None:
            return []
        return [
            (row, column)
            for row, (old, new) in enumerate(zip(before, after, strict=False))
            for column, (was, now) in enumerate(zip(old, new, strict=False))
            if was != now
        ]

    def sight(self, word: str) -> list[Any] | None:
        """Return what the game says of its inputs: `levels`, `neighbours`, `symmetries`, `stacks`; None if it does not.

        Raises InputError if its function gives no list.
        """
        value = self._ask(word, self.start, default=None)
        if value is not None and not isinstance(value, list | tuple):
            raise self._fault(word, "gives no list")
        return None if value is None else list(value)

    def after(self, state: State, move: Move) -> State:
        """Return the position after a legal move, on a new board."""
        after = base.copy(state)
        base.play(after, move)
        return after

    def square(self, state: State, move: Move) -> tuple[int, int] | None:
        """Return the cell (row, column) where a cursor stands for a legal move; None if the game has no picture.

        If the game does not say: the cell of this number, row by row, if there are as many moves as cells; else the
        first cell that the move changes.
        """
        if hasattr(self.module, "square"):
            cell = self._own("square", state, move)
            if not (isinstance(cell, tuple) and len(cell) == 2):
                raise self._fault("square", "gives no cell")
            return int(cell[0]), int(cell[1])
        cells = self.cells(state) or []
        if cells and self.size == sum(map(len, cells)) == len(cells) * len(cells[0]):
            return divmod(move, len(cells[0]))
        return min(self.touched(state, move), default=None)

    def _ask(self, word: str, *arguments: Any, default: Any) -> Any:
        return default if getattr(self.module, word, None) is None else self._own(word, *arguments)

    def _own(self, word: str, *arguments: Any) -> Any:
        """Return what the module's function returns. Raises InputError, one line, if a person's own function fails."""
        own = getattr(self.module, word)
        if self.module.__name__.startswith("nimtui."):
            return own(*arguments)
        try:
            return own(*arguments)
        except InputError:
            raise
        except RAISED as fault:
            raise self._fault(word, f"raises {fault_text(fault)}") from fault

    def _fault(self, word: str, what: str) -> InputError:
        where = getattr(self.module, "__file__", None) or self.module.__name__
        return InputError(f"the game file {where}: {word} {what}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"Game({self.name!r})"


class Record:
    """A game in progress: its start, the moves so far, and the moves taken back.

    Seats are 0 (moves first) and 1.
    """

    def __init__(self, game: Game, position: str | None = None, moves: Iterable[Move] = ()) -> None:
        """Start a game and play these moves. Raises InputError for an illegal one."""
        self.game = game
        self.state: State = game.new(position)
        self.start = self.state.board.copy()
        self.moves: list[Move] = []
        self.undone: list[Move] = []
        for move in moves:
            self.push(move)

    @property
    def ply(self) -> int:
        """The number of moves played."""
        return len(self.moves)

    @property
    def turn(self) -> int:
        """The seat to move."""
        return self.ply % 2

    @property
    def over(self) -> bool:
        return self.outcome != base.GOING_ON

    @property
    def outcome(self) -> int:
        """The outcome as `base.outcome` returns it: for the player who just moved."""
        return int(base.outcome(self.state))

    @property
    def winner(self) -> int | None:
        """The winning seat; None in a draw and while the game is not over."""
        if self.outcome == base.WON:
            return 1 - self.turn
        return self.turn if self.outcome == base.LOST else None

    def push(self, move: Move) -> None:
        """Play a legal move. Drops the moves taken back, unless this is the next of them.

        Raises InputError for an illegal one: a file, an agent, or own rules that change their answer can ask for it.
        """
        if self.over or not 0 <= move < self.game.size or not base.legal(self.state, move):
            raise InputError(f"{self.game.name} does not allow the move with code {move} here")
        if self.undone and self.undone[-1] == move:
            self.undone.pop()
        else:
            self.undone.clear()
        base.play(self.state, move)
        self.moves.append(move)

    def undo(self) -> Move:
        """Take the last move back and return it. Raises IndexError if there is none."""
        move = self.moves.pop()
        base.undo(self.state, move)
        self.undone.append(move)
        return move

    def redo(self) -> Move:
        """Replay the move taken back last and return it. IndexError if there is none, InputError as `push`."""
        move = self.undone[-1]
        self.push(move)
        return move

    def goto(self, ply: int) -> None:
        """Undo or redo until `ply` moves have been played. Raises IndexError beyond the known moves."""
        while self.ply > ply:
            self.undo()
        while self.ply < ply:
            self.redo()

    def state_at(self, ply: int) -> State:
        """Return the position after the first `ply` moves, on a new board."""
        state = self.game.at(self.start)
        for move in self.moves[:ply]:
            base.play(state, move)
        return state

    def transcript(self) -> str:
        """Return the moves as text: 'a1 d7 c5'."""
        return " ".join(self.game.line_names(self.moves, self.state_at(0)))
