"""`nimtui tournament`: ranks agents by their games, with intervals."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from nimtui.cli import completion, look, options, output
from nimtui.cli.background import detach
from nimtui.cli.bar import FAULTS, Bar
from nimtui.cli.names import own_files
from nimtui.cli.output import csv_file, tell
from nimtui.cli.saving import Saving
from nimtui.errors import InputError, whole_number

if TYPE_CHECKING:
    from nimtui.arena.play.plan import Plan
    from nimtui.jobs.tournament import Tournament

USUAL_NUMBER = 100
SEED = "Without a clock, the same seed gives the same result, for any number of workers. [default: 0]"


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
        list[str] | None,
        options.agents_option("--agent -a", "An agent, e.g. perfect, mc:playouts=1000, hard. Repeat for each agent."),
    ] = None,
    join: Annotated[
        list[str] | None,
        options.agents_option(
            "--join",
            "An agent that joins after the others. Plays the same games as a tournament that"
            " 'nimtui tournaments extend --agent' extended by SPEC. Repeat for each agent.",
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
    seed: Annotated[int | None, options.seed_option(SEED)] = None,
    move_time: options.MoveTime = None,
    game_time: options.GameTime = None,
    increment: options.Increment = None,
    nodes: options.Nodes = None,
    fault: options.FaultRule = None,
    sandbox: options.Sandboxed = None,
    workers: options.Workers = None,
    scheduler: options.Scheduler = None,
    save: Annotated[
        bool | None,
        options.flag("--save/--no-save", "Save each game as soon as it ends. [default: save]"),
    ] = None,
    save_thoughts: options.SaveThoughts = False,
    name: Annotated[str | None, options.option("", "TEXT", "Name of the saved tournament.")] = None,
    resume: Annotated[
        bool,
        options.flag("--resume", "Resume the tournament with this number. [default: the last one stopped]"),
    ] = False,
    to: Annotated[Path | None, options.to_option("Also write the standings to FILE.csv.")] = None,
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

    look.use(ascii, slow)
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
    from nimtui.cli.standing_table import LiveTable
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
