"""Deleted files, which can be restored for a month, even in another run of the program.

Each file lies in its own folder beside a manifest with its old place. One rename moves a file, so that it is always
whole and in exactly one of the two places.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path
from time import time

from nimtui.foreign.reading import parse_object
from nimtui.foreign.values import fit_real
from nimtui.store import files, paths
from nimtui.store.errors import StoreError, system_reason, unwritable

FORMAT = 1
LARGEST = 100_000  # bytes of a manifest
DAYS = 30  # until a deletion is final
DAY = 86_400  # seconds
MANIFEST = "manifest.json"
folder = paths.place("trash")


@dataclass(frozen=True, slots=True)
class Trashed:
    """A deleted file."""

    folder: Path  # its own folder in the trash
    place: Path  # where it was before
    deleted: float  # Unix time

    @property
    def file(self) -> Path:
        """Return the place of the file now."""
        return self.folder / self.place.name


def put(path: Path) -> Trashed:
    """Move a file to the trash. Raise StoreError if it cannot be moved; it then stays in place."""
    place = path.absolute()
    if place.name == MANIFEST or not (place.is_file() or place.is_symlink()):
        raise StoreError(f"there is no file {path} to delete")
    now = time()
    own = paths.ensure(paths.ensure(folder()) / f"{int(now)}-{secrets.token_hex(4)}")
    trashed = Trashed(own, place, now)
    text = json.dumps({"nimtui": "trash", "format": FORMAT, "place": str(place), "deleted": now}, indent=2)
    try:
        files.replace(own / MANIFEST, lambda file: file.write(f"{text}\n".encode()))
        place.rename(trashed.file)
    except (OSError, StoreError) as fault:
        shutil.rmtree(own, ignore_errors=True)  # it contains at most the manifest
        if isinstance(fault, StoreError):
            raise
        raise StoreError(f"{path} cannot be deleted: {system_reason(fault)}") from None
    return trashed


def restore(trashed: Trashed) -> Path:
    """Restore a file to its old place. Raise StoreError if that fails; it then stays in the trash."""
    place = trashed.place
    if not os.path.lexists(trashed.file):
        raise StoreError(f"{place.name} is no longer in the trash")
    paths.ensure(place.parent)
    try:
        files.move(trashed.file, place)
    except FileExistsError:
        raise StoreError(f"there is another file {place} now: rename it first") from None
    except OSError as fault:
        raise unwritable(place, fault) from None
    shutil.rmtree(trashed.folder, ignore_errors=True)
    return place


def trashed_files() -> list[Trashed]:
    """Return the files that can be restored, the last deleted first. Foreign files in the folder are ignored."""
    return sorted((one for one in _all() if os.path.lexists(one.file)), key=lambda one: -one.deleted)


def purge(days: float = DAYS) -> int:
    """Delete for good all files deleted more than `days` ago; return how many were purged."""
    old = [trashed for trashed in _all() if time() - trashed.deleted > days * DAY]
    for trashed in old:
        shutil.rmtree(trashed.folder, ignore_errors=True)
    return sum(not trashed.folder.exists() for trashed in old)


def _all() -> list[Trashed]:
    """Return all folders with a manifest, including those whose file is missing."""
    return [trashed for own in files.listed(folder()) if (trashed := _read(own)) is not None]


def _read(own: Path) -> Trashed | None:
    try:
        keys = parse_object(files.contents(own / MANIFEST, LARGEST))
        if keys["nimtui"] != "trash" or keys["format"] != FORMAT:
            return None
        return Trashed(own, Path(keys["place"]), fit_real(keys["deleted"]))
    except (OSError, LookupError, TypeError, ValueError):
        return None
