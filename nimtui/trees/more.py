"""Continues a search past its end: more simulations, a proof, or one ply deeper."""

from __future__ import annotations

from dataclasses import replace

from nimtui.errors import InputError
from nimtui.progress import SILENT, Progress
from nimtui.trees import search_of
from nimtui.trees.depth_first import DepthFirst
from nimtui.trees.mcts_replay import MctsSearch
from nimtui.trees.result import Search
from nimtui.trees.tree import Tree


def simulations(search: Search, more: int, progress: Progress = SILENT) -> None:
    """Run so many more simulations of a Monte Carlo tree search, or fewer if they prove the root.

    Raises InputError if no more simulations fit into memory.
    """
    tree = _grown(search)
    more = min(more, tree.most_simulations - tree.done)
    if tree.time or tree.done + more > tree.simulations:
        tree.extend(tree.done + more)
    tree.run(progress, tree.done + more)


def proof(search: Search, progress: Progress = SILENT) -> None:
    """Search until the root is proven, or until no more simulations fit into memory."""
    _grown(search).prove(progress)


def why_no_proof(search: Search) -> str | None:
    """Return why a search cannot run until it proves its root, in one line; None if it can."""
    if not isinstance(search, MctsSearch):
        return "only tree search (mcts) can run until it proves the root"
    if not search.settings.proven:
        return "this search proves nothing: start it with proven=yes"
    return "the root is proven" if search.settled else None


def why_no_simulations(search: Search) -> str | None:
    """Return why there are no more simulations, in one line; None if there are."""
    if not isinstance(search, MctsSearch):
        return "only tree search (mcts) runs simulations"
    tree = _grown(search)
    if tree.settled:
        return f"the root is proven after {tree.done:,} simulations"
    if tree.done >= tree.most_simulations:
        return f"memory is full: no more than {tree.most_simulations:,} simulations surely fit"
    return None


def limit(search: Search) -> str:
    """Return the limit that a search has reached, in one line; '' if none."""
    if isinstance(search, DepthFirst):
        seen = search.tree
        assert isinstance(seen, Tree)
        return "" if seen.complete else f"the tree has the first {len(seen):,} of {seen.visited:,} nodes"
    tree = _grown(search)
    if tree.settled or not tree.proven or tree.done < tree.most_simulations:
        return ""
    return f"memory is full after {tree.done:,} simulations: the root is not proven"


def deeper(search: Search) -> Search:
    """Return a search one ply deeper than this finished one of minimax or alpha-beta.

    It is the same search, extended, if that deepens step by step; else a new one. Raises InputError if a deeper search
    changes nothing, or is impossible.
    """
    settings, result = search.settings, search.result
    assert isinstance(search, DepthFirst) and search.finished
    if result.depth is None or search.complete:
        raise InputError("the search has reached the end of every game: more depth changes nothing")
    if settings.deepens and not settings.time:
        search.deepen()
        return search
    deeper = replace(settings, depth=result.depth + 1, time=0.0, deepening=settings.deepens)
    return search_of(search.game, search.state, deeper, most_nodes=search.most_nodes)


def _grown(search: Search) -> MctsSearch:
    assert isinstance(search, MctsSearch)
    return search
