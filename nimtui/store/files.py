"""Files read with errors that name them, replaced whole or not at all, and set aside where damaged, never deleted."""

from __future__ import annotations

import contextlib
import itertools
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import time
from typing import BinaryIO

from nimtui.errors import InputError
from nimtui.foreign import reading
from nimtui.stopping import undisturbed
from nimtui.store.errors import StoreError, Unwritable, system_reason, unwritable

ASIDE = ".damaged-"  # in the names of files that were set aside
STALE = 3600  # seconds; what is being written now is younger


def opened(path: Path, most: int, mode: str = "rb") -> BinaryIO:
    """Open a file of at most `most` bytes. StoreError where it is none, OSError as the system says."""
    with _named(path):
        return reading.opened(path, most, mode)


def contents(path: Path, most: int) -> bytes:
    """Return all bytes of such a file. StoreError where they are too many, OSError as the system says."""
    with _named(path):
        return reading.contents(path, most)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Name the file in what is raised."""
    try:
        yield
    except InputError as fault:
        raise StoreError(f"{path} cannot be read: {fault}") from None
    except ValueError as fault:  # a zero byte in the name
        raise StoreError(f"there is no file {path}") from fault


def replace(path: Path, fill: Callable[[BinaryIO], object]) -> None:
    """Write a file by `fill`, so that at any moment the old or the new one is there, complete.

    A temporary file beside it is filled, brought to the disk and renamed. StoreError where the disk
    is full or the folder cannot be written; the old file is then as it was.
    """
    with undisturbed():
        _replace(path, fill)


def _replace(path: Path, fill: Callable[[BinaryIO], object]) -> None:
    if path.exists() and not path.is_file():  # a device, a pipe: it stays what it is
        _write_into(path, fill)
        return
    target = Path(os.path.realpath(path))  # a link stays a link
    beginning = f".{target.name[:80]}."
    _sweep(target.parent, beginning)
    temporary = target.with_name(f"{beginning}{secrets.token_hex(4)}.tmp")
    try:
        with temporary.open("xb") as file:
            fill(file)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError as fault:
        raise unwritable(path, fault) from None
    finally:
        with contextlib.suppress(OSError):  # it is there only where something failed
            temporary.unlink(missing_ok=True)
    _sync_folder(target.parent)


def _write_into(path: Path, fill: Callable[[BinaryIO], object]) -> None:
    try:
        with path.open("wb") as file:
            fill(file)
    except OSError as fault:
        raise unwritable(path, fault) from None


def create(path: Path, fill: Callable[[BinaryIO], object]) -> None:
    """Write a new file by `fill`, complete from the first moment. StoreError where one is there, or that fails."""
    own = path.with_name(f".{path.name[:80]}.{secrets.token_hex(4)}.tmp")
    if os.path.lexists(path):
        raise StoreError(f"{path} is there already")
    replace(own, fill)
    try:
        move(own, path)
    except FileExistsError:  # somebody else was quicker
        raise StoreError(f"{path} is there already") from None
    except OSError as fault:
        raise unwritable(path, fault) from None
    finally:
        with contextlib.suppress(OSError):  # it is there only where something failed
            own.unlink(missing_ok=True)


def move(path: Path, place: Path) -> None:
    """Move a file to a place where none is, on the same drive. FileExistsError where there is one, or OSError.

    By a link, which never replaces another file; by a rename where the drive has no links, or the file is one.
    """
    if not path.is_symlink():
        try:
            os.link(path, place)
        except (PermissionError, NotImplementedError):
            pass  # no links there: it is renamed
        else:
            _unlink(path, place)
            return
    if os.path.lexists(place):
        raise FileExistsError(str(place))
    path.rename(place)


def _unlink(path: Path, place: Path) -> None:
    """Take away the file that is at another place too by now; where that is refused, it stays at the old one alone."""
    try:
        path.unlink()
    except OSError:
        place.unlink()
        raise


def _sweep(folder: Path, beginning: str) -> None:
    """Remove what a process that was killed while it wrote this file has left."""
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            if path.name.startswith(beginning) and path.suffix == ".tmp" and time() - path.stat().st_mtime > STALE:
                path.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Bring the rename itself to the disk. Not every system can; the file is complete anyway."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def set_aside(path: Path) -> Path:
    """Rename `name.json` to `name.damaged-1.json`, or the next free number; returns the new path.

    StoreError where it cannot be renamed.
    """
    for number in itertools.count(1):
        aside = path.with_name(f"{path.stem}{ASIDE}{number}{path.suffix}")
        if not (aside.exists() or aside.is_symlink()):
            break
    try:
        path.rename(aside)
    except OSError as fault:
        raise Unwritable(path, system_reason(fault), "set aside") from None
    return aside
