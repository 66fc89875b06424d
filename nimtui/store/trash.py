"""Deleted files, tournaments and games, which can be restored for a month, even in another run of the program.

Each file lies in its own folder beside a manifest with its old place. One rename moves a file, so that it is always
whole and in exactly one of the two places. A tournament or a game stays in the database, with the time of its deletion.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from nimtui.foreign.reading import parse_object
from nimtui.foreign.values import fit_real
from nimtui.store import files, paths, seals
from nimtui.store.errors import StoreError, system_reason, unwritable
from nimtui.store.rows import MOST_NUMBERS

if TYPE_CHECKING:
    from sqlite3 import Connection

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


_TOURNAMENTS = f"tournaments WHERE deleted < ? AND {seals.sound('tournaments')}"
_GAMES = (
    f"pairings WHERE tournament IS NULL AND {seals.sound('pairings')} AND id IN"
    " (SELECT pairing FROM games INDEXED BY games_deleted WHERE deleted IS NOT NULL AND deleted < ?"
    f" AND {seals.sound('games')})"
)


class Queried(Protocol):
    """The part of a database that deletion needs."""

    def query(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]: ...
    def writing(self) -> AbstractContextManager[Connection]: ...


def purge_rows(db: Queried, days: float = DAYS) -> int:
    """Delete for good what was deleted more than `days` ago; return how many tournaments and single games were purged.

    A deleted game of a tournament stays until its tournament goes: without it the result would change.
    """
    until = (time() - days * DAY,)
    if not any(db.query(f"SELECT 1 FROM {what} LIMIT 1", until) for what in (_TOURNAMENTS, _GAMES)):
        return 0
    with db.writing() as connection:
        return sum(connection.execute(f"DELETE FROM {what}", until).rowcount for what in (_TOURNAMENTS, _GAMES))


class Deleted(NamedTuple):
    """A deleted tournament, or a deleted game outside any tournament."""

    when: float  # Unix time
    is_game: bool
    id: int


def last_deleted(db: Queried) -> Deleted | None:
    """Return the last deleted one, or None. Raise StoreError if the database cannot be read."""
    rows = db.query(
        f"SELECT deleted, 0, id FROM tournaments WHERE deleted IS NOT NULL AND {seals.sound('tournaments')}"
        " UNION ALL"
        f" SELECT g.deleted, 1, g.pairing * {MOST_NUMBERS} + g.number FROM games g JOIN pairings p"
        " ON p.id = g.pairing WHERE g.deleted IS NOT NULL AND p.tournament IS NULL"
        f" AND {seals.sound('games', 'g.')} ORDER BY 1 DESC LIMIT 1"
    )
    return next((Deleted(when, bool(is_game), id) for when, is_game, id in rows), None)
