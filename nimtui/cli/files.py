"""Checks and helpers for output files that a person names."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

from nimtui.errors import InputError
from nimtui.foreign.paths import check_folder, is_there


def check_writable(file: Path) -> None:
    """Raise InputError if this file cannot be written, before the work starts."""
    if is_there(file) and file.is_dir():
        raise InputError(f"{file} is a folder: name a file to write to")
    check_folder(file)


def check_new(file: Path, source: Path | None, force: bool) -> None:
    """Raise InputError if the file cannot be written, is the `source`, or exists and `force` is not set."""
    check_writable(file)
    if source is not None and _are_one(file, source):
        raise InputError(f"{file} is the file to export: name another output file")
    if is_there(file) and not force:
        raise InputError(f"{file} already exists: --force overwrites it")


def _are_one(file: Path, other: Path) -> bool:
    try:
        return file.samefile(other)
    except OSError:
        return False  # one of them does not exist


def encoded(out: Any, write: Callable[[TextIO], None]) -> None:
    """Call `write` with a UTF-8 text file on top of the binary file `out`."""
    text = io.TextIOWrapper(out, encoding="utf-8", newline="")
    write(text)
    text.flush()
    text.detach()
