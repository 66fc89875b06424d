"""`nimtui match`: plays games between two agents."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

import typer

from nimtui.cli import options, output
from nimtui.cli.bar import Bar
from nimtui.cli.names import read_agent, read_game
from nimtui.cli.saving import Saving
from nimtui.progress import SILENT, Cancelled


@options.examples("""\
nimtui match tower:16 --first easy --second perfect
nimtui match nim:3,5 --first random --second random --games 10000
nimtui match nim:7,5,3 --first mc --second mcts -n 100 --alternate --save""")
def match(
    game: options.Game,
    first: Annotated[str, options.agents_option("", "The agent that moves first.")],
    second: Annotated[str, options.agents_option("", "The agent that moves second.")],
    games: Annotated[
        int, options.option("--games -n", "N", "Number of games.", parser=options.games_number, default=True)
    ] = 1,
    seed: options.Seed = 0,
    alternate: Annotated[bool, options.flag("--alternate", "Swap seats after every game.")] = False,
    openings: options.Openings = None,
    move_time: options.MoveTime = None,
    game_time: options.GameTime = None,
    increment: options.Increment = None,
    nodes: options.Nodes = None,
    fault: options.FaultRule = None,
    sandbox: options.Sandboxed = None,
    save: Annotated[bool, options.flag("--save", "Save each game; 'nimtui games list' shows them.")] = False,
    save_thoughts: options.SaveThoughts = False,
    json: options.Json = False,
) -> None:
    """Let two agents play each other.

    Prints a single game move by move. For several games, prints the score and the Elo difference: 35 Elo mean 55 %
    of the points, 191 Elo mean 75 %. A tournament of the two agents rates each half as far from 0.
    """
    from nimtui.agents.program import sandbox_line
    from nimtui.arena.play.limits import Limits
    from nimtui.arena.play.match import play_match
    from nimtui.arena.play.openings import parse_openings
    from nimtui.arena.play.plan import LOSES_GAME, check_rule
    from nimtui.arena.standings import match_report

    chosen = read_game(game)
    players = read_agent(first, chosen), read_agent(second, chosen)
    begun = parse_openings(openings or "start")
    begun.check(chosen)
    limits = Limits(move_time, game_time or 0.0, increment or 0.0, nodes or 0)
    rule, saving = check_rule(fault or LOSES_GAME), save or save_thoughts
    names = [player.name for player in players]
    closed = sandbox_line(names, sandbox)
    with closing(Saving()) as keeping, Bar("match") as bar:
        if saving:
            keeping.begin_match(chosen.name, names, games, seed, alternate, begun, limits, save_thoughts, rule)
        keep = keeping.keep if saving else None
        terms = chosen, *players, games, seed, alternate, bar, begun
        with output.others_silent():
            result = play_match(*terms, judging=saving, keep=keep, limits=limits, thoughts=save_thoughts, fault=rule)
        played, planned = result.sums.games, result.sums.games if result.sums.forfeited else games
        keeping.ended(played, planned, result.seconds)
    report = match_report.match(result, games, limits, rule, closed)
    if json or games > 1 or not result.sums.games:
        output.report(report, json, keeping.document())
    else:  # move by move
        from nimtui.arena.play.judge import is_judged
        from nimtui.arena.review.review_report import blocks, of_row
        from nimtui.report.blocks import Report

        output.heading(chosen)
        output.say(*filter(None, [closed]))
        judging = SILENT if is_judged(chosen) else None
        story = of_row(chosen, result.batch.game(0), result.agents, judging)
        output.report(Report(blocks(story, drawn=any(moment.belief for moment in story.story.moments))))
        output.say("", match_report.winner(result))
        output.say(*(line for _, _, fault in result.sums.faults for line in fault.particulars))
    if not json:
        output.paragraph(keeping.where)
    saved = keeping.say_how_to_resume(played, planned)
    if bar.stopped:
        raise Cancelled("match")
    if not saved:
        raise typer.Exit(1)
