"""The errors of files, with a message of one line."""

from __future__ import annotations

from pathlib import Path

from nimtui.errors import LONGEST_WORD, InputError, shortened


class StoreError(InputError):
    """A file cannot be read or written: one line with its name and the reason. The file is unchanged."""


class Unwritable(StoreError):
    """A file cannot be written, for example on a full disk. Its content can still be read."""

    def __init__(self, path: Path, reason: str, what: str = "written") -> None:
        """`what` names what failed for the `reason`: 'written', 'used'."""
        super().__init__(f"{shortened(str(path), LONGEST_WORD)} cannot be {what}: {reason}")
        self.reason = reason


def system_reason(fault: OSError) -> str:
    """Return the system's reason in its own words, without the path that the message names already."""
    return (fault.strerror or str(fault)).lower()


def unreadable(path: Path, fault: OSError) -> StoreError:
    """Return the error for a file that the system cannot read."""
    if isinstance(fault, FileNotFoundError):
        return StoreError(f"there is no file {shortened(str(path), LONGEST_WORD)}")
    return StoreError(f"{shortened(str(path), LONGEST_WORD)} cannot be read: {_reason(path, fault)}")


def unwritable(path: Path, fault: OSError) -> Unwritable:
    """Return the error for a file that cannot be written, for example on a full disk."""
    return Unwritable(path, _reason(path, fault))


def file_in_the_way(path: Path) -> Path | None:
    """Return the file that stands where a folder of this path should be."""
    return next((place for place in path.parents if place.is_file()), None)


def _reason(path: Path, fault: OSError) -> str:
    file = file_in_the_way(path / "_")
    if file is None or not isinstance(fault, NotADirectoryError | FileExistsError):
        return system_reason(fault)
    return f"{shortened(str(file), LONGEST_WORD)} is a file, not a folder"
