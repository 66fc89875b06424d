"""Files that a person names: can they be written, and would that destroy something?"""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

from nimtui.errors import InputError


def check_writable(file: Path) -> None:
    """InputError now rather than after the work."""
    if file.is_dir():
        raise InputError(f"{file} is a folder, not a file to save to")
    if not file.absolute().parent.is_dir():
        raise InputError(f"there is no folder {file.parent} to save to")
    if not os.access(file.absolute().parent, os.W_OK | os.X_OK):
        raise InputError(f"the folder {file.parent} is read-only: nothing can be saved there")


def check_new(file: Path, source: Path | None, force: bool) -> None:
    """InputError where a file that is there already would be replaced without being told to, or read and written."""
    check_writable(file)
    if source is not None and file.exists() and source.exists() and file.samefile(source):
        raise InputError(f"{file} is the file to be exported: name another one to write to")
    if os.path.lexists(file) and not force:
        raise InputError(f"there is a file {file} already: --force replaces it")


def encoded(out: Any, write: Callable[[TextIO], None]) -> None:
    """Let text be written to a file of bytes."""
    text = io.TextIOWrapper(out, encoding="utf-8", newline="")
    write(text)
    text.flush()
    text.detach()
