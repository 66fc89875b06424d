"""`nimtui match`: two agents play each other."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

import typer

from nimtui.cli import options
from nimtui.progress import Cancelled

EXAMPLES = """\
nimtui match tower:16 --first easy --second perfect
nimtui match subtraction:21,3:misere --first random --second random --games 10000
nimtui match nim:7,5,3 --first mc --second mcts --games 100 --alternate --openings balanced:2 --save"""


def match(
    game: options.Game,
    first: Annotated[
        str,
        typer.Option(
            metavar="SPEC",
            autocompletion=options.complete_agent,
            show_default=False,
            help="The agent that moves first.",
        ),
    ],
    second: Annotated[
        str,
        typer.Option(
            metavar="SPEC",
            autocompletion=options.complete_agent,
            show_default=False,
            help="The agent that moves second.",
        ),
    ],
    games: Annotated[
        int, typer.Option("--games", "-n", metavar="N", parser=options.games_number, help="How many.")
    ] = 1,
    seed: options.Seed = 0,
    alternate: Annotated[
        bool, typer.Option("--alternate", help="Change seats after every game.", show_default=False)
    ] = False,
    openings: options.Openings = None,
    move_time: options.MoveTime = None,
    game_time: options.GameTime = None,
    save: Annotated[
        bool, typer.Option("--save", help="Keep every game; 'nimtui games' shows them.", show_default=False)
    ] = False,
    json: options.Json = False,
) -> None:
    """Let two agents play each other.

    A single game is printed move by move, of more of them the score, and how many Elo each agent is ahead of the
    other: 35 are 55 % of the points, 191 are 75 %. A tournament of the two rates either half as far from the middle.
    """
    from nimtui.arena.limits import Limits
    from nimtui.arena.match import play_match
    from nimtui.arena.openings import parse_openings
    from nimtui.cli import match_report, output
    from nimtui.cli.bar import Bar
    from nimtui.cli.names import read_agent, read_game
    from nimtui.cli.saving import Saving

    chosen = read_game(game)
    players = read_agent(first, chosen), read_agent(second, chosen)
    begun = parse_openings(openings or "start")
    begun.check(chosen)
    limits = Limits(move_time, game_time or 0.0)
    with closing(Saving()) as keeping, Bar("match") as bar:
        if save:
            keeping.begin_match(chosen.name, [player.name for player in players], games, seed, alternate, begun, limits)
        with output.others_silent():
            result = play_match(
                chosen,
                *players,
                games,
                seed,
                alternate,
                bar,
                begun,
                judging=save,
                keep=keeping.keep if save else None,
                limits=limits,
            )
        keeping.ended(result.games, games, result.seconds)
    if json:
        times = {"move_time": limits.move or 0.0, "game_time": limits.game}
        output.document({**match_report.document(result, games), **times, **keeping.document()})
    else:
        match_report.show(result, games, alternate)
        output.paragraph(keeping.where)
    saved = keeping.say_how_to_go_on(result.games, games)
    if bar.stopped:
        raise Cancelled("match")
    if not saved:
        raise typer.Exit(1)
