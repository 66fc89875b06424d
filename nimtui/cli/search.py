"""`nimtui search`: what minimax, alpha-beta or Monte Carlo tree search finds at a position, and what it cost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nimtui.cli import options
from nimtui.errors import InputError
from nimtui.progress import Cancelled

if TYPE_CHECKING:
    from nimtui.games import Game
    from nimtui.games.base import State
    from nimtui.search import Result, Search, Settings

EXAMPLES = """\
nimtui search nim:1,2,3,4 --algorithm alphabeta --depth 4 --heuristic original
nimtui search connect4 -p 4455 --algorithm alphabeta --depth 8 --order best-first --table
nimtui search nim:1,2,3,4 --algorithm minimax --algorithm alphabeta --depth 6 --json
nimtui search nim:1,2,3 --algorithm alphabeta --depth 3 --tree tree.dot --plies 2
nimtui search connect4 --algorithm mcts --simulations 100000 --seed 7
nimtui search connect4 --algorithm alphabeta --algorithm mcts --time 0.5"""


def search(
    game: options.Game,
    position: options.Position = None,
    algorithm: Annotated[
        list[str] | None,
        typer.Option(
            "--algorithm",
            "-a",
            metavar="NAME",
            show_default=False,
            help="minimax, alphabeta or mcts, also with options: alphabeta:depth=6,order=killer. Several are compared.",
        ),
    ] = None,
    depth: Annotated[
        str | None, typer.Option(metavar="N", help="How many moves ahead (4); -1 to the end of the game.")
    ] = None,
    simulations: Annotated[str | None, typer.Option(metavar="N", help="Of mcts (500).")] = None,
    time: Annotated[
        str | None,
        typer.Option(
            metavar="SECONDS",
            help="Of mcts and alphabeta: stop after so many seconds. What is found then depends on the machine.",
        ),
    ] = None,
    order: Annotated[
        str | None, typer.Option(metavar="ORDER", help="Which moves come first: natural, killer or best-first.")
    ] = None,
    table: Annotated[bool, typer.Option("--table", help="With a transposition table.", show_default=False)] = False,
    entries: Annotated[str | None, typer.Option(metavar="N", help="How many entries it has (1,048,576).")] = None,
    deepening: Annotated[
        bool, typer.Option("--deepening", help="One move deep, then two, and so on.", show_default=False)
    ] = False,
    heuristic: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="default: a decided game outweighs all else; original: it does not; flat."),
    ] = None,
    c: Annotated[str | None, typer.Option("--c", metavar="X", help="Of mcts: the weight of doubt (1.0).")] = None,
    log: Annotated[str | None, typer.Option(metavar="WHOSE", help="Of mcts: the parent's count or the root's.")] = None,
    policy: Annotated[
        str | None, typer.Option(metavar="NAME", help="Of mcts, the playouts: uniform or perfect-opponent.")
    ] = None,
    proven: Annotated[bool, typer.Option("--proven", help="Of mcts: keep what is proven.", show_default=False)] = False,
    seed: options.Seed = 0,
    tree: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the tree: FILE.json, or FILE.dot for Graphviz.", show_default=False),
    ] = None,
    plies: Annotated[str | None, typer.Option(metavar="N", help="Of that tree, only so many plies.")] = None,
    nodes: Annotated[str | None, typer.Option(metavar="N", help="Of that tree, only so many nodes (10,000).")] = None,
    csv: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a comparison over all depths up to --depth.", show_default=False),
    ] = None,
    json: options.Json = False,
) -> None:
    """Search a position, and say what it took.

    Nodes, leaves, cutoffs, time and memory; what every move is believed to be worth. Values are for the player to
    move: of alpha-beta, those of later moves are bounds."""
    from nimtui.cli import output, search_files, search_report
    from nimtui.cli.bar import Bar
    from nimtui.cli.names import read_position
    from nimtui.search import Search

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
    search_files.check(tree, csv, all_settings, plies, nodes)
    searches = [Search(chosen, state, settings, record=tree is not None) for settings in all_settings]
    compared: Any = None
    with Bar("search") as bar:
        try:
            for searching in searches:
                searching.run(bar)
            if csv is not None:
                compared = search_files.compare(chosen, state, all_settings, bar)
        except (Cancelled, KeyboardInterrupt):
            if not any(searching.nodes > 1 for searching in searches):
                raise
    begun = [searching for searching in searches if searching.nodes > 1]
    saved = search_files.write(begun[0], tree, plies, nodes) if tree is not None else {}
    if compared is not None and csv is not None:
        saved["csv"] = search_files.write_comparison(compared, csv)
    runs = [run_document(chosen, state, searching) for searching in begun]
    keys = document(chosen, state, runs, several=len(searches) > 1) | saved
    if json:
        output.document(keys)
    else:
        search_report.show(chosen, state, [searching.result for searching in begun], saved)
    if bar.stopped:
        raise Cancelled("search")


def read_settings(algorithms: list[str], given: dict[str, str | None]) -> list[Settings]:
    """Each algorithm with its own options and those given for all, as far as it knows them.

    InputError for an option that none of them knows, and for what is wrong.
    """
    from nimtui.search import parse
    from nimtui.search.settings import OPTIONS

    words = [text.partition(":")[0].strip().lower() for text in algorithms]
    for key, value in given.items():
        if value is not None and not any(key in OPTIONS.get(word, (key,)) for word in words):
            if key == "seed":  # every command may be given one
                continue
            raise InputError(f"{' and '.join(sorted(set(words)))}: there is no option {key} (see --help)")
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


def document(game: Game, state: State, runs: list[dict[str, Any]], several: bool) -> dict[str, Any]:
    """The JSON document: of one search its keys, of several `runs`."""
    where = {"game": game.name, "position": game.position_name(state)}
    return where | ({"runs": runs} if several else runs[0])


def run_document(game: Game, state: State, searching: Search) -> dict[str, Any]:
    """What one search has found and what it took."""
    from nimtui.cli.search_report import line_names

    result = searching.result
    settings = result.settings
    tree_search = settings.algorithm == "mcts"
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
        "exact": result.exact,
        "best_move": None if result.best_move is None else game.move_name(result.best_move, state),
        "principal_variation": line_names(game, state, result.principal_variation),
        "moves": [move_document(game, state, result, place) for place in range(len(result.moves))],
        "seconds": result.seconds,
        "peak_bytes": result.peak_bytes,
        "finished": result.finished,
    }
    return keys


def move_document(game: Game, state: State, result: Result, place: int) -> dict[str, Any]:
    """One move of the root: what the search knows of it, and nothing else."""
    found = result.moves[place]
    keys: dict[str, Any] = {"move": game.move_name(found.move, state), "value": found.value, "nodes": found.nodes}
    known = {name: getattr(found, name) for name in ("bound", "visits", "mean", "ucb", "proven")}
    return keys | {name: value for name, value in known.items() if value is not None}
