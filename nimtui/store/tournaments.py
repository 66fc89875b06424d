"""Start, resume, list, rename, delete and restore tournaments."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nimtui.foreign.values import FIRST_DATE, fit_real, fit_text
from nimtui.store import row_values, seals
from nimtui.store.claims import Claim, is_locked
from nimtui.store.errors import StoreError
from nimtui.store.game_list import part_of
from nimtui.store.row_values import ALL_SOUND, JOINED, NAMES
from nimtui.store.rows import TournamentInfo
from nimtui.store.saved_games import PRESENT, clean_name
from nimtui.store.tournament_writer import DONE, RUNNING, STOPPED, Names, TournamentWriter, add_pairings, insert

if TYPE_CHECKING:
    from nimtui.store.database import Database

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
    names = {
        number: Names(games[board], agents[one], agents[other]) for number, (board, one, other) in enumerate(pairings)
    }
    db.check_writable()
    token, now = secrets.token_hex(8), time.time()
    tournament = TournamentInfo(0, kind, clean_name(name), dict(document), RUNNING, now, now, 0.0, 0, total, False)
    claim = Claim(_lock_file(db, token), db.path, f"{db.path.name} is in use by another nimtui: stop that one first")
    try:
        with db.writing() as connection:
            tournament = tournament._replace(id=insert(connection, tournament, token))
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
        names = {
            number: Names(games[board], agents[one], agents[other])
            for number, (board, one, other) in enumerate(pairings)
            if number >= first_new
        }
        values = {"document": json.dumps(document), "total": total, "state": STOPPED, "changed": time.time()}
        with db.writing() as connection:
            changes = {name: f":{name}" for name in values}
            seals.change(connection, "tournaments", "id = :id", changes, {**values, "id": id})
            add_pairings(connection, id, names)


def tournaments(
    db: Database,
    deleted: bool = False,
    kind: str | None = None,
    text: str = "",
    limit: int | None = None,
    before: int | None = None,
) -> list[TournamentInfo]:
    """Return saved tournaments, or the deleted ones, the newest first.

    Each word of `text` must be part of the name or of the settings; `before` is the id of the last one shown.
    """
    wanted, values = [f"t.deleted IS {'NOT ' if deleted else ''}NULL"], list[Any]()
    for condition, value in (("t.kind = ?", kind), ("t.id < ?", before)):
        if value is not None:
            wanted.append(condition)
            values.append(value)
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
