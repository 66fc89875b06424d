"""The errors of files, with a message of one line."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from nimtui.errors import LONGEST_WORD, InputError, shortened
from nimtui.foreign.reading import kind_of


class StoreError(InputError):
    """A file cannot be read or written: one line with its name and the reason. The file is unchanged."""


class Refused(StoreError):
    """The command line is right, but a file of nimtui's own cannot be used as it is: exit status 1."""


class Unwritable(Refused):
    """A file cannot be written, for example on a full disk. Its content can still be read."""

    def __init__(self, path: Path, reason: str, what: str = "written") -> None:
        """`what` names what failed for the `reason`: 'written', 'used'."""
        super().__init__(f"{shortened(str(path), LONGEST_WORD)} cannot be {what}: {reason}")
        self.reason = reason


def check_version(path: Path, version: object, newest: int, reads: str = "reads") -> None:
    """Raise StoreError if a newer nimtui wrote this file: its format has a higher number than the `newest` one here."""
    if isinstance(version, int) and version > newest:
        raise StoreError(
            f"{path} was written by a newer nimtui: it has format {version}, this version {reads} {newest}"
        )


def system_reason(fault: OSError) -> str:
    """Return the system's reason in its own words, without the path that the message names already."""
    if fault.errno == errno.ENXIO:
        return "it is a socket, or a pipe that nobody reads"
    return (fault.strerror or str(fault)).lower()


def unreadable(path: Path, fault: OSError) -> StoreError:
    """Return the error for a file that the system cannot read."""
    if isinstance(fault, FileNotFoundError):
        return StoreError(f"there is no file {shortened(str(path), LONGEST_WORD)}")
    return StoreError(f"{shortened(str(path), LONGEST_WORD)} cannot be read: {_reason(path, fault)}")


def unwritable(path: Path, fault: OSError) -> Unwritable:
    """Return the error for a file that cannot be written, for example on a full disk."""
    return Unwritable(path, _reason(path, fault))


@contextmanager
def raising(error: Callable[[Path, OSError], StoreError], path: Path) -> Iterator[None]:
    """Raise this error, `unreadable` or `unwritable`, for what the system refuses within."""
    try:
        yield
    except OSError as fault:
        raise error(path, fault) from None


def in_the_way(path: Path) -> str:
    """Return what stands where a folder of this path should be: 'x is a file, not a folder'; '' for nothing."""
    place = next((place for place in path.parents if os.path.lexists(place)), path)
    name = shortened(str(place), LONGEST_WORD)
    if place.is_symlink() and not place.exists():
        return f"{name} is a link that leads nowhere"
    if place == path or place.is_dir():
        return ""
    kind = kind_of(place.stat().st_mode) or "it is a file"
    return f"{name} {kind.removeprefix('it ').removesuffix(', not a file')}, not a folder"


def _reason(path: Path, fault: OSError) -> str:
    if fault.errno in (errno.ENOTDIR, errno.EEXIST, errno.ELOOP):
        return in_the_way(path / "_") or system_reason(fault)
    return system_reason(fault)
