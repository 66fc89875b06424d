"""Files of ours that a person may name: opened as `foreign.reading` opens any file, with errors that name the file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from nimtui.errors import InputError
from nimtui.foreign import reading
from nimtui.store.errors import StoreError


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
