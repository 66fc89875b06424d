"""Finds saved tables: by the path of a file, or by the name of a table or run in the data folder, 'NAME', 'NAME@2'."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from nimtui.errors import InputError, unknown
from nimtui.foreign.reading import absolute, is_there, named
from nimtui.games import Game
from nimtui.games.notation import plural
from nimtui.learning.table import Table
from nimtui.learning.taught import Taught, number_of_lessons, read
from nimtui.store import StoreError, files, headers, paths

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


class TaughtFile(NamedTuple):
    """What the header of a taught table's file says."""

    name: str
    game: str
    learner: str
    games: int
    lessons: int

    @property
    def title(self) -> str:
        lessons = plural(self.lessons, "lesson", "lessons")
        return f"Taught in {lessons} ({self.learner.partition(':')[0]}, {self.games:,} games)"


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


def taught_tables(game: Game | None = None) -> list[TaughtFile]:
    """Return the taught tables of the data folder [of this game], newest first. Files that are none are left out."""
    entries = []
    try:
        for path in paths.tables().glob(f"*{END}"):
            stat = path.stat()
            if (about := _headed(path, stat.st_mtime_ns, stat.st_size)) is not None:
                entries.append((stat.st_mtime_ns, about))
    except OSError:
        pass  # no folder, or a file that was deleted in this moment
    entries.sort(key=lambda each: (-each[0], each[1].name))
    return [about for _, about in entries if game is None or about.game == game.name]


@lru_cache(maxsize=1_000)
def _headed(path: Path, time: int, size: int) -> TaughtFile | None:
    """Return what the header of a file says, read once for each state of the file; None if nobody taught its table."""
    try:
        header = headers.head(path)
        lessons = number_of_lessons(header)
        if lessons is None:
            return None
        return TaughtFile(path.stem, str(header["game"]), str(header["learner"]), int(header["games"]), lessons)
    except (InputError, ArithmeticError, LookupError, TypeError, ValueError):
        return None


def free_name(wanted: str) -> str:
    """Return this name for a new table; with -2, -3 … if it is taken."""
    more = ("", *(f"-{at}" for at in range(2, 1_000)))
    return next((name for end in more if not is_there(folder() / f"{(name := wanted + end)}{END}")), wanted)
