"""`nimtui tournaments extend`: adds games or agents to a saved tournament, and plays the new games."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

from nimtui.cli import completion, options
from nimtui.errors import InputError

EXAMPLES = """\
nimtui tournaments extend 3 --games 500
nimtui tournaments extend 3 --agent mcts:simulations=200"""

Id = Annotated[
    int,
    options.argument(
        "ID",
        "The tournament's number in 'nimtui tournaments list'.",
        parser=options.id_number,
        complete=completion.tournaments,
    ),
]


def extend(
    id: Id,
    games: Annotated[int | None, options.games_option("Number of games to add to each pairing.")] = None,
    agent: Annotated[
        list[str] | None,
        options.option(
            "--agent -a",
            "SPEC",
            "An agent to add, against all others; in a gauntlet, against the first. Repeat for each agent.",
            complete=completion.agents,
        ),
    ] = None,
    workers: options.Workers = None,
    scheduler: options.Scheduler = None,
    headless: Annotated[bool, options.headless_option("Show only a progress bar, not the live standings.")] = False,
    json: options.Json = False,
) -> None:
    """Add games or agents to a saved tournament, and play the new games.

    The played games stay. The result is the same as if the tournament had been started with all games, and with the
    added agents as --join. A pairing that a sequential test has ended stays as it is. Ctrl+C stops;
    'nimtui tournament --resume ID' continues.
    """
    from nimtui.cli.names import own_files
    from nimtui.cli.saving import Saving
    from nimtui.cli.tournament import run
    from nimtui.jobs.tournament import Tournament

    if not games and not agent:
        raise InputError("give --games N, --agent SPEC or both: what to add to the tournament")
    if workers is not None and scheduler is not None:
        raise InputError("a cluster has its own workers: give --workers or --scheduler, not both")
    own_files()
    with closing(Saving()) as keeping:
        keeping.extend(id, games or 0, agent or [])
        plan = keeping.resume(id)
        work = Tournament(plan, keeping.kept, workers, scheduler)
        run(work, keeping, None, live=not (headless or json), json=json)
