"""`nimtui games`: lists, shows, exports, imports and checks the saved games."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from nimtui.cli import completion, options, output
from nimtui.cli.bar import Bar
from nimtui.cli.names import own_files
from nimtui.cli.output import check_new, format_of
from nimtui.cli.saving import open_database
from nimtui.errors import LONGEST_WORD, InputError, naming, shortened
from nimtui.foreign import reading
from nimtui.progress import Progress
from nimtui.report.values import Named, Word
from nimtui.store import files, game_list, saved_games, tournaments
from nimtui.store.errors import StoreError, system_reason
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
Agent = Annotated[str | None, options.agent_option("Only games of agents whose name contains SPEC, on either seat.")]
OfGame = Annotated[str | None, options.filter_option("Only games whose game name contains GAME.")]
Ended = Annotated[Result | None, options.flag("", "Only wins of the first or second player, or draws.")]
Faults = Annotated[bool, options.flag("--faults", "Only games that an agent lost by a fault.")]


def asked(
    database: Database, tournament: int | None, agent: str | None, game: str | None, result: Result | None, faults: bool
) -> dict[str, Any]:
    """Return the filter as arguments for the store, {} for all games. Raises StoreError for an unknown tournament."""
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
    place: dict[str, Any] = {"after": 0} if oldest_first else {}
    while True:
        page = game_list.games(database, **asked, **place, limit=PAGE)
        yield from page
        if len(page) < PAGE:
            return
        place = {"after" if oldest_first else "before": page[-1].id}


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


IMPORTED = (
    "A text file that 'nimtui games export' wrote, a text or JSON file of 'nimtui tournaments export', or - for stdin."
    f" At most {reading.size(reading.LARGEST_TEXT)}, {reading.size(reading.LONGEST_LINE)} per line."
)
DAMAGED = 1  # the exit status if anything is damaged

games = options.group("games", "List, show, export, import and check saved games.")


@options.command(games)
@options.examples("""\
nimtui games check
nimtui games check --json""")
def check(json: options.Json = False) -> None:
    """Check all saved data for damage.

    Reads games, tournaments, tables, runs, sweeps, set-ups, settings and deleted files, and verifies the checksum or
    the format of each. Changes nothing. Prints one line per damaged item; the exit status is then 1.
    """
    from nimtui.report.blocks import Figure, Figures, Report, Sentence
    from nimtui.store.check import Checked, check_database, check_files
    from nimtui.store.database import Database

    checked = Checked()
    with Bar("check") as bar:
        check_files(checked, bar)
        try:
            with closing(Database(replace=False)) as database:
                for fault in database.faults:
                    checked.add("database", str(database.path), fault.removeprefix(f"{database.path} "))
                check_database(checked, database, bar)
        except StoreError as fault:
            checked.add("database", "", str(fault))
    counts = {_several(what): number for what, number in checked.counts.items()}
    facts = {"checked": counts, "damaged": [damage._asdict() for damage in checked.damaged]}
    read = [
        Named(n, what, _several(what)).text if what != "settings" else what for what, n in checked.counts.items() if n
    ]
    faults = Figures([Figure(f"damaged: {damage.what} {damage.id}", Word(damage.fault)) for damage in checked.damaged])
    summary = Sentence(f"checked: {', '.join(read) or 'nothing is saved yet'}", facts)
    output.report(Report([summary, faults if checked.damaged else Sentence("no damage found")]), json)
    if checked.damaged:
        raise typer.Exit(DAMAGED)


def _several(what: str) -> str:
    """Return the plural of what is checked."""
    return {"settings": "settings", "thoughts of a game": "thoughts of games"}.get(what, f"{what}s")


Id = Annotated[
    GameId,
    options.argument(
        "ID",
        "The game's ID in 'nimtui games list', for example 31:62: game 62 of pairing 31. 31 is enough for a"
        " single game.",
        parser=options.game_id,
        complete=completion.saved_games,
    ),
]


@options.command(games, "list")
@options.examples("""\
nimtui games list --tournament 3
nimtui games list --agent mcts --result first --limit 50
nimtui games list --faults --json""")
def list_games(
    tournament: Of = None,
    agent: Agent = None,
    game: OfGame = None,
    result: Ended = None,
    faults: Faults = False,
    limit: Annotated[int, options.limit_option("games")] = options.USUAL_LIMIT,
    json: options.Json = False,
) -> None:
    """List saved games, the newest first."""
    from nimtui.arena.standings import games_report

    own_files()
    with closing(open_database()) as database:
        criteria = asked(database, tournament, agent, game, result, faults)
        rows = list(islice(found(database, criteria), limit))
        number = game_list.count(database, **criteria)
    output.report(games_report.games(rows, number, bool(criteria)), json)


@options.command(games)
@options.examples("""\
nimtui games show 3:7
nimtui games show 3:7 --json""")
def show(
    id: Id,
    estimate: Annotated[
        str | None,
        options.agent_option("Also draw what this agent expects after each move, e.g. mcts:simulations=2000.", ""),
    ] = None,
    seed: options.Seed = 0,
    json: options.Json = False,
) -> None:
    """Print a saved game move by move, with its mistakes and its turning point.

    The value history has a line per move, lost and won to the left and right of a middle line: the exact value as a
    bar, and what the player expected of the move if that was saved.
    """
    from nimtui.arena.standings import games_report

    own_files()
    with closing(open_database()) as database, Bar("game") as bar:
        [info] = saved_games.with_beliefs(database, [game_list.find_game(database, id)])
        report = games_report.shown(info, bar, estimate, seed)
    output.report(report, json)


@options.command(games)
@options.examples("""\
nimtui games export --tournament 3 > games.txt
nimtui games export 31:62 32 --to two.txt
nimtui games export --agent perfect --to games.csv
nimtui games export --format json --game nim:3,5,7""")
def export(
    ids: Annotated[
        list[GameId] | None,
        options.argument(
            "[ID]...",
            "Only these games, for example 31:62, or 31 for a single game. [default: all games]",
            parser=_id,
            complete=completion.saved_games,
        ),
    ] = None,
    to: Annotated[
        Path | None, options.file_option("to", "Output file, FILE.txt, FILE.csv or FILE.json. [default: stdout]")
    ] = None,
    tournament: Of = None,
    agent: Agent = None,
    game: OfGame = None,
    result: Ended = None,
    faults: Faults = False,
    format: Annotated[
        Format | None, options.flag("", "Only text can be imported again. [default: the extension of --to, else text]")
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
        check_new(to, force)
    own_files()
    with closing(open_database()) as database, Bar("export", shown=to is not None or not sys.stdout.isatty()) as bar:
        criteria = asked(database, tournament, agent, game, result, faults)
        if ids and criteria:
            raise InputError("name games by ID, or select them by options, not both")
        total = len(ids) if ids else game_list.count(database, **criteria)
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
                _write_json(saved_games.with_beliefs(database, counted), out)

        if to is None:
            write(output.export())
        else:
            files.replace_text(to, write)
        if database.faults:  # damaged games were left out and reported
            raise typer.Exit(1)


def _named(database: Database, ids: list[GameId]) -> Iterator[GameInfo]:
    """Return the games of these IDs, each once. Raises StoreError before any is written, if one does not exist."""
    infos = {info.id: info for info in (game_list.find_game(database, id) for id in ids)}
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
    from nimtui.report.document import Sheet

    sheet = None
    for info in games:
        keys = keys_of(info)
        sheet = sheet or Sheet(out, list(keys))
        sheet.keyed({**keys, "transcript": " ".join(keys["transcript"] or ())})


def _write_json(games: Iterable[GameInfo], out: TextIO) -> None:
    """Write games as one JSON document, {"games": […]}, one line per game.

    A game whose thoughts were saved also has `beliefs`: what the player of each move believed of it.
    """
    from nimtui.agents.belief import of_game
    from nimtui.arena.review.history import Believed
    from nimtui.arena.standings.games_report import keys_of

    between = '{"games": [\n'
    for info in games:
        believed = [Believed(belief).raw for belief in of_game(info.row.beliefs, len(info.row.moves) // 2)]
        keys = keys_of(info) | ({"beliefs": believed} if believed else {})
        out.write(between + json.dumps(keys, allow_nan=False))
        between = ",\n"
    out.write("\n]}\n" if between == ",\n" else '{"games": []}\n')


@options.command(games, "import")
@options.examples("""\
nimtui games import games.txt
nimtui games import - < games.txt""")
def import_games(
    file: Annotated[Path, options.argument("FILE", IMPORTED, options.file_name)], json: options.Json = False
) -> None:
    """Import games from a file.

    Skips games that are saved already. Each game keeps its date. A whole tournament comes back with its standings;
    other games become single games, named after their tournament. If a line is wrong, nothing is imported.
    """
    from nimtui.arena.transcripts import game_import
    from nimtui.report.blocks import Report, Sentence

    own_files()
    name = "stdin" if str(file) == "-" else str(file)
    with Bar("import") as bar:
        with naming(shortened(name, LONGEST_WORD)), _opened(file) as lines:
            content = game_import.read(lines, bar)
        with closing(open_database()) as database:
            imported = game_import.save(database, content, bar)
    numbers = [number for number, _ in imported.tournaments]
    facts = {"games": imported.games, "already": imported.already, "ids": imported.ids, "tournaments": numbers}
    shows = f". 'nimtui games show {imported.ids[-1]}' shows the last one." if imported.ids else ""
    output.report(Report([Sentence(imported.text + shows, facts)]), json)


@contextmanager
def _opened(file: Path) -> Iterator[Iterable[str]]:
    """Give the lines of a file, or of stdin for '-'. Raises InputError if it is unreadable or not text."""
    try:
        if str(file) == "-":
            yield reading.lines(sys.stdin.buffer)
        else:
            with reading.opened(file, reading.LARGEST_TEXT) as text:
                yield reading.lines(text)
    except OSError as fault:
        raise InputError(system_reason(fault)) from None
