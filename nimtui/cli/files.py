"""Checks and helpers for output files that a person names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from nimtui.errors import InputError, shortened
from nimtui.foreign.paths import check_folder, is_there

Kind = TypeVar("Kind")


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


def format_of(file: Path, formats: Mapping[str, Kind]) -> Kind:
    """Return the format that the extension of `file` names. Raises InputError, naming the right ones, for another."""
    if file.suffix.lower() not in formats:
        *others, last = formats
        right = f"{', '.join(others)} or {last}" if others else last
        raise InputError(f"{shortened(str(file))} does not say its format: the name must end in {right}")
    return formats[file.suffix.lower()]


def write_text(file: Path, text: str) -> None:
    """Replace a file with this text in UTF-8. Raises StoreError if that fails."""
    from nimtui.store import files

    files.replace(file, lambda out: out.write(text.encode()))


def csv_file(to: Path | None, old: Path | None, force: bool) -> Path | None:
    """Return the CSV file of --to, or of the older --csv, which takes any name. Raises InputError if it is invalid."""
    if to is not None:
        if old is not None:
            raise InputError("--csv is the old name of --to: give one of them")
        format_of(to, {".csv": None})
    file = to or old
    if file is not None:
        check_new(file, None, force)
    return file


def _are_one(file: Path, other: Path) -> bool:
    try:
        return file.samefile(other)
    except OSError:
        return False  # one of them does not exist
