"""How a connect game ends if both play perfectly: the last moves, as facts from which sentences are made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from nimtui.games import Game, base
from nimtui.games.base import Move, State


class Last(Enum):
    """How the last disc came to win."""

    AT_ONCE = "at once"  # the first move completes a line
    DOUBLE = "double threat"  # two columns or more complete a line: only one can be blocked
    ABOVE = "above the block"  # the one threat is blocked, and the cell above the block completes a line
    ZUGZWANG = "zugzwang"  # no threat yet, but whichever disc is dropped, the cell above it completes a line
    FULL = "full board"  # nobody wins


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a game with best play by both."""

    last: Last
    line: tuple[str, ...]  # the names of all moves
    columns: tuple[str, ...] = ()  # where a disc completes a line, or in zugzwang the open columns
    row: int = 0  # of the disc that completes the line, from 1 at the bottom; 0 on a full board


def ending_of(game: Game, state: State, line: Sequence[Move]) -> Ending:
    """Return how a line of best play to the end of the game ends.

    The loser holds out as long as possible, so whatever the loser plays last, a line is completed next.
    """
    at = base.copy(state)
    for move in line[:-2]:
        base.play(at, move)
    end = base.copy(at)
    for move in line[-2:]:
        base.play(end, move)
    if base.outcome(end) == base.DRAW:
        return Ending(Last.FULL, tuple(game.line_names(line, state)))
    threats = [move for move in base.legal_moves(at) if _completes(at, move)] if len(line) > 1 else []
    if len(threats) == 1:  # the loser may as well block it
        line = [*line[:-2], threats[0], threats[0]]
    before = base.copy(at)
    if len(line) > 1:
        base.play(before, line[-2])
    [(top, _)] = game.touched(before, line[-1])
    names, row = tuple(game.line_names(line, state)), len(game.cells(before) or []) - top
    if len(line) == 1:
        return Ending(Last.AT_ONCE, names, names[-1:], row)
    if threats:
        kind = Last.ABOVE if len(threats) == 1 else Last.DOUBLE
        return Ending(kind, names, tuple(game.move_name(move, at) for move in threats), row)
    return Ending(Last.ZUGZWANG, names, tuple(game.move_name(move, at) for move in base.legal_moves(at)), row)


def _completes(state: State, move: Move) -> bool:
    """Return whether the player who is not to move would complete a line with this move."""
    passed = base.copy(state)
    passed.board[0] ^= passed.board[1]
    base.play(passed, move)
    return bool(base.outcome(passed) == base.WON)
