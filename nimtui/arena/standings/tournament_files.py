"""A saved tournament as a file: its standings as CSV or JSON, its games as text. Its agents may be missing here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from nimtui.arena.play.batch import batch
from nimtui.arena.play.plan import Plan
from nimtui.arena.standings.pool import saved_standings
from nimtui.arena.transcripts.game_import import TRANSCRIPTS
from nimtui.progress import Progress
from nimtui.report.blocks import Table
from nimtui.report.document import long_file
from nimtui.report.tables import csv, sheet

if TYPE_CHECKING:
    from nimtui.store.database import Database
    from nimtui.store.rows import TournamentInfo

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
    from nimtui.arena.transcripts.transcript import games_of, transcripts, write

    for number, piece in enumerate(write(transcripts(database, games_of(database, info.id), whole=True))):
        if number % 100 == 0:
            progress.report(number, info.played, "games")
        yield piece


def _write_json(database: Database, info: TournamentInfo, games: Iterator[str], out: TextIO) -> None:
    from nimtui.store.tallies import tallies

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
    from nimtui.store.tournaments import columns

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
