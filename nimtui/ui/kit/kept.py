"""The files of saved work: the newest of a folder, names for new ones, and writing them."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from nimtui.errors import InputError
from nimtui.foreign.paths import is_there
from nimtui.foreign.signs import visible

MOST = 30  # how many of the newest are listed


@dataclass(frozen=True, slots=True)
class KeptWork:
    """A training or a sweep in a file."""

    path: Path
    title: str
    detail: str
    finished: bool  # or not resumable


def newest(folder: Path, pattern: str, look: Callable[[Path], KeptWork]) -> list[KeptWork]:
    """Return the saved work in a folder, newest first.

    A file that cannot be read (InputError, OSError) gets an entry with its error, and is not changed.
    """
    try:
        paths = sorted(folder.glob(pattern), key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        return []
    found = []
    for path in paths[:MOST]:
        try:
            found.append(look(path))
        except (InputError, OSError) as fault:
            found.append(KeptWork(path, path.name, str(fault).replace(visible(str(path)), "the file"), True))
    return found


def free_name(stem: str, end: str) -> str:
    """Return the first of 'stem.csv', 'stem-2.csv' … that is free in the current folder; '' if none is."""
    names = (f"{stem}{more}{end}" for more in ("", *(f"-{at}" for at in range(2, 1000))))
    return next((name for name in names if not is_there(Path(name))), "")


def write_new(path: Path, text: str) -> Path:
    """Write a file that does not exist yet. Raises InputError if that fails."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as fault:
        raise InputError(f"{path} cannot be written: {os.strerror(fault.errno or 0)}") from fault
    return path
