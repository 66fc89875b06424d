"""Start, resume, list, rename, delete and restore tournaments.

A `TournamentWriter` writes one while it is played: it saves each game as soon as it ends, and retries what could not be
saved.
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from nimtui.foreign.values import FIRST_DATE, fit_real, fit_text
from nimtui.store import row_values, saved_games, seals
from nimtui.store.claims import Claim, is_locked
from nimtui.store.errors import StoreError
from nimtui.store.game_list import part_of
from nimtui.store.row_values import ALL_SOUND, JOINED, NAMES
from nimtui.store.rows import Columns, GameRow, TournamentInfo
from nimtui.store.saved_games import PRESENT, clean_name

if TYPE_CHECKING:
    from sqlite3 import Connection

    from nimtui.store.database import Database

SPARING, LONGEST = 10.0, 5.0  # after a failed try, wait ten times as long as it took, but at most five seconds

RUNNING, STOPPED, DONE = STATES = ("running", "stopped", "done")


class Names(NamedTuple):
    """The board and the two agents of a pairing."""

    board: str
    first: str
    second: str


class _Waiting(NamedTuple):
    """Games that are not on the disk yet."""

    pairing: int
    rows: list[GameRow]
    ended: int


class TournamentWriter(AbstractContextManager["TournamentWriter"]):
    """The writer of a tournament in the database; only one exists at a time, over all processes.

    Nothing raises on a full disk or a locked file: `fault` says so in one line until everything is on the disk.
    `seconds` may be set at any time; it is written with the next games. Any thread may use the writer.
    """

    def __init__(
        self,
        db: Database,
        info: TournamentInfo,
        token: str,
        pairings: dict[int, Names],
        ids: dict[int, int],
        claim: Claim,
    ) -> None:
        """Only `tournaments.begin` and `resume` create a writer."""
        self.info = info
        self.seconds = info.seconds
        self.fault = ""
        self._db = db
        self._token = token
        self._pairings = pairings
        self._ids = ids
        self._claim = claim
        self._generation = self._first_generation = db.generation
        self._lock = threading.RLock()
        self._waiting: list[_Waiting] = []
        self._ends: dict[int, int] = {}  # pairing -> its first game to delete on the disk
        self._due = 0.0  # time of the next try: waiting games grow in number, and each try takes longer
        self._counted = True  # True if the number of games in `info` is the number on the disk

    @property
    def id(self) -> int:
        return self.info.id

    def append(self, pairing: int, rows: Iterable[GameRow]) -> None:
        """Save games of a pairing. Games that are stored already stay unchanged.

        Saved games survive the death of this process, unless `fault` says why they are not saved: then they stay in
        memory and are written with later ones.
        """
        if pairing not in self._pairings:
            raise ValueError(f"tournament {self.id} has no pairing {pairing}")
        with self._lock:
            self._waiting.append(_Waiting(pairing, list(rows), int(time.time())))
            if time.monotonic() >= self._due:
                self.flush()

    def drop_from(self, pairing: int, number: int) -> None:
        """Delete the games of a pairing from this number on: its sequential test had ended before."""
        with self._lock:
            self._ends[pairing] = min(number, self._ends.get(pairing, number))
            self.flush()

    def rows(self, pairing: int) -> list[GameRow]:
        """Return all games of a pairing that are on the disk. Raise StoreError if the database cannot be read."""
        return saved_games.rows(self._db, self.id, pairing)

    def columns(self, pairing: int) -> Columns:
        """Return the games of a pairing as columns, without their moves, quickly."""
        return saved_games.columns(self._db, self.id, pairing)

    def set_total(self, total: int) -> None:
        """Set the total number of games."""
        with self._lock:
            self.info = self.info._replace(total=total)
            self.flush()

    def ended(self, state: str, seconds: float) -> None:
        """Set the state, and the total playing time in seconds."""
        if state not in STATES:
            raise ValueError(f"invalid state of a tournament: {state}")
        with self._lock:
            self.seconds = seconds
            self.info = self.info._replace(state=state)
            self.flush()

    def flush(self) -> bool:
        """Write what could not be written; return whether everything is on the disk. `fault` says why not."""
        with self._lock:
            started = time.monotonic()
            for _ in range(2):  # a second time if the database was replaced: the new file can be written
                generation, counted = self._db.generation, self._counted
                self._counted = False  # unknown until the write ends: Ctrl+C may come at any point
                try:
                    self._write(counted)
                except StoreError as fault:
                    self.fault, self._counted = str(fault), counted
                    if self._db.generation == generation:
                        break
                else:
                    self.fault, self._counted = "", True
                    self._waiting.clear()
                    self._ends.clear()
                    break
            now = time.monotonic()
            self._due = now + min(SPARING * (now - started), LONGEST) if self.fault else 0.0
            return not self.fault

    def close(self) -> None:
        """Write what is left and release the tournament. `fault` says what is lost."""
        with self._lock:
            if self.info.state == RUNNING:
                self.info = self.info._replace(state=STOPPED)
            self.flush()
            self._claim.release()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self, counted: bool) -> None:
        info = self.info._replace(changed=time.time(), seconds=self.seconds)
        with self._db.writing() as connection:
            ids, generation = self._ids, self._db.generation
            if generation != self._generation:
                info, ids = self._recovered(connection, info)
                counted = False
            played = info.played
            if not counted:
                count = "SELECT sum(played) FROM pairings WHERE tournament = ?"
                (played,) = connection.execute(count, (info.id,)).fetchone()
            for pairing, rows, ended in self._waiting:
                played += saved_games.insert(connection, ids[pairing], rows, ended)
            for pairing, number in self._ends.items():
                played -= saved_games.remove_from(connection, ids[pairing], number)
            info = info._replace(played=played)
            if generation > self._first_generation and info.state == DONE and played < info.total:
                info = info._replace(state=STOPPED)  # some games were lost: they can be played again
            now = {name: getattr(info, name) for name in ("id", "state", "changed", "seconds", "total")}
            changes = {name: f":{name}" for name in now if name != "id"}
            seals.change(connection, "tournaments", "id = :id", changes, now)
        self.info, self._ids, self._generation = info, ids, generation

    def _recovered(self, connection: Connection, info: TournamentInfo) -> tuple[TournamentInfo, dict[int, int]]:
        """Return the tournament and its pairings in a replaced database: what was recovered from the old one, or new
        rows.
        """
        row = connection.execute("SELECT id FROM tournaments WHERE token = ?", (self._token,)).fetchone()
        info = info._replace(id=row[0] if row else insert_tournament(connection, info, self._token))
        pairings = connection.execute("SELECT number, id FROM pairings WHERE tournament = ?", (info.id,))
        ids = dict[int, int](pairings.fetchall())
        lost = {number: names for number, names in self._pairings.items() if number not in ids}
        return info, {**ids, **add_pairings(connection, info.id, lost)}


def insert_tournament(connection: Connection, info: TournamentInfo, token: str) -> int:
    """Write a tournament and return its id. The id in `info` is ignored."""
    values = info._asdict() | {"document": json.dumps(info.document), "token": token}
    done = connection.execute(
        "INSERT INTO tournaments (kind, name, document, state, made, changed, seconds, total, token)"
        " VALUES (:kind, :name, :document, :state, :made, :changed, :seconds, :total, :token)",
        values | {"name": saved_games.clean_name(info.name)},
    )
    assert done.lastrowid is not None
    seals.seal(connection, "tournaments", done.lastrowid)
    return done.lastrowid


def add_pairings(connection: Connection, tournament: int, pairings: dict[int, Names]) -> dict[int, int]:
    """Write the pairings of a tournament; return their ids by their numbers."""
    return {
        number: saved_games.add_pairing(connection, tournament, number, *names) for number, names in pairings.items()
    }


_SELECT = (
    "SELECT t.id, t.kind, t.name, t.document, t.state, t.made, t.changed, t.seconds,"
    " (SELECT CAST(total(p.played) AS INTEGER) FROM pairings p WHERE p.tournament = t.id), t.total,"
    f" t.deleted IS NOT NULL, t.token, {seals.sound('tournaments', 't.')} FROM tournaments t"
)


def begin(
    db: Database,
    document: Mapping[str, Any],
    games: Sequence[str],
    agents: Sequence[str],
    pairings: Sequence[tuple[int, int, int]],
    total: int,
    kind: str = "tournament",
    name: str = "",
) -> TournamentWriter:
    """Save a new tournament and return its only writer. Raise StoreError if that fails.

    A pairing is a place in `games` and two places in `agents`; `document` holds any JSON values.
    """
    names = _names(games, agents, pairings)
    db.check_writable()
    token, now = secrets.token_hex(8), time.time()
    tournament = TournamentInfo(0, kind, clean_name(name), dict(document), RUNNING, now, now, 0.0, 0, total, False)
    claim = Claim(_lock_file(db, token), db.path, f"{db.path.name} is in use by another nimtui: stop that one first")
    try:
        with db.writing() as connection:
            tournament = tournament._replace(id=insert_tournament(connection, tournament, token))
            ids = add_pairings(connection, tournament.id, names)
        return TournamentWriter(db, tournament, token, names, ids, claim)
    except BaseException:
        claim.release()
        raise


def resume(db: Database, id: int | None = None, kind: str = "tournament") -> TournamentWriter:
    """Resume a tournament and return its only writer: the given one, or the latest unfinished one of its kind.

    Raise StoreError if there is none, or another process is playing it.
    """
    db.check_writable()
    if id is None:
        open_ones = [tournament for tournament in tournaments(db, kind=kind) if tournament.state != DONE]
        if not open_ones:
            raise StoreError(f"there is no unfinished {kind}")
        id = max(open_ones, key=lambda tournament: (tournament.state == STOPPED, tournament.changed)).id
    token = _token(db, id)
    claim = Claim(_lock_file(db, token), db.path, f"tournament {id} is in use by another nimtui: stop that one first")
    try:
        tournament = _usable(db, id)
        ids, names = dict[int, int](), dict[int, Names]()
        for number, pairing, board, first, second, sound in db.query(
            f"SELECT p.number, p.id, {NAMES}, {seals.sound('pairings', 'p.')} AND {ALL_SOUND} FROM pairings p {JOINED}"
            " WHERE p.tournament = ? ORDER BY p.number",
            (id,),
        ):
            if not sound or number != len(ids):
                raise StoreError(f"pairing {len(ids) + 1} of tournament {id} is damaged: {row_values.WRONG}")
            ids[number], names[number] = pairing, Names(fit_text(board), fit_text(first), fit_text(second))
        writer = TournamentWriter(db, tournament._replace(state=RUNNING), token, names, ids, claim)
        writer.flush()
        return writer
    except BaseException:
        claim.release()
        raise


def extend(
    db: Database,
    id: int,
    document: Mapping[str, Any],
    games: Sequence[str],
    agents: Sequence[str],
    pairings: Sequence[tuple[int, int, int]],
    total: int,
) -> None:
    """Replace the settings of a tournament, add the pairings it does not have yet, and leave it stopped.

    The first of `pairings` are those it has. Raise StoreError if it is being played, was deleted or is damaged.
    """
    db.check_writable()
    with Claim(_lock_file(db, _token(db, id)), db.path, f"tournament {id} is being played: stop it first"):
        _usable(db, id)
        ((first_new,),) = db.query("SELECT count(*) FROM pairings WHERE tournament = ?", (id,))
        names = dict(list(_names(games, agents, pairings).items())[first_new:])
        values = {"document": json.dumps(document), "total": total, "state": STOPPED, "changed": time.time()}
        with db.writing() as connection:
            changes = {name: f":{name}" for name in values}
            seals.change(connection, "tournaments", "id = :id", changes, {**values, "id": id})
            add_pairings(connection, id, names)


def _names(games: Sequence[str], agents: Sequence[str], pairings: Sequence[tuple[int, int, int]]) -> dict[int, Names]:
    """Return the names of each pairing by its number."""
    return {number: Names(games[at], agents[one], agents[two]) for number, (at, one, two) in enumerate(pairings)}


def tournaments(
    db: Database,
    deleted: bool = False,
    kind: str | None = None,
    text: str = "",
    limit: int | None = None,
) -> list[TournamentInfo]:
    """Return saved tournaments, or the deleted ones, the newest first.

    Each word of `text` must be part of the name or of the settings.
    """
    wanted, values = [f"t.deleted IS {'NOT ' if deleted else ''}NULL"], list[Any]()
    if kind is not None:
        wanted.append("t.kind = ?")
        values.append(kind)
    for word in text.split():
        wanted.append("(t.name LIKE ? ESCAPE '\\' OR t.document LIKE ? ESCAPE '\\')")
        values += [part_of(word), part_of(json.dumps(word, ensure_ascii=False)[1:-1])]
    ending = "" if limit is None else f" LIMIT {int(limit)}"
    statement = f"{_SELECT} WHERE {' AND '.join(wanted)} ORDER BY t.id DESC{ending}"
    return [_info(db, row) for row in db.query(statement, values)]


def info(db: Database, id: int) -> TournamentInfo:
    """Return one tournament, even a deleted one. Raise StoreError if there is no such tournament."""
    rows = db.query(f"{_SELECT} WHERE t.id = ?", (id,))
    if not rows:
        raise _no_tournament(id)
    return _info(db, rows[0])


def _usable(db: Database, id: int) -> TournamentInfo:
    """Return a tournament that can be played on. Raise StoreError if it is damaged or was deleted."""
    tournament = info(db, id)
    if not tournament.sound:
        raise StoreError(f"tournament {id} is damaged: {row_values.WRONG}")
    if tournament.deleted:
        raise StoreError(f"tournament {id} was deleted: restore it first")
    return tournament


def rename(db: Database, id: int, name: str) -> None:
    """Rename a tournament; '' removes its name. Raise StoreError if there is no such tournament."""
    _change(db, id, "name", clean_name(name))


def delete(db: Database, id: int) -> None:
    """Hide a tournament and its games. It can be restored for 30 days. Raise StoreError while it is being played."""
    with Claim(_lock_file(db, _token(db, id)), db.path, f"tournament {id} is being played: stop it first"):
        _change(db, id, "deleted", time.time())


def restore(db: Database, id: int) -> None:
    """Show a tournament and its games again. Raise StoreError if there is no such tournament, or it has been purged."""
    _change(db, id, "deleted", None)


def _change(db: Database, id: int, column: str, value: object) -> None:
    with db.writing() as connection:
        where = f"id = :id AND {PRESENT}"
        if not seals.change(connection, "tournaments", where, {column: ":value"}, {"id": id, "value": value}):
            raise _no_tournament(id)


def _token(db: Database, id: int) -> str:
    rows = db.query("SELECT token FROM tournaments WHERE id = ?", (id,))
    if not rows:
        raise _no_tournament(id)
    return str(rows[0][0])


def _lock_file(db: Database, token: str) -> Path:
    return db.locks / row_values.token(token)


def _no_tournament(id: int) -> StoreError:
    return StoreError(f"tournament {id} does not exist, or was deleted")


def _info(db: Database, values: Sequence[Any]) -> TournamentInfo:
    id, kind, name, text, state, made, changed, seconds, played, total, deleted, token, sound = values
    if not sound:
        db.notice(f"tournament {id} is damaged: {row_values.WRONG}")
        state = STOPPED
    if state == RUNNING and not is_locked(_lock_file(db, token)):
        state = STOPPED  # its process has died
    return TournamentInfo(
        id,
        fit_text(kind),
        fit_text(name),
        row_values.tournament_document(text) if sound else {},
        fit_text(state),
        fit_real(made, FIRST_DATE - 1.0),  # before any date: shown as unknown
        fit_real(changed, FIRST_DATE - 1.0),
        max(0.0, fit_real(seconds)),
        max(0, row_values.count(played)),
        max(0, row_values.count(total)),
        bool(deleted),
        bool(sound),
    )
