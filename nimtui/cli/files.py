"""Files that a person names: can they be written, and would that destroy something?"""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

from nimtui.errors import InputError
from nimtui.foreign.paths import check_folder, is_there


def check_writable(file: Path) -> None:
    """InputError now rather than after the work."""
    if is_there(file) and file.is_dir():
        raise InputError(f"{file} is a folder, not a file to save to")
    check_folder(file)


def check_new(file: Path, source: Path | None, force: bool) -> None:
    """InputError where a file that is there already would be replaced without being told to, or read and written."""
    check_writable(file)
    if source is not None and _are_one(file, source):
        raise InputError(f"{file} is the file to be exported: name another one to write to")
    if is_there(file) and not force:
        raise InputError(f"there is a file {file} already: --force replaces it")


def _are_one(file: Path, other: Path) -> bool:
    try:
        return file.samefile(other)
    except OSError:
        return False  # one of them is not there


def encoded(out: Any, write: Callable[[TextIO], None]) -> None:
    """Let text be written to a file of bytes."""
    text = io.TextIOWrapper(out, encoding="utf-8", newline="")
    write(text)
    text.flush()
    text.detach()
