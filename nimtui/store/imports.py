"""Store tournaments and single games from elsewhere; skip those that are stored already."""

from __future__ import annotations

import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from nimtui.errors import InputError
from nimtui.store import seals
from nimtui.store.rows import MOST_NUMBERS, GameRow, TournamentInfo
from nimtui.store.saved_games import add_pairing, change, clean_name, insert, writable
from nimtui.store.tournaments import DONE, STOPPED, Names, add_pairings, insert_tournament

if TYPE_CHECKING:
    from sqlite3 import Connection

    from nimtui.store.database import Database


class ImportedTournament(NamedTuple):
    """A tournament from elsewhere."""

    kind: str
    name: str
    document: dict[str, Any]
    made: float  # Unix time; together with the kind it identifies the tournament
    seconds: float
    total: int
    pairings: list[Names]
    games: list[tuple[int, GameRow, int | None]]  # the number of the pairing, the game, when it ended


def store_tournament(connection: Connection, source: ImportedTournament) -> int | None:
    """Store a tournament and return its number; None if it is stored already, with all these games.

    Raise InputError if it is stored with fewer or other games: nothing is merged.
    """
    row = connection.execute(
        "SELECT id FROM tournaments WHERE made = ? AND kind = ? AND deleted IS NULL"
        f" AND {seals.sound('tournaments')} ORDER BY id DESC LIMIT 1",
        (source.made, source.kind),
    ).fetchone()
    if row is not None:
        _check_same(connection, row[0], source)
        return None
    now = time.time()
    state = DONE if len(source.games) >= source.total else STOPPED
    info = TournamentInfo(
        0, source.kind, source.name, source.document, state, source.made, now, source.seconds, 0, source.total, False
    )
    id = insert_tournament(connection, info, secrets.token_hex(8))
    ids = add_pairings(connection, id, dict(enumerate(source.pairings)))
    together = defaultdict[tuple[int, int], list[GameRow]](list)
    for pairing, row, ended in source.games:
        together[pairing, int(now) if ended is None else ended].append(row)
    for (pairing, ended), rows in together.items():
        insert(connection, ids[pairing], rows, ended)
    return id


def _check_same(connection: Connection, id: int, source: ImportedTournament) -> None:
    rows = connection.execute(
        "SELECT p.number, g.number, g.moves, g.result FROM pairings p CROSS JOIN games g ON g.pairing = p.id"
        " WHERE p.tournament = ?",
        (id,),
    )
    stored = {(pairing, number): (bytes(moves), result) for pairing, number, moves, result in rows}
    if any(stored.get((pairing, row.number)) != (row.moves, row.result) for pairing, row, _ in source.games):
        raise InputError(f"{source.kind} {id} is an earlier state of the one in the file: delete it, then import")


OFTEN = 100  # games between two reports
_STORED = (
    "SELECT g.number, g.opener, g.opening, g.moves, g.result, g.fault, g.ended, g.name"
    " FROM pairings p LEFT JOIN tournaments t ON t.id = p.tournament JOIN boards b ON b.id = p.board"
    " JOIN agents first ON first.id = p.first JOIN agents second ON second.id = p.second"
    " CROSS JOIN games g ON g.pairing = p.id"
    " WHERE b.name = ? AND first.name = ? AND second.name = ? AND g.deleted IS NULL AND t.deleted IS NULL"
    f" AND {seals.sound('games', 'g.')}"
)


class ImportedGame(NamedTuple):
    """A game from elsewhere. Its number is the number of its pairing there."""

    game: str
    first: str
    second: str
    row: GameRow
    name: str
    ended: int | None  # Unix time; None if unknown: it is stored with the current time


def keep_all(
    db: Database,
    games: Sequence[ImportedGame],
    tournaments: Sequence[ImportedTournament],
    tell: Callable[[int], None] = lambda number: None,
) -> tuple[list[int | None], list[int | None]]:
    """Store single games and tournaments, or nothing if that fails. Return the id of each, None if stored already.

    Raise StoreError if the database cannot be written, InputError if another state of a tournament is stored.
    """
    with db.writing() as connection:
        return _keep(connection, games, tell), [store_tournament(connection, one) for one in tournaments]


def _keep(connection: Connection, games: Sequence[ImportedGame], tell: Callable[[int], None]) -> list[int | None]:
    ids: list[int | None] = []
    now = int(time.time())
    stored: dict[tuple[str, str, str], _StoredGames] = {}
    waiting = defaultdict[tuple[str, str, str], list[ImportedGame]](list)
    for game in games:
        waiting[_of(game)].append(game)
    for number, game in enumerate(games):
        if number % OFTEN == 0:
            tell(number)
        if (of := _of(game)) not in stored:
            stored[of] = _StoredGames(connection, of, waiting.pop(of))
        if stored[of].has(game):
            ids.append(None)
            continue
        stored[of].add(game)
        pairing = add_pairing(connection, None, 0, *of)
        insert(connection, pairing, [game.row], now if game.ended is None else game.ended)
        if name := clean_name(game.name):
            change(connection, pairing * MOST_NUMBERS + game.row.number, "name", name)
        ids.append(pairing * MOST_NUMBERS + game.row.number)
    return ids


def _of(game: ImportedGame) -> tuple[str, str, str]:
    return writable(game.game), writable(game.first), writable(game.second)


class _StoredGames:
    """The stored games of two agents that may be equal to some of these games."""

    def __init__(self, connection: Connection, of: tuple[str, str, str], games: Sequence[ImportedGame]) -> None:
        statement, values = _STORED, list[object](of)
        dates = [game.ended for game in games if game.ended is not None]
        self._dated, self._named = set[tuple[object, ...]](), set[tuple[object, ...]]()
        if len(dates) == len(games):
            statement += " AND g.ended BETWEEN ? AND ?"
            values += [min(dates), max(dates)]
        for *row, ended, name in connection.execute(statement, values):
            self._dated.add((*row, int(ended)))
            if len(dates) < len(games):
                self._named.add((*row, name))

    def has(self, game: ImportedGame) -> bool:
        if game.ended is None:
            return (*_row(game), clean_name(game.name)) in self._named
        return (*_row(game), game.ended) in self._dated

    def add(self, game: ImportedGame) -> None:
        """Add a game that is stored now. Two games of one text without a time may be different games."""
        if game.ended is not None:
            self._dated.add((*_row(game), game.ended))


def _row(game: ImportedGame) -> tuple[object, ...]:
    row = game.row
    return row.number, row.opener, row.opening, row.moves, row.result, writable(row.fault)
