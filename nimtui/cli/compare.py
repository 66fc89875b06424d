"""`nimtui compare`: several agents on one position, or two on all positions of a game, beside the exact values.

`nimtui moves`: the move that an agent plays, and its rating of every move.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from nimtui.cli import options, output
from nimtui.cli.bar import Bar
from nimtui.cli.names import own_files, read_agent, read_game, read_position
from nimtui.cli.output import check_new, format_of, write_text
from nimtui.cli.play import at_a_terminal
from nimtui.errors import InputError
from nimtui.progress import Cancelled

if TYPE_CHECKING:
    from nimtui.agents.agent import Agent
    from nimtui.arena.compare.comparison import Comparison
    from nimtui.arena.compare.effort_curve import Curve
    from nimtui.games import Game
    from nimtui.games.base import State
    from nimtui.report.blocks import Report

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
