"""Work that was begun before and is kept in files: what lists say of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from nimtui.errors import InputError
from nimtui.foreign.signs import visible

MOST = 30  # so many are listed, the newest


@dataclass(frozen=True, slots=True)
class KeptWork:
    """A training or a sweep in a file."""

    path: Path
    title: str
    detail: str
    finished: bool  # or not to be gone on with


def newest(folder: Path, pattern: str, look: Callable[[Path], KeptWork]) -> list[KeptWork]:
    """What the files of a folder hold, the newest first.

    Files that cannot be read (InputError, OSError) are said to be so, and stay as they are.
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
