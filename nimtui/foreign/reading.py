"""Paths that a person names, and reading of their files: only ordinary files, and only up to a given size.

Devices, pipes and folders are refused before reading, so that no read waits for ever. A file that is too large is
refused before it is in memory. The errors of reading are lines without the file's name, which the caller adds. Every
failure of a path becomes an InputError of one line, also for impossible names: too long, with a zero byte, or through a
file as if it were a folder.

JSON is read more strictly than by the standard library: no duplicate keys, infinite numbers and NaN, and no values
nested deeper than DEEPEST.
"""

from __future__ import annotations

import ast
import codecs
import json
import math
import os
import stat
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO

from nimtui.errors import LONGEST_WORD, InputError, shortened

MEGABYTE = 1_000_000
LARGEST_TEXT = 32 * MEGABYTE  # bytes of a text of games
LONGEST_LINE = 1 * MEGABYTE  # bytes of one line of it
_BOMS = ((codecs.BOM_UTF32_LE, "UTF-32"), (codecs.BOM_UTF16_LE, "UTF-16"), (codecs.BOM_UTF16_BE, "UTF-16"))
_KINDS = (
    (stat.S_ISDIR, "it is a folder"),
    (stat.S_ISFIFO, "it is a pipe, not a file"),
    (stat.S_ISCHR, "it is a device, not a file"),
    (stat.S_ISBLK, "it is a device, not a file"),
    (stat.S_ISSOCK, "it is a socket, not a file"),
)
_parsing = Lock()  # in some Pythons, as 3.11, two threads that make trees of syntax disturb each other: SystemError


class TooLarge(InputError):
    """The file is larger than the limit."""


def size(number: int) -> str:
    """Format a number of bytes: '100 MB'."""
    for unit, sign in ((1_000_000_000, "GB"), (MEGABYTE, "MB"), (1_000, "kB")):
        if number >= unit:
            return f"{number / unit:.1f}".removesuffix(".0") + f" {sign}"
    return f"{number} bytes"


def opened(path: Path, most: int, mode: str = "rb") -> BinaryIO:
    """Open an ordinary file of at most `most` bytes. Raises InputError for any other file, or OSError."""
    flags = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    flags |= getattr(os, "O_NONBLOCK", 0)  # keeps it from waiting for the writer of a pipe
    handle = os.open(path, flags | (os.O_RDWR if "+" in mode else os.O_RDONLY))
    try:
        status = os.fstat(handle)
        if kind := kind_of(status.st_mode):
            raise InputError(kind)
        if status.st_size > most:
            raise TooLarge(f"it has {size(status.st_size)}; the limit is {size(most)}")
        file: BinaryIO = os.fdopen(handle, mode)  # type: ignore[assignment]  # a mode of bytes
    except BaseException:
        os.close(handle)
        raise
    return file


def kind_of(mode: int) -> str:
    """Return what a path is by its mode, 'it is a folder'; '' for an ordinary file."""
    if stat.S_ISREG(mode):
        return ""
    return next((kind for test, kind in _KINDS if test(mode)), "it is not a file")


def contents(path: Path, most: int) -> bytes:
    """Return the bytes of an ordinary file. Raises InputError if it is too large or another kind of file."""
    with opened(path, most) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise TooLarge(f"it is larger than {size(most)}")
    return content


def toml(path: Path) -> dict[str, Any]:
    """Return the keys of a file in TOML. Raises InputError that names the file."""
    try:
        return tomllib.loads(contents(path, LARGEST_TEXT).decode())
    except OSError as fault:
        raise InputError(f"{path} cannot be read: {fault.strerror}") from None
    except (ValueError, RecursionError) as fault:  # also of `contents`
        raise InputError(f"{path} is not TOML: {fault}") from None


def lines(file: BinaryIO, most: int = LARGEST_TEXT, longest: int = LONGEST_LINE) -> Iterator[str]:
    """Yield the lines of a UTF-8 text without their line ends. Raises InputError with the number of an invalid line.

    Reads at most `most` bytes in all and `longest` bytes per line, also from an endless pipe.
    """
    total = number = 0
    while line := file.readline(longest + 1):
        number += 1
        total += len(line)
        if number == 1:
            line = _unmarked(line)
        if len(line) > longest:
            raise TooLarge(f"line {number} is longer than {size(longest)}")
        if total > most:
            raise TooLarge(f"it is larger than {size(most)}")
        if b"\0" in line:
            raise InputError(f"line {number} is not text: it has a zero byte")
        try:
            text = line.decode()
        except UnicodeDecodeError:
            raise InputError(f"line {number} is not text in UTF-8") from None
        yield from text.removesuffix("\n").removesuffix("\r").split("\r")


def _unmarked(line: bytes) -> bytes:
    """Return the first line without a UTF-8 byte order mark. Raises InputError for that of another encoding."""
    for mark, encoding in _BOMS:
        if line.startswith(mark):
            raise InputError(f"it is text in {encoding}, not in UTF-8: save it as UTF-8")
    return line.removeprefix(codecs.BOM_UTF8)


def named(text: str, example: str = "folder/name") -> Path:
    """Return the path of a text. `~` and `~name` stand for home folders, as in a shell. InputError if it is empty."""
    if not text.strip():
        raise InputError(f"the file name is empty: name a file, for example {example}")
    return Path(os.path.expanduser(text))  # noqa: PTH111 - Path.expanduser raises where there is none


def absolute(path: Path) -> Path:
    """Return the absolute path. Raises InputError if the current folder has been deleted."""
    try:
        return path.absolute()
    except FileNotFoundError:
        raise InputError("the current folder has been deleted: name a path that begins with /") from None


def is_there(path: Path) -> bool:
    """Return whether the path exists. Raises InputError for a name that the system does not allow."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError) as fault:
        raise InputError(f"{shortened(str(path), LONGEST_WORD)} is not a valid file name: {_reason(fault)}") from None
    return True


def check_folder(path: Path) -> None:
    """Raise InputError if the folder of this path is missing or read-only."""
    folder = absolute(path).parent
    if not os.path.isdir(folder):  # noqa: PTH112 - Path.is_dir raises where a name is too long
        raise InputError(f"there is no folder {shortened(str(folder), LONGEST_WORD)}")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"the folder {shortened(str(folder), LONGEST_WORD)} is read-only")


def new_file(text: str, endings: Sequence[str]) -> Path:
    """Return the path of a new file with one of these endings. Raises InputError for any other name."""
    path = absolute(named(text.strip(), " or ".join(f"name{ending}" for ending in endings)))
    if path.suffix.lower() not in endings:
        raise InputError(f"the name must end in {' or '.join(endings)}")
    if is_there(path):
        raise InputError("this file already exists: choose another name")
    check_folder(path)
    return path


def _reason(fault: OSError | ValueError) -> str:
    if isinstance(fault, OSError):
        return os.strerror(fault.errno or 0).lower()
    return "it has characters that are not allowed in names"


def exists(path: Path) -> bool:
    """Return whether something is there; False also where a folder above may not be looked into."""
    try:
        return path.exists()
    except PermissionError:
        return False


def syntax(source: str | bytes, name: str = "<unknown>") -> ast.Module:
    """Return the syntax of Python source, named `name` in faults; several threads may ask.

    Raises SyntaxError or ValueError if it is not Python, RecursionError or MemoryError if it is nested too deep.
    """
    with _parsing:
        return ast.parse(source, name)  # noqa: TID251 - the one place


DEEPEST = 50  # brackets within brackets


class WrongDocument(ValueError):
    """The JSON is not accepted. The message gives the reason as the end of a sentence."""


def parse(text: str | bytes | bytearray, finite: bool = True) -> Any:
    """Return the value of a JSON text. Raises WrongDocument if it is invalid or not accepted.

    Without `finite`, numbers may be infinite or NaN: the caller must check each.
    """
    try:
        if not isinstance(text, str):
            text = text.decode("utf-8-sig")
        constant, real = (_constant, _real) if finite else (float, float)
        value = json.loads(text, parse_constant=constant, parse_float=real, object_pairs_hook=_keys)
    except WrongDocument:
        raise
    except RecursionError:
        raise WrongDocument("its brackets are nested too deep") from None
    except UnicodeDecodeError:
        raise WrongDocument("it is not text in UTF-8") from None
    except json.JSONDecodeError as fault:
        raise WrongDocument(f"it is not JSON: line {fault.lineno}, column {fault.colno}") from None
    except ValueError:  # a whole number of thousands of digits
        raise WrongDocument("it has a number that is too large") from None
    if _deeper(value, DEEPEST):
        raise WrongDocument(f"its brackets are nested deeper than {DEEPEST}")
    return value


def parse_object(text: str | bytes | bytearray, finite: bool = True) -> dict[str, Any]:
    """Return the object of a JSON text. Raises WrongDocument if the text is not an object."""
    value = parse(text, finite)
    if not isinstance(value, dict):
        raise WrongDocument("it is not an object with keys")
    return value


def _constant(word: str) -> Any:
    raise WrongDocument(f"it has the number {word}")


def _real(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise WrongDocument("it has a number that is too large")
    return number


def _keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise WrongDocument("it has a key twice")
    return members


def _deeper(value: Any, most: int) -> bool:
    """Return whether a value nests others in more than `most` levels."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(most == 0 or _deeper(part, most - 1) for part in inside if isinstance(part, dict | list))
