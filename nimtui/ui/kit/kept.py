"""Lists the saved trainings and sweeps in a folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from nimtui.errors import InputError
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
