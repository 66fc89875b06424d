"""Agents against each other.

`nimtui tournament` ranks agents by their games, with intervals. `nimtui match` plays games between two agents. `nimtui
class` plays a class of students against a fixed pool and each other, and marks them.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nimtui.cli import completion, options, output
from nimtui.cli.bar import FAULTS, Bar, detach
from nimtui.cli.names import own_files, read_agent, read_game
from nimtui.cli.output import csv_file, tell
from nimtui.cli.saving import Saving
from nimtui.errors import InputError, whole_number
from nimtui.progress import SILENT, Cancelled

if TYPE_CHECKING:
    from nimtui.arena.play.plan import Plan
    from nimtui.jobs.tournament import Tournament

USUAL_NUMBER = 100


@options.examples("""\
nimtui tournament tower:16 -a random -a easy -a hard -a perfect --games 1000
nimtui tournament connect4:4x4 -a mcts -a mc --openings random:4
nimtui tournament nim:3,5,7 -a mcts -a mc -n 100000 --sprt elo0=0,elo1=50
nimtui tournament subtraction:21,3 -a random -a perfect --pairs ordered
nimtui tournament --resume             continue the last stopped tournament""")
def tournament(
    game: Annotated[
        list[str] | None,
        options.argument(
            "GAME",
            "One or more games: tower:16, connect4:4x4. With --resume: a tournament's number.",
            complete=completion.games,
        ),
    ] = None,
    agent: Annotated[
        list[str] | None, options.agent_option("An agent, e.g. perfect, mc:playouts=1000, hard. Repeat for each agent.")
    ] = None,
    join: Annotated[
        list[str] | None,
        options.agent_option(
            "An agent that joins after the others. Plays the same games as a tournament that"
            " 'nimtui tournaments extend --agent' extended by SPEC. Repeat for each agent.",
            "--join",
        ),
    ] = None,
    games: Annotated[
        int | None, options.games_option(f"Number of games per pairing. [default: {USUAL_NUMBER}]")
    ] = None,
    pairs: Annotated[
        str | None,
        options.option(
            "",
            "KIND",
            "round-robin; gauntlet: the first agent against each other agent; ordered: every ordered pair,"
            " self-play included. Seats alternate except in ordered. [default: round-robin]",
            complete=completion.pairs,
        ),
    ] = None,
    openings: options.Openings = None,
    sprt: Annotated[
        str | None,
        options.option(
            "",
            "TEST",
            "End each pairing by a sequential test: elo0=0,elo1=50 tests whether the agent named first is 0 (H0)"
            " or 50 (H1) Elo stronger than the other. Two games with swapped seats are a pair; a verdict needs 10"
            " pairs. [default: alpha=0.05,beta=0.05,scale=logistic; or scale=normalised]",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        options.seed_option(
            "Without a clock, the same seed gives the same result, for any number of workers. [default: 0]"
        ),
    ] = None,
    move_time: options.MoveTime = None,
    game_time: options.GameTime = None,
    increment: options.Increment = None,
    nodes: options.Nodes = None,
    fault: options.FaultRule = None,
    sandbox: options.Sandboxed = None,
    workers: options.Workers = None,
    scheduler: options.Scheduler = None,
    save: Annotated[
        bool | None, options.flag("--save/--no-save", "Save each game as soon as it ends. [default: save]")
    ] = None,
    save_thoughts: options.SaveThoughts = False,
    name: Annotated[str | None, options.option("", "TEXT", "Name of the saved tournament.")] = None,
    resume: Annotated[
        bool, options.flag("--resume", "Resume the tournament with this number. [default: the last one stopped]")
    ] = False,
    to: Annotated[Path | None, options.file_option("to", "Also write the standings to FILE.csv.")] = None,
    csv: options.OldCsv = None,
    force: options.Force = False,
    headless: options.Headless = False,
    background: options.Background = False,
    json: options.Json = False,
    ascii: options.Ascii = False,
    slow: options.Slow = False,
) -> None:
    """Play a tournament and rank the agents.

    Seats alternate, ratings have 95 % intervals, and every game is saved. Ctrl+C stops the tournament and prints the
    report; --resume continues to the same result as an uninterrupted run. Without arguments, opens the Tournament
    screen.

    Elo: 35 more mean 55 % of the points, 191 more mean 75 %. A draw is half a win, 0 is the average of the agents.
    LOS is the probability that an agent is stronger, not by how much: if nearly all games are drawn, 53 % of the
    points can be almost certain. Mistakes: moves that worsened the outcome, out of the positions that were not lost.
    """
    chosen: dict[str, Any] = {
        "agent": agent,
        "join": join,
        "games": games,
        "pairs": pairs,
        "openings": openings,
        "sprt": sprt,
        "seed": seed,
        "move-time": move_time,
        "game-time": game_time,
        "increment": increment,
        "nodes": nodes,
        "fault": fault,
        "save": save,
        "save-thoughts": save_thoughts or None,
        "name": name,
    }
    chosen = {option: value for option, value in chosen.items() if value is not None}
    from nimtui.agents.program import sandbox_line
    from nimtui.jobs.tournament import Tournament

    output.draw_as(ascii, slow)
    options.check_workers(workers, scheduler)
    table = csv_file(to, csv, force)
    own_files()
    if background:
        if save is False:
            raise InputError("a tournament in the background is saved: leave out --no-save")
        if not resume:
            _plan(game or [], chosen)  # refuses what is invalid
        detach("tournament", _number(game, chosen) if resume else None)
        return
    with closing(Saving()) as keeping:
        if save is False and save_thoughts and not resume:
            raise InputError("--no-save saves nothing: leave out --save-thoughts")
        plan = keeping.resume(_number(game, chosen)) if resume else _plan(game or [], chosen)
        closed = sandbox_line(plan.agents, sandbox)
        if save is not False and not resume:
            keeping.begin(plan, name or "", must=save is True)
        task = Tournament(plan, keeping.kept, workers, scheduler)
        if keeping.finished and task.finished:  # an older test may have ended too early: the rest is played
            tell(f"{keeping.name} is already finished; this is its report")
        run(task, keeping, table, live=not (headless or json), json=json, sandbox=closed)


def _plan(games: list[str], asked: dict[str, Any]) -> Plan:
    """Return the plan from the options. Raises InputError if it is invalid."""
    from nimtui.arena.play.limits import Limits
    from nimtui.arena.play.plan import plan

    joined, thoughts = asked.get("join", []), asked.get("save-thoughts", False)
    agents, number = [*asked.get("agent", []), *joined], asked.get("games", USUAL_NUMBER)
    times = asked.get("move-time"), asked.get("game-time", 0.0), asked.get("increment", 0.0)
    limits = Limits(*times, asked.get("nodes", 0))
    more = {key: asked[key] for key in ("pairs", "openings", "seed", "sprt", "fault") if key in asked}
    return plan(games, agents, number=number, limits=limits, joined=len(joined), thoughts=thoughts, **more)


def _number(words: list[str] | None, asked: dict[str, Any]) -> int | None:
    """Return the number of the tournament to resume, None for the last one stopped. Raises InputError."""
    if asked:
        option = "no-save" if asked.get("save") is False else next(iter(asked))
        raise InputError(f"a resumed tournament keeps its options: leave out --{option}")
    if not words:
        return None
    if len(words) > 1:
        raise InputError(f"--resume takes one number, not {len(words)}")
    return whole_number(words[0], "the number of a tournament", 1, options.LARGEST_SEED)


def run(task: Tournament, keeping: Saving, csv: Path | None, live: bool, json: bool, sandbox: str = "") -> None:
    """Play the missing games and print the report."""
    from nimtui.arena.standings.standings import remark
    from nimtui.arena.standings.standings_report import sheet
    from nimtui.cli.bar import LiveTable
    from nimtui.jobs.tournament_report import tournament as report
    from nimtui.jobs.work import Work

    remarks: list[str] = []
    before = task.view.seconds
    with LiveTable(lambda: task.view) if live else Bar("tournament") as bar, output.others_silent():
        bar.watch(task, "the tournament continues, and nimtui tries again")
        with bar.orderly(ends=FAULTS):
            Work.here(task, bar)
            remarks = remark(task.plan, bar)
    view = task.view
    if bar.ended is not None and not view.done:
        keeping.drop()
        raise bar.ended
    bar.print(report(view, remarks, view.seconds - before, sandbox), json, keeping.document(), keeping.where)
    bar.write(csv, lambda: sheet(view.standings))
    bar.leave(keeping.say_how_to_resume(*task.stored()))


@options.examples("""\
nimtui match tower:16 --first easy --second perfect
nimtui match nim:3,5 --first random --second random --games 10000
nimtui match nim:7,5,3 --first mc --second mcts -n 100 --alternate --save""")
def match(
    game: options.Game,
    first: Annotated[str, options.agent_option("The agent that moves first.", "")],
    second: Annotated[str, options.agent_option("The agent that moves second.", "")],
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
    from nimtui.arena.play.plan import (
        LOSES_GAME,
        MOST_GAMES,
        ONE_SIDED,
        ORDERED,
        ROUND_ROBIN,
        Plan,
        check_rule,
        parse_openings,
    )
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
            if games > MOST_GAMES:
                raise InputError(f"--save stores at most {MOST_GAMES:,} games of a match, not {games:,}: leave it out")
            pairs = ROUND_ROBIN if alternate else ORDERED if names[0] == names[1] else ONE_SIDED
            agents = tuple(names[:1] if pairs == ORDERED else names)
            keeping.begin(
                Plan((chosen.name,), agents, pairs, games, begun, seed, None, limits, 0, save_thoughts, rule),
                kind="match",
            )
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


@options.examples("""\
nimtui new class hand_ins
nimtui class hand_ins nim:1,3,5,7:misere
nimtui class hand_ins noughts --to marks.csv --pages feedback""")
def class_(
    folder: Annotated[
        Path,
        options.argument("FOLDER", "A folder: each file or folder in it is a student's hand-in.", options.file_name),
    ],
    game: Annotated[str, options.argument("GAME", "The game that all play.", complete=completion.games)],
    workers: options.Workers = None,
    sandbox: options.Sandboxed = None,
    to: Annotated[
        Path | None, options.file_option("to", "Also write the report to FILE: .md, .csv, .html or .json.")
    ] = None,
    pages: Annotated[
        Path | None,
        options.option("", "FOLDER", "Write a page for each student into this folder, in Markdown.", options.file_name),
    ] = None,
    force: options.Force = False,
    headless: options.Headless = False,
    json: options.Json = False,
) -> None:
    """Play a class of students and mark them.

    Every hand-in plays against a fixed pool of agents, and against the others. The mark counts the games against the
    pool alone, so it does not depend on the other students. Settings: class.toml in the folder.

    Run the command again after a hand-in changed: only its games are played again. Ctrl+C stops; the same command
    continues.
    """
    from nimtui.agents.program import sandbox_line
    from nimtui.arena.classes import class_folder
    from nimtui.arena.classes.results import FORMATS, page, report
    from nimtui.cli.bar import LiveTable
    from nimtui.jobs import classes
    from nimtui.jobs.work import Work
    from nimtui.report.copies import command
    from nimtui.report.document import markdown

    options.check_workers(workers, None)
    if not folder.is_dir():
        raise InputError(f"no folder '{folder}'")
    if class_folder.begin(folder):
        output.tell(f"wrote the default settings: {folder / class_folder.FILE}")
    if omitted := class_folder.omitted(folder):
        output.tell(omitted)
    if to is not None:
        write = output.format_of(to, FORMATS)
        output.check_new(to, force)
    own_files()
    board = read_game(game)
    with closing(Saving()) as keeping:
        with Bar("class") as bar, output.others_silent():
            task = classes.opened(keeping.open(), folder, board, workers, bar)
            keeping.kept = task.writer
        closed = sandbox_line(task.plan.agents, sandbox)
        live = LiveTable(lambda: task.view) if not (headless or json) else Bar("class")
        with live as bar, output.others_silent():
            bar.watch(task, "the class continues, and nimtui tries again")
            with bar.orderly(ends=FAULTS):
                Work.here(task, bar)
        if bar.ended is not None:
            bar.leave(keeping.say_how_to_resume(*task.stored(), command("class", folder, board.name).text))
        assert keeping.kept is not None
        pupils = classes.results(keeping.kept.info.document, task, keeping.kept.rows)
        result = report(task.plan, pupils, closed)
        bar.print(result, json, keeping.document(), keeping.where)
        if to is not None:
            output.write_text(to, write(task.plan, result, pupils))
        if pages is not None:
            pages.mkdir(parents=True, exist_ok=True)
            for pupil in pupils:
                output.write_text(pages / f"{pupil.name}.md", markdown(page(task.plan, pupil)) + "\n")
            if names := class_folder.names_csv(folder):
                output.write_text(pages / "names.csv", names)
