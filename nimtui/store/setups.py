"""Named set-ups that a person saved: one JSON file each, which people may edit by hand."""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nimtui.foreign.reading import parse
from nimtui.store import files, paths
from nimtui.store.errors import StoreError, check_version, raising, system_reason, unreadable

FORMAT = 1
LARGEST = 1_000_000  # bytes
LONGEST_STEM = 60
RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(-.*)?")  # invalid as file names on some systems

Document = dict[str, Any]
folder = paths.place("setups")


class Damaged(StoreError):
    """The file is damaged."""


@dataclass(frozen=True, slots=True)
class Saved:
    """A set-up in a file."""

    path: Path
    name: str
    document: Document
    changed: float  # Unix time


def path_of(name: str) -> Path:
    """Return the file of the set-up with this name: different names have different files, on every system."""
    stem = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:LONGEST_STEM]
    if stem != name or RESERVED.fullmatch(stem):
        stem = f"setup-{stem}-{zlib.crc32(name.encode()):08x}"
    return folder() / f"{stem}.json"


def taken(name: str) -> bool:
    """Return whether a set-up with this name exists."""
    return os.path.lexists(path_of(name))


def save(name: str, document: Mapping[str, Any], *, replace: bool = False) -> Path:
    """Save plain values under a name. Raise StoreError if that fails, or if the name exists and `replace` is False."""
    if not name.strip():
        raise StoreError("a set-up needs a name")
    path = path_of(name)
    if not replace and taken(name):
        raise StoreError(f"a set-up named '{name}' already exists: choose another name")
    paths.ensure(path.parent)
    text = json.dumps({"nimtui": "setup", "format": FORMAT, "name": name, "setup": dict(document)}, indent=2)
    files.replace(path, lambda file: file.write(f"{text}\n".encode()))
    return path


def delete(saved: Saved) -> None:
    """Delete a set-up; `save` with its content restores it. Raise StoreError if that fails."""
    try:
        saved.path.unlink(missing_ok=True)
    except OSError as fault:
        raise StoreError(f"{saved.path} cannot be deleted: {system_reason(fault)}") from None


def saved_setups() -> tuple[list[Saved], list[str]]:
    """Return all set-ups, the last saved first, and one line for each unreadable file.

    A damaged file is set aside unchanged; a file of a newer version stays where it is.
    """
    setups: list[Saved] = []
    faults: list[str] = []
    try:
        candidates = sorted(path for path in folder().glob("*.json") if files.ASIDE not in path.name)
    except OSError:
        return [], []
    for path in candidates:
        try:
            setups.append(load(path))
        except StoreError as fault:
            faults.append(str(fault))
    return sorted(setups, key=lambda saved: -saved.changed), faults


def load(path: Path) -> Saved:
    """Return the set-up in a file. Raise StoreError if it cannot be read; set a damaged file aside."""
    try:
        return read(path)
    except Damaged:
        raise StoreError(f"{path} is damaged: it was set aside as {files.set_aside(path).name}") from None


def read(path: Path) -> Saved:
    """Return the set-up in a file and leave the file in place. Raise Damaged if it is damaged, otherwise StoreError."""
    with raising(unreadable, path):
        text = files.contents(path, LARGEST)
        changed = path.stat().st_mtime
    try:
        keys: Any = parse(text)
        version = keys["format"] if keys["nimtui"] == "setup" else None
        check_version(path, version, FORMAT)
        name, document = keys["name"], keys["setup"]
        if version != FORMAT or not str.strip(name) or not isinstance(document, dict):
            raise ValueError("not a set-up of this format")
    except StoreError:
        raise
    except (LookupError, TypeError, ValueError, RecursionError):
        raise Damaged(f"{path} is damaged") from None
    return Saved(path, name, document, changed)
