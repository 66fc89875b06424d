"""The files of saved work: the newest of a folder, names for new ones, and writing them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path

from nimtui.errors import InputError
from nimtui.foreign.reading import is_there
from nimtui.signs import visible
from nimtui.store import files

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
    works = []
    for path in paths[:MOST]:
        try:
            works.append(look(path))
        except (InputError, OSError) as fault:
            works.append(KeptWork(path, path.name, str(fault).replace(visible(str(path)), "the file"), True))
    return works


def free(stem: Path, end: str, taken: Collection[Path | None] = ()) -> Path:
    """Return the first of 'stem.csv', 'stem-2.csv' … that neither exists nor is `taken`."""
    paths = (stem.with_name(f"{stem.name}{more}{end}") for more in chain([""], (f"-{at}" for at in count(2))))
    return next(path for path in paths if path not in taken and not is_there(path))


def names(stem: str, formats: Mapping[str, str]) -> dict[str, str]:
    """Return free names in the current folder for exports, by their extensions, each with what is written there."""
    word = Path(re.sub(r"[^A-Za-z0-9]+", "-", stem).strip("-")[:80])
    return {free(word, end).name: about for end, about in formats.items()}


def write_new(path: Path, text: str) -> Path:
    """Write a file that does not exist yet, as a whole or not. Raises StoreError if that fails."""
    files.create(path, lambda file: file.write(text.encode()))
    return path
