"""Records the moves of one game, with undo and redo."""

from __future__ import annotations

from collections.abc import Iterable

from nimtui.errors import InputError
from nimtui.games import base
from nimtui.games.base import Move, State
from nimtui.games.game import Game


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
