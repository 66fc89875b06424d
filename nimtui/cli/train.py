"""`nimtui train`: a learner plays against itself, without a screen."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nimtui.cli import options
from nimtui.errors import InputError
from nimtui.progress import Cancelled

if TYPE_CHECKING:
    from nimtui.learning.training import Point, Training

USUAL_LEARNER, USUAL_GAMES, USUAL_SEED = "reward", 1_000_000, 0
BAR = 30  # columns of a bar that stands for 1

EXAMPLES = """\
nimtui train tower:16 --games 5000000
nimtui train nim:7,5,3 --learner reward:pick=uniform-move --save 753.npz
nimtui train --resume 753.npz --games 4000000      goes on and saves it there again"""


def train(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME",
            show_default=False,
            autocompletion=options.complete_game,
            help="The game, e.g. tower:16, nim:7,5,3:misere, adjacent:1,3,5. Not needed with --resume.",
        ),
    ] = None,
    learner: Annotated[
        str | None,
        typer.Option(
            "--learner",
            "-l",
            metavar="SPEC",
            show_default=False,
            help="Who learns: reward (if nothing is said), reward:win=2,loss=1, reward:pick=uniform-move.",
        ),
    ] = None,
    games: Annotated[
        int,
        typer.Option("--games", "-n", metavar="N", parser=options.games_number, help="How many games further."),
    ] = USUAL_GAMES,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=options.seed_number,
            show_default=False,
            help="Same seed, same table. 0 if nothing is said.",
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", show_default=False, help="Keep the run and its table in a file."),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            show_default=False,
            help="Go on with a run that was saved; it is saved there again unless --save names another file.",
        ),
    ] = None,
    headless: Annotated[
        bool, typer.Option("--headless", help="Without a screen, as it always is.", show_default=False)
    ] = False,
    json: options.Json = False,
) -> None:
    """Let a learner play against itself.

    Says how fast it went, and how much of perfect play the table holds after 1, 10, 100 … games.
    Ctrl+C ends it with what it has: that is saved and printed as well.
    """
    from nimtui.cli import output
    from nimtui.cli.bar import Bar

    training = _begin(game, learner, seed, resume)
    file = save or resume
    if file is not None:
        _check_writable(file)
    with Bar("train") as bar:
        try:
            training.run(games, bar)
        except Cancelled:
            if not training.ready:
                raise  # nothing has been played yet
        stopped = bar.stopped
        if file is not None:
            training.save(file)
        keys = document(training, file)
    if json:
        output.document(keys)
    else:
        _show(training, keys)
    if stopped:
        raise Cancelled("train")


def _begin(name: str | None, learner: str | None, seed: int | None, resume: Path | None) -> Training:
    """A new run, or the one in the file, which must be of the game, learner and seed that were named."""
    from nimtui.cli.names import own_games, read_game
    from nimtui.learning.learner import parse_learner, spec
    from nimtui.learning.training import Training

    own_games()
    if resume is None:
        if name is None:
            raise InputError("name the game to train on, e.g. nimtui train tower:16")
        return Training(read_game(name), learner or USUAL_LEARNER, USUAL_SEED if seed is None else seed)
    training = Training.load(resume)
    if name is not None and read_game(name) != training.game:
        raise InputError(f"the run in {resume} is of {training.game.name}, not of {read_game(name).name}")
    if learner is not None and parse_learner(learner) != training.learner:
        raise InputError(f"the run in {resume} is of the learner {spec(training.learner)}, not of {learner}")
    if seed is not None and seed != training.seed:
        raise InputError(f"the run in {resume} has the seed {training.seed}, not {seed}")
    return training


def _check_writable(file: Path) -> None:
    """InputError now rather than after the training."""
    if file.is_dir():
        raise InputError(f"{file} is a folder, not a file to save to")
    if not file.absolute().parent.is_dir():
        raise InputError(f"there is no folder {file.parent} to save to")
    if not os.access(file.absolute().parent, os.W_OK | os.X_OK):
        raise InputError(f"the folder {file.parent} is read-only: nothing can be saved there")


def document(training: Training, saved: Path | None) -> dict[str, Any]:
    """The JSON document. Numbers are those of the whole run, what was resumed included."""
    return {
        "game": training.game.name,
        "learner": training.table.learner,
        "seed": training.seed,
        "games": training.games,
        "seconds": training.seconds,
        "games_per_second": training.games_per_second,
        "plies": training.plies,
        "accuracy": training.accuracy(),
        "curve": [point._asdict() for point in training.curve],
        "positions": len(training.table.numbers),
        "saved": None if saved is None else str(saved),
    }


def _show(training: Training, keys: dict[str, Any]) -> None:
    from nimtui.cli import output

    grouped = output.grouped
    output.heading(training.game)
    output.say(
        f"{keys['learner']}, seed {keys['seed']}: {grouped(keys['games'])} games"
        f" in {output.seconds(keys['seconds'])}, {grouped(keys['games_per_second'])} a second",
        f"{grouped(keys['plies'])} plies, {grouped(keys['positions'])} positions",
        "",
    )
    last = [(keys["games"], keys["accuracy"])]
    points = [(point.games, point.accuracy) for point in training.curve if _shown(point)]
    output.columns(
        ["games", "accuracy", ""],
        [
            [grouped(games), f"{accuracy:.3f}", "█" * round(accuracy * BAR)]
            for games, accuracy in dict(points + last).items()
        ],
        left=(2,),
    )
    if keys["saved"] is not None:
        output.say("", f"saved in {keys['saved']}")


def _shown(point: Point) -> bool:
    """Decades are enough for a person: 0, 1, 10, 100, …"""
    return str(point.games).strip("0") in ("", "1")
