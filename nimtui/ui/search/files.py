"""What leaves the Search screen: what Ctrl+Y copies, and the exports of a tree as JSON or Graphviz."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.ui.kit.clipboard import Copy, command
from nimtui.ui.kit.kept import write_new
from nimtui.ui.search.conductor import SearchConductor
from nimtui.ui.search.setup import SearchSetup

KINDS = {
    ".json": "JSON: the 10,000 nodes nearest to the root",
    ".dot": "Graphviz: a drawing of a few hundred nodes",
}


def suggested(conductor: SearchConductor) -> dict[str, str]:
    """Return names for files that could be written now, and the contents of each."""
    setup = conductor.setup
    stem = re.sub(r"[^A-Za-z0-9]+", "-", f"{setup.game}-{setup.search}" if setup else "search").strip("-")[:80]
    able = conductor.found is not None and conductor.found.tree is not None
    return {stem + suffix: about for suffix, about in KINDS.items()} if able else {}


def write(path: Path, conductor: SearchConductor) -> None:
    """Write the export that the extension names. Raises InputError if that fails."""
    from nimtui.trees.export import tree_text

    assert conductor.found is not None and conductor.found.tree is not None
    write_new(path, tree_text(conductor.found.tree, path.suffix.lower()))


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
