"""What `nimtui search` writes: the tree as JSON or for Graphviz, and a comparison over depths as CSV."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from nimtui.errors import InputError, whole_number
from nimtui.progress import Cancelled

if TYPE_CHECKING:
    from nimtui.games import Game
    from nimtui.games.base import State
    from nimtui.progress import Progress
    from nimtui.search import Search, Settings
    from nimtui.search.compare import Comparison

KINDS = (".json", ".dot")
TREE_NODES = 10_000  # of an exported tree, where nothing else is said
MOST = 1 << 31


def check(tree: Path | None, csv: Path | None, searched: list[Settings], plies: str | None, nodes: str | None) -> None:
    """InputError now rather than after the search."""
    from nimtui.cli.files import check_writable

    if tree is None and (plies is not None or nodes is not None):
        raise InputError("--plies and --nodes limit a tree that is written: name its file with --tree")
    if tree is not None:
        if tree.suffix.lower() not in KINDS:
            raise InputError(f"a tree is written as .json or .dot: '{tree.name}' is neither")
        if len(searched) > 1:
            raise InputError(f"--tree writes the tree of one search, not of {len(searched)}")
        limits(plies, nodes)
        check_writable(tree)
    if csv is not None:
        if any(settings.algorithm == "mcts" or settings.depth < 1 for settings in searched):
            raise InputError("--csv compares over depths from 1 to --depth, of minimax and alphabeta")
        check_writable(csv)


def limits(plies: str | None, nodes: str | None) -> dict[str, int]:
    """How much of a tree is written."""
    found = {"nodes": TREE_NODES if nodes is None else whole_number(nodes.replace(",", "_"), "nodes", 1, MOST)}
    return found if plies is None else found | {"plies": whole_number(plies, "plies", 0, MOST)}


def write(searching: Search, file: Path, plies: str | None, nodes: str | None) -> dict[str, str]:
    """Write the tree as far as the search came; where it is, under `tree`."""
    from nimtui.search.tree_file import tree_text

    limited = limits(plies, nodes)
    text = tree_text(searching.tree, file.suffix.lower(), limited.get("plies"), limited["nodes"])
    file.write_text(text, "utf-8")
    return {"tree": str(file)}


def compare(game: Game, state: State, searched: list[Settings], progress: Progress) -> Comparison:
    """The searches over all depths up to each one's own, as far as they came before they were stopped."""
    from nimtui.search.compare import Comparison

    comparison = Comparison(game, state, searched, range(1, max(settings.depth for settings in searched) + 1))
    with suppress(Cancelled):
        comparison.run(progress)
    return comparison


def write_comparison(comparison: Comparison, file: Path) -> str:
    """Write it as CSV; where it is."""
    file.write_text(comparison.csv(), "utf-8")
    return str(file)
