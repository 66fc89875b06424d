"""Write a tournament while it is played: save each game as soon as it ends, and retry what could not be saved."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, NamedTuple

from nimtui.store import saved_games, seals
from nimtui.store.claims import Claim
from nimtui.store.errors import StoreError
from nimtui.store.rows import Columns, GameRow, TournamentInfo

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
        info = info._replace(id=row[0] if row else insert(connection, info, self._token))
        pairings = connection.execute("SELECT number, id FROM pairings WHERE tournament = ?", (info.id,))
        ids = dict[int, int](pairings.fetchall())
        lost = {number: names for number, names in self._pairings.items() if number not in ids}
        return info, {**ids, **add_pairings(connection, info.id, lost)}


def insert(connection: Connection, info: TournamentInfo, token: str) -> int:
    """Write a tournament and return its id. The id in `info` is ignored."""
    import json

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
