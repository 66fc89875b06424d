"""The files of `nimtui search`: the tree as JSON or for Graphviz, and a comparison of depths as CSV."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from nimtui.cli.files import check_new, format_of, write_text
from nimtui.errors import InputError, whole_number
from nimtui.progress import Cancelled

if TYPE_CHECKING:
    from nimtui.games import Game
    from nimtui.games.base import State
    from nimtui.progress import Progress
    from nimtui.trees import Search, Settings
    from nimtui.trees.compare import Comparison

KINDS = (".json", ".dot")
TREE_NODES = 10_000  # default limit of an exported tree
MOST = 1 << 31


def chosen(to: list[Path], tree: Path | None, csv: Path | None) -> tuple[Path | None, Path | None]:
    """Return the files of the tree and of the comparison. Raises InputError for another extension, or two of a kind."""
    for file in to:
        if format_of(file, dict.fromkeys(KINDS, True) | {".csv": False}):
            tree, twice = file, tree
        else:
            csv, twice = file, csv
        if twice is not None:
            raise InputError(f"two files for one result, {twice} and {file}: give one of them")
    return tree, csv


def check(
    tree: Path | None, csv: Path | None, searched: list[Settings], plies: str | None, nodes: str | None, force: bool
) -> None:
    """Raise InputError for invalid files or limits, before the search starts."""
    limits(plies, nodes)
    if tree is None and (plies is not None or nodes is not None):
        raise InputError("--plies and --nodes limit the exported tree: name its file, --to FILE.json")
    if tree is not None:
        if tree.suffix.lower() not in KINDS:
            raise InputError(f"invalid file '{tree.name}': a tree is .json or .dot")
        if len(searched) > 1:
            raise InputError(f"the tree is that of one search, not of {len(searched)}: give one --algorithm")
        check_new(tree, None, force)
    if csv is not None:
        if any(settings.algorithm == "mcts" or settings.depth < 1 for settings in searched):
            raise InputError("a CSV file compares the depths from 1 to --depth, only of minimax and alphabeta")
        check_new(csv, None, force)


def limits(plies: str | None, nodes: str | None) -> tuple[int | None, int]:
    """Return the most plies and nodes of an exported tree. Raises InputError for an invalid number."""
    most = TREE_NODES if nodes is None else whole_number(nodes, "--nodes", 1, MOST)
    return (None if plies is None else whole_number(plies, "--plies", 0, MOST)), most


def write(searching: Search, file: Path, plies: str | None, nodes: str | None) -> None:
    """Write the tree as far as the search got."""
    from nimtui.trees.export import tree_text

    write_text(file, tree_text(searching.tree, file.suffix.lower(), *limits(plies, nodes)))


def compare(game: Game, state: State, searched: list[Settings], progress: Progress) -> Comparison:
    """Return the searches at every depth up to their own, as far as they got before a stop."""
    from nimtui.trees.compare import Comparison

    comparison = Comparison(game, state, searched, range(1, max(settings.depth for settings in searched) + 1))
    with suppress(Cancelled):
        comparison.run(progress)
    return comparison
