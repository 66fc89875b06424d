"""`nimtui sweep`: trains a learner with many settings, on all cores or on a cluster."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from nimtui.cli import options
from nimtui.cli.bar import detach
from nimtui.cli.output import check_writable, csv_file, tell
from nimtui.errors import InputError
from nimtui.store import StoreError
from nimtui.version import __version__

if TYPE_CHECKING:
    from nimtui.jobs.sweep import Sweep, View
    from nimtui.learning.sweep import Plan
    from nimtui.report.blocks import Words
    from nimtui.store.sweeps import Log

USUAL_GAMES, USUAL_REPEATS, USUAL_SEED = 100_000, 5, 0
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
        int | None, options.games_option(f"Maximum number of games per training. [default: {USUAL_GAMES:,}]")
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
    from time import perf_counter

    from nimtui.cli.bar import FAULTS, Bar
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
    plan, log = _begin(wanted, resume, save)
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
    from nimtui.cli.names import own_files, read_game
    from nimtui.learning import sweep

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
    return sweep.plan(
        read_game(game),
        learner,
        grid or [],
        USUAL_REPEATS if repeats is None else repeats,
        USUAL_GAMES if games is None else games,
        USUAL_SEED if seed is None else seed,
    )


def _begin(plan: Plan | None, resume: Path | None, save: Path | None) -> tuple[Plan, Log | None]:
    """Return the plan and its log: in the named file, else in the data folder if that is writable."""
    from nimtui.jobs import sweep
    from nimtui.store import paths, sweeps

    if resume is not None:
        if save is not None and save != resume:
            raise InputError("a resumed sweep is saved to its own file: give --resume or --save, not both")
        log = sweeps.Log(resume)
        planned = sweep.plan_of(log)
        if plan is not None and plan != planned:
            log.close()
            raise InputError(f"{resume} holds another sweep, and stays unchanged: leave out the options, or use --save")
        if (version := log.header.get("version")) != __version__:
            tell(f"{resume} was started with nimtui {version}; this is {__version__}")
        return planned, log
    assert plan is not None
    if save is not None:
        return plan, sweep.begin(plan, save)
    try:
        paths.ensure(sweeps.folder())
        return plan, sweep.begin(plan, sweeps.usual_path())
    except StoreError as fault:
        tell(f"{fault}; the sweep runs without saving, so --resume cannot continue it")
        return plan, None


def _maps(plan: Plan, view: View) -> list[Words]:
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
    view, resume = task.view, f"nimtui sweep --resume {shlex.quote(str(task.writer.path))}"
    if task.fault:
        saved = view.done - task.writer.unsaved
        tell(f"{task.fault}: {saved:,} of {view.done:,} trainings are saved; {resume} continues, once there is room")
    else:
        tell(f"{view.total - view.done:,} of {view.total:,} trainings are left. Resume: {resume}")
