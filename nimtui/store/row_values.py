"""Fit the values of database rows: SQLite holds any value in any column, and any program may write there.

Nothing here raises. A value that cannot be shown is replaced by the nearest valid one. A game lists such values.

Report damaged rows in one line each, and continue to read the others.

In SQL a damaged name of a board or an agent is replaced by words that say so.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from nimtui.foreign import reading
from nimtui.foreign.values import (
    LARGEST,
    LARGEST_COUNT,
    are_texts,
    fit_real,
    fit_text,
    fit_texts,
    fit_whole,
    is_text,
    is_whole,
)
from nimtui.store import seals
from nimtui.store.rows import MOST_NUMBERS, GameRow, short_id

if TYPE_CHECKING:
    from sqlite3 import Connection

    from nimtui.store.database import Database

MOST_OPENING = 2**15 - 1  # plies
OF_A_GAME = ("number", "opener", "opening", "moves", "result", *seals.COUNTS, "fault", "seconds")  # columns
_TOKEN = re.compile(r"[0-9a-f]{1,64}", re.ASCII)


def game_row(values: Sequence[Any]) -> GameRow:
    """Return the game of a row with the columns OF_A_GAME."""
    number, opener, opening, moves, result, *counts, fault, seconds = values
    if not (
        type(number) is int
        and (opener == 0 or opener == 1)
        and type(opening) is int
        and type(moves) is bytes
        and 0 <= opening <= MOST_OPENING
        and not len(moves) & 1
        and type(result) is int
        and all(type(count) is int and 0 <= count <= LARGEST_COUNT for count in counts)
        and type(fault) is str
        and type(seconds) is float
        and 0 <= seconds < float("inf")
    ):
        number, opener = fit_whole(number, 0, MOST_NUMBERS - 1), fit_whole(opener, 0, 1)
        opening, result = fit_whole(opening, 0, MOST_OPENING), fit_whole(result, -1, 1)
        moves = moves[: len(moves) // 2 * 2] if isinstance(moves, bytes) else b""
        counts = [fit_whole(count, 0, LARGEST_COUNT) for count in counts]
        fault, seconds = fit_text(fault), max(0.0, fit_real(seconds))
    own, chances, mistakes = ((counts[at], counts[at + 1]) for at in (0, 2, 4))
    return GameRow(number, int(opener), opening, moves, result, own, chances, mistakes, fault, seconds)


def misfits(row: GameRow, values: Sequence[Any]) -> tuple[str, ...]:
    """Return the names of the values in a row that `game_row` had to change."""
    flat = (*row[:5], *row.own, *row.chances, *row.mistakes, row.packed_fault, row.seconds)
    return tuple(
        name
        for name, stored, fitted in zip(OF_A_GAME, values, flat, strict=True)
        if type(stored) is not type(fitted) or stored != fitted
    )


def tournament_document(text: object) -> dict[str, Any]:
    """Return the settings of a tournament without invalid values, or {} if its document is unreadable."""
    try:
        settings = reading.parse_object(fit_text(text))
    except reading.WrongDocument:
        return {}
    for key in ("games", "agents"):
        if key in settings and not are_texts(settings[key]):
            settings[key] = fit_texts(settings[key])
    wanted = {"number": is_whole, "seed": is_whole, "pairs": is_text, "openings": is_text, "version": is_text}
    return {key: value for key, value in settings.items() if key not in wanted or wanted[key](value)}


def token(value: object) -> str:
    """Return a tournament's token, which names its lock file and never points outside the lock folder."""
    text = fit_text(value)
    return text if _TOKEN.fullmatch(text) else hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def count(value: object) -> int:
    """Return a stored or computed sum as a whole number, or 0 if it is none."""
    return fit_whole(value, -LARGEST, LARGEST)


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
