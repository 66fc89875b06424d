"""`nimtui games`: the games that are kept: listed, shown, written for other programs, read back."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nimtui.cli import games_check, options
from nimtui.cli.files import check_new, encoded
from nimtui.cli.names import own_files
from nimtui.errors import InputError
from nimtui.foreign import reading

if TYPE_CHECKING:
    from nimtui.store.database import Database
    from nimtui.store.rows import GameInfo

IMPORTED = (
    f"A text of 'nimtui games export', at most {reading.size(reading.LARGEST_TEXT)} and"
    f" {reading.size(reading.LONGEST_LINE)} a line; - reads stdin."
)
USUAL_LIMIT, MOST_LISTED = 20, 1_000_000
PAGE = 1_000  # games read at a time

EXAMPLES = {
    "list": """\
nimtui games list --tournament 3
nimtui games list --agent mcts --result first --limit 50
nimtui games list --faults --json""",
    "show": """\
nimtui games show 3:7
nimtui games show 3:7 --json""",
    "export": """\
nimtui games export --tournament 3 > games.txt
nimtui games export --agent perfect --format csv games.csv
nimtui games export --format json --game nim:3,5,7""",
    "import": """\
nimtui games import games.txt
nimtui games import - < games.txt""",
}


def _examples(command: str) -> str:
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in EXAMPLES[command].split("\n"))


class Format(StrEnum):
    """How games are written."""

    TEXT = "text"
    CSV = "csv"
    JSON = "json"


class Result(StrEnum):
    """How games ended, for whoever moved first."""

    FIRST = "first"
    SECOND = "second"
    DRAW = "draw"


FOR_FIRST = {Result.FIRST: 1, Result.SECOND: -1, Result.DRAW: 0}


games = typer.Typer(
    name="games",
    help="List, show, export and import the games that are kept.",
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

games.command(epilog="\b\nExamples:\n" + "\n".join(f"  {line}" for line in games_check.EXAMPLES.split("\n")))(
    games_check.check
)

Of = Annotated[
    int | None,
    typer.Option(
        "--tournament",
        "-t",
        metavar="ID",
        parser=options.id_number,
        show_default=False,
        help="Those of one tournament or match.",
    ),
]
Agent = Annotated[
    str | None,
    typer.Option(
        "--agent",
        "-a",
        metavar="SPEC",
        show_default=False,
        autocompletion=options.complete_agent,
        help="Those of an agent whose name has this in it, on whichever seat.",
    ),
]
OfGame = Annotated[
    str | None,
    typer.Option(
        "--game",
        "-g",
        metavar="GAME",
        show_default=False,
        autocompletion=options.complete_game,
        help="Those of a game whose name has this in it.",
    ),
]
Ended = Annotated[
    Result | None, typer.Option(show_default=False, help="Those won by who moved first, or second, or drawn.")
]
Faults = Annotated[bool, typer.Option("--faults", show_default=False, help="Those lost by a fault of an agent.")]
Id = Annotated[
    int,
    typer.Argument(
        metavar="ID",
        parser=options.game_number,
        show_default=False,
        help="The game as 'nimtui games list' calls it, 31:62, or its long number.",
    ),
]


@games.command("list", epilog=_examples("list"))
def list_games(
    tournament: Of = None,
    agent: Agent = None,
    game: OfGame = None,
    result: Ended = None,
    faults: Faults = False,
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", min=1, max=MOST_LISTED, help="At most so many, the newest.")
    ] = USUAL_LIMIT,
    json: options.Json = False,
) -> None:
    """List kept games, the newest first."""
    from itertools import islice

    from nimtui.cli import output, saved_games
    from nimtui.cli.saving import open_database
    from nimtui.store import tournaments

    own_files()
    with closing(open_database()) as database:
        asked = _asked(database, tournament, agent, game, result, faults)
        found = list(islice(_found(database, asked), limit))
        number = tournaments.count(database, **asked)
    if json:
        output.document({"games": [saved_games.game_document(info) for info in found], "of_games": number})
        return
    if not found:
        output.say("no such game is kept" if asked else "no game is kept yet")
        return
    output.columns(saved_games.LIST_HEAD, map(saved_games.list_cells, found), left=saved_games.LIST_WORDS, gap=2)
    if any(any(info.row.chances) for info in found):
        output.say("")
        output.paragraph(f"{saved_games.MISTAKES}, by the first and by the second.")
    if number > len(found):
        output.say("")
        output.paragraph(f"{len(found):,} of {number:,} games: --limit shows more, 'nimtui games show ID' one")


@games.command(epilog=_examples("show"))
def show(id: Id, json: options.Json = False) -> None:
    """Print a kept game move by move, with what perfect play says of it."""
    from nimtui.cli import game_text, output, saved_games
    from nimtui.cli.bar import Bar
    from nimtui.cli.saving import open_database
    from nimtui.store import tournaments

    own_files()
    with closing(open_database()) as database, Bar("game") as bar:
        info = tournaments.game(database, id)
        keys = saved_games.game_document(info)
        codes, rows, why = saved_games.codes(info), None, ""
        try:
            game = saved_games.game_of(info.game)
            rows = game_text.rows_of(game, codes, info.row.opening, saved_games.seats(info), bar)
        except InputError as fault:  # a game of one's own that is gone or has changed, or a damaged row
            why = str(fault)
    if json:
        output.document({**keys, "moves": rows} | ({"codes": codes, "unreadable": why} if rows is None else {}))
        return
    if rows is None:
        output.say(info.game, style="bold")
        output.say(*saved_games.heading_lines(info, keys), "")
        output.paragraph(" ".join(f"#{code}" for code in codes))
        output.paragraph(f"The moves are shown as codes: {why}")
    else:
        output.heading(game)
        output.say(*saved_games.heading_lines(info, keys), "")
        game_text.show(rows)
    output.say("", saved_games.end_text(keys))


@games.command(epilog=_examples("export"))
def export(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", show_default=False, help="Where to write them. To stdout if nothing is said."),
    ] = None,
    tournament: Of = None,
    agent: Agent = None,
    game: OfGame = None,
    result: Ended = None,
    faults: Faults = False,
    format: Annotated[
        Format | None,
        typer.Option(
            show_default=False,
            help="text can be read back. By the end of FILE's name if nothing is said, else text.",
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", show_default=False, help="Replace a file that is there already.")
    ] = False,
) -> None:
    """Write kept games, the oldest first, for people and for other programs."""
    from nimtui.cli import output, saved_games
    from nimtui.cli.bar import Bar
    from nimtui.cli.saving import open_database
    from nimtui.store import files, tournaments

    if file is not None:
        check_new(file, None, force)
    if format is None:
        format = {".csv": Format.CSV, ".json": Format.JSON}.get(file.suffix.lower() if file else "", Format.TEXT)
    write = {
        Format.TEXT: saved_games.write_text,
        Format.CSV: saved_games.write_csv,
        Format.JSON: saved_games.write_json,
    }[format]
    own_files()
    with closing(open_database()) as database, Bar("export", shown=file is not None or not sys.stdout.isatty()) as bar:
        asked = _asked(database, tournament, agent, game, result, faults)
        total = tournaments.count(database, **asked)
        if not total:
            raise InputError("no such game is kept" if asked else "no game is kept yet")
        found = saved_games.reporting(_found(database, asked, oldest_first=True), total, bar)
        seeds = _seeds(database)
        if file is None:
            write(found, seeds, output.export())
        else:
            files.replace(file, lambda out: encoded(out, lambda text: write(found, seeds, text)))
        if database.faults:  # damaged games were left out, which was said
            raise typer.Exit(1)


@games.command("import", epilog=_examples("import"))
def import_games(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", show_default=False, help=IMPORTED),
    ],
    json: options.Json = False,
) -> None:
    """Read games from a text and keep each as a game of its own, those left out that are there already.

    When a game was played stays as the text says; the tournament it is from becomes its name where it has none.
    Nothing is kept where a line is wrong.
    """
    from nimtui.arena.transcript_reader import read_lines
    from nimtui.cli import output, saved_games
    from nimtui.cli.bar import Bar
    from nimtui.cli.saving import open_database
    from nimtui.store.imports import keep_new
    from nimtui.store.rows import short_id

    own_files()
    name = "stdin" if str(file) == "-" else str(file)
    with Bar("import") as bar:
        with naming(name), _opened(file) as lines:
            read = []
            for game in read_lines(lines):
                read.append(game)
                bar.report(len(read), 0, "reading")
        if not read:
            raise InputError(f"{name} holds no game")
        with closing(open_database()) as database:
            new = list(map(saved_games.imported_game, read))
            found = keep_new(database, new, lambda done: bar.report(done, len(read), "keeping"))
    ids = [id for id in found if id is not None]
    there = len(found) - len(ids)
    if json:
        output.document({"games": len(ids), "already": there, "ids": ids})
        return
    said = ["1 game kept" if len(ids) == 1 else f"{len(ids):,} games kept"]
    if there:
        said.append("1 was there already" if there == 1 else f"{there:,} were there already")
    shows = f": 'nimtui games show {short_id(ids[-1])}' shows the last one" if ids else ""
    output.paragraph(", ".join(said) + shows)


@contextmanager
def _opened(file: Path) -> Iterator[Iterable[str]]:
    """The lines of a file, or of stdin. InputError where it is no text, or cannot be read."""
    from nimtui.store.errors import system_reason

    try:
        if str(file) == "-":
            yield reading.lines(sys.stdin.buffer)
        else:
            with reading.opened(file, reading.LARGEST_TEXT) as text:
                yield reading.lines(text)
    except OSError as fault:
        raise InputError(system_reason(fault)) from None


@contextmanager
def naming(name: str) -> Iterator[None]:
    """An InputError in here is told with the name of the file."""
    try:
        yield
    except InputError as fault:
        raise InputError(f"{name}: {fault}") from None


def _asked(
    database: Database,
    tournament: int | None,
    agent: str | None,
    game: str | None,
    result: Result | None,
    faults: bool,
) -> dict[str, Any]:
    """What games are wanted, as the store's words; {} for all. StoreError where there is no such tournament."""
    from nimtui.store import tournaments

    if tournament is not None:
        tournaments.info(database, tournament)
    asked = {"tournament": tournament, "agent": agent, "game": _canonical(game), "faults_only": faults or None}
    if result is not None:
        asked["for_first"] = FOR_FIRST[result]
    return {word: value for word, value in asked.items() if value is not None}


def _canonical(game: str | None) -> str | None:
    """The name under which a game is kept; as it is where it is only a part of one."""
    from nimtui.games import parse_game

    try:
        return None if game is None else parse_game(game).name
    except InputError:
        return game


def _found(database: Database, asked: dict[str, Any], oldest_first: bool = False) -> Iterator[GameInfo]:
    """The games that are wanted, page by page."""
    from nimtui.store import tournaments

    place: dict[str, Any] = {"after": 0} if oldest_first else {}
    while True:
        found = tournaments.games(database, **asked, **place, limit=PAGE)
        yield from found
        if len(found) < PAGE:
            return
        place = {"after" if oldest_first else "before": found[-1].id}


def _seeds(database: Database) -> Callable[[int | None], int | None]:
    """Which seed a tournament has; asked for once each."""
    from nimtui.store import tournaments

    @cache
    def seed(tournament: int | None) -> int | None:
        found = None if tournament is None else tournaments.info(database, tournament).document.get("seed")
        return found if isinstance(found, int) else None

    return seed
