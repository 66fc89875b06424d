"""A saved tournament as a file: its standings as CSV or JSON, its games as text. Its agents may be missing here."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TextIO

from nimtui.arena.game_import import TRANSCRIPTS
from nimtui.arena.pool import saved_standings
from nimtui.foreign.sheet import Sheet
from nimtui.progress import Progress

if TYPE_CHECKING:
    from nimtui.store.database import Database

SCORED = ("agent", "points", "played", "score")
RATED = ("elo", "elo_low", "elo_high", "at_least", "at_most")
COUNTED = ("mistakes", "chances", "moves")
CSV, JSON, TEXT = ".csv", ".json", ".txt"
FORMATS = {
    CSV: "the standings, one line per agent",
    JSON: "standings, results of every pairing, and every game; 'nimtui games import' reads it back",
    TEXT: "every game; 'nimtui games import' reads it back",
}


def writer(database: Database, tournament: int, ending: str, progress: Progress) -> Callable[[TextIO], None]:
    """Return the function that writes a tournament in the format of this ending. StoreError if it does not exist."""
    from nimtui.store.tournaments import info

    info(database, tournament)
    write = {CSV: _csv, JSON: _json, TEXT: _text}[ending]
    return lambda out: write(database, tournament, out, progress)


def _text(database: Database, tournament: int, out: TextIO, progress: Progress) -> None:
    for piece in _games(database, tournament, progress):
        out.write(piece)


def _games(database: Database, tournament: int, progress: Progress) -> Iterator[str]:
    """Return the text of every game, the first with the tournament's settings."""
    from nimtui.arena.saved_transcripts import games_of, transcripts
    from nimtui.arena.transcript import write
    from nimtui.store.tournaments import info

    played = info(database, tournament).played
    for number, piece in enumerate(write(transcripts(database, games_of(database, tournament), whole=True))):
        if number % 100 == 0:
            progress.report(number, played, "games")
        yield piece


def _csv(database: Database, tournament: int, out: TextIO, progress: Progress) -> None:
    from nimtui.store.tournaments import info

    rows = _standings(database, tournament, info(database, tournament).document)
    sheet = Sheet(out, list(rows[0]) if rows else ["agent"])
    for row in rows:
        sheet.keyed(row)


def _json(database: Database, tournament: int, out: TextIO, progress: Progress) -> None:
    from nimtui.store.tallies import tallies
    from nimtui.store.tournaments import info

    found = info(database, tournament)
    document = {
        **found.document,
        "name": found.name,
        "state": found.state,
        "played": found.played,
        "total": found.total,
        "seconds": found.seconds,
        "standings": _standings(database, tournament, found.document),
        "results": [one._asdict() for one in tallies(database, tournament)],
    }
    head = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False).removesuffix("\n}")
    out.write(f'{head},\n  "{TRANSCRIPTS}": [')  # game by game: there may be millions
    between = "\n    "
    for piece in _games(database, tournament, progress):
        out.write(between + json.dumps(piece.strip(), ensure_ascii=False))
        between = ",\n    "
    out.write("\n  ]\n}\n")


def _standings(database: Database, tournament: int, document: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of the standings; unknown numbers are null."""
    keys, field = (*SCORED, *RATED, *COUNTED), saved_standings(database, tournament, document)
    return [{key: row.keys[key] for key in keys} for row in field.rows]
