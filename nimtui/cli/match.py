"""`nimtui match`: plays games between two agents."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

import typer

from nimtui.cli import completion, options
from nimtui.progress import Cancelled

EXAMPLES = """\
nimtui match tower:16 --first easy --second perfect
nimtui match nim:3,5 --first random --second random --games 10000
nimtui match nim:7,5,3 --first mc --second mcts -n 100 --alternate --save"""


def match(
    game: options.Game,
    first: Annotated[
        str,
        typer.Option(
            metavar="SPEC",
            autocompletion=completion.agents,
            show_default=False,
            help="The agent that moves first.",
        ),
    ],
    second: Annotated[
        str,
        typer.Option(
            metavar="SPEC",
            autocompletion=completion.agents,
            show_default=False,
            help="The agent that moves second.",
        ),
    ],
    games: Annotated[
        int, typer.Option("--games", "-n", metavar="N", parser=options.games_number, help="Number of games.")
    ] = 1,
    seed: options.Seed = 0,
    alternate: Annotated[
        bool, typer.Option("--alternate", help="Swap seats after every game.", show_default=False)
    ] = False,
    openings: options.Openings = None,
    move_time: options.MoveTime = None,
    game_time: options.GameTime = None,
    save: Annotated[
        bool, typer.Option("--save", help="Save each game; 'nimtui games list' shows them.", show_default=False)
    ] = False,
    save_thoughts: options.SaveThoughts = False,
    json: options.Json = False,
) -> None:
    """Let two agents play each other.

    Prints a single game move by move. For several games, prints the score and the Elo difference: 35 Elo mean 55 %
    of the points, 191 Elo mean 75 %. A tournament of the two agents rates each half as far from 0.
    """
    from nimtui.arena.limits import Limits
    from nimtui.arena.match import play_match
    from nimtui.arena.openings import parse_openings
    from nimtui.cli import match_report, output
    from nimtui.cli.bar import Bar
    from nimtui.cli.names import read_agent, read_game
    from nimtui.cli.saving import Saving
    from nimtui.documents.match import document

    chosen = read_game(game)
    players = read_agent(first, chosen), read_agent(second, chosen)
    begun = parse_openings(openings or "start")
    begun.check(chosen)
    limits = Limits(move_time, game_time or 0.0)
    with closing(Saving()) as keeping, Bar("match") as bar:
        if save or save_thoughts:
            names = [player.name for player in players]
            keeping.begin_match(chosen.name, names, games, seed, alternate, begun, limits, save_thoughts)
        with output.others_silent():
            result = play_match(
                chosen,
                *players,
                games,
                seed,
                alternate,
                bar,
                begun,
                judging=save or save_thoughts,
                keep=keeping.keep if save or save_thoughts else None,
                limits=limits,
                thoughts=save_thoughts,
            )
        keeping.ended(result.games, games, result.seconds)
    if json:
        times = {"move_time": limits.move or 0.0, "game_time": limits.game}
        output.document({**document(result, games), **times, **keeping.document()})
    else:
        match_report.show(result, games, alternate)
        output.paragraph(keeping.where)
    saved = keeping.say_how_to_resume(result.games, games)
    if bar.stopped:
        raise Cancelled("match")
    if not saved:
        raise typer.Exit(1)
