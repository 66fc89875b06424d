"""Read all stored data and name what is damaged. Nothing is changed or moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from nimtui.foreign.reading import exists, parse_object
from nimtui.foreign.values import is_whole
from nimtui.progress import SILENT, Progress
from nimtui.store import arrays, files, paths, seals, settings, setups, sweeps, trash
from nimtui.store.errors import StoreError, system_reason
from nimtui.store.files import contents
from nimtui.store.row_values import WRONG, count, damaged_games
from nimtui.store.rows import MOST_NUMBERS, short_id
from nimtui.store.saved_games import damaged_beliefs

if TYPE_CHECKING:
    from nimtui.store.database import Database

MOST_FAULTS = 100  # that SQLite reports per file
OFTEN = 100  # pairings between two reports
ROWS = {"boards": "game name", "agents": "agent name", "tournaments": "tournament", "pairings": "pairing"}


class Damaged(NamedTuple):
    """One damaged thing."""

    what: str  # "game", "tournament", "table" …
    id: str  # the number as people type it, or the file
    fault: str


class Checked:
    """The number of things read of each kind, and the damaged ones."""

    def __init__(self) -> None:
        self.counts = Counter[str]()
        self.damaged: list[Damaged] = []

    def add(self, what: str, id: str, fault: str) -> None:
        self.damaged.append(Damaged(what, id, fault))


def check_files(checked: Checked, progress: Progress = SILENT) -> None:
    """Read every table, run, sweep, set-up and deleted file, and the settings."""
    entries = list(_files())
    for number, (what, path, read) in enumerate(entries):
        progress.report(number, len(entries), "files")
        checked.counts[what] += 1
        try:
            read(path)
        except StoreError as fault:
            checked.add(what, str(path), str(fault).removeprefix(f"{path} "))
        except OSError as fault:
            checked.add(what, str(path), f"cannot be read: {system_reason(fault)}")


def check_database(checked: Checked, db: Database, progress: Progress = SILENT) -> None:
    """Read every row of the database and check its indexes. Raise StoreError if the database cannot be read."""
    for table, what in ROWS.items():
        rows = db.query(f"SELECT id, {seals.sound(table)} FROM {table}")
        checked.counts[what] += len(rows)
        for id, sound in rows:
            if not sound:
                checked.add(what, str(id), WRONG)
    rows = db.query(
        "SELECT p.id, p.played, p.tournament, t.id FROM pairings p LEFT JOIN tournaments t"
        " ON t.id = p.tournament ORDER BY p.id"
    )
    pairings = [(count(id), count(played), tournament, row_id) for id, played, tournament, row_id in rows]
    total, done = sum(played for _, played, *_ in pairings), 0
    checked.counts["game"] = 0  # shown also if there are none
    for number, (id, played, tournament, row_id) in enumerate(pairings):
        if number % OFTEN == 0 or played > OFTEN:
            progress.report(done, total, "games")
        damaged, stored = db.read(lambda connection, id=id: damaged_games(connection, id))  # type: ignore[misc]
        done += stored
        checked.counts["game"] += stored
        for game in damaged:
            checked.add("game", short_id(id * MOST_NUMBERS + game) if isinstance(game, int) else f"{id}:?", WRONG)
        if stored < played:
            checked.add("pairing", str(id), f"{played - stored:,} of its {played:,} games are missing")
        if tournament is not None and row_id is None:
            named = str(tournament) if is_whole(tournament) else "(its number is damaged)"
            checked.add("pairing", str(id), f"its tournament {named} is missing")
    damaged_ids, games_with_beliefs = db.read(damaged_beliefs)
    if games_with_beliefs:
        checked.counts["thoughts of a game"] = games_with_beliefs
    for game_id in damaged_ids:
        checked.add("thoughts of game", game_id, WRONG)
    progress.report(total, total, "pages")
    rows = db.query(f"PRAGMA integrity_check({MOST_FAULTS})")
    faults = [" ".join(text.split()) for (text,) in rows if text != "ok"]
    if faults:
        more = f", and {len(faults) - 1:,} more faults" if len(faults) > 1 else ""
        checked.add("database", str(db.path), f"{faults[0]}{more}")


def _files() -> Iterator[tuple[str, Path, Callable[[Path], object]]]:
    """Yield each file with its kind and the function that reads it; that function raises StoreError for damage."""
    for what, folder, end, read in (
        ("table", paths.tables(), ".npz", arrays.load),
        ("run", paths.runs(), ".npz", arrays.load),
        ("sweep", sweeps.folder(), ".jsonl", sweeps.read),
        ("set-up", setups.folder(), ".json", setups.read),
    ):
        for path in sorted(files.listed(folder)):
            if path.suffix == end and files.ASIDE not in path.name:
                yield what, path, read
    if exists(paths.settings()):
        yield "settings", paths.settings(), settings.read
    for own in sorted(files.listed(trash.folder())):
        yield "deleted file", own, _trashed


def _trashed(own: Path) -> None:
    """Read the file and the manifest in one folder of the trash."""
    try:
        place = Path(parse_object(contents(own / trash.MANIFEST, trash.LARGEST))["place"])
        file = own / place.name
        file.lstat()
    except (LookupError, TypeError, ValueError) as fault:
        if isinstance(fault, StoreError):
            raise
        raise StoreError(f"{own} is damaged: its {trash.MANIFEST} cannot be read") from None
    if place.suffix == ".npz":
        arrays.load(file)
    elif place.suffix == ".jsonl":
        sweeps.read(file)
