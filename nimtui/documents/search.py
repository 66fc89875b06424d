"""The document of `nimtui search`."""

from __future__ import annotations

from typing import Any

from nimtui.games import Game
from nimtui.games.base import Move, State
from nimtui.theory.answers import MoveValue
from nimtui.trees import Result, Search
from nimtui.trees.effort import Space
from nimtui.trees.move_values import claimed_plies


def document(
    game: Game,
    state: State,
    place: dict[str, str],
    runs: list[dict[str, Any]],
    truths: dict[Move, MoveValue] | None,
    several: bool,
) -> dict[str, Any]:
    """Return the JSON document: the keys of one search, or `runs` of several; `truth` has the outcome of every move."""
    truth = None
    if truths is not None:
        truth = {game.move_name(move, state): found.outcome.value for move, found in truths.items()}
    where = {"game": game.name, **place, "truth": truth}
    return where | ({"runs": runs} if several else runs[0])


def run_document(game: Game, state: State, searching: Search, truths: dict[Move, MoveValue] | None) -> dict[str, Any]:
    """Return the result and the effort of one search."""
    result = searching.result
    settings = result.settings
    tree_search, rate = settings.algorithm == "mcts", result.nodes_per_second
    keys: dict[str, Any] = {
        "algorithm": settings.algorithm,
        "settings": settings.name,
        "depth": None if tree_search else result.depth if settings.time else settings.depth,
        "simulations": (result.simulations if settings.time else settings.simulations) if tree_search else None,
        "time": settings.time or None,
        "nodes": result.nodes,
        "leaves": result.leaves,
        "cutoffs": result.cutoffs,
        "skipped": result.skipped,
        "table_hits": result.table_hits,
        "value": result.value,
        "remoteness": claimed_plies(settings, result.value),
        "exact": result.exact,
        "best_move": None if result.best_move is None else game.move_name(result.best_move, state),
        "principal_variation": game.line_names(result.principal_variation, state),
        "moves": [move_document(game, state, result, place, truths) for place in range(len(result.moves))],
        "seconds": result.seconds,
        "nodes_per_second": None if rate is None else round(rate),
        **space_document(result.space),
        "peak_bytes": result.peak_bytes,
        "finished": result.finished,
    }
    return keys


def space_document(space: Space) -> dict[str, int | None]:
    """Return the memory of a search, part by part; `peak_bytes` is the sum of what the search used."""
    return {
        "tree_nodes": space.tree_nodes,
        "tree_bytes": space.tree_bytes,
        "tree_recorded": space.recorded,
        "stack_plies": space.stack_plies,
        "stack_bytes": space.stack_bytes,
        "table_used": space.table_used,
        "table_entries": space.table_entries,
        "table_bytes": space.table_bytes,
        "simulation_bytes": space.simulation_bytes,
    }


def move_document(
    game: Game, state: State, result: Result, place: int, truths: dict[Move, MoveValue] | None
) -> dict[str, Any]:
    """Return a move of the root with the numbers that the search has for it."""
    found = result.moves[place]
    exact = None if truths is None else truths[found.move]
    keys: dict[str, Any] = {
        "move": game.move_name(found.move, state),
        "value": found.value,
        "remoteness": claimed_plies(result.settings, found.value) if found.bound == "exact" else None,
        "optimal": None if exact is None else exact.optimal,
        "nodes": found.nodes,
    }
    known = {name: getattr(found, name) for name in ("bound", "visits", "mean", "ucb", "proven")}
    return keys | {name: value for name, value in known.items() if value is not None}
