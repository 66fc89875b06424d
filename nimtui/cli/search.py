"""`nimtui search`: searches a position by minimax, alpha-beta or Monte Carlo tree search, and reports the effort.

`nimtui compare`: several agents on one position, or two on all positions of a game, beside the exact values. `nimtui
moves`: the move that an agent plays, and its rating of every move.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from nimtui.cli import options, output
from nimtui.cli.bar import Bar
from nimtui.cli.names import own_files, read_agent, read_game, read_position
from nimtui.cli.output import check_new, format_of, write_text
from nimtui.cli.play import at_a_terminal
from nimtui.errors import InputError, whole_number
from nimtui.progress import Cancelled

if TYPE_CHECKING:
    from nimtui.agents.agent import Agent
    from nimtui.arena.compare.comparison import Comparison
    from nimtui.arena.compare.effort_curve import Curve
    from nimtui.games import Game
    from nimtui.games.base import Move, State
    from nimtui.report.blocks import Report
    from nimtui.theory.answers import MoveValue
    from nimtui.trees import Settings
    from nimtui.trees.compare import Comparison as Depths


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
    from nimtui.trees.compare import Comparison as Depths
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
    compared: Depths | None = None
    truths: dict[Move, MoveValue] | None = None
    with Bar("search") as bar:
        with bar.orderly(lambda: any(searching.nodes > 1 for searching in searches)):
            for searching in searches:
                searching.run(bar)
            if csv is not None:
                depths = range(1, max(settings.depth for settings in all_settings) + 1)
                compared = Depths(chosen, state, all_settings, depths)
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


CSV, SVG, JSON = ".csv", ".svg", ".json"


@options.examples("""\
nimtui compare connect4:4x4 -p 11223 -a mcts -a alphabeta:depth=8
nimtui compare connect4:4x4 -p 11223 -a mcts -a mc --curve
nimtui compare nim:3,5,4,2,6 -a mc -a perfect --json
nimtui compare tower:16 -a hard -a proof:games=1000 --positions""")
def compare(
    game: options.Game,
    agent: Annotated[
        list[str] | None,
        options.agent_option(
            "An agent, e.g. mcts:simulations=10000, alphabeta:depth=8, mc, perfect. Repeat for each agent.",
            metavar="AGENT",
        ),
    ] = None,
    position: options.Position = None,
    curve: Annotated[
        bool, options.flag("--curve", "Show what each agent plays after 1, 2, 5, 10 … units of its effort.")
    ] = False,
    positions: Annotated[
        bool,
        options.flag(
            "--positions", "Compare two agents on all positions of the game: where each is right. Implies --headless."
        ),
    ] = False,
    move_time: Annotated[
        float | None,
        options.option(
            "--move-time",
            "SECONDS",
            "Time per agent. When it is up, a search gives its best answer so far; any other agent has none."
            " [default: 0, no limit; 30 for your own agents]",
            parser=options.move_seconds,
        ),
    ] = None,
    workers: Annotated[
        int,
        options.option(
            "--workers -w",
            "N",
            "--positions: number of threads. It does not change the result. [default: 1]",
            parser=options.workers_number,
        ),
    ] = 1,
    seed: options.Seed = 0,
    to: Annotated[
        Path | None,
        options.file_option(
            "to",
            "Write the table to FILE.csv, everything to FILE.json, or a picture of the effort curves to FILE.svg. With"
            " --curve, FILE.csv holds the curves; with --positions, a row for each position.",
        ),
    ] = None,
    force: options.Force = False,
    headless: Annotated[
        bool,
        options.flag(
            "--headless", "Print a report instead of opening the app. Implied by --json, --to, --move-time and pipes."
        ),
    ] = False,
    json: options.Json = False,
    ascii: options.Ascii = False,
    slow: options.Slow = False,
) -> None:
    """Compare what agents think of one position.

    Opens the Compare screen on a terminal; otherwise prints a report.

    Prints how each agent values, ranks and weighs every move, beside the exact value of the move. Then its move, its
    line and its effort."""
    from nimtui.arena.compare import comparison_report
    from nimtui.arena.compare.comparison import check
    from nimtui.games.rule_text import Place

    output.draw_as(ascii, slow)
    if positions:
        for option, value in (("position", position), ("curve", curve), ("move-time", move_time)):
            if value:
                raise InputError(f"--positions compares on all positions: leave out --{option}")
        compare_everywhere(game, agent or [], seed, workers, to, force, json)
        return
    if not (headless or json or to or move_time is not None) and at_a_terminal():
        _open_screen(game, agent or [], position, curve, seed)
        return
    chosen, state = read_position(game, position)
    agents = [read_agent(name, chosen) for name in agent or []]
    check(chosen, state, agents)
    if to is not None:
        curve = format_of(to, {CSV: curve, JSON: curve, SVG: True})
        check_new(to, force)
    with Bar("compare") as bar:
        comparison = compared(chosen, state, agents, seed, move_time or 0.0, bar)
        curves = curves_of(agents, state, seed, move_time or 0.0, bar) if curve and not bar.stopped else None
    place = Place(chosen, state, position)
    if to is not None:
        write_text(to, comparison_report.file_of(to.suffix.lower(), place, comparison, seed, curves))
    _print(comparison_report.compared(place, comparison, seed, curves), json, to)
    if bar.stopped:
        raise Cancelled("compare")


def _open_screen(game: str, agents: list[str], position: str | None, curve: bool, seed: int) -> None:
    """Open the Compare screen and start this comparison, by default tree search beside alpha-beta."""
    from nimtui import ui
    from nimtui.ui.play.compare_setup import CURVE, TABLE, CompareSetup, beside

    own_files()
    view = CURVE if curve else TABLE
    setup = CompareSetup(game, position, tuple(agents), seed, view) if agents else beside(game, position, "", view)
    ui.run(setup.validate(), mode="compare", **output.drawing_of_app())


def compared(game: Game, state: State, agents: list[Agent], seed: int, seconds: float, bar: Bar) -> Comparison:
    """Ask all agents at the same time, and compute the exact values. A stop leaves the columns that are done."""
    from nimtui.arena.compare.comparison import Column, Comparison, ask
    from nimtui.jobs.job import side_by_side
    from nimtui.theory.answers import known_moves

    works = [(agent.name, partial(ask, agent, state, seed, seconds)) for agent in agents]
    columns = tuple(
        answer or Column(agent.name, fault="stopped before it answered")
        for agent, answer in zip(agents, side_by_side(works, bar), strict=True)
    )
    truths = None
    if not bar.stopped:
        with bar.orderly():
            truths = known_moves(game, state, bar)
    return Comparison(game, state, columns, truths)


def curves_of(agents: list[Agent], state: State, seed: int, seconds: float, bar: Bar) -> list[Curve] | None:
    """Return the effort curves of all agents, computed at the same time; None if stopped."""
    from nimtui.arena.compare.effort_curve import Curve, curve_of
    from nimtui.jobs.job import side_by_side

    works = [(agent.name, partial(curve_of, agent, state, seed, seconds=seconds)) for agent in agents]
    with bar.orderly():
        curves = side_by_side(works, bar)
        return [curve or Curve(agent.name, why_none="stopped") for agent, curve in zip(agents, curves, strict=True)]
    return None


def compare_everywhere(
    name: str, names: list[str], seed: int, workers: int, to: Path | None, force: bool, json: bool
) -> None:
    """Compare two agents on all positions, and print or write the result. Raises InputError and Cancelled."""
    from nimtui.arena.compare import comparison_report
    from nimtui.arena.compare.comparison import check_agents, compare_positions
    from nimtui.report.document import document, file_text

    game = read_game(name)
    agents = [read_agent(each, game) for each in names]
    check_agents(game, agents)
    if to is not None:
        format_of(to, {CSV: None, JSON: None})
        check_new(to, force)
    kind = "" if to is None else to.suffix.lower()
    with Bar("compare") as bar:
        compared = compare_positions(game, (agents[0], agents[1]), seed, workers, bar)
        positions = {"positions": list(comparison_report.rows(compared, bar))} if json or kind == JSON else {}
        text = comparison_report.positions_csv(compared, bar) if kind == CSV else ""
    result = comparison_report.compared_everywhere(compared, seed)
    if to is not None:
        write_text(to, text or file_text(document(result) | positions))
    _print(result, json, to, positions)


def _print(result: Report, json: bool, saved: Path | None, more: Mapping[str, Any] | None = None) -> None:
    """Print the report, and the file to which it is saved."""
    output.report(result, json, {**(more or {}), **({} if saved is None else {"saved": str(saved)})})
    if saved is not None and not json:
        output.say("", f"saved to {saved}")


@options.examples("""\
nimtui moves nim:3,5,4,2,6 --agent mc:playouts=40000
nimtui moves subtraction:21,3:misere -p 10 --agent mc --seed 7
nimtui moves connect4 -p 444 --agent mcts:simulations=20000
nimtui moves tower:16 -p 1,3,5,6 --agent hard --json""")
def moves(
    game: options.Game,
    agent: options.Agent,
    position: options.Position = None,
    seed: options.Seed = 0,
    json: options.Json = False,
) -> None:
    """Show how an agent rates every move.

    The last columns show the exact value, if the game can be solved: in how many plies a move wins or loses."""
    from nimtui.agents.report import rated
    from nimtui.engine.rng import Stream
    from nimtui.games import base
    from nimtui.games.rule_text import Place
    from nimtui.theory.answers import known_moves

    chosen, state = read_position(game, position)
    if base.outcome(state) != base.GOING_ON:
        raise InputError(f"the game is over at {chosen.position_name(state)}: choose a position with moves")
    player = read_agent(agent, chosen)
    with Bar("think") as bar:
        player.prepare(bar)
        decision = player.decide(state, Stream(seed), bar)
        truths = known_moves(chosen, state, bar)
    output.report(rated(Place(chosen, state, position), player.name, decision, truths), json)
