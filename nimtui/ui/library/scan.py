"""Find everything saved: lists the folders and asks the database; reads only the header of a file. Not for the event
loop.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from nimtui.agents.program import brief
from nimtui.errors import InputError, reading
from nimtui.games.notation import plural
from nimtui.learning import taught
from nimtui.learning.sweep_report import Rough
from nimtui.playing.entries import usual_name
from nimtui.playing.replay import KeptGame
from nimtui.signs import visible
from nimtui.store import headers, paths, sweeps
from nimtui.store.faults import unpacked
from nimtui.ui.library.shelf import Item, Kind

if TYPE_CHECKING:
    from nimtui.store.database import Database
    from nimtui.store.tournaments import GameInfo, TournamentInfo

Open: TypeAlias = "Callable[[], Database]"  # opens the database when it is needed, or raises StoreError
Row = TypeVar("Row", "TournamentInfo", "GameInfo")
MOST_GAMES = 100_000  # the newest single games to list: a second's work
RESULTS = {1: "1–0", 0: "½–½", -1: "0–1"}
UNFINISHED = "–"
OWN_NAME = re.compile(r"(\d{4}-\d\d-\d\d|sweep-\d{8})-\d{6}-.*|.*-[0-9a-f]{8}")  # of a file that the app has named
SEED = "seed "  # starts the name of a game that the user has not named


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
    from nimtui.learning.learner import distinct_names

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
        header = (sweeps if kind is Kind.SWEEP else headers).head(path)
    except InputError as fault:
        return path.stem, "", fault_text(fault, path), 0
    try:
        with reading(path.name, f"a {kind}"):
            last = " × ".join(header["grid"]) or "one cell" if kind is Kind.SWEEP else _games(header)
            lessons = taught.number_of_lessons(header) or 0
            return f"{header['learner']} · {usual_name(header['game'])} · {last}", str(header["game"]), "", lessons
    except InputError:
        return path.stem, "", f"not a {kind}", 0


def _games(header: Mapping[str, Any]) -> str:
    """Return how many games a table learned from, '1M', or how many lessons a person gave it, '2 lessons'."""
    lessons = taught.number_of_lessons(header)
    return Rough(header["games"]).text if lessons is None else plural(lessons, "lesson", "lessons")


def fault_text(fault: InputError, place: Path | int) -> str:
    """Return a fault without the long path: 'it is damaged: its checksum is wrong'."""
    return str(fault).replace(visible(str(place)), "it")


def _rows(database: Database) -> tuple[list[Item], int]:
    """Return the tournaments and the newest single games, and the number of the other single games."""
    from nimtui.store.tournaments import count, games, tournaments

    single = games(database, kind="play", limit=MOST_GAMES)
    rows = [_listed(Kind.TOURNAMENT, _tournament, info) for info in tournaments(database)]
    rows += [_listed(Kind.GAME, _game, info) for info in single]
    return rows, count(database, kind="play") - len(single) if len(single) == MOST_GAMES else 0


def game_of(id: str, database: Open) -> Item:
    """Return the game of an ID such as '3:30' as an item. Raises InputError if there is none."""
    from nimtui.store.rows import parse_game_id
    from nimtui.store.tournaments import find_game

    info = find_game(database(), parse_game_id(id))
    if info.deleted:
        raise InputError(f"game {id} was deleted")
    return _listed(Kind.GAME, _game, info)


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


def _game(found: GameInfo) -> Item:
    from nimtui.arena.standings.games_report import damage_text

    title = f"{brief(found.first)} {result(found)} {brief(found.second)} · {usual_name(found.game)}"
    own = "" if found.name.startswith(SEED) else found.name
    moves = max(0, len(found.codes) - found.row.opening)
    called, name, fault = _named(own, title), f"game {found.short}", damage_text(found)
    return Item(Kind.GAME, found.id, called, name, found.ended, moves, fault, found.game, given=own)


def _named(given: str, what: str) -> str:
    return f"{given} · {what}" if given else what


def result(found: GameInfo) -> str:
    """Return '1–0' for the player named first; '–' if the game is unfinished."""
    from nimtui.arena.standings.games_report import steps_of
    from nimtui.games import base

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
