"""What lists of saved games and tournaments tell, and what is known of one saved game.

First and second are seats: the players that move first and second after the opening.

A saved tournament as a file: its standings as CSV or JSON, its games as text. Its agents may be missing here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from nimtui.agents.program import called
from nimtui.arena.play.batch import Played, batch
from nimtui.arena.play.plan import Plan
from nimtui.arena.play.steps import Steps
from nimtui.arena.review.review_report import blocks, estimated, of_row
from nimtui.arena.standings.pool import saved_standings
from nimtui.arena.standings.statements import MISTAKES
from nimtui.arena.transcripts import transcript
from nimtui.arena.transcripts.game_import import TRANSCRIPTS
from nimtui.arena.transcripts.transcript import FIRST_WINS, RESULTS, SECOND_WINS, UNFINISHED, result_word
from nimtui.errors import InputError
from nimtui.foreign.values import fit_texts, moment, utc
from nimtui.games import parse_game
from nimtui.games.notation import plural
from nimtui.games.rule_text import Place
from nimtui.progress import Progress
from nimtui.report.blocks import Block, Column, Facts, Gap, Heading, Report, Sentence, Table
from nimtui.report.document import csv, long_file, sheet
from nimtui.report.values import UNKNOWN, Count, Keys, Value, Word
from nimtui.store.game_list import tallies
from nimtui.store.rows import GameInfo, TournamentInfo, unpacked

if TYPE_CHECKING:
    from nimtui.store.database import Database

SETTINGS = {  # of a tournament: as in the plan, and as in the document of `nimtui tournament --json`
    "games": "game_names",
    "agents": "agents",
    "pairs": "pairs",
    "number": "games_a_pairing",
    "openings": "openings",
    "seed": "seed",
    "sprt": "sprt",
}
SEATS = ("first", "second")


@dataclass(frozen=True, slots=True)
class Part(Value):
    """So many of a number: '2 of 14'; unknown of none."""

    count: int
    of: int

    @property
    def text(self) -> str:
        return f"{self.count:,} of {self.of:,}" if self.of else UNKNOWN


@lru_cache(32)
def steps_of(name: str) -> Steps:
    """Return the move reader of the game of this name, parsed once. Raises InputError for an unknown game."""
    return Steps(parse_game(name))


def move_texts(info: GameInfo) -> list[str]:
    """Return the moves as people type them, or as saved codes if the game is unknown here."""
    try:
        return steps_of(info.game).names(info.codes)
    except (IndexError, ValueError):
        return [f"#{code}" for code in info.codes]


def keys_of(info: GameInfo) -> dict[str, Any]:
    """Return a game's document: numbers from 1, the winner's name, moves as they are typed.

    The transcript is None if the game is unknown here.
    """
    row = info.row
    first, second = info.seats
    result, names = _read(info)
    single = info.tournament is None
    return {
        "id": info.short,
        "tournament": info.tournament,
        "kind": info.kind,
        "name": info.name or None,
        "pairing": None if single else info.pairing + 1,
        "number": None if single else row.number + 1,
        "game": info.game,
        "first": first,
        "second": second,
        "result": result,
        "winner": {FIRST_WINS: first, SECOND_WINS: second}.get(result),
        "plies": len(row.moves) // 2,
        "opening": row.opening,
        "transcript": names,
        "first_chances": row.chances[row.opener],
        "second_chances": row.chances[1 - row.opener],
        "first_mistakes": row.mistakes[row.opener],
        "second_mistakes": row.mistakes[1 - row.opener],
        "fault": row.fault or None,
        "fault_report": unpacked(row.packed_fault).document() if row.fault else None,
        "seconds": row.seconds,
        "ended": _iso(info.ended),
    }


@lru_cache(4096)
def _iso(when: float) -> str | None:
    """Return the time in ISO format, or None if it is invalid."""
    date = utc(when)
    return None if date is None else f"{date}+00:00"


def _read(info: GameInfo) -> tuple[str, list[str] | None]:
    """Return the result for the first player, and the moves' names, or None for the names if the game is unknown."""
    row = Played._make(info.row)
    try:
        steps = steps_of(info.game)
        return result_word(steps, row), steps.names(row.codes())
    except InputError:
        return RESULTS[2 if row.winner is None else int(row.winner != row.opener)], None


def games(infos: Sequence[GameInfo], total: int, selected: bool) -> Report:
    """Return the list of these games of `total`; `selected`: of those that were asked for."""
    columns = [
        Column("game", lambda info: Word(info.short)),
        Column("of", lambda info: Word(_source(info)), left=True),
        Column("ended", lambda info: Word(moment(info.ended)), left=True),
        Column("", lambda info: Word(info.game), left=True),
        Column("first", lambda info: Word(called(info.seats[0])), left=True),
        Column("second", lambda info: Word(called(info.seats[1])), left=True),
        Column("result", lambda info: Word(_read(info)[0])),
        Column("moves", lambda info: Count(len(info.codes))),
        Column("mistakes: first", lambda info: _mistakes(info)[0]),
        Column("second", lambda info: _mistakes(info)[1]),
        Column(
            "", lambda info: Word(" ".join(filter(None, (info.name, info.row.fault, damage_text(info))))), left=True
        ),
        Column(None, lambda info: Keys(keys_of(info)), "id"),
    ]
    table = Table("games", columns, infos, gap=2)
    more: list[Block] = []
    if any(any(info.row.chances) for info in infos):
        more += [Gap(), Sentence(f"{MISTAKES}. Both columns: of the first and of the second player.")]
    if total > len(infos):
        limit = f"{len(infos):,} of {total:,} games. --limit lists more, 'nimtui games show ID' shows one."
        more += [Gap(), Sentence(limit)]
    return _list(table, more, "game" if selected else "", total)


def _list(table: Table, more: Sequence[Block], selected: str, total: int) -> Report:
    """Return a list, or why it is empty; `selected` names what was asked for, '' if that was everything."""
    facts = Facts({f"of_{table.key}": total})
    if not table.rows:
        empty = f"no saved {selected} matches" if selected else f"no {table.key} saved yet"
        return Report([Sentence(empty, {table.key: []}), facts])
    return Report([table, facts, *more])


def _source(info: GameInfo) -> str:
    """Return what a game belongs to: 'tournament 3', 'play'."""
    return info.kind if info.tournament is None else f"{info.kind} {info.tournament}"


def _mistakes(info: GameInfo) -> tuple[Part, Part]:
    """Return the mistakes of the first and of the second player."""
    row = info.row
    first, second = (Part(row.mistakes[player], row.chances[player]) for player in (row.opener, 1 - row.opener))
    return first, second


def damage_text(info: GameInfo) -> str:
    """Return which fields of a saved game are damaged, or ''."""
    return f"damaged: {', '.join(info.wrong)}" if info.wrong else ""


def about(info: GameInfo) -> list[Block]:
    """Return what is known of a game beside its moves: its players, its source, its mistakes."""
    first, second = info.seats
    place = "" if info.tournament is None else f", pairing {info.pairing + 1}, game {info.row.number + 1}"
    named = f' "{info.name}"' if info.name else ""
    opening = f", {info.row.opening} of them the opening" if info.row.opening else ""
    lines = [
        f"{first} moves first, {second} second",
        f"game {info.short}{named}, {_source(info)}{place}, {moment(info.ended)}",
        f"{plural(len(info.codes), 'ply', 'plies')}{opening}",
    ]
    if any(info.row.chances):
        of_first, of_second = _mistakes(info)
        lines.append(f"{MISTAKES}: first {of_first}, second {of_second}")
    if info.wrong:
        lines.append(f"{damage_text(info)}; shown as far as readable")
    return [Facts(keys_of(info)), *map(Sentence, lines)]


def shown(info: GameInfo, progress: Progress, estimate: str | None = None, seed: int = 0) -> Report:
    """Return a saved game move by move, judged; with the codes of its moves if it is unreadable.

    `estimate` names an agent whose estimates are drawn, too. Raises InputError if it cannot estimate.
    """
    codes = info.codes
    end: list[Block] = [Gap(), *map(Sentence, (end_text(info), *unpacked(info.row.packed_fault).particulars))]
    try:
        game = steps_of(info.game).game
        played = of_row(game, Played._make(info.row), (info.first, info.second), progress)
    except InputError as fault:  # an own game that is missing or has changed, or a damaged row
        why = str(fault)
        coded = Sentence(" ".join(f"#{code}" for code in codes), {"moves": None, "codes": codes, "unreadable": why})
        reason = Sentence(f"The moves are shown as codes: {why}")
        return Report([Heading(info.game), *about(info), Gap(), coded, reason, *end])
    if estimate is not None:
        played = estimated(played, estimate, seed, progress)
    return Report([Heading(Place(game, game.start, None).title), *about(info), Gap(), *blocks(played), *end])


def end_text(info: GameInfo) -> str:
    """Return how a game ended: 'perfect won, moving second'."""
    result, seats = _read(info)[0], {FIRST_WINS: 0, SECOND_WINS: 1}
    if result not in seats:
        return "unfinished" if result == UNFINISHED else "a draw"
    return won(info.seats[seats[result]], seats[result], info.row.fault)


def won(winner: str, seat: int, fault: str) -> str:
    """Return who won: 'perfect won, moving second', with the fault of the loser that ended the game."""
    return f"{called(winner)} won, moving {SEATS[seat]}{fault and f': {fault}'}"


def tournaments(every: Sequence[TournamentInfo], limit: int, selected: bool) -> Report:
    """Return the list of the first `limit` tournaments; `selected`: of those that were asked for."""
    columns = [
        Column("tournament", lambda info: Count(info.id), "id"),
        Column(
            "state",
            lambda info: Word(info.state if info.kind == "tournament" else f"{info.state} {info.kind}"),
            left=True,
        ),
        Column("games", lambda info: Part(info.played, info.total) if info.played < info.total else Count(info.played)),
        Column("changed", lambda info: Word(moment(info.changed)), left=True),
        Column("", lambda info: Word(", ".join(fit_texts(info.document.get("games")))), left=True),
        Column("agents", lambda info: Word(", ".join(map(called, fit_texts(info.document.get("agents"))))), left=True),
        Column("name", lambda info: Word(info.name), left=True),
        Column(None, lambda info: Keys(_tournament_keys(info)), "id"),
    ]
    table = Table("tournaments", columns, every[:limit], gap=2)
    more: list[Block] = []
    if len(every) > limit:
        more = [Gap(), Sentence(f"{limit:,} of {len(every):,} tournaments. --limit lists more.")]
    return _list(table, more, "tournament" if selected else "", len(every))


def _tournament_keys(info: TournamentInfo) -> dict[str, Any]:
    """Return a tournament's document. Settings of a damaged tournament are null."""
    return {
        "id": info.id,
        "kind": info.kind,
        "name": info.name or None,
        "state": info.state,
        "played": info.played,
        "total": info.total,
        "seconds": info.seconds,
        "made": _iso(info.made),
        "changed": _iso(info.changed),
        **{name: info.document.get(key) for key, name in SETTINGS.items()},
    }


SCORED = ("agent", "points", "played", "score")
RATED = ("elo", "elo_low", "elo_high", "at_least", "at_most")
COLUMNS = (*SCORED, *RATED, "mistakes", "chances", "moves")
PAID = ("payoff", "payoff_low", "payoff_high")  # more columns, where games end with a number
CSV, JSON, TEXT, OPENINGS = ".csv", ".json", ".txt", "-openings.csv"
FORMATS = {
    CSV: "the standings, one line per agent",
    JSON: "standings, results of every pairing, and every game; 'nimtui games import' reads it back",
    TEXT: "every game; 'nimtui games import' reads it back",
    OPENINGS: "how often each first move was played and won",
}


def ending_of(path: Path) -> str:
    """Return the ending of a file's name that says what is written to it."""
    return OPENINGS if path.name.lower().endswith(OPENINGS) else path.suffix.lower()


def writer(database: Database, tournament: int, ending: str, progress: Progress) -> Callable[[TextIO], object]:
    """Return the function that writes a tournament in the format of this ending. StoreError if it does not exist."""
    from nimtui.store.tournaments import info

    tournament_info = info(database, tournament)
    games = _games(database, tournament_info, progress)
    if ending == TEXT:
        return lambda out: out.writelines(games)
    if ending == CSV:
        rows = _standings(database, tournament_info)
        return lambda out: out.write(sheet(rows, list(rows[0]) if rows else COLUMNS))
    if ending == OPENINGS:
        return lambda out: out.write(csv(_first_moves(database, tournament_info)))
    return lambda out: _write_json(database, tournament_info, games, out)


def _games(database: Database, info: TournamentInfo, progress: Progress) -> Iterator[str]:
    """Return the text of every game, the first with the tournament's settings."""
    games = transcript.transcripts(database, transcript.games_of(database, info.id), whole=True)
    for number, piece in enumerate(transcript.write(games)):
        if number % 100 == 0:
            progress.report(number, info.played, "games")
        yield piece


def _write_json(database: Database, info: TournamentInfo, games: Iterator[str], out: TextIO) -> None:
    document = {
        **info.document,
        "name": info.name,
        "state": info.state,
        "played": info.played,
        "total": info.total,
        "seconds": info.seconds,
        "standings": _standings(database, info),
        "results": [one._asdict() for one in tallies(database, info.id)],
    }
    out.writelines(long_file(document, TRANSCRIPTS, map(str.strip, games)))  # game by game: there may be millions


def _first_moves(database: Database, info: TournamentInfo) -> Table:
    """Return the first moves. InputError if an agent or a game is unknown here."""
    from nimtui.arena.standings.ledger import Ledger
    from nimtui.arena.standings.standings_report import first_moves
    from nimtui.store.saved_games import columns

    plan = Plan.from_document(info.document)
    ledgers = [Ledger(plan, place) for place in range(len(plan.pairings))]
    for place, ledger in enumerate(ledgers):
        ledger.add(batch(columns(database, info.id, place)))
    return first_moves(plan, [ledger.score for ledger in ledgers])


def _standings(database: Database, info: TournamentInfo) -> list[dict[str, Any]]:
    """Return the rows of the standings; unknown numbers are null."""
    field = saved_standings(database, info.id, info.document)
    columns = (*COLUMNS, *PAID) if field.paid else COLUMNS
    return [{key: row.keys[key] for key in columns} for row in field.rows]
