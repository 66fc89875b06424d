"""Find the threats of a position of a connect game: where a disc completes a line, and where none may be dropped."""

from __future__ import annotations

from nimtui.games import base
from nimtui.games.base import Move, State
from nimtui.games.connect import Connect
from nimtui.games.game import Game
from nimtui.theory.claims import Threats


def completing(state: State, passed: bool = False) -> list[Move]:
    """Return the columns where the player to move completes a line; `passed`: where the other would, if it moved."""
    at = base.copy(state)
    if passed:
        at.board[0] ^= at.board[1]
    found = []
    for move in base.legal_moves(at):
        base.play(at, move)
        if base.outcome(at) == base.WON:
            found.append(move)
        base.undo(at, move)
    return found


def above(state: Connect) -> list[Move]:
    """Return the columns where a disc of the player to move lets the other complete a line right above it."""
    at, found = base.copy(state), []
    for move in base.legal_moves(at):
        base.play(at, move)
        if base.outcome(at) == base.GOING_ON and move in completing(at):
            found.append(move)
        base.undo(at, move)
    return found


def threats_of(game: Game, state: Connect, plies: int) -> Threats:
    """Return the threats against the player to move, who loses in `plies` plies."""
    columns, forbidden = completing(state, passed=True), above(state)
    names = tuple(game.move_name(move, state) for move in columns)
    others = int(state.board[1] ^ state.board[0]).bit_count()
    return Threats(
        names,
        len(columns) == 1 and columns[0] in forbidden,
        tuple(game.move_name(move, state) for move in forbidden),
        not columns and len(forbidden) == int(base.count(state)),
        others + plies // 2,
    )
