"""Solve small games whose positions have no numbers, position by position, in plain Python."""

from __future__ import annotations

from dataclasses import dataclass, field

from nimtui.games import base
from nimtui.games.base import Board, State
from nimtui.games.game import Game
from nimtui.progress import SILENT, Progress
from nimtui.theory.nim import mex
from nimtui.theory.recent import Recent
from nimtui.theory.verdict import Outcome, Unsolvable, Verdict, end_of_game, payoff_here

MOST_POSITIONS = 50_000  # a few seconds
A_POSITION = 1_000  # bytes, about
CHUNK = 100  # positions between two reports


@dataclass(slots=True)
class _Position:
    end: Outcome | None  # the outcome for the player to move, where the game is over
    moves: list[int] = field(default_factory=list)
    leads_to: list[int] = field(default_factory=list)  # the position after each of the moves
    comes_from: list[int] = field(default_factory=list)
    value: int = 0  # for the player to move
    grundy: int = 0
    plies: int = 0  # to the end, if the winner hurries and the loser holds out
    normal: bool = True  # does the last mover win every game from here?


@dataclass(frozen=True, slots=True)
class _Solved:
    """All positions reachable from one."""

    number: dict[bytes, int]
    positions: list[_Position]


_recent = Recent[_Solved]()


def solve(game: Game, state: State, progress: Progress = SILENT) -> Verdict:
    """Return the exact answer at a position that is not over.

    Raises Unsolvable if it leads to too many positions, or back to itself.
    """
    positions, root = _solved(game, state, progress)
    best = [move for move, to in zip(root.moves, root.leads_to, strict=True) if -positions[to].value == root.value]
    grundy = root.grundy if game.impartial and root.normal and not game.pays else None
    return Verdict(Outcome.of(root.value), grundy, tuple(best), payoff=root.value if game.pays else None)


def remoteness(game: Game, state: State, progress: Progress = SILENT) -> int | None:
    """Return the plies to the end under best play, None in a draw. Raises Unsolvable as `solve` does."""
    _, root = _solved(game, state, progress)
    return root.plies if root.value and not game.pays else None


def is_instant(game: Game, state: State) -> bool:
    return _recorded(game, state) is not None


def _recorded(game: Game, state: State) -> _Solved | None:
    """Return positions solved together of which this is one, or None."""
    recent = _recent.get(game.name)
    return recent if recent is not None and state.board.tobytes() in recent.number else None


def _solved(game: Game, state: State, progress: Progress) -> tuple[list[_Position], _Position]:
    """Return positions solved together, and this one among them."""
    if (recent := _recorded(game, state)) is None:
        with _recent.building:
            if (recent := _recorded(game, state)) is None:
                recent = _reachable(game, state, progress)
                _value(game, recent.positions)
                _recent.put(game.name, recent, len(recent.positions) * A_POSITION)
    return recent.positions, recent.positions[recent.number[state.board.tobytes()]]


def _reachable(game: Game, state: State, progress: Progress) -> _Solved:
    """Return all positions reachable from this one, itself first, each with its moves; their values are unknown."""
    at = base.copy(state)
    boards: list[Board] = [state.board.copy()]
    number = {state.board.tobytes(): 0}
    positions = [_Position(None)]
    for here, position in enumerate(positions):  # `positions` grows in the loop
        base.restore(at, boards[here])
        for move in base.legal_moves(at):
            base.play(at, move)
            child = number.setdefault(at.board.tobytes(), len(positions))
            if child == len(positions):
                if child == MOST_POSITIONS:
                    raise Unsolvable(
                        f"{game.name} reaches more than {MOST_POSITIONS:,} positions from here, and its rules do not "
                        f"number them: too many to solve exactly"
                    )
                positions.append(_Position(end_of_game(at), value=payoff_here(at) or 0))
                boards.append(at.board.copy())
            base.undo(at, move)
            position.moves.append(move)
            position.leads_to.append(child)
            positions[child].comes_from.append(here)
        if here % CHUNK == 0:
            progress.report(here, len(positions), "positions")
    return _Solved(number, positions)


def _value(game: Game, positions: list[_Position]) -> None:
    """Fill in the values from the ends backwards."""
    waiting = [len(position.moves) for position in positions]
    ready = [here for here, moves in enumerate(waiting) if not moves]
    for here in ready:  # `ready` grows in the loop
        position = positions[here]
        if position.end is not None:
            position.value = position.value if game.pays else position.end.worth
            position.normal = position.end is Outcome.LOSS
        else:
            after = [positions[to] for to in position.leads_to]
            position.value = max(-each.value for each in after)
            position.grundy = mex(each.grundy for each in after)
            position.normal = all(each.normal for each in after)
            plies = [each.plies for each in after if -each.value == position.value]
            position.plies = 1 + (max(plies) if position.value < 0 else min(plies))
        for before in position.comes_from:
            waiting[before] -= 1
            if not waiting[before]:
                ready.append(before)
    if len(ready) < len(positions):
        raise Unsolvable(f"positions of {game.name} can repeat: nimtui cannot solve such games")
