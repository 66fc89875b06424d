"""Add up the games of a tournament inside the database, without reading them."""

from __future__ import annotations

from array import array
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from nimtui.foreign.values import fit_text
from nimtui.store import row_values, seals
from nimtui.store.row_values import JOINED, NAMES, count
from nimtui.store.rows import MOST_NUMBERS

if TYPE_CHECKING:
    from sqlite3 import Connection

    from nimtui.store.database import Database

NOT_PLAYED = -2  # as in the ledger


class Tally(NamedTuple):
    """The games of one pairing that one of its two players opened. The first player's numbers come first."""

    pairing: int  # the number of the pairing
    game: str
    first: str  # the full names
    second: str
    opener: int  # the player who moved first
    wins: int  # of the first player
    draws: int
    losses: int
    own: tuple[int, int]  # moves
    chances: tuple[int, int]  # of these, moves that could be mistakes
    mistakes: tuple[int, int]
    faults: int  # games ended by an illegal move or an error
    first_faults: int  # of these, games that the first player lost


def tallies(db: Database, tournament: int) -> list[Tally]:
    """Return all tallies in the order of the pairings. Damaged games do not count; they are reported."""
    return db.read(lambda connection: _tallies(db, connection, tournament))


def _tallies(db: Database, connection: Connection, tournament: int) -> list[Tally]:
    rows = connection.execute(
        f"SELECT p.id, p.number, {NAMES}, g.opener, sum(g.result = 1), sum(g.result = 0),"
        " sum(g.result = -1), sum(g.own_first), sum(g.own_second), sum(g.chances_first), sum(g.chances_second),"
        " sum(g.mistakes_first), sum(g.mistakes_second),"
        f" sum(CASE WHEN g.fault <> '' THEN {seals.sound('games', 'g.')} ELSE 0 END),"
        f" sum(CASE WHEN g.fault <> '' AND g.result = -1 THEN {seals.sound('games', 'g.')} ELSE 0 END), count(*)"
        f" FROM pairings p {JOINED} CROSS JOIN games g ON g.pairing = p.id AND {seals.sound_numbers('g.')}"
        " WHERE p.tournament = ? GROUP BY p.id, g.opener ORDER BY p.number, g.opener",
        (tournament,),
    ).fetchall()
    stored = Counter[int]()
    for pairing, *_, games in rows:
        stored[pairing] += games
    for id, number, played, sound in connection.execute(
        f"SELECT id, number, played, {seals.sound('pairings')} FROM pairings WHERE tournament = ?", (tournament,)
    ):
        if not sound or stored[id] < played:
            of = row_values.Pairing(id, tournament, count(number), played if sound else 0, bool(sound))
            row_values.tell(db, of, *row_values.damaged_games(connection, id))
    wrong = connection.execute(  # the sum of the numbers does not show a changed text
        "SELECT g.pairing, g.number FROM pairings p CROSS JOIN games g INDEXED BY games_fault ON g.pairing = p.id"
        f" AND g.fault <> '' AND NOT {seals.sound('games', 'g.')} WHERE p.tournament = ?",
        (tournament,),
    ).fetchall()
    row_values.tell_games(db, [pairing * MOST_NUMBERS + count(number) for pairing, number in wrong])
    return [_tally(*values[1:-1]) for values in rows]


def _tally(number: int, board: str, first: str, second: str, *counts: int) -> Tally:
    opener, won, drawn, lost, own, own2, chance, chance2, mistake, mistake2, faults, first_faults = map(count, counts)
    names = fit_text(board), fit_text(first), fit_text(second)
    moves, chances, mistakes = (own, own2), (chance, chance2), (mistake, mistake2)
    return Tally(count(number), *names, opener, won, drawn, lost, moves, chances, mistakes, faults, first_faults)


def pairs(db: Database, tournament: int) -> dict[int, tuple[int, ...]]:
    """Return how many pairs of games 2k and 2k + 1 gave the first player 0, ½, 1, 1½, 2 points, by pairing number."""
    rows = db.read(
        lambda connection: connection.execute(
            "SELECT p.number, g.result + h.result, count(*) FROM pairings p CROSS JOIN games g ON g.pairing = p.id"
            f" AND g.number % 2 = 0 AND {seals.sound_numbers('g.')} CROSS JOIN games h ON h.pairing = g.pairing"
            f" AND h.number = g.number + 1 AND {seals.sound_numbers('h.')} WHERE p.tournament = ? GROUP BY 1, 2",
            (tournament,),
        ).fetchall()
    )
    counts: dict[int, list[int]] = {}
    for number, points, games in rows:
        counts.setdefault(count(number), [0] * 5)[count(points) + 2] += count(games)
    return {number: tuple(row) for number, row in counts.items()}


def results(db: Database, tournament: int) -> dict[int, array[int]]:
    """Return the results by pairing number, then game number: −1, 0, 1 for the first player, −2 if not played."""
    results: dict[int, array[int]] = {}

    def read(connection: Connection) -> None:
        cursor = connection.execute(
            "SELECT p.number, g.number, g.result FROM pairings p CROSS JOIN games g ON g.pairing = p.id"
            f" AND {seals.sound_numbers('g.')} WHERE p.tournament = ? ORDER BY p.number, g.number",
            (tournament,),
        )
        while some := cursor.fetchmany(5_000):
            for pairing, number, result in some:
                row = results.setdefault(pairing, array("b"))
                row.extend([NOT_PLAYED] * (number - len(row)))
                row.append(result)

    db.read(read)
    return results


def same_games(db: Database, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Return whether two pairings, each a tournament and a number in it, have the same games.

    They have at least one number in common, and all games of common numbers have the same moves and result.
    """
    [(common, different)] = db.query(
        "SELECT count(*), total(g.opener <> h.opener OR g.result <> h.result OR g.moves <> h.moves)"
        " FROM pairings p JOIN pairings q CROSS JOIN games g ON g.pairing = p.id"
        " CROSS JOIN games h ON h.pairing = q.id AND h.number = g.number"
        " WHERE p.tournament = ? AND p.number = ? AND q.tournament = ? AND q.number = ?",
        (*one, *other),
    )
    return bool(common) and not different
