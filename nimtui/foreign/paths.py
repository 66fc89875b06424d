"""Paths that a person names: what may be one, and whether a new file can be written there.

Whatever is asked of the system here is answered with a line, also for a name that it cannot have: one that is too long,
one with a zero byte, one that goes through a file as if it were a folder.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from nimtui.errors import InputError
from nimtui.foreign.signs import visible


def named(text: str) -> Path:
    """Return the path of a text; `~` and `~name` stand for a home where there is one, as in a shell."""
    return Path(os.path.expanduser(text))  # noqa: PTH111 - Path.expanduser raises where there is none


def absolute(path: Path) -> Path:
    """Return the path from the root. InputError where the folder that it starts from has been deleted."""
    try:
        return path.absolute()
    except FileNotFoundError:
        raise InputError("the current folder has been deleted: name a path that begins with /") from None


def is_there(path: Path) -> bool:
    """Return whether there is anything of this name. InputError where the system can have nothing of it."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError) as fault:
        raise InputError(f"{visible(_short(path))} cannot be the name of a file: {_reason(fault)}") from None
    return True


def check_folder(path: Path) -> None:
    """InputError where nothing can be written into the folder of this path."""
    folder = absolute(path).parent
    if not os.path.isdir(folder):  # noqa: PTH112 - Path.is_dir raises where a name is too long
        raise InputError(f"there is no folder {visible(_short(folder))}")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"the folder {visible(_short(folder))} is read-only")


def new_file(text: str, endings: Sequence[str]) -> Path:
    """Read the name of a file that is not there yet, with one of these endings. InputError where it will not do."""
    said = " or ".join(endings)
    if not text.strip():
        raise InputError(f"name a file, for instance {' or '.join(f'name{ending}' for ending in endings)}")
    path = absolute(named(text.strip()))
    if path.suffix.lower() not in endings:
        raise InputError(f"the name must end in {said}")
    if is_there(path):
        raise InputError("there is a file of this name already: name another")
    check_folder(path)
    return path


def _short(path: Path, most: int = 120) -> str:
    """The beginning and the end of a long path, so that what is said about it is seen."""
    text = str(path)
    return text if len(text) <= most else f"{text[: most // 2]}…{text[-most // 2 :]}"


def _reason(fault: OSError | ValueError) -> str:
    if isinstance(fault, OSError):
        return os.strerror(fault.errno or 0).lower()
    return "it has signs that no name can have"
