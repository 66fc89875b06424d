"""Set-ups that a person has given a name and saved: a JSON file each, which people may edit by hand."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nimtui.foreign.document import parse
from nimtui.store import files, paths
from nimtui.store.errors import StoreError, system_reason, unreadable

FORMAT = 1
LARGEST = 1_000_000  # bytes
LONGEST_STEM = 60
RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(-.*)?")  # no files' names on some systems

Document = dict[str, Any]


class Damaged(StoreError):
    """A file is not as it was written."""


@dataclass(frozen=True, slots=True)
class Saved:
    """A set-up in a file."""

    path: Path
    name: str
    document: Document
    changed: float  # unix time


def folder() -> Path:
    """Where set-ups are saved."""
    return paths.home() / "setups"


def path_of(name: str) -> Path:
    """The file of the set-up of this name: different names have different files, on every system."""
    stem = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:LONGEST_STEM]
    if stem != name or RESERVED.fullmatch(stem):
        stem = f"setup-{stem}-{zlib.crc32(name.encode()):08x}"
    return folder() / f"{stem}.json"


def taken(name: str) -> bool:
    """Is there a set-up of this name?"""
    path = path_of(name)
    return path.exists() or path.is_symlink()


def save(name: str, document: Mapping[str, Any], *, replace: bool = False) -> Path:
    """Save plain values under a name. StoreError where that fails, or where there is one already and not `replace`."""
    if not name.strip():
        raise StoreError("a set-up needs a name to be saved under")
    path = path_of(name)
    if not replace and taken(name):
        raise StoreError(f"there is a set-up '{name}' already; give this one another name")
    paths.ensure(path.parent)
    text = json.dumps({"nimtui": "setup", "format": FORMAT, "name": name, "setup": dict(document)}, indent=2)
    files.replace(path, lambda file: file.write(f"{text}\n".encode()))
    return path


def delete(saved: Saved) -> None:
    """Take one away; `save` with what it held brings it back. StoreError where that fails."""
    try:
        saved.path.unlink(missing_ok=True)
    except OSError as fault:
        raise StoreError(f"{saved.path} cannot be deleted: {system_reason(fault)}") from None


def saved_setups() -> tuple[list[Saved], list[str]]:
    """All set-ups, the one saved last first, and a line for each file that could not be read.

    A damaged file is set aside as it is; one of a newer version stays where it is.
    """
    found: list[Saved] = []
    faults: list[str] = []
    try:
        candidates = sorted(path for path in folder().glob("*.json") if files.ASIDE not in path.name)
    except OSError:
        return [], []
    for path in candidates:
        try:
            found.append(load(path))
        except StoreError as fault:
            faults.append(str(fault))
    return sorted(found, key=lambda saved: -saved.changed), faults


def load(path: Path) -> Saved:
    """The set-up in a file. StoreError where it cannot be read; one that is damaged is then set aside."""
    try:
        return read(path)
    except Damaged:
        raise StoreError(f"{path} is damaged: it was set aside as {files.set_aside(path).name}") from None


def read(path: Path) -> Saved:
    """The set-up in a file, which stays where it is. StoreError where it cannot be read, Damaged where it is."""
    try:
        text = files.contents(path, LARGEST)
        changed = path.stat().st_mtime
    except OSError as fault:
        raise unreadable(path, fault) from None
    try:
        keys: Any = parse(text)
        version = keys["format"] if keys["nimtui"] == "setup" else None
        if isinstance(version, int) and version > FORMAT:
            raise StoreError(f"{path} was written by a newer nimtui: it has format {version}, this one reads {FORMAT}")
        name, document = keys["name"], keys["setup"]
        if version != FORMAT or not isinstance(name, str) or not name.strip() or not isinstance(document, dict):
            raise ValueError("not as it is written")
    except StoreError:
        raise
    except (AttributeError, LookupError, TypeError, ValueError, RecursionError):
        raise Damaged(f"{path} is damaged") from None
    return Saved(path, name, document, changed)
