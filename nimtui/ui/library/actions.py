"""Actions on saved items: rename, delete, restore, compare, export, copy. Not for the event loop."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TextIO, TypeAlias

from nimtui.arena.standings import games_report
from nimtui.arena.standings.games_report import CSV, JSON, TEXT
from nimtui.errors import InputError
from nimtui.foreign.reading import is_there
from nimtui.progress import SILENT, Progress
from nimtui.report.blocks import Report
from nimtui.report.copies import LARGEST, Copy, command
from nimtui.store import StoreError, claims, files, trash
from nimtui.store.database import Database
from nimtui.store.rows import short_id
from nimtui.ui.compare import saved
from nimtui.ui.kit.forms.kept import free
from nimtui.ui.library.scan import Open, kind_of
from nimtui.ui.library.shelf import FILES, Item, Key, Kind

CURVE = "-curve"  # ends the name of a file for the learning curve
OF_TABLE = (CSV, "every move of every position"), (JSON, "the same, one entry per position")
OFFERS: dict[Kind, tuple[tuple[str, str], ...]] = {  # extensions, and what is written for each
    Kind.TABLE: OF_TABLE,
    Kind.RUN: (*OF_TABLE, (CURVE + CSV, "the learning curve"), (CURVE + JSON, "the learning curve")),
    Kind.SWEEP: ((CSV, "one line per cell, for a spreadsheet"), (JSON, "every cell with each of its seeds")),
    Kind.GAME: ((TEXT, "readable; 'nimtui games import' reads it back"),),
    Kind.TOURNAMENT: tuple(games_report.FORMATS.items()),
}


Undo: TypeAlias = Callable[[Open], object]  # restores an item


def check_free(item: Item) -> None:
    """Raise StoreError if a file is gone or in use. (Tournaments and games check this themselves.)"""
    if not isinstance(item.place, Path):
        return
    if not is_there(item.place):
        raise StoreError(f"{item.name} was deleted or renamed elsewhere")
    if claims.is_claimed(item.place):
        raise StoreError(f"{item.name} is in use: stop it first, here or in another nimtui")


def delete(item: Item, database: Open) -> Undo:
    """Delete an item until it is purged; return how to restore it. StoreError if it is in use or cannot be deleted."""
    from nimtui.store import tournaments

    check_free(item)
    place = item.place
    if isinstance(place, Path):
        trashed = trash.put(place)
        return lambda database: trash.restore(trashed)
    if item.kind is Kind.GAME:
        if (number := tournaments.game(database(), place).tournament) is not None:
            raise StoreError(f"{item.name} is part of tournament {number}: delete the whole tournament")
        tournaments.delete_game(database(), place)
        return lambda database: tournaments.restore_game(database(), place)
    tournaments.delete(database(), place)
    return lambda database: tournaments.restore(database(), place)


def bring_back(database: Open) -> Key | None:
    """Restore the item deleted last and return its key; None if there is nothing. StoreError if that fails."""
    from nimtui.store import tournaments
    from nimtui.store.trash import last_deleted

    files = trash.trashed_files()
    try:
        row = last_deleted(database())
    except StoreError:
        if not files:
            raise
        row = None
    if row is not None and not (files and files[0].deleted > row.when):
        (tournaments.restore_game if row.is_game else tournaments.restore)(database(), row.id)
        return (Kind.GAME if row.is_game else Kind.TOURNAMENT), row.id
    if not files:
        return None
    place = trash.restore(files[0])
    return kind_of(place), place


def rename(item: Item, name: str, database: Open) -> Path | int:
    """Rename an item and return its place. StoreError if that is impossible or the item is in use."""
    from nimtui.store import tournaments

    name = name.strip()
    if isinstance(item.place, Path):
        check_free(item)
        return _rename_file(item.place, name)
    change = tournaments.rename_game if item.kind is Kind.GAME else tournaments.rename
    change(database(), item.place, name)
    return item.place


def _rename_file(path: Path, name: str) -> Path:
    stem = files.valid_stem(name.removesuffix(path.suffix))
    target = path.with_name(stem + path.suffix)
    if target == path:
        return path
    try:
        files.move(path, target)
    except FileExistsError:
        raise StoreError(f"{target.name} exists: choose another name") from None
    except OSError as fault:
        raise StoreError(f"cannot rename {path.name}: {(fault.strerror or str(fault)).lower()}") from None
    return target


def purge(database: Open) -> None:
    """Remove for good what was deleted a month ago. StoreError if the database cannot be used."""
    from nimtui.store import tournaments

    trash.purge()
    tournaments.purge(database())


# Comparison.


def why_not(one: Item, other: Item) -> str:
    """Say why these two cannot be compared, in one line; '' if they can."""
    kinds = {one.kind, other.kind}
    if one.key == other.key and one.version == other.version:
        return "This is the marked item: go to another one"
    if kinds == {Kind.SWEEP}:
        return "Cannot compare sweeps here: export them with e"
    if len(kinds) > 1 and not kinds <= {Kind.TABLE, Kind.RUN}:
        return f"Cannot compare a {one.kind} with a {other.kind}"
    return ""


def compare(items: Sequence[Item], database: Open, progress: Progress) -> saved.Compared | Report:
    """Compare two items, or rate more than two tournaments together.

    InputError if one cannot be read, or they have nothing in common.
    """
    numbers = [item.place for item in items if isinstance(item.place, int)]
    if not numbers:
        table, another = ((item.place, item.version) for item in items if isinstance(item.place, Path))
        return saved.tables(table, another, progress)
    if len(numbers) > 2:
        return saved.pool(database(), numbers, progress)
    one, other = numbers
    if items[0].kind is Kind.GAME:
        return saved.games(database(), one, other)
    return saved.tournaments(database(), one, other, progress)


# Export.


def suggested(item: Item) -> dict[str, str]:
    """Return free file names in the current folder, and what is written into each."""
    word = Path(item.name).stem if item.kind in FILES else item.name
    stem = re.sub(r"[^A-Za-z0-9.,=_-]+", "-", word).strip("-")[:80] or str(item.kind)
    return {free(Path(stem), end).name: about for end, about in OFFERS[item.kind]}


def write(item: Item, path: Path, database: Open, progress: Progress) -> Path:
    """Write an item to a new file; the extension sets the format. InputError if that fails."""
    files.replace_text(path, filler(item, path, database, progress))
    return path


def filler(item: Item, path: Path, database: Open, progress: Progress) -> Callable[[TextIO], object]:
    """Return what writes the item as text; the extension of the path sets the format."""
    end, place = path.suffix.lower(), item.place
    if isinstance(place, Path):
        return _sweep(place, end) if item.kind is Kind.SWEEP else _table(place, path, progress)
    if item.kind is Kind.GAME:
        return lambda out: out.writelines(_game(database(), place))
    return games_report.writer(database(), place, games_report.ending_of(path), progress)


def _sweep(place: Path, end: str) -> Callable[[TextIO], object]:
    from nimtui.jobs.sweep import look
    from nimtui.ui.sweep.setup import contents

    plan, view = look(place)
    return lambda out: out.write(contents(end, plan, view.cells))


def _table(place: Path, path: Path, progress: Progress) -> Callable[[TextIO], object]:
    from nimtui.learning import export
    from nimtui.learning.table import Table
    from nimtui.learning.training import Training

    source = Training.load(place) if path.stem.lower().endswith(CURVE) else Table.load(place)
    return lambda out: export.write(source, path.suffix.lower() == JSON, out, progress)


def _game(database: Database, place: int) -> Iterator[str]:
    from nimtui.arena.transcripts.transcript import transcript, write
    from nimtui.store.tournaments import game, with_beliefs

    return write(map(transcript, with_beliefs(database, [game(database, place)])))


def import_games(path: Path, database: Open, progress: Progress) -> str:
    """Import a text file of games; return what was saved, in a line. InputError if nothing can be imported."""
    from nimtui.arena.transcripts import game_import
    from nimtui.foreign import reading
    from nimtui.store.errors import system_reason

    try:
        with reading.opened(path, reading.LARGEST_TEXT) as text:
            games = game_import.read(reading.lines(text), progress)
    except OSError as fault:
        raise InputError(system_reason(fault)) from None
    return game_import.save(database(), games, progress).text


class _Full(Exception):
    """Enough was written."""


class _Start(io.StringIO):
    """Takes a little more than can be copied, then raises _Full: a table may have a hundred megabytes."""

    def write(self, text: str, /) -> int:
        written = super().write(text)
        if self.tell() > LARGEST + 1:
            raise _Full
        return written


def of_item(item: Item, database: Callable[[], Database]) -> list[Copy]:
    """Return what an item offers: its content as text, its file, and the command that shows it."""
    place, kind = item.place, item.kind
    if isinstance(place, int) and kind is Kind.GAME:
        return [_content("game", item, TEXT, database), command("games", "show", short_id(place))]
    if isinstance(place, int):
        return [_content("standings", item, CSV, database), command("tournaments", "show", place)]
    show = command("sweep", resume=place) if kind is Kind.SWEEP else command("table", place)
    content = [] if item.fault else [_content("cells" if kind is Kind.SWEEP else "table", item, CSV, database)]
    return [*content, Copy("file", str(place)), show]


def _content(what: str, item: Item, ending: str, database: Callable[[], Database]) -> Copy:
    def lines() -> list[str]:
        text = _Start(newline="")
        with suppress(_Full):
            filler(item, Path(f"copy{ending}"), database, SILENT)(text)
        return text.getvalue().splitlines()

    return Copy(what, lines=lines)
