"""Finds saved tables: by the path of a file, or by the name of a table or run in the data folder, 'NAME', 'NAME@2'.

Also learned functions that value the positions of a search: by the name of a saved run, each loaded once a process.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from nimtui.engine import functions
from nimtui.errors import InputError, naming, shortened, unknown
from nimtui.foreign.reading import absolute, is_there, named
from nimtui.games import Game
from nimtui.games.notation import plural
from nimtui.learning.learner import has_function, parse_learner
from nimtui.learning.table import Table
from nimtui.learning.taught import Taught, number_of_lessons, read
from nimtui.store import StoreError, arrays, claims, files, paths

if TYPE_CHECKING:
    from nimtui.engine.function_play import Evaluation
    from nimtui.learning.estimator import Estimator

END = ".npz"
MOST_NAMED = 20  # taught tables that an error names
VERSION = re.compile(r"(.+)@([0-9]{1,9})")


@dataclass(frozen=True, slots=True, eq=False)
class SavedTable:
    """A table from a file, in one of its versions."""

    path: Path  # absolute
    table: Table
    taught: Taught | None  # None: it has no versions
    version: int  # 0 without versions

    @property
    def newest(self) -> bool:
        """Whether lessons can continue from here."""
        return self.taught is not None and self.version == len(self.taught)

    @property
    def called(self) -> str:
        """Return the name that `find` finds again, always in this version: 'NAME@2', or the path."""
        if self.taught is None:
            return str(self.path)
        return called(self.path, self.version)


class HeadedFile(NamedTuple):
    """What the header of a table's file says."""

    name: str
    game: str
    learner: str
    games: int
    lessons: int  # −1 if nobody taught the table

    @property
    def title(self) -> str:
        lessons = plural(self.lessons, "lesson", "lessons")
        return f"Taught in {lessons} ({self.learner.partition(':')[0]}, {plural(self.games, 'game', 'games')})"


def folder() -> Path:
    """Return the folder of named tables, absolute."""
    return absolute(paths.tables())


def _is_in_folder(path: Path) -> bool:
    return path.parent == folder()


def called(path: Path, version: int) -> str:
    """Return the name of a version of a taught table: 'NAME@2', with the path if it is elsewhere."""
    return f"{path.stem if _is_in_folder(path) else path}@{version}"


def new_place(name: str) -> Path:
    """Return the file of a table that a person names. Raises InputError for an invalid name."""
    stem = files.valid_stem(name.removesuffix(END))
    if VERSION.fullmatch(stem):
        raise InputError("invalid name: @ and a number stand for a version")
    return folder() / f"{stem}{END}"


def find(text: str) -> tuple[Path, int | None]:
    """Return the file that a text names, and its version; None: the newest. The file may be missing.

    Raises InputError for an unknown name, with the names that there are.
    """
    text = text.strip()
    match = VERSION.fullmatch(text)
    if match is not None and (path := _there(match[1])) is not None:
        return path, int(match[2])
    if (path := _there(text)) is not None:
        return path, None
    stem = text if match is None else match[1]
    if Path(stem).name != stem or stem.endswith(END):
        return absolute(named(stem)), None
    names = [file.name for file in taught_tables()[:MOST_NAMED]]
    if names:
        raise unknown("table", stem, names)
    raise InputError(f"there is no file {stem}, and no table that you taught")


def _there(text: str) -> Path | None:
    """Return the existing file of a name in the data folder, or of a path."""
    folders = (folder(), absolute(paths.runs())) if Path(text).name == text else ()
    own = [place / (text if text.endswith(END) else f"{text}{END}") for place in folders]
    path = [absolute(named(text))]
    places = [*path, *own] if text.endswith(END) else [*own, *path]
    return next((place for place in places if is_there(place)), None)


def load(text: str) -> SavedTable:
    """Return the table that a text names: FILE, NAME or NAME@2. Raises InputError, one line, if there is none."""
    path, version = find(text)
    return load_file(path, version)


def load_file(path: Path, version: int | None = None) -> SavedTable:
    """Return a version of the table in a file [default: the newest]. Raises InputError, one line."""
    path = absolute(path)
    table, taught, _ = read(path)
    if taught is None:
        if version is not None:
            raise InputError(f"{path.stem} has no versions: it is not a table that you taught")
        return SavedTable(path, table, None, 0)
    number = len(taught) if version is None else version
    try:
        return SavedTable(path, taught.version(number), taught, number)
    except InputError as fault:
        raise (StoreError if isinstance(fault, StoreError) else InputError)(f"{path.stem}: {fault}") from None


def names(text: str, path: Path) -> bool:
    """Return whether a text that `SavedTable.called` returned, in any version, names this file."""
    match = VERSION.fullmatch(text)
    alone = text if match is None else match[1]
    return text == str(path) or alone == str(path) or (_is_in_folder(path) and alone == path.stem)


def taught_tables(game: Game | None = None) -> list[HeadedFile]:
    """Return the taught tables of the data folder [of this game], newest first. Files that are none are left out."""
    return [about for about in _headed(game, paths.tables()) if about.lessons >= 0]


def _headed(game: Game | None, *folders: Path) -> list[HeadedFile]:
    """Return what the headers of the files in these folders say [of this game], the newest first."""
    entries = []
    with suppress(OSError):  # no folder, or a file that was deleted in this moment
        for path in (path for folder in folders for path in folder.glob(f"*{END}")):
            stat = path.stat()
            if (about := _head(path, stat.st_mtime_ns, stat.st_size)) is not None:
                entries.append((stat.st_mtime_ns, about))
    entries.sort(key=lambda each: (-each[0], each[1].name))
    return [about for _, about in entries if game is None or about.game == game.name]


@lru_cache(maxsize=1_000)
def _head(path: Path, time: int, size: int) -> HeadedFile | None:
    """Return what the header of a file says, read once for each state of the file; None if it has no table."""
    with suppress(InputError, ArithmeticError, LookupError, TypeError, ValueError):
        header = arrays.head(path)
        lessons = number_of_lessons(header)
        about = str(header["game"]), str(header["learner"]), int(header["games"])
        return HeadedFile(path.stem, *about, -1 if lessons is None else lessons)
    return None


def free_name(wanted: str) -> str:
    """Return this name for a new table; with -2, -3 … if it is taken."""
    more = ("", *(f"-{at}" for at in range(2, 1_000)))
    return next((name for end in more if not is_there(folder() / f"{(name := wanted + end)}{END}")), wanted)


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


def find_function(text: str, game: Game) -> LearnedValues:
    """Return the function of a saved run: FILE, NAME or NAME@2. Raises InputError, one line, if it has none."""
    with naming("value"):
        path, version = _find_run(text, game)
        values = _load(path, version, claims.stamp(path))
    learned = values.estimator.game
    if learned != game:
        raise InputError(f"value: the run in {text} is of {learned.name}, not of {game.name}")
    return values


def _find_run(text: str, game: Game) -> tuple[Path, int | None]:
    """Return the file of a saved run, and its version. Raises InputError that names those of this game."""
    try:
        return find(text)
    except InputError:
        if names := list(saved_functions(game)):
            raise unknown("run", text, names[:MOST_NAMED]) from None
        right = f"nimtui train {game.name} --learner ntuple --save FILE"
        raise InputError(f"there is no run '{shortened(text)}', and none of {game.name}: {right}") from None


@lru_cache(maxsize=4)
def _load(path: Path, version: int | None, stamp: object) -> LearnedValues:
    """Return the function of a file, read once for each state of the file."""
    saved = load_file(path, version)
    if saved.table.function is None:
        learner = saved.table.learner.partition(":")[0]
        raise InputError(f"the learner {learner} of {path} has a table and no function: train ntuple, net or linear")
    if "," in saved.called:
        raise InputError(f"a comma ends the option: rename the file {path}")
    return LearnedValues(saved.called, saved.table.function.copy())


def saved_functions(game: Game | None = None) -> dict[str, str]:
    """Return the names of the saved functions [of this game], the newest first, each with its learner and its games."""
    named: dict[str, str] = {}
    for about in _headed(game, paths.tables(), paths.runs()):
        with suppress(InputError):  # an unknown learner
            if "," not in about.name and has_function(parse_learner(about.learner)):
                named.setdefault(about.name, f"{about.learner}, {about.games:,} games")
    return named
