"""`nimtui search`: searches a position by minimax, alpha-beta or Monte Carlo tree search, and reports the effort."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nimtui.cli import options
from nimtui.errors import InputError
from nimtui.progress import Cancelled

if TYPE_CHECKING:
    from nimtui.games import Game
    from nimtui.games.base import Move, State
    from nimtui.theory.answers import MoveValue
    from nimtui.trees import Result, Search, Settings
    from nimtui.trees.effort import Space

EXAMPLES = """\
nimtui search nim:1,2,3,4 --algorithm alphabeta --heuristic original
nimtui search connect4 -p 4455 --algorithm alphabeta --order best-first
nimtui search nim:1,2,3,4 --algorithm minimax --algorithm alphabeta --json
nimtui search nim:1,2,3 --algorithm alphabeta --to tree.dot --plies 2
nimtui search connect4 --algorithm mcts --simulations 100000 --seed 7
nimtui search connect4 --algorithm alphabeta --algorithm mcts --time 0.5"""


def search(
    game: options.Game,
    position: options.Position = None,
    algorithm: Annotated[
        list[str] | None,
        typer.Option(
            "--algorithm",
            metavar="NAME",
            show_default=False,
            help="minimax, alphabeta or mcts, also with options: alphabeta:depth=6,order=killer. Repeat to compare."
            " [default: alphabeta]",
        ),
    ] = None,
    depth: Annotated[
        str | None, typer.Option(metavar="N", help="Plies to search; -1 searches to the end of the game. [default: 4]")
    ] = None,
    simulations: Annotated[
        str | None, typer.Option(metavar="N", help="mcts: number of simulations. [default: 500]")
    ] = None,
    time: Annotated[
        str | None,
        typer.Option(
            metavar="SECONDS",
            help="mcts, alphabeta: time limit. The result then depends on the machine. [default: no limit]",
        ),
    ] = None,
    order: Annotated[
        str | None,
        typer.Option(metavar="ORDER", help="alphabeta: move order, natural, killer or best-first. [default: natural]"),
    ] = None,
    table: Annotated[bool, typer.Option("--table", help="Use a transposition table.", show_default=False)] = False,
    entries: Annotated[
        str | None, typer.Option(metavar="N", help="Size of the transposition table. [default: 1,048,576]")
    ] = None,
    deepening: Annotated[
        bool,
        typer.Option(
            "--deepening", help="Iterative deepening: search one ply deep, then two, and so on.", show_default=False
        ),
    ] = False,
    heuristic: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="default: finished games outweigh all estimates; original: the heuristic rates them too; flat: every"
            " win counts 1000. [default: default]",
        ),
    ] = None,
    c: Annotated[
        str | None, typer.Option("--c", metavar="X", help="mcts: exploration constant. [default: 1.0]")
    ] = None,
    log: Annotated[
        str | None,
        typer.Option(metavar="WHOSE", help="mcts: count in UCB's logarithm, parent or root. [default: parent]"),
    ] = None,
    policy: Annotated[
        str | None, typer.Option(metavar="NAME", help="mcts: playouts, uniform or perfect-opponent. [default: uniform]")
    ] = None,
    proven: Annotated[
        bool, typer.Option("--proven", help="mcts: prove wins, draws and losses in the tree.", show_default=False)
    ] = False,
    seed: options.Seed = 0,
    to: Annotated[
        list[Path] | None,
        options.to_option(
            "Write the search tree to FILE.json, or to FILE.dot for Graphviz; or to FILE.csv the counts of all depths"
            " up to --depth. Repeat for several files."
        ),
    ] = None,
    tree: Annotated[Path | None, options.old_option("--tree")] = None,
    plies: Annotated[
        str | None, typer.Option(metavar="N", help="Write at most N plies of the tree. [default: all]")
    ] = None,
    nodes: Annotated[
        str | None, typer.Option(metavar="N", help="Write at most N nodes of the tree. [default: 10,000]")
    ] = None,
    csv: options.OldCsv = None,
    force: options.Force = False,
    json: options.Json = False,
    a: Annotated[str | None, options.refused_option("-a", "an agent", "--algorithm")] = None,
) -> None:
    """Search a position and report the effort.

    Prints nodes, leaves, cutoffs, time and memory, and the value of every move. Values are for the player to move. For
    alpha-beta, values of later moves are bounds."""
    from nimtui.cli import output, search_files, search_report
    from nimtui.cli.bar import Bar
    from nimtui.cli.names import place_keys, place_text, read_position
    from nimtui.theory.answers import known_moves
    from nimtui.trees import Search

    given = {
        "depth": depth,
        "simulations": simulations,
        "time": time,
        "order": order,
        "table": entries or ("yes" if table else None),
        "deepening": "yes" if deepening else None,
        "heuristic": heuristic,
        "c": c,
        "log": log,
        "policy": policy,
        "proven": "yes" if proven else None,
        "seed": str(seed) if seed else None,
    }
    chosen, state = read_position(game, position)
    all_settings = read_settings(algorithm or ["alphabeta"], given)
    tree, csv = search_files.chosen(to or [], tree, csv)
    search_files.check(tree, csv, all_settings, plies, nodes, force)
    searches = [Search(chosen, state, settings, record=tree is not None) for settings in all_settings]
    compared: Any = None
    truths: dict[Move, MoveValue] | None = None
    with Bar("search") as bar:
        try:
            for searching in searches:
                searching.run(bar)
            if csv is not None:
                compared = search_files.compare(chosen, state, all_settings, bar)
        except (Cancelled, KeyboardInterrupt):
            if not any(searching.nodes > 1 for searching in searches):
                raise
        with suppress(Cancelled, KeyboardInterrupt):
            if json or len(searches) == 1:
                truths = known_moves(chosen, state, bar)
    begun = [searching for searching in searches if searching.nodes > 1]
    saved = search_files.write(begun[0], tree, plies, nodes) if tree is not None else {}
    if compared is not None and csv is not None:
        saved["csv"] = search_files.write_comparison(compared, csv)
    runs = [run_document(chosen, state, searching, truths) for searching in begun]
    if json:
        place = place_keys(chosen, state, position)
        output.document(document(chosen, state, place, runs, truths, several=len(searches) > 1) | saved)
    else:
        results = [searching.result for searching in begun]
        search_report.show(chosen, state, place_text(chosen, state, position), results, truths, saved)
    if bar.stopped:
        raise Cancelled("search")


def read_settings(algorithms: list[str], given: dict[str, str | None]) -> list[Settings]:
    """Return the settings of each algorithm: its own options, then those of the command that it has.

    Raises InputError for an option that no algorithm has, and for an invalid value.
    """
    from nimtui.trees import parse
    from nimtui.trees.settings import OPTIONS

    words = [text.partition(":")[0].strip().lower() for text in algorithms]
    for key, value in given.items():
        if value is not None and not any(key in OPTIONS.get(word, (key,)) for word in words):
            if key == "seed":  # every command accepts a seed
                continue
            raise InputError(f"{' and '.join(sorted(set(words)))}: no option {key} (see --help)")
    found = []
    for word, text in zip(words, algorithms, strict=True):
        own = text.partition(":")[2]
        named = {part.partition("=")[0].strip().lower() for part in own.split(",")}
        more = [
            f"{key}={value}"
            for key, value in given.items()
            if value is not None and key in OPTIONS.get(word, ()) and key not in named
        ]
        found.append(parse(f"{word}:{','.join([*([own] if own.strip() else []), *more])}"))
    return found


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
    from nimtui.trees.move_values import claimed_plies

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
    from nimtui.trees.move_values import claimed_plies

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
