"""Damaged files that were set aside: each is named at every start until a person has seen its name."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from nimtui.store import files, paths
from nimtui.store.errors import StoreError

SEEN = "asides-seen"  # the file with the names that a person has seen, one a line
MOST_NAMED = 3  # files named in one line
LARGEST = 2**20  # bytes


def unseen() -> list[Path]:
    """Return the files of the data folder and its folders that were set aside and that nobody has seen named."""
    home = paths.home()
    names = _seen()
    with suppress(OSError):
        asides = [
            path
            for pattern in (f"*{files.ASIDE}*", f"*/*{files.ASIDE}*")
            for path in home.glob(pattern)
            if not path.name.endswith(files.BESIDE)
        ]
        return sorted(path for path in asides if str(path.relative_to(home)) not in names)
    return []


def lines(asides: Sequence[Path]) -> list[str]:
    """Return the line that names these files, or none."""
    if not asides:
        return []
    names = [str(path) for path in asides[:MOST_NAMED]]
    more = len(asides) - len(names)
    listed = ", ".join(names) + (f" and {more} more" if more else "")
    return [f"damaged, set aside, and not yet looked at: {listed}"]


def see(asides: Sequence[Path]) -> None:
    """Record that a person has seen these names. Without room on the disk they are named again."""
    if asides:
        names = sorted(_seen() | {str(path.relative_to(paths.home())) for path in asides})
        with suppress(StoreError):
            files.replace(paths.home() / SEEN, lambda file: file.write("".join(f"{name}\n" for name in names).encode()))


def _seen() -> set[str]:
    with suppress(OSError, StoreError, UnicodeError):
        return set(files.contents(paths.home() / SEEN, LARGEST).decode().splitlines())
    return set()
