"""Report damaged rows in one line each, and continue to read the others.

In SQL a damaged name of a board or an agent is replaced by words that say so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from nimtui.store import seals
from nimtui.store.rows import MOST_NUMBERS, short_id

if TYPE_CHECKING:
    from sqlite3 import Connection

    from nimtui.store.database import Database

NAMED = 5  # damaged games that one line names
WRONG = "its checksum is wrong"


class Pairing(NamedTuple):
    """A pairing whose games are being read, with the facts that a report of damage needs."""

    id: int  # −1 if the pairing is missing
    tournament: int
    number: int
    played: int  # the stored number of games
    sound: bool


def pairing_of(connection: Connection, tournament: int, number: int) -> Pairing:
    """Return the pairing with this number in a tournament."""
    row = connection.execute(
        f"SELECT id, played, {seals.sound('pairings')} FROM pairings WHERE tournament = ? AND number = ?",
        (tournament, number),
    ).fetchone()
    if row is None:
        return Pairing(-1, tournament, number, 0, False)
    id, played, sound = row
    return Pairing(id, tournament, number, played if sound else 0, bool(sound))


def tell(db: Database, of: Pairing, damaged: Sequence[object], stored: int) -> None:
    """Report what is wrong with the games of a pairing: damaged games, or fewer games `stored` than played."""
    whose = f"pairing {of.number + 1} of tournament {of.tournament}"
    if of.id < 0:
        db.notice(f"{whose} is missing")
    elif not of.sound:
        db.notice(f"{whose} is damaged: {WRONG}")
    tell_games(db, [of.id * MOST_NUMBERS + number for number in damaged if isinstance(number, int)])
    if stored < of.played:
        lost = of.played - stored
        db.notice(f"{lost:,} {'game' if lost == 1 else 'games'} of {whose} {'is' if lost == 1 else 'are'} missing")


def tell_games(db: Database, ids: Sequence[int]) -> None:
    """Report these games as damaged, each only once."""
    new = [id for id in dict.fromkeys(ids) if id not in db.damaged_games]
    db.damaged_games.update(new)
    if len(new) == 1:
        db.notice(f"game {short_id(new[0])} is damaged and left out: {WRONG}")
    elif new:
        more = f" and {len(new) - NAMED:,} more" if len(new) > NAMED else ""
        named = ", ".join(map(short_id, new[:NAMED]))
        db.notice(f"{len(new):,} games are damaged and left out: {named}{more}; their checksums are wrong")


def tell_pairings(db: Database, ids: Iterable[int]) -> None:
    """Report these pairings (ids) as damaged. Their games are shown, perhaps with wrong names."""
    for id in sorted(ids):
        db.notice(f"pairing {id} is damaged: {WRONG}; the names of its games may be wrong")


def damaged_games(connection: Connection, pairing: int) -> tuple[list[object], int]:
    """Return the numbers of a pairing's damaged games, and how many games are stored."""
    rows = connection.execute(
        f"SELECT g.number, {seals.sound('games', 'g.')} FROM games g WHERE g.pairing = ?", (pairing,)
    ).fetchall()
    return [number for number, sound in rows if not sound], len(rows)


# Joins the boards and the agents of pairings `p`.
JOINED = (
    "LEFT JOIN boards b ON b.id = p.board LEFT JOIN agents first ON first.id = p.first"
    " LEFT JOIN agents second ON second.id = p.second"
)


def _name(table: str, alias: str, column: str) -> str:
    sound = seals.sound(table, f"{alias}.")
    damaged = f"'{table[:-1]} ' || p.{column} || ' (its name is damaged)'"
    return f"coalesce(CASE WHEN {sound} THEN {alias}.name END, {damaged})"


_OF = (("boards", "b", "board"), ("agents", "first", "first"), ("agents", "second", "second"))
NAMES = ", ".join(_name(*of) for of in _OF)
ALL_SOUND = " AND ".join(seals.sound(table, f"{alias}.") for table, alias, _ in _OF)
