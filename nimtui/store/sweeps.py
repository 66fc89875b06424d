"""A file for results that arrive one by one, each saved at once: a JSON line for the header, and one per result.

Every line ends with its own checksum. An incomplete last line, from a machine that stopped while writing, does not
count. Any other fault makes the file damaged, and it stays unchanged.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import zlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from nimtui.foreign.reading import parse_object
from nimtui.process.owner import lock
from nimtui.store import files, paths
from nimtui.store.errors import StoreError, check_version, raising, unreadable, unwritable

FORMAT = 1
KIND = "sweep"
LARGEST = 1_000_000_000  # bytes of a file
LONGEST_HEADER = 10_000_000  # bytes

Entry = dict[str, Any]
folder = paths.place("sweeps")  # for sweeps without a place of their own


class Log(contextlib.AbstractContextManager["Log"]):
    """An open file of results. `header` and `entries` are its content when it was opened."""

    def __init__(self, path: Path) -> None:
        """Open a file to append results. Raise StoreError if it is damaged, not writable, or in use."""
        try:
            self._file: BinaryIO = files.opened(path, LARGEST, "r+b")
        except OSError as fault:
            raise (unreadable if isinstance(fault, FileNotFoundError) else unwritable)(path, fault) from None
        self.path = path
        try:
            if not lock(self._file):
                raise StoreError(f"{path} is in use by another nimtui: stop that one first")
            with raising(unreadable, path):
                self.header, self.entries, self._length = _sound(path, self._file)
        except StoreError:
            self._file.close()
            raise
        self._unwritten = b""
        self.unsaved = 0  # entries that are not on the disk yet
        self.fault = ""

    @classmethod
    def create(cls, path: Path, header: Mapping[str, Any]) -> Log:
        """Create a file. Raise StoreError if it already exists."""
        line = _line({"nimtui": KIND, "format": FORMAT, **header})
        files.create(path, lambda file: file.write(line))
        return cls(path)

    def append(self, entries: Sequence[Entry]) -> None:
        """Write more results to the disk.

        If that fails, `fault` says why in one line; the next call tries again.
        """
        self._unwritten += b"".join(map(_line, entries))
        self.unsaved += len(entries)
        try:
            self._file.seek(self._length)
            self._file.truncate()  # drop an incomplete line
            self._file.write(self._unwritten)
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as fault:
            self.fault = str(unwritable(self.path, fault))
            return
        self._length += len(self._unwritten)
        self._unwritten, self.unsaved, self.fault = b"", 0, ""

    def close(self) -> None:
        with contextlib.suppress(OSError):  # unwritten results were reported before
            self._file.close()

    def delete(self) -> None:
        """Close and delete the file."""
        with contextlib.suppress(OSError):
            self.path.unlink()
        self.close()

    def __exit__(self, *_: object) -> None:
        self.close()


def read(path: Path) -> tuple[Entry, list[Entry]]:
    """Return the header and the entries of a file that another process may be writing. Raise StoreError if it is
    damaged.
    """
    with raising(unreadable, path), files.opened(path, LARGEST) as file:
        return _sound(path, file)[:2]


def head(path: Path) -> Entry:
    """Return the header alone, quickly however large the file is. Raise StoreError if there is none."""
    with raising(unreadable, path), files.opened(path, LARGEST) as file:
        return _sound(path, io.BytesIO(file.readline(LONGEST_HEADER)))[0]


def usual_path() -> Path:
    """Return a path in that folder that no other sweep has."""
    return folder() / f"sweep-{datetime.now():%Y%m%d-%H%M%S}-{os.getpid()}.jsonl"


def _line(keys: Mapping[str, Any]) -> bytes:
    text = json.dumps(dict(keys), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return f'{text[:-1]},"sum":{zlib.crc32(text.encode())}}}\n'.encode()


def _read(line: bytes) -> Entry:
    """Return the content of a line. Raise ValueError if the line is damaged."""
    text, _, checksum = line.decode().rpartition(',"sum":')
    text += "}"
    if checksum != f"{zlib.crc32(text.encode())}}}\n":
        raise ValueError("its checksum is wrong")
    keys: Entry = parse_object(text)
    return keys


def _sound(path: Path, file: BinaryIO) -> tuple[Entry, list[Entry], int]:
    """Return the header, the entries, and the length of all complete lines in bytes."""
    first = file.readline(LONGEST_HEADER)
    if not first.startswith(f'{{"nimtui":"{KIND}"'.encode()):
        raise StoreError(f"{path} is {'not a sweep of nimtui' if first else 'empty'}")
    number = 1
    try:
        check_version(path, parse_object(first)["format"], FORMAT)
        header, length, entries = _read(first), len(first), []
        while line := file.readline(LONGEST_HEADER):
            number += 1
            if not line.endswith(b"\n"):
                break
            entries.append(_read(line))
            length += len(line)
    except StoreError:
        raise
    except (LookupError, TypeError, ValueError, RecursionError):
        raise StoreError(f"{path} is damaged in line {number}") from None
    return header, entries, length
