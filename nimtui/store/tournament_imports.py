"""Store whole tournaments from elsewhere; skip those that are stored already."""

from __future__ import annotations

import secrets
import time
from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from nimtui.errors import InputError
from nimtui.store import seals
from nimtui.store.rows import GameRow, TournamentInfo
from nimtui.store.saved_games import insert as insert_games
from nimtui.store.tournament_writer import DONE, STOPPED, Names, add_pairings, insert

if TYPE_CHECKING:
    from sqlite3 import Connection


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


def store(connection: Connection, source: ImportedTournament) -> int | None:
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
    id = insert(connection, info, secrets.token_hex(8))
    ids = add_pairings(connection, id, dict(enumerate(source.pairings)))
    together = defaultdict[tuple[int, int], list[GameRow]](list)
    for pairing, row, ended in source.games:
        together[pairing, int(now) if ended is None else ended].append(row)
    for (pairing, ended), rows in together.items():
        insert_games(connection, ids[pairing], rows, ended)
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
