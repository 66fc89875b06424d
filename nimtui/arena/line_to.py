"""Find moves from the start of a game to a position, so that a game entered midway has a start, too."""

from __future__ import annotations

from nimtui.games import Game, base
from nimtui.games.base import Move, State

MOST_TRIES = 20_000  # positions
LONGEST = 400  # moves


def line_to(game: Game, target: State) -> tuple[Move, ...] | None:
    """Return moves to `target` that never change a cell that is the same at both ends; None if none are found.

    They need not be the moves that were played; only the position is the same.
    """
    wanted = target.board.tobytes()
    goal = game.cells(target)
    state = game.new()
    dead: set[bytes] = set()
    tries = 0

    def search(depth: int) -> list[Move] | None:
        nonlocal tries
        here = state.board.tobytes()
        if here == wanted:
            return []
        tries += 1
        if here in dead or tries > MOST_TRIES or depth > LONGEST or base.outcome(state) != base.GOING_ON:
            return None
        moves = [move for move in base.legal_moves(state) if _leads_on(game, state, move, goal)]
        for move in sorted(moves, key=lambda move: -len(game.touched(state, move))):  # the shortest ways first
            base.play(state, move)
            rest = search(depth + 1)
            base.undo(state, move)
            if rest is not None:
                return [move, *rest]
        dead.add(here)
        return None

    moves = search(0)
    return None if moves is None else tuple(moves)


def _leads_on(game: Game, state: State, move: Move, goal: list[list[int]] | None) -> bool:
    """Return whether a move leaves all cells it touches as they are in the goal."""
    cells = game.cells(state)
    if goal is None or cells is None:
        return True
    after = base.copy(state)
    base.play(after, move)
    later = game.cells(after) or []
    return all(later[row][column] == goal[row][column] for row, column in game.touched(state, move))
