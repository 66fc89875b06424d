"""`nimtui train`: trains a learner by self-play, in the app or without a screen."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from nimtui.cli import options, output
from nimtui.cli.bar import Bar, detach
from nimtui.cli.names import own_files, read_game
from nimtui.cli.output import check_new, check_writable, tell
from nimtui.cli.play import at_a_terminal
from nimtui.errors import InputError
from nimtui.report.values import Count

if TYPE_CHECKING:
    from nimtui.games import Game
    from nimtui.learning.run import Run
    from nimtui.learning.views import View

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
