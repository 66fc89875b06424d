"""Learned functions that value the positions of a search: found by the name of a saved run, loaded once a process."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from nimtui.engine import functions
from nimtui.errors import InputError, naming, shortened, unknown
from nimtui.games import Game
from nimtui.learning import saved_tables
from nimtui.learning.estimator import Estimator
from nimtui.learning.learner import has_function, parse_learner
from nimtui.store import claims, headers, paths

if TYPE_CHECKING:
    from nimtui.engine.function_play import Evaluation


@dataclass(frozen=True, slots=True, eq=False)
class LearnedValues:
    """The function of a saved run. Any number of searches share its weights."""

    called: str  # the name that finds it again, in this version and from any folder
    estimator: Estimator

    def evaluation(self) -> Evaluation:
        """Return the function before the empty position, for one search at a time."""
        from nimtui.engine.function_play import Evaluation, room

        whole, learned = self.estimator.played, self.estimator.arrays()
        own = {name: part.copy() for name, part in whole._asdict().items() if isinstance(part, np.ndarray)}
        function = whole._replace(**{name: part for name, part in own.items() if name not in learned})
        functions.clear(function)
        return Evaluation(function, room(self.estimator.sight.levels))


def find(text: str, game: Game) -> LearnedValues:
    """Return the function of a saved run: FILE, NAME or NAME@2. Raises InputError, one line, if it has none."""
    with naming("value"):
        path, version = _find(text, game)
        values = _load(path, version, claims.stamp(path))
    learned = values.estimator.game
    if learned != game:
        raise InputError(f"value: the run in {text} is of {learned.name}, not of {game.name}")
    return values


def _find(text: str, game: Game) -> tuple[Path, int | None]:
    """Return the file of a saved run, and its version. Raises InputError that names those of this game."""
    try:
        return saved_tables.find(text)
    except InputError:
        if names := list(saved(game)):
            raise unknown("run", text, names[: saved_tables.MOST_NAMED]) from None
        right = f"nimtui train {game.name} --learner ntuple --save FILE"
        raise InputError(f"there is no run '{shortened(text)}', and none of {game.name}: {right}") from None


@lru_cache(maxsize=4)
def _load(path: Path, version: int | None, stamp: object) -> LearnedValues:
    """Return the function of a file, read once for each state of the file."""
    saved = saved_tables.load_file(path, version)
    if saved.table.function is None:
        learner = saved.table.learner.partition(":")[0]
        raise InputError(f"the learner {learner} of {path} has a table and no function: train ntuple, net or linear")
    if "," in saved.called:
        raise InputError(f"a comma ends the option: rename the file {path}")
    return LearnedValues(saved.called, saved.table.function.copy())


def saved(game: Game | None = None) -> dict[str, str]:
    """Return the names of the saved functions [of this game], the newest first, each with its learner and its games."""
    named: dict[str, str] = {}
    with suppress(OSError):  # no folder, or a file that was deleted in this moment
        files = [file for folder in (paths.tables(), paths.runs()) for file in folder.glob(f"*{saved_tables.END}")]
        for file in sorted(files, key=lambda file: -file.stat().st_mtime_ns):
            about = _about(file, claims.stamp(file))
            if about is not None and (game is None or about[0] == game.name) and "," not in file.stem:
                named.setdefault(file.stem, about[1])
    return named


@lru_cache(maxsize=1_000)
def _about(file: Path, stamp: object) -> tuple[str, str] | None:
    """Return the game of a saved function, and a few words; None if the file has none."""
    try:
        header = headers.head(file)
        learner, games = str(header["learner"]), int(header["games"])
        return (str(header["game"]), f"{learner}, {games:,} games") if has_function(parse_learner(learner)) else None
    except (InputError, ArithmeticError, LookupError, TypeError, ValueError):
        return None
