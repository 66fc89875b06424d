"""`nimtui search`: searches a position by minimax, alpha-beta or Monte Carlo tree search, and reports the effort."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from nimtui.cli import options, output
from nimtui.cli.bar import Bar
from nimtui.cli.names import read_position
from nimtui.cli.output import check_new, format_of, write_text
from nimtui.errors import InputError, whole_number
from nimtui.progress import Cancelled

if TYPE_CHECKING:
    from nimtui.games.base import Move
    from nimtui.theory.answers import MoveValue
    from nimtui.trees import Settings
    from nimtui.trees.compare import Comparison


@options.examples("""\
nimtui search nim:1,2,3,4 --algorithm alphabeta --heuristic original
nimtui search connect4 -p 4455 --algorithm alphabeta --order best-first
nimtui search nim:1,2,3,4 --algorithm minimax --algorithm alphabeta --json
nimtui search nim:1,2,3 --algorithm alphabeta --to tree.dot --plies 2
nimtui search connect4 --algorithm mcts --simulations 100000 --seed 7
nimtui search connect4 --algorithm alphabeta --algorithm mcts --time 0.5""")
def search(
    game: options.Game,
    position: options.Position = None,
    algorithm: Annotated[
        list[str] | None,
        options.option(
            "--algorithm",
            "NAME",
            "minimax, alphabeta or mcts, also with options: alphabeta:depth=6,order=killer. Repeat to compare."
            " [default: alphabeta]",
        ),
    ] = None,
    depth: Annotated[
        str | None, options.option("", "N", "Plies to search; -1 searches to the end of the game. [default: 4]")
    ] = None,
    simulations: Annotated[str | None, options.option("", "N", "mcts: number of simulations. [default: 500]")] = None,
    time: Annotated[
        str | None,
        options.option(
            "", "SECONDS", "mcts, alphabeta: time limit. The result then depends on the machine. [default: no limit]"
        ),
    ] = None,
    order: Annotated[
        str | None,
        options.option("", "ORDER", "alphabeta: move order, natural, killer or best-first. [default: natural]"),
    ] = None,
    table: Annotated[bool, options.flag("--table", "Use a transposition table.")] = False,
    entries: Annotated[
        str | None, options.option("", "N", "Size of the transposition table. [default: 1,048,576]")
    ] = None,
    deepening: Annotated[
        bool, options.flag("--deepening", "Iterative deepening: search one ply deep, then two, and so on.")
    ] = False,
    heuristic: Annotated[
        str | None,
        options.option(
            "",
            "NAME",
            "default: finished games outweigh all estimates; original: the document's"
            " heuristic, which rates them too; flat: every win counts 1000. [default: default]",
        ),
    ] = None,
    value: Annotated[
        str | None,
        options.option(
            "",
            "RUN",
            "Saved run of a learner with a function: values positions at the depth limit, and instead of playouts the"
            " new leaves of mcts. Its file or its name. [default: the heuristic, playouts]",
        ),
    ] = None,
    c: Annotated[str | None, options.option("--c", "X", "mcts: exploration constant. [default: 1.0]")] = None,
    log: Annotated[
        str | None, options.option("", "WHOSE", "mcts: count in UCB's logarithm, parent or root. [default: parent]")
    ] = None,
    policy: Annotated[
        str | None, options.option("", "NAME", "mcts: playouts, uniform or perfect-opponent. [default: uniform]")
    ] = None,
    proven: Annotated[bool, options.flag("--proven", "mcts: prove wins, draws and losses in the tree.")] = False,
    seed: options.Seed = 0,
    to: Annotated[
        list[Path] | None,
        options.file_option(
            "to",
            "Write the search tree to FILE.json, or to FILE.dot for Graphviz; or to FILE.csv the counts of all depths"
            " up to --depth. Repeat for several files.",
        ),
    ] = None,
    tree: Annotated[Path | None, options.old_option("--tree")] = None,
    plies: Annotated[str | None, options.option("", "N", "Write at most N plies of the tree. [default: all]")] = None,
    nodes: Annotated[
        str | None, options.option("", "N", "Write at most N nodes of the tree. [default: 10,000]")
    ] = None,
    csv: options.OldCsv = None,
    force: options.Force = False,
    json: options.Json = False,
    a: Annotated[str | None, options.refused_option("-a", "an agent", "--algorithm")] = None,
) -> None:
    """Search a position and report the effort.

    Prints nodes, leaves, cutoffs, time and memory, and the value of every move. Values are for the player to move. For
    alpha-beta, values of later moves are bounds."""
    from nimtui.games.rule_text import Place
    from nimtui.theory.answers import known_moves
    from nimtui.trees import search_of
    from nimtui.trees.compare import Comparison
    from nimtui.trees.export import tree_text
    from nimtui.trees.report import searched
    from nimtui.trees.settings import LIMITS

    def digits(text: str | None, option: str, key: str) -> str | None:
        return None if text is None else str(whole_number(text, option, *LIMITS[key]))

    given_options = {
        "depth": digits(depth, "--depth", "depth"),
        "simulations": digits(simulations, "--simulations", "simulations"),
        "time": time,
        "order": order,
        "table": digits(entries, "--entries", "table") or ("yes" if table else None),
        "deepening": "yes" if deepening else None,
        "heuristic": heuristic,
        "value": value,
        "c": c,
        "log": log,
        "policy": policy,
        "proven": "yes" if proven else None,
        "seed": str(seed) if seed else None,
    }
    chosen, state = read_position(game, position)
    all_settings = read_settings(algorithm or ["alphabeta"], given_options)
    tree, csv = files_of(to or [], tree, csv)
    limits = tree_limits(plies, nodes)
    if tree is None and (plies is not None or nodes is not None):
        raise InputError("--plies and --nodes limit the exported tree: name its file, --to FILE.json")
    check_files(tree, csv, all_settings, force)
    searches = [search_of(chosen, state, settings, record=tree is not None) for settings in all_settings]
    compared: Comparison | None = None
    truths: dict[Move, MoveValue] | None = None
    with Bar("search") as bar:
        with bar.orderly(lambda: any(searching.nodes > 1 for searching in searches)):
            for searching in searches:
                searching.run(bar)
            if csv is not None:
                depths = range(1, max(settings.depth for settings in all_settings) + 1)
                compared = Comparison(chosen, state, all_settings, depths)
                with suppress(Cancelled):  # it stays as far as it got
                    compared.run(bar)
        with bar.orderly():
            if json or len(searches) == 1:
                truths = known_moves(chosen, state, bar)
    begun = [searching for searching in searches if searching.nodes > 1]
    saved = {}
    if tree is not None:
        write_text(tree, tree_text(begun[0].tree, tree.suffix.lower(), *limits))  # as far as the search got
        saved["tree"] = str(tree)
    if compared is not None and csv is not None:
        write_text(csv, compared.csv())
        saved["csv"] = str(csv)
    results = [searching.result for searching in begun]
    output.report(searched(Place(chosen, state, position), results, truths, len(searches) > 1), json, saved)
    if saved and not json:
        output.say("", *(f"{what} saved to {file}" for what, file in saved.items()))
    bar.leave()


def read_settings(algorithms: list[str], values: dict[str, str | None]) -> list[Settings]:
    """Return the settings of each algorithm: its own options, then those of the command that it has.

    Raises InputError for an option that no algorithm has, and for an invalid value.
    """
    from nimtui.trees import parse
    from nimtui.trees.settings import OPTIONS

    words = [text.partition(":")[0].strip().lower() for text in algorithms]
    for key, value in values.items():
        if value is not None and not any(key in OPTIONS.get(word, (key,)) for word in words):
            if key == "seed":  # every command accepts a seed
                continue
            raise InputError(f"{' and '.join(sorted(set(words)))}: no option {key} (see --help)")
    settings = []
    for word, text in zip(words, algorithms, strict=True):
        own = text.partition(":")[2]
        named = {part.partition("=")[0].strip().lower() for part in own.split(",")}
        more = [
            f"{key}={value}"
            for key, value in values.items()
            if value is not None and key in OPTIONS.get(word, ()) and key not in named
        ]
        settings.append(parse(f"{word}:{','.join([*([own] if own.strip() else []), *more])}"))
    return settings


KINDS = (".json", ".dot")
TREE_NODES = 10_000  # default limit of an exported tree
MOST = 1 << 31


def files_of(to: list[Path], tree: Path | None, csv: Path | None) -> tuple[Path | None, Path | None]:
    """Return the files of the tree and of the comparison. Raises InputError for another extension, or two of a kind."""
    for file in to:
        if format_of(file, dict.fromkeys(KINDS, True) | {".csv": False}):
            tree, twice = file, tree
        else:
            csv, twice = file, csv
        if twice is not None:
            raise InputError(f"two files for one result, {twice} and {file}: give one of them")
    return tree, csv


def check_files(tree: Path | None, csv: Path | None, searched: list[Settings], force: bool) -> None:
    """Raise InputError for invalid files, before the search starts."""
    if tree is not None:
        if tree.suffix.lower() not in KINDS:
            raise InputError(f"invalid file '{tree.name}': a tree is .json or .dot")
        if len(searched) > 1:
            raise InputError(f"the tree is that of one search, not of {len(searched)}: give one --algorithm")
        check_new(tree, force)
    if csv is not None:
        if any(settings.algorithm == "mcts" or settings.depth < 1 for settings in searched):
            raise InputError("a CSV file compares the depths from 1 to --depth, only of minimax and alphabeta")
        check_new(csv, force)


def tree_limits(plies: str | None, nodes: str | None) -> tuple[int | None, int]:
    """Return the most plies and nodes of an exported tree. Raises InputError for an invalid number."""
    most = TREE_NODES if nodes is None else whole_number(nodes, "--nodes", 1, MOST)
    return (None if plies is None else whole_number(plies, "--plies", 0, MOST)), most
