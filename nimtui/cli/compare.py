"""`nimtui compare`: several agents on one position, side by side with the exact values."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from nimtui.cli import options
from nimtui.progress import Cancelled

if TYPE_CHECKING:
    from nimtui.agents.agent import Agent
    from nimtui.arena.comparison import Comparison
    from nimtui.cli.bar import Bar
    from nimtui.games import Game
    from nimtui.games.base import State

EXAMPLES = """\
nimtui compare connect4:4x4 -p 11223 -a mcts -a alphabeta:depth=8
nimtui compare nim:3,5,4,2,6 -a mc -a perfect --json"""

Agents = Annotated[
    list[str] | None,
    typer.Option(
        "--agent",
        "-a",
        metavar="AGENT",
        show_default=False,
        autocompletion=options.complete_agent,
        help="An agent, e.g. mcts:simulations=10000, alphabeta:depth=8, mc, perfect. Repeat for each agent.",
    ),
]


def compare(
    game: options.Game,
    agent: Agents = None,
    position: options.Position = None,
    move_time: options.MoveTime = None,
    seed: options.Seed = 0,
    json: options.Json = False,
) -> None:
    """Compare what agents think of one position.

    Prints each agent's value, rank and share of every move beside the exact value, its move, its line and its effort."""
    from nimtui.arena.comparison import check
    from nimtui.cli import compare_report, output
    from nimtui.cli.bar import Bar
    from nimtui.cli.names import place_keys, place_text, read_agent, read_position

    chosen, state = read_position(game, position)
    agents = [read_agent(name, chosen) for name in agent or []]
    check(chosen, state, agents)
    with Bar("compare") as bar:
        found = compared(chosen, state, agents, seed, move_time or 0.0, bar)
    if json:
        output.document(compare_report.document(found, place_keys(chosen, state, position), seed))
    else:
        compare_report.show(found, place_text(chosen, state, position))
    if bar.stopped:
        raise Cancelled("compare")


def compared(game: Game, state: State, agents: list[Agent], seed: int, seconds: float, bar: Bar) -> Comparison:
    """Ask all agents at the same time, and compute the exact values. A stop leaves the columns that are done."""
    from nimtui.arena.comparison import Column, Comparison, ask
    from nimtui.jobs.side_by_side import side_by_side
    from nimtui.theory.answers import known_moves

    works = [(agent.name, partial(ask, agent, state, seed, seconds)) for agent in agents]
    answers: list[Column | None] = side_by_side(works, bar)
    columns = tuple(
        answer or Column(agent.name, fault="stopped before it answered")
        for agent, answer in zip(agents, answers, strict=True)
    )
    truths = None
    with suppress(Cancelled, KeyboardInterrupt):
        truths = known_moves(game, state, bar)
    return Comparison(game, state, columns, truths)
