"""Everything saved, in files and in the database: finds it, reading only the header of a file.

And the actions on it: rename, delete, restore, compare, export, import, copy. Not for the event loop.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TextIO, TypeAlias, TypeVar

from nimtui.agents.program import brief
from nimtui.arena.standings import games_report
from nimtui.arena.standings.games_report import CSV, JSON, TEXT, damage_text, steps_of
from nimtui.arena.transcripts import game_import, transcript
from nimtui.errors import InputError, reading
from nimtui.foreign.reading import LARGEST_TEXT, is_there, lines, opened
from nimtui.games import base
from nimtui.games.notation import plural
from nimtui.jobs.sweep import look
from nimtui.learning import export, taught
from nimtui.learning.learner import distinct_names
from nimtui.learning.sweep_report import Rough
from nimtui.learning.table import Table
from nimtui.learning.training import Training
from nimtui.playing.replay import KeptGame
from nimtui.playing.setup import usual_name
from nimtui.progress import SILENT, Progress
from nimtui.report.blocks import Report
from nimtui.report.copies import LARGEST, Copy, command
from nimtui.signs import visible
from nimtui.store import StoreError, arrays, claims, files, game_list, paths, saved_games, sweeps, tournaments, trash
from nimtui.store.database import Database, last_deleted, purge_rows
from nimtui.store.errors import system_reason
from nimtui.store.rows import GameInfo, TournamentInfo, parse_game_id, short_id, unpacked
from nimtui.ui.compare import saved
from nimtui.ui.kit.forms.kept import free
from nimtui.ui.library.shelf import FILES, Item, Key, Kind
from nimtui.ui.sweep.setup import contents

Open: TypeAlias = Callable[[], Database]  # opens the database when it is needed, or raises StoreError
Row = TypeVar("Row", TournamentInfo, GameInfo)
MOST_GAMES = 100_000  # the newest single games to list: a second's work
RESULTS = {1: "1–0", 0: "½–½", -1: "0–1"}
UNFINISHED = "–"
OWN_NAME = re.compile(r"(\d{4}-\d\d-\d\d|sweep-\d{8})-\d{6}-.*|.*-[0-9a-f]{8}")  # of a file that the app has named
SEED = "seed "  # starts the name of a game that the user has not named
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


class Scanner:
    """Scans the saved items again and again; reads an unchanged file only once."""

    def __init__(self) -> None:
        self._known: dict[tuple[Kind, Path, int, int], Item] = {}
        self.faults: list[str] = []  # of the last look, a line each
        self.unlisted = 0  # older single games
        self._told: set[str] = set()  # repairs of the database that are reported already

    def look(self, database: Open) -> tuple[Item, ...]:
        """Return every saved item; files even if the database cannot be used.

        A file that cannot be read is listed with its fault.
        """
        self.faults = []
        earlier, self._known = self._known, {}
        items = _titled([item for kind, path in _files() if (item := self._file(kind, path, earlier)) is not None])
        try:
            opened = database()
            rows, self.unlisted = _rows(opened)
            items += rows
            self.faults = [fault for fault in opened.faults if fault not in self._told]
            self._told |= set(self.faults)
        except InputError as fault:
            self.faults.append(str(fault).replace(visible(str(paths.database())), "the database"))
        return tuple(items)

    def _file(self, kind: Kind, path: Path, known: Mapping[tuple[Kind, Path, int, int], Item]) -> Item | None:
        try:
            stat = path.stat()
        except OSError:
            return None  # deleted in this moment
        key = (kind, path, stat.st_mtime_ns, stat.st_size)
        if (item := known.get(key)) is None:
            title, game, fault, lessons = _headed(kind, path)
            item = Item(kind, path, title, path.name, stat.st_mtime, stat.st_size, fault, game, lessons=lessons)
        self._known[key] = item
        return item


def _titled(items: Sequence[Item]) -> list[Item]:
    """Return files with the names that people gave them, and with what sets learners of one kind apart."""
    specs = {item.title.partition(" · ")[0] for item in items if not item.fault}
    apart: dict[str, str] = {}
    for _, same in groupby(sorted(specs), key=lambda spec: spec.partition(":")[0]):
        with suppress(InputError):  # of an own learner that is not here
            apart |= zip(kind := list(same), distinct_names(kind), strict=True)
    titled = []
    for item in items:
        learner, dot, rest = item.title.partition(" · ")
        stem = Path(item.name).stem
        names, spec = [] if item.fault or OWN_NAME.fullmatch(stem) else [stem], apart.get(learner, learner)
        parts = [spec, *names] if ":" in spec else [*names, spec]  # what sets learners apart is never cut off
        titled.append(replace(item, title=" · ".join(parts) + dot + rest))
    return titled


def _folders() -> tuple[tuple[Kind, Path], ...]:
    return (Kind.TABLE, paths.tables()), (Kind.RUN, paths.runs()), (Kind.SWEEP, sweeps.folder())


def kind_of(place: Path) -> Kind:
    """Return the kind of a file, by its folder."""
    return next((kind for kind, folder in _folders() if place.parent == folder.absolute()), Kind.TABLE)


def _files() -> Iterator[tuple[Kind, Path]]:
    for kind, folder in _folders():
        try:
            yield from ((kind, path) for path in folder.glob("*.jsonl" if kind is Kind.SWEEP else "*.npz"))
        except OSError:
            continue


def _headed(kind: Kind, path: Path) -> tuple[str, str, str, int]:
    """Return a file's title by its header, its game, what is wrong with it, and its number of lessons."""
    try:
        header = (sweeps if kind is Kind.SWEEP else arrays).head(path)
    except InputError as fault:
        return path.stem, "", fault_text(fault, path), 0
    try:
        with reading(path.name, f"a {kind}"):
            lessons = taught.number_of_lessons(header)  # that a person gave a table
            if kind is Kind.SWEEP:
                last = " × ".join(header["grid"]) or "one cell"
            else:
                last = Rough(header["games"]).text if lessons is None else plural(lessons, "lesson", "lessons")
            return f"{header['learner']} · {usual_name(header['game'])} · {last}", str(header["game"]), "", lessons or 0
    except InputError:
        return path.stem, "", f"not a {kind}", 0


def fault_text(fault: InputError, place: Path | int) -> str:
    """Return a fault without the long path: 'it is damaged: its checksum is wrong'."""
    return str(fault).replace(visible(str(place)), "it")


def _rows(database: Database) -> tuple[list[Item], int]:
    """Return the tournaments and the newest single games, and the number of the other single games."""
    single = game_list.games(database, kind="play", limit=MOST_GAMES)
    rows = [_listed(Kind.TOURNAMENT, _tournament, info) for info in tournaments.tournaments(database)]
    rows += [_listed(Kind.GAME, _single, info) for info in single]
    return rows, game_list.count(database, kind="play") - len(single) if len(single) == MOST_GAMES else 0


def game_of(id: str, database: Open) -> Item:
    """Return the game of an ID such as '3:30' as an item. Raises InputError if there is none."""
    info = game_list.find_game(database(), parse_game_id(id))
    if info.deleted:
        raise InputError(f"game {id} was deleted")
    return _listed(Kind.GAME, _single, info)


def _listed(kind: Kind, item: Callable[[Row], Item], found: Row) -> Item:
    """Return a row as an item of the list; a damaged row as its number and its fault."""
    name = f"{kind} {found.id}"
    try:
        with reading(name, f"a {kind}"):
            return item(found)
    except InputError:
        return Item(kind, found.id, name, name, 0.0, 0, f"the row of {name} is damaged")


def _tournament(found: TournamentInfo) -> Item:
    agents, boards = (found.document.get(name) or [] for name in ("agents", "games"))
    game = str(boards[0]) if boards else ""
    who, on = plural(len(agents), "agent", "agents"), usual_name(game) if len(boards) == 1 else f"{len(boards)} games"
    if found.kind != "tournament":
        who, on = " – ".join(brief(agent) for agent in agents[:2]), usual_name(game)
    called, name, state = _named(found.name, f"{who} · {on}"), f"{found.kind} {found.id}", found.state
    state = "" if state == "done" else state
    return Item(Kind.TOURNAMENT, found.id, called, name, found.changed, found.played, "", game, state, given=found.name)


def _single(found: GameInfo) -> Item:
    title = f"{brief(found.first)} {result(found)} {brief(found.second)} · {usual_name(found.game)}"
    own = "" if found.name.startswith(SEED) else found.name
    moves = max(0, len(found.codes) - found.row.opening)
    called, name, fault = _named(own, title), f"game {found.short}", damage_text(found)
    return Item(Kind.GAME, found.id, called, name, found.ended, moves, fault, found.game, given=own)


def _named(given: str, what: str) -> str:
    return f"{given} · {what}" if given else what


def result(found: GameInfo) -> str:
    """Return '1–0' for the player named first; '–' if the game is unfinished."""
    if found.row.result == 0 and not found.row.fault:
        with suppress(IndexError, ValueError):  # its rules are unknown here
            if steps_of(found.game).outcome(found.codes) == base.GOING_ON:
                return UNFINISHED
    return RESULTS[found.row.result]


def kept_game(found: GameInfo, title: str) -> KeptGame:
    """Return a saved game for a replay with this title."""
    row = found.row
    game = KeptGame(found.game, *found.seats, tuple(found.codes), row.opening, title, row.fault, found.id)
    return replace(game, particulars=unpacked(row.packed_fault).particulars)


def check_free(file: Path) -> None:
    """Raise StoreError if a file is gone or in use. (Tournaments and games check this themselves.)"""
    if not is_there(file):
        raise StoreError(f"{file.name} was deleted or renamed elsewhere")
    if claims.is_claimed(file):
        raise StoreError(f"{file.name} is in use: stop it first, here or in another nimtui")


def delete(item: Item, database: Open) -> Undo:
    """Delete an item until it is purged; return how to restore it. StoreError if it is in use or cannot be deleted."""
    place = item.place
    if isinstance(place, Path):
        check_free(place)
        trashed = trash.put(place)
        return lambda database: trash.restore(trashed)
    if item.kind is Kind.GAME:
        if (number := game_list.game(database(), place).tournament) is not None:
            raise StoreError(f"{item.name} is part of tournament {number}: delete the whole tournament")
        saved_games.delete_game(database(), place)
        return lambda database: saved_games.restore_game(database(), place)
    tournaments.delete(database(), place)
    return lambda database: tournaments.restore(database(), place)


def bring_back(database: Open) -> Key | None:
    """Restore the item deleted last and return its key; None if there is nothing. StoreError if that fails."""
    files = trash.trashed_files()
    try:
        row = last_deleted(database())
    except StoreError:
        if not files:
            raise
        row = None
    if row is not None and not (files and files[0].deleted > row.when):
        (saved_games.restore_game if row.is_game else tournaments.restore)(database(), row.id)
        return (Kind.GAME if row.is_game else Kind.TOURNAMENT), row.id
    if not files:
        return None
    place = trash.restore(files[0])
    return kind_of(place), place


def rename(item: Item, name: str, database: Open) -> Path | int:
    """Rename an item and return its place. StoreError if that is impossible or the item is in use."""
    name, place = name.strip(), item.place
    if isinstance(place, int):
        (saved_games.rename_game if item.kind is Kind.GAME else tournaments.rename)(database(), place, name)
        return place
    check_free(place)
    target = place.with_name(files.valid_stem(name.removesuffix(place.suffix)) + place.suffix)
    try:
        if target != place:
            files.move(place, target)
    except FileExistsError:
        raise StoreError(f"{target.name} exists: choose another name") from None
    except OSError as fault:
        raise StoreError(f"cannot rename {place.name}: {(fault.strerror or str(fault)).lower()}") from None
    return target


def purge(database: Open) -> None:
    """Remove for good what was deleted a month ago. StoreError if the database cannot be used."""
    trash.purge()
    purge_rows(database())


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
    if isinstance(place, int):
        if item.kind is not Kind.GAME:
            return games_report.writer(database(), place, games_report.ending_of(path), progress)
        games = saved_games.with_beliefs(database(), [game_list.game(database(), place)])
        return lambda out: out.writelines(transcript.write(map(transcript.transcript, games)))
    if item.kind is Kind.SWEEP:
        plan, view = look(place)
        return lambda out: out.write(contents(end, plan, view.cells))
    source = Training.load(place) if path.stem.lower().endswith(CURVE) else Table.load(place)
    return lambda out: export.write(source, end == JSON, out, progress)


def import_games(path: Path, database: Open, progress: Progress) -> str:
    """Import a text file of games; return what was saved, in a line. InputError if nothing can be imported."""
    try:
        with opened(path, LARGEST_TEXT) as text:
            games = game_import.read(lines(text), progress)
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
