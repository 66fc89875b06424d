"""Finds the principal variation beyond the moves that a search has stored."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

from nimtui.engine.pace import Pace
from nimtui.engine.windows import a_ply_later
from nimtui.games import base
from nimtui.games.base import Move, State

if TYPE_CHECKING:
    from nimtui.engine.alpha_beta import Options
    from nimtui.engine.transposition import Table

FIRST_CHUNK = 100_000  # nodes before the first report


def remembered(state: State, first: Move, table: Table, plies: int) -> tuple[Move, ...]:
    """Return the best moves that a table knows after the first one, at most so many plies.

    The line ends early where the slot of a position now holds another one.
    """
    from nimtui.engine import transposition

    at, moves = base.copy(state), [first]
    base.play(at, first)
    while base.outcome(at) == base.GOING_ON and len(moves) < plies:
        move = int(transposition.remembered(table, int(base.key(at))))
        if move < 0 or not base.legal(at, move):
            break
        moves.append(move)
        base.play(at, move)
    return tuple(moves)


def continued(
    state: State,
    known: tuple[Move, ...],
    value: int,
    depth: int,
    options: Options,
    table: Table | None,
    report: Callable[[], None],
    until: float = inf,
) -> tuple[Move, ...]:
    """Return the best moves of both players from a position to this depth or the end of the game.

    `known` are the first moves, `value` is the value of the position before them. A search finds the others. Its
    window holds only the value, so it costs less than the original search. It ends at `until` at the latest.
    """
    at, moves = base.copy(state), list(known)
    for move in known:
        base.play(at, move)
        value = a_ply_later(value)
    while base.outcome(at) == base.GOING_ON and len(moves) < depth:
        found = _first_worth(at, value, options._replace(depth=depth - len(moves), windows=True), table, report, until)
        if found is None:
            break
        moves.append(found)
        base.play(at, found)
        value = a_ply_later(value)
    return tuple(moves)


def _first_worth(
    state: State, value: int, options: Options, table: Table | None, report: Callable[[], None], until: float
) -> Move | None:
    """Return the first move whose value is the known value of the position; None if the time is up."""
    from nimtui.engine import alpha_beta
    from nimtui.engine.alpha_beta import NODES

    stack = alpha_beta.stack(options.depth, value - 1, value + 1)
    roots, at, done = alpha_beta.roots(int(base.size(state))), base.copy(state), False
    pace = Pace((_first_worth, type(state)), FIRST_CHUNK)
    while not done:
        if perf_counter() >= until:
            return None
        nodes = int(stack.at[NODES]) + pace.begin()
        done = bool(alpha_beta.search(at, stack, options, roots, None, None, table, nodes))
        pace.end(0 if done else pace.units)
        report()
    return int(stack.best_move[0]) if int(stack.best[0]) == value else None
