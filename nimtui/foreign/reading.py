"""Files that a person names: read only where they are files, and never more of them than is said.

A device, a pipe or a folder is refused before anything is read, so that nothing waits for ever; what is too large is
refused before it is in memory. The errors are lines without the file's name, which the caller adds.
"""

from __future__ import annotations

import codecs
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from nimtui.errors import InputError

MEGABYTE = 1_000_000
LARGEST_TEXT = 32 * MEGABYTE  # bytes of a text of games
LONGEST_LINE = 1 * MEGABYTE  # bytes of one line of it
_BLOCK = 1 << 16
_BOMS = ((codecs.BOM_UTF32_LE, "UTF-32"), (codecs.BOM_UTF16_LE, "UTF-16"), (codecs.BOM_UTF16_BE, "UTF-16"))
_KINDS = (
    (stat.S_ISDIR, "it is a folder"),
    (stat.S_ISFIFO, "it is a pipe, not a file"),
    (stat.S_ISCHR, "it is a device, not a file"),
    (stat.S_ISBLK, "it is a device, not a file"),
    (stat.S_ISSOCK, "it is a socket, not a file"),
)


class TooLarge(InputError):
    """The file has more bytes than are read."""


def size(number: int) -> str:
    """Return a number of bytes as people read it: '100 MB'."""
    for unit, sign in ((1_000_000_000, "GB"), (MEGABYTE, "MB"), (1_000, "kB")):
        if number >= unit:
            return f"{number / unit:.1f}".removesuffix(".0") + f" {sign}"
    return f"{number} bytes"


def opened(path: Path, most: int, mode: str = "rb") -> BinaryIO:
    """Open an ordinary file of at most `most` bytes. InputError for another one, OSError as the system says."""
    handle = os.open(path, _flags(mode))
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise InputError(next((said for test, said in _KINDS if test(found.st_mode)), "it is not a file"))
        if found.st_size > most:
            raise TooLarge(f"it has {size(found.st_size)}, and at most {size(most)} are read")
        file: BinaryIO = os.fdopen(handle, mode)  # type: ignore[assignment]  # a mode of bytes
    except BaseException:
        os.close(handle)
        raise
    return file


def _flags(mode: str) -> int:
    """Without waiting: a pipe that nobody writes to would be waited for until somebody does."""
    flags = os.O_RDWR if "+" in mode else os.O_RDONLY
    return flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def contents(path: Path, most: int) -> bytes:
    """Return all bytes of an ordinary file. InputError where they are too many, or it is none."""
    with opened(path, most) as file:
        found = file.read(most + 1)
    if len(found) > most:
        raise TooLarge(f"at most {size(most)} are read")
    return found


def lines(file: BinaryIO, most: int = LARGEST_TEXT, longest: int = LONGEST_LINE) -> Iterator[str]:
    """Yield the lines of a text in UTF-8, without their ends. InputError with the line that is none.

    At most `most` bytes in all and `longest` in a line are read, also of a pipe without an end.
    """
    total = number = 0
    while line := file.readline(longest + 1):
        number += 1
        total += len(line)
        if number == 1:
            line = _unmarked(line)
        if len(line) > longest:
            raise TooLarge(f"line {number} has more than {size(longest)}")
        if total > most:
            raise TooLarge(f"it has more than {size(most)}, and no more are read")
        if b"\0" in line:
            raise InputError(f"line {number}: this is no text, it has a zero byte")
        try:
            found = line.decode()
        except UnicodeDecodeError:
            raise InputError(f"line {number}: this is no text in UTF-8") from None
        yield from found.removesuffix("\n").removesuffix("\r").split("\r")


def _unmarked(line: bytes) -> bytes:
    """The first line without a mark of UTF-8. InputError where it has one of another encoding."""
    for mark, encoding in _BOMS:
        if line.startswith(mark):
            raise InputError(f"it is text in {encoding}, not in UTF-8: save it as UTF-8")
    return line.removeprefix(codecs.BOM_UTF8)
