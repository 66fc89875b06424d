"""Read files with errors that name them, replace files atomically, and set damaged files aside.

A file that was set aside is named at every start until a person has seen its name.

Long texts, such as trees, are stored by their content: each in a file named after its hash.
"""

from __future__ import annotations

import io
import itertools
import os
import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from time import time
from typing import BinaryIO, TextIO

from nimtui.errors import InputError
from nimtui.foreign import reading
from nimtui.process.stopping import undisturbed
from nimtui.store import paths
from nimtui.store.errors import StoreError, Unwritable, raising, system_reason, unwritable

ASIDE = ".damaged-"  # part of the name of every file that was set aside
BESIDE = ("-wal", "-shm", "-journal")  # ends of the files that SQLite writes beside a database
STALE = 3600  # seconds; a younger temporary file may still be in use
BAD = re.compile(r'[/\\:*?"<>|\x00-\x1f]')  # characters that some system forbids in a file's name
LONGEST = 200  # bytes of a file's name without its extension


def valid_stem(text: str) -> str:
    """Return the name that a person gives a file, without its extension. Raise StoreError for an invalid name."""
    stem = text.strip()
    if not stem or stem.startswith(".") or BAD.search(stem) or len(stem.encode(errors="replace")) > LONGEST:
        raise StoreError('invalid file name: no / \\ : * ? " < > | and no dot at the start')
    return stem


def listed(folder: Path) -> list[Path]:
    """Return what is in a folder; nothing if it cannot be read."""
    with suppress(OSError):
        return list(folder.iterdir())
    return []


def opened(path: Path, most: int, mode: str = "rb") -> BinaryIO:
    """Open a file of at most `most` bytes. Raise StoreError if it is no regular file or too large, OSError as the
    system does.
    """
    with _named(path):
        return reading.opened(path, most, mode)


def contents(path: Path, most: int) -> bytes:
    """Return all bytes of a file. Raise StoreError if they are more than `most`, OSError as the system does."""
    with _named(path):
        return reading.contents(path, most)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Name the file in every error of the block."""
    try:
        yield
    except InputError as fault:
        raise StoreError(f"{path} cannot be read: {fault}") from None
    except ValueError as fault:  # a zero byte in the name
        raise StoreError(f"there is no file {path}") from fault


def replace_text(path: Path, write: Callable[[TextIO], object]) -> None:
    """Write a file of text in UTF-8 with `write`, as `replace` does."""

    def fill(file: BinaryIO) -> None:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        write(text)
        text.flush()
        text.detach()

    replace(path, fill)


@undisturbed()
def replace(path: Path, fill: Callable[[BinaryIO], object]) -> None:
    """Write a file with `fill`, so that at any moment either the old or the new file is there, complete.

    A temporary file beside it is filled, synced to the disk and renamed. Raise StoreError if the disk is full or the
    folder is not writable; the old file then stays unchanged.
    """
    if path.exists() and not path.is_file():  # a device or a pipe: write into it
        _write_into(path, fill)
        return
    target = Path(os.path.realpath(path))  # replace the target of a link, not the link
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
        with suppress(OSError):  # it exists only after a failure
            temporary.unlink()
    _sync_folder(target.parent)


def _write_into(path: Path, fill: Callable[[BinaryIO], object]) -> None:
    with raising(unwritable, path):
        handle = os.open(path, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0))  # not waiting for the reader of a pipe
        with os.fdopen(handle, "wb") as file:
            if hasattr(os, "set_blocking"):  # not on Windows
                os.set_blocking(handle, True)
            fill(file)


def create(path: Path, fill: Callable[[BinaryIO], object]) -> None:
    """Write a new file with `fill`, complete from the first moment. Raise StoreError if the file exists or writing
    fails.
    """
    own = path.with_name(f".{path.name[:80]}.{secrets.token_hex(4)}.tmp")
    if os.path.lexists(path):
        raise StoreError(f"{path} already exists")
    try:
        replace(own, fill)
        move(own, path)
        _sync_folder(path.parent)
    except Unwritable as fault:  # names the temporary file
        raise Unwritable(path, fault.reason) from None
    except FileExistsError:  # another process was quicker
        raise StoreError(f"{path} already exists") from None
    except OSError as fault:
        raise unwritable(path, fault) from None
    finally:
        with suppress(OSError):  # it exists only after a failure
            own.unlink()


def move(path: Path, place: Path) -> None:
    """Move a file to a free place on the same drive. Raise FileExistsError if the place is taken, or OSError.

    Moves by a hard link, which never replaces a file, or by a rename if the drive has no links or the file is a link.
    """
    if not path.is_symlink():
        try:
            os.link(path, place)
        except (PermissionError, NotImplementedError):
            pass  # no links on this drive: rename
        else:
            try:
                path.unlink()
            except OSError:  # refused: it keeps its one old name
                place.unlink()
                raise
            return
    if os.path.lexists(place):
        raise FileExistsError(str(place))
    path.rename(place)


def _sweep(folder: Path, beginning: str) -> None:
    """Remove the temporary files of processes that were killed while they wrote this file."""
    with suppress(OSError):
        for path in folder.iterdir():
            if path.name.startswith(beginning) and path.suffix == ".tmp" and time() - path.stat().st_mtime > STALE:
                path.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Sync the rename to the disk. Not every system can; the file is complete anyway."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def name_also(path: Path, other: Path) -> None:
    """Give a file a second name, or if the drive has no links, only that one. Raise OSError."""
    try:
        os.link(path, other, follow_symlinks=False)
    except (OSError, NotImplementedError):
        path.rename(other)


def name_back(path: Path, other: Path) -> None:
    """Undo `name_also`."""
    if os.path.lexists(path):
        other.unlink()
    else:
        other.rename(path)


def free_aside(path: Path) -> Path:
    """Return the name that the file would get if it were set aside now."""
    asides = (path.with_name(f"{path.stem}{ASIDE}{number}{path.suffix}") for number in itertools.count(1))
    return next(aside for aside in asides if not any(os.path.lexists(f"{aside}{end}") for end in ("", *BESIDE)))


def take_back(path: Path) -> None:
    """Undo what a killed process began: a file that has the name of one set aside, too, gets back what is beside it."""
    for aside in listed(path.parent):
        with suppress(OSError):
            if ASIDE in aside.name and not aside.is_symlink() and aside.samefile(path):
                for end in BESIDE:
                    with suppress(FileNotFoundError):
                        move(Path(f"{aside}{end}"), Path(f"{path}{end}"))
                aside.unlink()


def set_aside(path: Path) -> Path:
    """Rename `name.json` to `name.damaged-1.json`, or the next free number; return the new path.

    Raise StoreError if the file cannot be renamed.
    """
    aside = free_aside(path)
    try:
        path.rename(aside)
    except OSError as fault:
        raise Unwritable(path, system_reason(fault), "set aside") from None
    return aside


SEEN_ASIDES = "asides-seen"  # the file with the names that a person has seen, one a line
MOST_NAMED = 3  # files named in one line
LARGEST_SEEN = 2**20  # bytes


def unseen_asides() -> list[Path]:
    """Return the files of the data folder and its folders that were set aside and that nobody has seen named."""
    home = paths.home()
    names = _seen_asides()
    with suppress(OSError):
        asides = [*home.glob(f"*{ASIDE}*"), *home.glob(f"*/*{ASIDE}*")]
        files = [path for path in asides if not path.name.endswith(BESIDE)]
        return sorted(path for path in files if str(path.relative_to(home)) not in names)
    return []


def lines_of_asides(asides: Sequence[Path]) -> list[str]:
    """Return the line that names these files, or none."""
    if not asides:
        return []
    names = [str(path) for path in asides[:MOST_NAMED]]
    more = len(asides) - len(names)
    listed = ", ".join(names) + (f" and {more} more" if more else "")
    return [f"damaged, set aside, and not yet looked at: {listed}"]


def see_asides(asides: Sequence[Path]) -> None:
    """Record that a person has seen these names. Without room on the disk they are named again."""
    if asides:
        names = sorted(_seen_asides() | {str(path.relative_to(paths.home())) for path in asides})
        with suppress(StoreError):
            replace(
                paths.home() / SEEN_ASIDES, lambda file: file.write("".join(f"{name}\n" for name in names).encode())
            )


def _seen_asides() -> set[str]:
    with suppress(OSError, StoreError, UnicodeError):
        return set(contents(paths.home() / SEEN_ASIDES, LARGEST_SEEN).decode().splitlines())
    return set()


LARGEST_TEXT = 1 << 24  # bytes of a text
DIGITS = 10  # of the hash that names a text


def _text_name(text: str) -> str:
    """Return the name of a text: the first digits of its hash."""
    return sha256(text.encode()).hexdigest()[:DIGITS]


def keep_text(text: str) -> str | None:
    """Store a text unless it is stored, and return its name; None if it cannot be written."""
    name = _text_name(text)
    try:
        if find_text(name) is None:
            replace_text(paths.ensure(paths.texts()) / f"{name}.txt", lambda file: file.write(text))
    except (OSError, StoreError):
        return None
    return name if find_text(name) == text else None


def find_text(name: str) -> str | None:
    """Return the stored text of this name; None if there is none, or it was changed."""
    with suppress(OSError, StoreError, UnicodeDecodeError):
        text = contents(paths.texts() / f"{name}.txt", LARGEST_TEXT).decode()
        return text if _text_name(text) == name else None
    return None
