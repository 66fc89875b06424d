"""`nimtui tournament`: ranks agents by their games, with intervals."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

from nimtui.arena.standings.standings_report import standings
from nimtui.arena.standings.verdict_words import far, tests
from nimtui.cli import completion, look, options, output
from nimtui.cli.bar import Bar
from nimtui.cli.output import csv_file
from nimtui.errors import InputError, whole_number
from nimtui.report.blocks import Report, Words
from nimtui.report.cells import cells, table_lines
from nimtui.report.lines import Ink, Run
from nimtui.report.values import Clock, Pace

if TYPE_CHECKING:
    from rich.live import Live
    from rich.text import Text

    from nimtui.arena.play.plan import Plan
    from nimtui.cli.saving import Saving
    from nimtui.jobs.tournament import Tournament, View

USUAL_NUMBER = 100
SEED = "Without a clock, the same seed gives the same result, for any number of workers. [default: 0]"

EXAMPLES = """\
nimtui tournament tower:16 -a random -a easy -a hard -a perfect --games 1000
nimtui tournament connect4:4x4 -a mcts -a mc --openings random:4
nimtui tournament nim:3,5,7 -a mcts -a mc -n 100000 --sprt elo0=0,elo1=50
nimtui tournament subtraction:21,3 -a random -a perfect --pairs ordered
nimtui tournament --resume             continue the last stopped tournament"""


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
    headless: Annotated[bool, options.headless_option("Show only a progress bar, not the live standings.")] = False,
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
        "save": save,
        "save-thoughts": save_thoughts or None,
        "name": name,
    }
    chosen = {option: value for option, value in chosen.items() if value is not None}
    from nimtui.cli import look
    from nimtui.cli.names import own_files
    from nimtui.cli.output import tell
    from nimtui.cli.saving import Saving
    from nimtui.jobs.tournament import Tournament

    look.use(ascii, slow)
    options.check_workers(workers, scheduler)
    table = csv_file(to, csv, force)
    own_files()
    with closing(Saving()) as keeping:
        if resume:
            plan = keeping.resume(_number(game, chosen))
        else:
            if save is False and save_thoughts:
                raise InputError("--no-save saves nothing: leave out --save-thoughts")
            plan = _plan(game or [], chosen)
            if save is not False:
                keeping.begin(plan, name or "", must=save is True)
        task = Tournament(plan, keeping.kept, workers, scheduler)
        if keeping.finished and task.finished:  # an older test may have ended too early: the rest is played
            tell(f"{keeping.name} is already finished; this is its report")
        run(task, keeping, table, live=not (headless or json), json=json)


def _plan(games: list[str], asked: dict[str, Any]) -> Plan:
    """Return the plan from the options. Raises InputError if it is invalid."""
    from nimtui.arena.play.limits import Limits
    from nimtui.arena.play.plan import plan

    joined, thoughts = asked.get("join", []), asked.get("save-thoughts", False)
    agents, number = [*asked.get("agent", []), *joined], asked.get("games", USUAL_NUMBER)
    limits = Limits(asked.get("move-time"), asked.get("game-time", 0.0))
    more = {key: asked[key] for key in ("pairs", "openings", "seed", "sprt") if key in asked}
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


def run(task: Tournament, keeping: Saving, csv: Path | None, live: bool, json: bool) -> None:
    """Play the missing games and print the report."""
    from nimtui.arena.standings.standings import remark
    from nimtui.arena.standings.standings_report import sheet
    from nimtui.cli import output
    from nimtui.cli.bar import FAULTS, Bar
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
    bar.print(report(view, remarks, view.seconds - before), json, keeping.document(), keeping.where)
    bar.write(csv, lambda: sheet(view.standings))
    bar.leave(keeping.say_how_to_resume(view.done, view.total))


REDRAWS = 4  # a second, at most
COSTS = 20  # the pause between two redraws is at least this many times as long as a redraw
MOST_TESTS = 8  # lines of sequential tests
SPARE = 4  # lines that the tables leave free: the games, the progress, the prompt, the cursor


class LiveTable(Bar):
    """A bar that shows the live standings, and below them the games played and the time left.

    Never exceeds the terminal, and disappears before the report is printed.
    """

    def __init__(self, view: Callable[[], View]) -> None:
        super().__init__("tournament")
        self.view = view
        self._pause = 1 / look.redraws(REDRAWS)
        self._live: Live | None = None
        self._due = 0.0

    def draw(self, done: float, total: float, what: str) -> None:
        begun = monotonic()
        if begun < self._due:
            return
        if self._live is None:
            from rich.live import Live

            console = output.console(stderr=True)
            # As in bar.py: it is drawn at once, and nothing is printed through it.
            self._live = self._drawn = Live(console=console, auto_refresh=False, transient=True, redirect_stdout=False)
            self._live.start()
        console = self._live.console
        self._live.update(picture(self.view(), what, console.width, console.height, console.encoding), refresh=True)
        now = monotonic()
        self._due = now + max(self._pause, COSTS * (now - begun))  # many agents take long to draw


def picture(view: View, what: str, width: int, height: int, encoding: str = "utf-8") -> Text:
    """Return the rows and columns that fit `width` x `height`, and the progress line."""
    from rich.text import Text

    from nimtui.games import parse_game

    signs = output.Printable(encoding)
    titles = Words([" · ".join(parse_game(name).title for name in view.plan.games)], ink=Ink.TITLE)
    parts = (  # the most important first
        f"{view.done:,} of {view.total:,} games",
        far(view.plan, view.scores),
        "" if what == "games" else what,
        Pace(view.rate).text if view.rate else "",
        "" if view.left is None else f"{Clock(view.left)} left",
        f"last fault: {view.faults[-1]}" if view.faults else "",
        view.fault,
    )
    progress = Words([" · ".join(filter(None, parts))])
    lines = table_lines(standings(view.standings), width, max(2, height - SPARE), signs=signs)
    if view.plan.sprt is not None and (room := min(height - SPARE - len(lines), MOST_TESTS)) > 0:
        lines += table_lines(tests(view.plan, view.scores, room), width, signs=signs)
    lines = [*cells(Report([titles]), width, signs=signs), *lines, *cells(Report([progress]), width, signs=signs)]
    bold = (Ink.TITLE, Ink.COLUMN)
    runs = [(run.text, "bold" if run.ink in bold else "") for each in lines for run in (*each, Run("\n"))]
    return Text.assemble(*runs[:-1], no_wrap=True)
