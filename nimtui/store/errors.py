"""What can go wrong with a file, said in one line."""

from __future__ import annotations

from pathlib import Path

from nimtui.errors import InputError


class StoreError(InputError):
    """A file cannot be read or written: one line that names it and says why. It is as it was."""


class Unwritable(StoreError):
    """A file cannot be written where it lies: a full disk, a read-only folder. What is there can still be read."""

    def __init__(self, path: Path, reason: str, what: str = "written") -> None:
        """`what`: what cannot be done with the file, for the `reason`."""
        super().__init__(f"{path} cannot be {what}: {reason}")
        self.reason = reason


def system_reason(fault: OSError) -> str:
    """The system's reason in its own words, without the path it repeats."""
    return (fault.strerror or str(fault)).lower()


def unreadable(path: Path, fault: OSError) -> StoreError:
    """The error for a file that the system does not let be read."""
    if isinstance(fault, FileNotFoundError):
        return StoreError(f"there is no file {path}")
    return StoreError(f"{path} cannot be read: {system_reason(fault)}")


def unwritable(path: Path, fault: OSError) -> Unwritable:
    """The error for a file that cannot be written: a full disk, a read-only folder."""
    return Unwritable(path, system_reason(fault))
