"""Paths that a person names: parses them, and checks whether a new file can be written there.

Every failure becomes an InputError of one line, also for impossible names: too long, with a zero byte, or through a
file as if it were a folder.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from nimtui.errors import LONGEST_WORD, InputError, shortened


def named(text: str, example: str = "folder/name") -> Path:
    """Return the path of a text. `~` and `~name` stand for home folders, as in a shell. InputError if it is empty."""
    if not text.strip():
        raise InputError(f"the file name is empty: name a file, for example {example}")
    return Path(os.path.expanduser(text))  # noqa: PTH111 - Path.expanduser raises where there is none


def absolute(path: Path) -> Path:
    """Return the absolute path. Raises InputError if the current folder has been deleted."""
    try:
        return path.absolute()
    except FileNotFoundError:
        raise InputError("the current folder has been deleted: name a path that begins with /") from None


def is_there(path: Path) -> bool:
    """Return whether the path exists. Raises InputError for a name that the system does not allow."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError) as fault:
        raise InputError(f"{shortened(str(path), LONGEST_WORD)} is not a valid file name: {_reason(fault)}") from None
    return True


def check_folder(path: Path) -> None:
    """Raise InputError if the folder of this path is missing or read-only."""
    folder = absolute(path).parent
    if not os.path.isdir(folder):  # noqa: PTH112 - Path.is_dir raises where a name is too long
        raise InputError(f"there is no folder {shortened(str(folder), LONGEST_WORD)}")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"the folder {shortened(str(folder), LONGEST_WORD)} is read-only")


def new_file(text: str, endings: Sequence[str]) -> Path:
    """Return the path of a new file with one of these endings. Raises InputError for any other name."""
    path = absolute(named(text.strip(), " or ".join(f"name{ending}" for ending in endings)))
    if path.suffix.lower() not in endings:
        raise InputError(f"the name must end in {' or '.join(endings)}")
    if is_there(path):
        raise InputError("this file already exists: choose another name")
    check_folder(path)
    return path


def _reason(fault: OSError | ValueError) -> str:
    if isinstance(fault, OSError):
        return os.strerror(fault.errno or 0).lower()
    return "it has characters that are not allowed in names"


def exists(path: Path) -> bool:
    """Return whether something is there; False also where a folder above may not be looked into."""
    try:
        return path.exists()
    except PermissionError:
        return False
