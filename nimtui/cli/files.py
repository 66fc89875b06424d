"""Files that a person names: can they be written, and would that destroy something?"""

from __future__ import annotations

import os
from pathlib import Path

from nimtui.errors import InputError


def check_writable(file: Path) -> None:
    """InputError now rather than after the work."""
    if file.is_dir():
        raise InputError(f"{file} is a folder, not a file to save to")
    if not file.absolute().parent.is_dir():
        raise InputError(f"there is no folder {file.parent} to save to")
    if not os.access(file.absolute().parent, os.W_OK | os.X_OK):
        raise InputError(f"the folder {file.parent} is read-only: nothing can be saved there")


def check_replaceable(file: Path) -> None:
    """InputError where a run would be saved over a file that is not a table of this nimtui."""
    from nimtui.learning.table import Table
    from nimtui.store import StoreError

    check_writable(file)
    if not file.exists():
        return
    try:
        Table.load(file)
    except StoreError as fault:
        raise InputError(f"{fault}: it is not replaced, name another file to save to") from None


def check_new(file: Path, source: Path, force: bool) -> None:
    """InputError where a file that is there already would be replaced without being told to, or read and written."""
    check_writable(file)
    if file.exists() and source.exists() and file.samefile(source):
        raise InputError(f"{file} is the file to be exported: name another one to write to")
    if os.path.lexists(file) and not force:
        raise InputError(f"there is a file {file} already: --force replaces it")
