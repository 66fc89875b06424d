"""`nimtui games export`: writes saved games to a file. And the options that select saved games."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from nimtui.cli import completion, options, output
from nimtui.cli.bar import Bar
from nimtui.cli.names import own_files
from nimtui.cli.output import check_new, format_of
from nimtui.cli.saving import open_database
from nimtui.errors import InputError, shortened
from nimtui.progress import Progress
from nimtui.store import files, tournaments
from nimtui.store.rows import GameId, GameInfo

if TYPE_CHECKING:
    from nimtui.store.database import Database


PAGE = 1_000  # games read at a time


class Result(StrEnum):
    """How a game ended: which seat won, or a draw."""

    FIRST = "first"
    SECOND = "second"
    DRAW = "draw"


FOR_FIRST = {Result.FIRST: 1, Result.SECOND: -1, Result.DRAW: 0}


Of = Annotated[
    int | None,
    options.option(
        "--tournament -t",
        "ID",
        "Only games of this tournament or match.",
        parser=options.id_number,
        complete=completion.tournaments,
    ),
]
AGENT = "Only games of agents whose name contains SPEC, on either seat."
Agent = Annotated[str | None, options.agents_option("--agent -a", AGENT)]
OfGame = Annotated[str | None, options.filter_option("Only games whose game name contains GAME.")]
Ended = Annotated[Result | None, options.flag("", "Only wins of the first or second player, or draws.")]
Faults = Annotated[bool, options.flag("--faults", "Only games that an agent lost by a fault.")]


def asked(
    database: Database,
    tournament: int | None,
    agent: str | None,
    game: str | None,
    result: Result | None,
    faults: bool,
) -> dict[str, Any]:
    """Return the filter as arguments for the store, {} for all games. Raises StoreError for an unknown tournament."""
    from nimtui.store import tournaments

    if tournament is not None:
        tournaments.info(database, tournament)
    criteria = {"tournament": tournament, "agent": agent, "game": _canonical(game), "faults_only": faults or None}
    if result is not None:
        criteria["for_first"] = FOR_FIRST[result]
    return {word: value for word, value in criteria.items() if value is not None}


def _canonical(game: str | None) -> str | None:
    """Return the canonical name of a game, or the text itself if it is only a part of a name."""
    from nimtui.games import parse_game

    try:
        return None if game is None else parse_game(game).name
    except InputError:
        return game


def found(database: Database, asked: dict[str, Any], oldest_first: bool = False) -> Iterator[GameInfo]:
    """Give the games that match, read page by page."""
    from nimtui.store import tournaments

    place: dict[str, Any] = {"after": 0} if oldest_first else {}
    while True:
        page = tournaments.games(database, **asked, **place, limit=PAGE)
        yield from page
        if len(page) < PAGE:
            return
        place = {"after" if oldest_first else "before": page[-1].id}


EXAMPLES = """\
nimtui games export --tournament 3 > games.txt
nimtui games export 31:62 32 --to two.txt
nimtui games export --agent perfect --to games.csv
nimtui games export --format json --game nim:3,5,7"""


class Format(StrEnum):
    """The file format of exported games."""

    TEXT = "text"
    CSV = "csv"
    JSON = "json"


EXTENSIONS = {".txt": Format.TEXT, ".csv": Format.CSV, ".json": Format.JSON}


def _id(text: str | GameId) -> GameId:
    if isinstance(text, str) and Path(text).suffix.lower() in EXTENSIONS:
        raise InputError(f"invalid ID '{shortened(text)}': expected one such as 31:62; --to FILE names the output file")
    return options.game_id(text)


Ids = Annotated[
    list[GameId] | None,
    options.argument(
        "[ID]...",
        "Only these games, for example 31:62, or 31 for a single game. [default: all games]",
        parser=_id,
        complete=completion.saved_games,
    ),
]


def export(
    ids: Ids = None,
    to: Annotated[
        Path | None,
        options.to_option("Output file, FILE.txt, FILE.csv or FILE.json. [default: stdout]"),
    ] = None,
    tournament: Of = None,
    agent: Agent = None,
    game: OfGame = None,
    result: Ended = None,
    faults: Faults = False,
    format: Annotated[
        Format | None,
        options.flag("", "Only text can be imported again. [default: the extension of --to, else text]"),
    ] = None,
    force: options.Force = False,
) -> None:
    """Write saved games as text, CSV or JSON.

    The oldest game comes first; games named by ID keep their order."""
    from nimtui.arena.transcripts.transcript import transcripts
    from nimtui.arena.transcripts.transcript import write as texts

    if format is None:
        format = Format.TEXT if to is None else format_of(to, EXTENSIONS)
    if to is not None:
        check_new(to, None, force)
    own_files()
    with closing(open_database()) as database, Bar("export", shown=to is not None or not sys.stdout.isatty()) as bar:
        criteria = asked(database, tournament, agent, game, result, faults)
        if ids and criteria:
            raise InputError("name games by ID, or select them by options, not both")
        total = len(ids) if ids else tournaments.count(database, **criteria)
        if not total:
            raise InputError("no saved game matches" if criteria else "no games saved yet")
        games = _named(database, ids) if ids else found(database, criteria, oldest_first=True)
        counted = _reporting(games, total, bar)
        whole = not ids and criteria.keys() <= {"tournament"}

        def write(out: TextIO) -> None:
            if format is Format.TEXT:
                out.writelines(texts(transcripts(database, counted, whole=whole)))
            elif format is Format.CSV:
                _write_csv(counted, out)
            else:
                _write_json(tournaments.with_beliefs(database, counted), out)

        if to is None:
            write(output.export())
        else:
            files.replace_text(to, write)
        if database.faults:  # damaged games were left out and reported
            raise typer.Exit(1)


def _named(database: Database, ids: list[GameId]) -> Iterator[GameInfo]:
    """Return the games of these IDs, each once. Raises StoreError before any is written, if one does not exist."""
    from nimtui.store import tournaments

    infos = {info.id: info for info in (tournaments.find_game(database, id) for id in ids)}
    return iter(infos.values())


def _reporting(games: Iterable[GameInfo], total: int, progress: Progress) -> Iterator[GameInfo]:
    """Give the same games and report the progress."""
    for number, info in enumerate(games):
        if number % 100 == 0:
            progress.report(number, total, "games")
        yield info


def _write_csv(games: Iterable[GameInfo], out: TextIO) -> None:
    """Write games as CSV, one line per game. An unknown value is an empty cell."""
    from nimtui.arena.standings.games_report import keys_of
    from nimtui.foreign.sheet import Sheet

    sheet = None
    for info in games:
        keys = keys_of(info)
        sheet = sheet or Sheet(out, list(keys))
        sheet.keyed({**keys, "transcript": " ".join(keys["transcript"] or ())})


def _write_json(games: Iterable[GameInfo], out: TextIO) -> None:
    """Write games as one JSON document, {"games": […]}, one line per game.

    A game whose thoughts were saved also has `beliefs`: what the player of each move believed of it.
    """
    from nimtui.arena.play.beliefs import of_game
    from nimtui.arena.review.history import Believed
    from nimtui.arena.standings.games_report import keys_of

    between = '{"games": [\n'
    for info in games:
        believed = [Believed(belief).raw for belief in of_game(info.row.beliefs, len(info.row.moves) // 2)]
        keys = keys_of(info) | ({"beliefs": believed} if believed else {})
        out.write(between + json.dumps(keys, allow_nan=False))
        between = ",\n"
    out.write("\n]}\n" if between == ",\n" else '{"games": []}\n')
