"""List and count saved games, and add up the games of a tournament inside the database, without reading them."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, Unpack

from nimtui.errors import InputError
from nimtui.foreign.values import FIRST_DATE, fit_real, fit_text, fit_whole
from nimtui.store import row_values, seals
from nimtui.store.errors import StoreError
from nimtui.store.row_values import JOINED, NAMES, game_row, misfits
from nimtui.store.rows import MOST_NUMBERS, GameId, GameInfo, short_id
from nimtui.store.saved_games import ROW, clean_name, no_game

if TYPE_CHECKING:
    from sqlite3 import Connection

    from nimtui.store.database import Database

OWN_GAME = "play"  # the kind of a game outside any tournament
_INFO = (
    f"SELECT g.pairing, p.tournament, t.kind, {NAMES}, {ROW}, g.ended, g.name, p.number, g.deleted IS NOT NULL,"
    f" {seals.sound('pairings', 'p.')}, {seals.sound('games', 'g.')}"
)
# The pairings from the newest to the oldest, and the games of each from the last to the first: SQLite need not sort,
# and reads only the rows that are shown.
_FROM = f" FROM pairings p LEFT JOIN tournaments t ON t.id = p.tournament {JOINED}"
_NAMES = ["b.name", "first.name", "second.name", "coalesce(t.name, '')"]
_NAMED = "SELECT 1 FROM games n INDEXED BY games_name WHERE n.pairing = p.id AND n.name <> ''"
# A tournament's pairings have consecutive ids. The + rules out an index, whose order would have to be sorted.
_ITS_PAIRINGS = (
    "p.id BETWEEN (SELECT min(id) FROM pairings WHERE tournament = ?) AND (SELECT max(id) FROM pairings"
    " WHERE tournament = ?)"
)
_THERE = "(SELECT count(*) FROM games there WHERE there.pairing = p.id)"  # if a pairing's own number is damaged
_NUMBER, _END = 6, -6  # the places in a row of _INFO where the game's own values start and end
_NEWEST_FIRST = " ORDER BY p.id DESC, g.number DESC"
_OLDEST_FIRST = " ORDER BY p.id, g.number"


class Wanted(TypedDict, total=False):
    """Which games are wanted: those that fit every value."""

    tournament: int | None
    pairing: int | None
    agent: str | None  # a part of its name
    game: str | None  # the same
    result: int | None  # for player 0
    for_first: int | None  # the result for the player who moved first
    faults_only: bool
    kind: str | None
    text: str  # parts of any names
    deleted: bool


def games(
    db: Database, limit: int | None = 100, before: int | None = None, after: int | None = None, **which: Unpack[Wanted]
) -> list[GameInfo]:
    """Return saved games, the newest first: of the latest tournament the last pairing and its last game come first.

    With `after`, the id of the last game already shown or 0, the oldest come first. `before` is the id of the last game
    already shown. Damaged games are left out and reported. Damaged pairings are reported; their games may have wrong
    names.
    """
    wanted, values = _wanted(which)
    table, more, further = _wanted_games(which)
    infos: list[GameInfo] = []
    damaged: list[int] = []
    pairings: set[int] = set()  # ids of damaged pairings
    while True:
        here, values_here = list(more), list(further)
        for sign, last in (("<", before), (">", after)):
            if last is not None:
                here.append(f"p.id {sign}= ? AND (p.id {sign} ? OR g.number {sign} ?)")
                values_here += [last // MOST_NUMBERS, last // MOST_NUMBERS, last % MOST_NUMBERS]
        order = _NEWEST_FIRST if after is None else _OLDEST_FIRST
        lacking = None if limit is None else limit - len(infos)
        ending = "" if lacking is None else f" LIMIT {int(lacking)}"
        page = db.query(_INFO + _FROM + table + _where(wanted + here) + order + ending, values + values_here)
        infos += [_info(values) for values in page if values[-1]]
        damaged += [_id(values) for values in page if not values[-1]]
        pairings |= {values[0] for values in page if not values[-2]}
        if lacking is None or len(page) < lacking or len(infos) == limit or _id(page[-1]) < 0:
            break
        # Read other games in place of the damaged ones.
        before, after = (_id(page[-1]), None) if after is None else (None, _id(page[-1]))
    row_values.tell_games(db, damaged)
    row_values.tell_pairings(db, pairings)
    return infos


def count(db: Database, **which: Unpack[Wanted]) -> int:
    """Return how many games `games` would return without a limit."""
    wanted, values = _wanted(which)
    by_result = which.get("result") is not None or which.get("for_first") is not None
    if not by_result and not any(map(which.get, ("deleted", "faults_only", "text"))):
        # The number of games of each pairing is stored.
        of_one = f"CASE WHEN {seals.sound('pairings', 'p.')} THEN p.played ELSE {_THERE} END"
        select = f"SELECT CAST(total({of_one}) AS INTEGER)"
        ((played,),) = db.query(select + _FROM + _where(wanted), values)
        return int(played) - count(db, **(which | {"deleted": True}))
    table, more, further = _wanted_games(which)
    ((number,),) = db.query("SELECT count(*)" + _FROM + table + _where(wanted + more), values + further)
    return int(number)


def game(db: Database, id: int) -> GameInfo:
    """Return one game, even a deleted one. Raise StoreError if there is no such game, or it is damaged."""
    rows = db.query(_INFO + _FROM + _games() + " WHERE p.id = ? AND g.number = ?", divmod(id, MOST_NUMBERS))
    if not rows:
        raise no_game(id)
    if not rows[0][-1]:
        raise StoreError(f"game {short_id(id)} is damaged: {row_values.WRONG}")
    row_values.tell_pairings(db, [id // MOST_NUMBERS] if not rows[0][-2] else [])
    return _info(rows[0])


def find_game(db: Database, wanted: GameId) -> GameInfo:
    """Return the game with the ID that a person typed. Raise StoreError if there is none, or it is damaged.

    Raise InputError if the pairing has several games and the ID does not say which. A game outside any tournament is
    the first and only one of its pairing, even if it had another number where it was imported from.
    """
    pairing, number = wanted
    single = "SELECT 1 FROM pairings WHERE id = ? AND tournament IS NULL"
    if number is None or (number == 0 and db.query(single, (pairing,))):
        rows = db.query("SELECT number FROM games WHERE pairing = ? LIMIT 2", (pairing,))
        if len(rows) > 1:
            raise InputError(f"pairing {pairing} has several games: name one, for example {GameId(pairing, 0)}")
        if not rows or not isinstance(rows[0][0], int):
            raise StoreError(f"game {wanted} does not exist")
        number = rows[0][0]
    return game(db, pairing * MOST_NUMBERS + number)


def _wanted(which: Wanted) -> tuple[list[str], list[Any]]:
    """Return the conditions for pairings, and their values."""
    wanted, values = ["t.deleted IS NULL"], list[Any]()
    if (tournament := which.get("tournament")) is not None:
        wanted += ["+p.tournament = ?", _ITS_PAIRINGS]
        values += [tournament] * 3
    if (pairing := which.get("pairing")) is not None:
        wanted.append("p.number = ?")
        values.append(pairing)
    if (kind := which.get("kind")) is not None:
        wanted.append(f"coalesce(t.kind, '{OWN_GAME}') = ?")
        values.append(kind)
    if game := which.get("game"):
        wanted.append(_like("b.name"))
        values.append(part_of(game))
    if agent := which.get("agent"):
        wanted.append(_any_like(["first.name", "second.name"]))
        values += [part_of(agent)] * 2
    for word in which.get("text", "").split():
        wanted.append(f"({_any_like(_NAMES)} OR EXISTS ({_NAMED} AND {_like('n.name')}))")
        values += [part_of(word)] * (len(_NAMES) + 1)
    return wanted, values


def _wanted_games(which: Wanted) -> tuple[str, list[str], list[Any]]:
    """Return the join that finds the games of a pairing, the conditions for games, and their values."""
    deleted, faults_only = which.get("deleted", False), which.get("faults_only", False)
    wanted, values = [f"g.deleted IS {'NOT ' if deleted else ''}NULL"], list[Any]()
    if faults_only:
        wanted.append("g.fault <> ''")
    if (result := which.get("result")) is not None:
        wanted.append("g.result = ?")
        values.append(result)
    if (for_first := which.get("for_first")) is not None:
        wanted.append("g.result * (1 - 2 * g.opener) = ?")
        values.append(for_first)
    for word in which.get("text", "").split():
        wanted.append(_any_like([*_NAMES, "g.name"]))
        values += [part_of(word)] * (len(_NAMES) + 1)
    return _games("deleted" if deleted else "fault" if faults_only else ""), wanted, values


def _games(index: str = "") -> str:
    """Return the join for the games of a pairing; `index` names an index that holds few of them."""
    return f" CROSS JOIN games g{f' INDEXED BY games_{index}' if index else ''} ON g.pairing = p.id"


def _like(name: str) -> str:
    return f"{name} LIKE ? ESCAPE '\\'"


def _any_like(names: Sequence[str]) -> str:
    return f"({' OR '.join(map(_like, names))})"


def _where(conditions: Sequence[str]) -> str:
    return " WHERE " + " AND ".join(conditions)


def part_of(text: str) -> str:
    """Return a pattern for LIKE that matches any text with this part."""
    for special in "\\%_":
        text = text.replace(special, f"\\{special}")
    return f"%{clean_name(text)}%"


def _id(values: Sequence[Any]) -> int:
    """Return the id of the game in a row that may be damaged, or −1 if it has none."""
    pairing, number = values[0], values[_NUMBER]
    return pairing * MOST_NUMBERS + number if isinstance(number, int) else -1


def _info(values: Sequence[Any]) -> GameInfo:
    pairing, tournament, kind, board, first, second = values[:_NUMBER]
    ended, name, number, deleted, *_ = values[_END:]
    row = game_row(values[_NUMBER:_END])
    return GameInfo(
        pairing * MOST_NUMBERS + row.number,
        None if tournament is None else fit_whole(tournament),
        fit_text(kind) or OWN_GAME,
        fit_text(board),
        fit_text(first),
        fit_text(second),
        row,
        fit_real(ended, FIRST_DATE - 1.0),  # before any date: shown as unknown
        fit_text(name),
        fit_whole(number),
        bool(deleted),
        misfits(row, values[_NUMBER:_END]),
    )


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
            of = row_values.Pairing(id, tournament, row_values.count(number), played if sound else 0, bool(sound))
            row_values.tell(db, of, *row_values.damaged_games(connection, id))
    wrong = connection.execute(  # the sum of the numbers does not show a changed text
        "SELECT g.pairing, g.number FROM pairings p CROSS JOIN games g INDEXED BY games_fault ON g.pairing = p.id"
        f" AND g.fault <> '' AND NOT {seals.sound('games', 'g.')} WHERE p.tournament = ?",
        (tournament,),
    ).fetchall()
    row_values.tell_games(db, [pairing * MOST_NUMBERS + row_values.count(number) for pairing, number in wrong])
    return [_tally(*values[1:-1]) for values in rows]


def _tally(number: int, board: str, first: str, second: str, *counts: int) -> Tally:
    opener, won, drawn, lost, own, own2, chance, chance2, mistake, mistake2, faults, first_faults = map(
        row_values.count, counts
    )
    names = fit_text(board), fit_text(first), fit_text(second)
    moves, chances, mistakes = (own, own2), (chance, chance2), (mistake, mistake2)
    return Tally(
        row_values.count(number), *names, opener, won, drawn, lost, moves, chances, mistakes, faults, first_faults
    )


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
        counts.setdefault(row_values.count(number), [0] * 5)[row_values.count(points) + 2] += row_values.count(games)
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
