"""`nimtui match`: two agents play each other."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nimtui.cli import options
from nimtui.progress import Cancelled

if TYPE_CHECKING:
    from nimtui.arena.match import MatchResult
    from nimtui.games import Game

EXAMPLES = """\
nimtui match tower:16 --first easy --second perfect
nimtui match subtraction:21,3:misere --first random --second random --games 10000
nimtui match connect4:4x4 --first mc --second perfect --games 100 --alternate --json"""


SEATS = ("first", "second")


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
    json: options.Json = False,
) -> None:
    """Let two agents play each other.

    A single game is printed move by move."""
    from nimtui.arena.match import play_match
    from nimtui.cli import output
    from nimtui.cli.bar import Bar
    from nimtui.cli.names import read_agent, read_game

    chosen = read_game(game)
    players = read_agent(first, chosen), read_agent(second, chosen)
    with Bar("match") as bar:
        result = play_match(chosen, *players, games=games, seed=seed, alternate=alternate, progress=bar)
    if json:
        output.document(document(chosen, result, games))
    else:
        _show(chosen, result, games)
    if bar.stopped:
        raise Cancelled("match")


def document(game: Game, result: MatchResult, asked: int) -> dict[str, Any]:
    """The JSON document: wins by seat and by agent; of a single game its moves."""
    keys: dict[str, Any] = {
        "game": game.name,
        "games": result.games,
        "first_wins": result.first_wins,
        "second_wins": result.second_wins,
        "draws": result.draws,
        "agents": [asdict(score) for score in result.by_agent],
        "seconds": result.seconds,
        "plies": result.plies,
        "faults": list(result.faults),
    }
    if asked == 1:
        keys["transcript"] = list(result.transcript)
    return keys


def _show(game: Game, result: MatchResult, asked: int) -> None:
    from nimtui.cli import output

    output.heading(game)
    for fault, times in Counter(result.faults).items():
        output.say(f"lost by a fault{f' in {output.grouped(times)} games' if times > 1 else ''}: {fault}")
    if asked == 1:
        _show_game(game, result)
        return
    output.columns(
        ["agent", "wins", "losses", "draws"],
        [[score.agent, *map(output.grouped, (score.wins, score.losses, score.draws))] for score in result.by_agent],
    )
    output.say(
        "",
        f"{output.grouped(result.games)} games in {output.seconds(result.seconds)}: the first to move won"
        f" {output.grouped(result.first_wins)}, the second {output.grouped(result.second_wins)}",
    )


def _show_game(game: Game, result: MatchResult) -> None:
    """One game move by move, and who won it."""
    from nimtui.cli import output
    from nimtui.games import base

    state = game.new()
    rows = []
    for ply, (move, name) in enumerate(zip(result.first_game, result.transcript, strict=True)):
        base.play(state, move)
        rows.append([str(ply + 1), result.agents[ply % 2], name, game.position_name(state)])
    output.columns(["", "agent", "move", "position after it"], rows, left=(1, 2, 3))
    for finished in result.results:
        winner = finished.winner
        output.say("", "a draw" if winner is None else f"{result.agents[winner]} has won, {SEATS[winner]} to move")
