"""`nimtui train`: trains a learner by self-play, in the app or without a screen.

`nimtui sweep`: trains a learner with many settings, on all cores or on a cluster.
"""

from __future__ import annotations

import sys
from pathlib import Path
from shlex import quote
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from nimtui.cli import options, output
from nimtui.cli.bar import FAULTS, Bar, detach
from nimtui.cli.names import own_files, read_game
from nimtui.cli.output import check_new, check_writable, csv_file, tell
from nimtui.cli.play import at_a_terminal
from nimtui.errors import InputError
from nimtui.report.values import Count
from nimtui.store import StoreError
from nimtui.version import __version__

if TYPE_CHECKING:
    from nimtui.games import Game
    from nimtui.jobs.sweep import Sweep
    from nimtui.jobs.sweep import View as Cells
    from nimtui.learning.run import Run
    from nimtui.learning.sweep import Plan
    from nimtui.learning.views import View
    from nimtui.report.blocks import Words
    from nimtui.store.sweeps import Log

USUAL_LEARNER, USUAL_GAMES, USUAL_SEED = "reward", 1_000_000, 0
OF_PAYOFFS = "q"  # the default learner where games end with a number
LOOKS = 0.4  # seconds between two evaluations of the table for the bar


@options.examples("""\
nimtui train tower:16 --games 5000000
nimtui train nim:7,5,3 --learner quality:margin=90 --until-perfect
nimtui train nim:7,5,3 --learner reward:pick=uniform-move --save 753.npz
nimtui train tower:16 --games 2000000000 --save big.npz --background
nimtui train --resume 753.npz --games 4000000      continue in the same file""")
def train(
    game: options.ResumedGame = None,
    learner: Annotated[
        str | None,
        options.learner_option(
            "SPEC",
            "The learner, e.g. reward, quality:margin=50, proof; the full list is below. "
            "[default: reward; q for payoffs]",
        ),
    ] = None,
    games: Annotated[
        int | None,
        options.games_option(
            f"Number of games to add. [default: {USUAL_GAMES:,}; with --resume, the rest of the original goal]"
        ),
    ] = None,
    minutes: Annotated[
        float | None,
        options.option(
            "--minutes", "M", "Train for M minutes of processor time instead of --games.", parser=options.minutes
        ),
    ] = None,
    until_perfect: Annotated[
        bool,
        options.flag(
            "--until-perfect",
            f"Stop when the table plays every position right, at the latest after --games ({USUAL_GAMES:,}).",
        ),
    ] = False,
    seed: Annotated[int | None, options.seed_option("The same seed gives the same table. [default: 0]")] = None,
    save: Annotated[
        Path | None, options.file_option("save", "Save the run and its table to FILE, every 10 seconds and at the end.")
    ] = None,
    resume: Annotated[
        Path | None,
        options.file_option("resume", "Resume a saved run. It is saved to the same file unless --save names another."),
    ] = None,
    force: Annotated[bool, options.flag("--force", "Let --save overwrite an existing file.")] = False,
    headless: Annotated[
        bool,
        options.flag(
            "--headless",
            "Print a report instead of opening the app. Implied by --json, --save, --resume, --minutes, "
            "--until-perfect and pipes.",
        ),
    ] = False,
    background: options.Background = False,
    json: options.Json = False,
    ascii: options.Ascii = False,
    slow: options.Slow = False,
) -> None:
    """Train a learner by self-play.

    Opens the Train screen on a terminal; otherwise prints a report. The report shows the speed and, after 1, 10,
    100 … games, the accuracy and how often the table does not lose to perfect play. Ctrl+C stops
    the training, saves it and prints the report.
    """
    from nimtui.learning.learner import usual_games

    output.draw_as(ascii, slow)
    if background and save is None and resume is None:
        raise InputError("a training in the background is saved: name its file with --save")
    headless = headless or background or json
    if not (headless or until_perfect or save or resume or minutes or _is_large(game)) and at_a_terminal():
        _open_screen(game, learner, games, seed)
        return
    run = _begin(game, learner, seed, save, resume)
    if games is not None or minutes is not None or until_perfect or _has_no_goal(run):
        usual = usual_games(run.training.learner, USUAL_GAMES)
        run.goal(usual if games is None and minutes is None else games, until_perfect, minutes)
    if save is not None:
        if resume is None or not (save.exists() and save.samefile(resume)):
            check_new(save, force)
    elif resume is not None:
        check_writable(resume)
    if background:
        detach("training", run.place)
    else:
        proceed(run, json)


def proceed(run: Run, json: bool) -> None:
    """Train to the goal and print the report."""
    from nimtui.api.training import own_faults
    from nimtui.jobs.work import Work
    from nimtui.learning.report import trained

    with SpeedBar(run) as bar:
        bar.watch(run, "the training continues in memory")
        with bar.orderly(lambda: run.training.ready), own_faults(run.training):
            Work.here(run, bar)
            run.training.measure_points(bar)
        report = trained(run)
    bar.print(report, json)
    if run.fault:
        _say_what_is_saved(run)
        raise typer.Exit(1)
    bar.leave()


def _say_what_is_saved(run: Run) -> None:
    """Print on stderr how many games of an unsaved run the file holds, and how to save the others."""
    games, saved = run.training.games, run.writer.games or 0
    command = f"nimtui train --resume {quote(str(run.place))} --games {games - saved}"
    others = f"{command} plays the others, once there is room"
    instead = "--save FILE saves to another file"
    tell(f"{run.fault}: {saved:,} of {games:,} games are saved; {others if saved else instead}")


def _open_screen(game: str | None, learner: str | None, games: int | None, seed: int | None) -> None:
    """Open the Train screen and start this training. Raises InputError without a game."""
    from nimtui import ui
    from nimtui.ui.train.setup import TrainSetup

    own_files()
    if game is None:
        raise InputError("name the game to train on, e.g. nimtui train tower:16")
    goal = Count(USUAL_GAMES if games is None else games).text
    setup = TrainSetup(game, learner or _usual_learner(read_game(game)), "", USUAL_SEED if seed is None else seed, goal)
    ui.run(setup.validate(), mode="train", **output.drawing_of_app())


def _is_large(name: str | None) -> bool:
    """Return whether the screen cannot show a game: it has too many positions, and no sample of exact ones."""
    from nimtui.learning import sample
    from nimtui.learning.graph_table import why_untrainable

    if name is None:
        return False
    own_files()
    game = read_game(name)
    return why_untrainable(game) is not None and sample.why_none(game) is not None


def _has_no_goal(run: Run) -> bool:
    """Return whether a saved run has reached its goal, or had none."""
    return (run.last is None and run.until is None) or (run.last is not None and run.last <= run.training.games)


class SpeedBar(Bar):
    """A bar with the accuracy and the speed beside it."""

    def __init__(self, run: Run) -> None:
        super().__init__("train")
        self.run = run
        self._view: View | None = None
        run.views.every = LOOKS if self.shown else None

    def show(self, done: float, total: float, what: str) -> None:
        from nimtui.learning.report import worth

        if (view := self.run.views.newest) is not None and view is not self._view:
            since = self._view or view._replace(games=0, seconds=0.0)
            speed = (view.games - since.games) / max(view.seconds - since.seconds, 1e-6)
            self.remark = " · ".join(filter(None, (worth(self.run), f"{Count(speed)} games/s")))
            self._view = view
        super().show(done, total, what)


def _usual_learner(game: Game) -> str:
    return OF_PAYOFFS if game.pays else USUAL_LEARNER


def _begin(name: str | None, learner: str | None, seed: int | None, save: Path | None, resume: Path | None) -> Run:
    """Return a new run, or the one in the file. Raises InputError if its game, learner or seed differ."""
    from nimtui.learning.learner import parse_learner, spec
    from nimtui.learning.run import Run
    from nimtui.learning.training import Training

    own_files()
    if resume is None:
        if name is None:
            raise InputError("name the game to train on, e.g. nimtui train tower:16")
        game = read_game(name)
        return Run(Training(game, learner or _usual_learner(game), USUAL_SEED if seed is None else seed), save)
    run = Run.load(resume)
    training = run.training
    if name is not None and read_game(name) != training.game:
        raise InputError(f"the run in {resume} is on {training.game.name}, not on {read_game(name).name}")
    if learner is not None and parse_learner(learner) != training.learner:
        raise InputError(f"the run in {resume} has the learner {spec(training.learner)}, not {learner}")
    if seed is not None and seed != training.seed:
        raise InputError(f"the run in {resume} has the seed {training.seed}, not {seed}")
    if save is not None:
        run.writer.move(save)
    return run


CELL_GAMES, USUAL_REPEATS = 100_000, 5
MOST_REPEATS = 10_000


@options.examples("""\
nimtui sweep nim:7,5,3 -l quality --grid margin=50,70,90 --grid win=19,29
nimtui sweep tower:16 -l quality --grid margin=50..90:10 --save m.jsonl
nimtui sweep --resume m.jsonl --to margins.csv
nimtui sweep nim:7,5,3 -l q --grid alpha=0.1..0.5:0.2 --workers 2""")
def sweep(
    game: options.ResumedGame = None,
    learner: Annotated[
        str | None,
        options.learner_option(
            "NAME", "The learner, with the parameters that all cells share: quality, quality:start=40, reward."
        ),
    ] = None,
    grid: Annotated[
        list[str] | None,
        options.option(
            "--grid",
            "KEY=V1,V2,…",
            "A parameter and its values, or a range: margin=50..100:10. Repeat for each parameter.",
        ),
    ] = None,
    repeats: Annotated[
        int | None,
        options.option(
            "--repeats -r",
            "N",
            f"Number of seeds per cell. [default: {USUAL_REPEATS}]",
            parser=options.whole("the number of repeats", 1, MOST_REPEATS),
        ),
    ] = None,
    games: Annotated[
        int | None, options.games_option(f"Maximum number of games per training. [default: {CELL_GAMES:,}]")
    ] = None,
    seed: Annotated[
        int | None, options.seed_option("The same seed gives the same result, with any number of workers. [default: 0]")
    ] = None,
    workers: options.Workers = None,
    scheduler: options.Scheduler = None,
    save: Annotated[
        Path | None,
        options.file_option(
            "save", "Save each training to FILE as soon as it ends. Resumes the sweep if FILE already holds it."
        ),
    ] = None,
    resume: Annotated[Path | None, options.file_option("resume", "Resume a stopped sweep from FILE.")] = None,
    to: Annotated[Path | None, options.file_option("to", "Also write the cells to FILE.csv.")] = None,
    csv: options.OldCsv = None,
    force: options.Force = False,
    headless: Annotated[bool, options.flag("--headless", "No effect: a sweep always runs without a screen.")] = False,
    background: options.Background = False,
    json: options.Json = False,
    g: Annotated[str | None, options.refused_option("-g", "a game", "--grid")] = None,
) -> None:
    """Train a learner with every combination of parameters.

    Reports how many games each combination needs to play perfectly: the median and the range of several seeds. Ctrl+C
    stops the sweep, saves the finished trainings and reports them; --resume continues.
    """
    from nimtui.jobs.processes import executor
    from nimtui.jobs.sweep import Sweep
    from nimtui.jobs.work import Work
    from nimtui.learning.sweep_report import sheet, swept
    from nimtui.report.document import csv as csv_of

    options.check_workers(workers, scheduler)
    cells = csv_file(to, csv, force)
    if save is not None:
        check_writable(save)
    wanted = _plan(game, learner, grid, repeats, games, seed, resume)
    if background:
        detach("sweep", resume or save)
        return
    plan, log = _opened(wanted, resume, save)
    passing = resume is None and save is None  # without a named file, the log stays only if the sweep is unfinished
    task = Sweep(plan, log, lambda: executor(workers, scheduler))
    begun = perf_counter()
    with Bar("sweep") as bar, bar.orderly(ends=FAULTS):
        Work.here(task, bar)
    view, seconds = task.view, perf_counter() - begun
    if view.done:
        file = None if passing and view.finished else log
        saved = {
            "seconds": seconds,
            "saved": None if file is None else str(file.path),
            "saved_trainings": None if file is None else view.done - file.unsaved,
        }
        maps = [] if json else _maps(plan, view)
        bar.print(swept(plan, view.cells, seconds, maps), json, saved)
        bar.write(cells, lambda: csv_of(sheet(view.cells)))
    passed = passing and (view.finished or not view.done)
    if log is not None and passed:
        log.delete()
    elif not view.finished or task.fault:
        _say_how_to_resume(task)
    bar.leave(passed or not task.fault)


def _plan(
    game: str | None,
    learner: str | None,
    grid: list[str] | None,
    repeats: int | None,
    games: int | None,
    seed: int | None,
    resume: Path | None,
) -> Plan | None:
    """Return the plan from the options, or None if the file of --resume holds it. Raises InputError."""
    from nimtui.learning.sweep import plan

    own_files()
    if resume is not None and game is None and learner is None and not grid:
        if options := [
            name for name, value in (("repeats", repeats), ("games", games), ("seed", seed)) if value is not None
        ]:
            raise InputError(f"{resume} defines the sweep: leave out --{options[0]}")
        return None
    if game is None or learner is None:
        missing = "the game, e.g. nim:7,5,3" if game is None else "the learner, e.g. --learner quality"
        raise InputError(f"name {missing}")
    return plan(
        read_game(game),
        learner,
        grid or [],
        USUAL_REPEATS if repeats is None else repeats,
        CELL_GAMES if games is None else games,
        USUAL_SEED if seed is None else seed,
    )


def _opened(plan: Plan | None, resume: Path | None, save: Path | None) -> tuple[Plan, Log | None]:
    """Return the plan and its log: in the named file, else in the data folder if that is writable."""
    from nimtui.jobs import sweep as jobs
    from nimtui.store import paths, sweeps

    if resume is not None:
        if save is not None and save != resume:
            raise InputError("a resumed sweep is saved to its own file: give --resume or --save, not both")
        log = sweeps.Log(resume)
        planned = jobs.plan_of(log)
        if plan is not None and plan != planned:
            log.close()
            raise InputError(f"{resume} holds another sweep, and stays unchanged: leave out the options, or use --save")
        if (version := log.header.get("version")) != __version__:
            tell(f"{resume} was started with nimtui {version}; this is {__version__}")
        return planned, log
    assert plan is not None
    if save is not None:
        return plan, jobs.begin(plan, save)
    try:
        paths.ensure(sweeps.folder())
        return plan, jobs.begin(plan, sweeps.usual_path())
    except StoreError as fault:
        tell(f"{fault}; the sweep runs without saving, so --resume cannot continue it")
        return plan, None


def _maps(plan: Plan, view: Cells) -> list[Words]:
    """Return two heat maps, games to perfect play and accuracy, each with an empty line after it."""
    from nimtui.learning.sweep_report import Unit
    from nimtui.report.blocks import Words
    from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE
    from nimtui.ui.sweep import heat

    if len(view.cells) == 1:
        return []
    signs = UNICODE if (sys.stdout.encoding or "").lower().replace("-", "") == "utf8" else ASCII
    return [
        Words([*heat.text(heat.grids(heat.panes(plan), view.cells, plan.repeats, unit), unit, signs), ""])
        for unit in Unit.all_of(plan)
        if any(unit.of(cell) is not None for cell in view.cells)
    ]


def _say_how_to_resume(task: Sweep) -> None:
    if task.writer is None:
        return
    view, resume = task.view, f"nimtui sweep --resume {quote(str(task.writer.path))}"
    if task.fault:
        saved = view.done - task.writer.unsaved
        tell(f"{task.fault}: {saved:,} of {view.done:,} trainings are saved; {resume} continues, once there is room")
    else:
        tell(f"{view.total - view.done:,} of {view.total:,} trainings are left. Resume: {resume}")
