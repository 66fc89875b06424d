"""What Ctrl+Y copies on the Search screen."""

from __future__ import annotations

from collections.abc import Sequence

from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.ui.kit.clipboard import Copy, command
from nimtui.ui.search.setup import SearchSetup


def of_node(game: Game, root: State, moves: Sequence[Move]) -> list[Copy]:
    """Return the position of the node after these moves, and the moves."""
    at, names = base.copy(root), []
    for move in moves:
        names.append(game.move_name(move, at))
        base.play(at, move)
    path = [Copy("path", " ".join(names))] if names else []
    return [Copy("position", game.position_name(at)), *path]


def of_setup(setup: SearchSetup) -> Copy:
    """Return the command that runs this search again; flat Monte Carlo has no tree, but rates the moves."""
    if setup.flat:
        return command("moves", setup.game, position=setup.position, agent=setup.search)
    return command("search", setup.game, position=setup.position, algorithm=setup.search)
