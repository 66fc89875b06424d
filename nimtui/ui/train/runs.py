"""The files of trainings: their names, and the list of saved ones."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from nimtui.errors import reading
from nimtui.foreign.values import recently
from nimtui.store import claims, headers, paths
from nimtui.ui.kit.kept import KeptWork, newest

if TYPE_CHECKING:
    from nimtui.learning.training import Training

FURTHER = 1_000_000  # games past the goal: at least this many, or as many as the run has
MOST_COPIES = 10  # tables saved to play against


def new_path(learner: str, taken: Sequence[Path | None] = ()) -> Path:
    """Return a file for a run that starts now, none of `taken`. Raises StoreError if the folder cannot be made.

    Its name has the number of this process: another app may start a run in the same second.
    """
    stamp, word = datetime.now().strftime("%Y-%m-%d-%H%M%S"), learner.partition(":")[0]
    return _free(paths.ensure(paths.runs()) / f"{stamp}-{word}-{os.getpid()}", taken)


def further_path(path: Path | None, learner: str, taken: Sequence[Path | None] = ()) -> Path:
    """Return a file for a run that trains past its goal, named after the old file. Raises StoreError as `new_path`."""
    if path is None:
        return new_path(learner, taken)
    return _free(path.with_name(f"{path.stem.partition('-further')[0]}-further"), taken)


def _free(stem: Path, taken: Sequence[Path | None]) -> Path:
    """Return the first of 'stem.npz', 'stem-2.npz', 'stem-3.npz' … that neither exists nor is taken."""
    found = (stem.with_name(f"{stem.name}{more}.npz") for more in ("", *(f"-{at}" for at in range(2, 1000))))
    return next(path for path in found if path not in taken and not path.exists())


class Headed(NamedTuple):
    """What the header of a file says of its training."""

    games: int
    more: Mapping[str, Any]
    curve: Sequence[Sequence[float]]


def finished(training: Training | Headed, last: int | None, until_perfect: bool) -> bool:
    """Has the run reached its goal: this many games, or every position played right?"""
    if last is not None and training.games >= last:
        return True
    known = training.more.get("perfect") is not None
    return until_perfect and (known or (bool(training.curve) and training.curve[-1][1] == 1))


def further_goal(trainings: Sequence[Training]) -> int | None:
    """Return the next goal, in games, for trainings that reached theirs; None if a table cannot count more games."""
    from nimtui.learning.learner import most_games

    games = max(training.games for training in trainings)
    last = min(games + max(FURTHER, games), *(most_games(training.learner) for training in trainings))
    return last if last > games else None


def kept_runs() -> list[KeptWork]:
    """Return the saved trainings, newest first."""
    return newest(paths.runs(), "*.npz", _kept)


def _kept(path: Path) -> KeptWork:
    from nimtui.learning.run import Run

    run = Run.load(path)
    training = run.training
    done = finished(training, run.last, run.until_perfect)
    return _named(path, training.table.learner, training.game.name, training.games, run.last, done)


def _named(path: Path, learner: str, game: str, games: int, last: int | None, done: bool) -> KeptWork:
    wanted = "" if done or last is None else f" of {last:,}"
    title = f"{learner} · {game} · {games:,}{wanted} games"
    return KeptWork(path, title, recently(path.stat().st_mtime), done)


def cut_run() -> KeptWork | None:
    """Return the newest training that lacks games and that no process trains, or None if there is none.

    Reads the headers of the files alone: the start screen loads no table, and no NumPy.
    """
    runs = newest(paths.runs(), "*.npz", _headed)
    return next((run for run in runs if not run.finished and not claims.is_claimed(run.path)), None)


def _headed(path: Path) -> KeptWork:
    header = headers.head(path)
    with reading(path.name, "a training"):
        run, goal = header["run"], header["run"]["more"].get("goal") or {}
        training, last = Headed(header["games"], run["more"], run["curve"]), goal.get("games")
        done = finished(training, last, bool(goal.get("perfect")))
        return _named(path, header["learner"], header["game"], training.games, last, done)


def about(runs: Sequence[KeptWork]) -> str:
    """Return the line above the list."""
    from nimtui.games.notation import plural

    if not runs:
        return "No saved trainings yet. A training is saved every few seconds and when it stops."
    return f"{plural(len(runs), 'run', 'runs')} in {paths.runs()}, newest first"


def copy_path(learner: str, games: int) -> Path:
    """Return the file for a copy of a table to play against, named after its learner: 'quality-margin-50-5000.npz'.

    Deletes the oldest of too many copies.
    """
    folder = paths.ensure(paths.home() / "copies")
    kept = sorted(folder.glob("*.npz"), key=lambda path: path.stat().st_mtime)
    for old in kept[: -MOST_COPIES + 1]:
        old.unlink(missing_ok=True)
    return folder / f"{re.sub('[:=,]', '-', learner)}-{games}.npz"
