"""`nimtui games`: lists, shows, exports and imports the saved games."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated

import typer

from nimtui.cli import completion, games_check, games_export, games_filter, options
from nimtui.cli.names import own_files
from nimtui.errors import LONGEST_WORD, InputError, shortened
from nimtui.foreign import reading
from nimtui.store.game_ids import GameId

IMPORTED = (
    "A text file that 'nimtui games export' wrote, a text or JSON file of 'nimtui tournaments export', or - for stdin."
    f" At most {reading.size(reading.LARGEST_TEXT)}, {reading.size(reading.LONGEST_LINE)} per line."
)
USUAL_LIMIT = 20

EXAMPLES = {
    "list": """\
nimtui games list --tournament 3
nimtui games list --agent mcts --result first --limit 50
nimtui games list --faults --json""",
    "show": """\
nimtui games show 3:7
nimtui games show 3:7 --json""",
    "export": games_export.EXAMPLES,
    "import": """\
nimtui games import games.txt
nimtui games import - < games.txt""",
}


def _examples(command: str) -> str:
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in EXAMPLES[command].split("\n"))


games = typer.Typer(
    name="games",
    help="List, show, export, import and check saved games.",
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

games.command(epilog="\b\nExamples:\n" + "\n".join(f"  {line}" for line in games_check.EXAMPLES.split("\n")))(
    games_check.check
)

Id = Annotated[
    GameId,
    typer.Argument(
        metavar="ID",
        parser=options.game_id,
        autocompletion=completion.saved_games,
        show_default=False,
        help="The game's ID in 'nimtui games list', for example 31:62: game 62 of pairing 31. 31 is enough for a"
        " single game.",
    ),
]


@games.command("list", epilog=_examples("list"))
def list_games(
    tournament: games_filter.Of = None,
    agent: games_filter.Agent = None,
    game: games_filter.OfGame = None,
    result: games_filter.Ended = None,
    faults: games_filter.Faults = False,
    limit: Annotated[
        int,
        typer.Option(
            "--limit", metavar="N", parser=options.limit_number, help="Number of games to list, the newest first."
        ),
    ] = USUAL_LIMIT,
    json: options.Json = False,
) -> None:
    """List saved games, the newest first."""
    from itertools import islice

    from nimtui.arena.figures import MISTAKES
    from nimtui.cli import output, saved_games
    from nimtui.cli.saving import open_database
    from nimtui.store import tournaments

    own_files()
    with closing(open_database()) as database:
        asked = games_filter.asked(database, tournament, agent, game, result, faults)
        found = list(islice(games_filter.found(database, asked), limit))
        number = tournaments.count(database, **asked)
    if json:
        output.document({"games": [saved_games.game_document(info) for info in found], "of_games": number})
        return
    if not found:
        output.say("no saved game matches" if asked else "no games saved yet")
        return
    output.columns(saved_games.LIST_HEAD, map(saved_games.list_cells, found), left=saved_games.LIST_WORDS, gap=2)
    if any(any(info.row.chances) for info in found):
        output.say("")
        output.paragraph(f"{MISTAKES}. Both columns: of the first and of the second player.")
    if number > len(found):
        output.say("")
        output.paragraph(f"{len(found):,} of {number:,} games. --limit lists more, 'nimtui games show ID' shows one.")


@games.command(epilog=_examples("show"))
def show(
    id: Id,
    estimate: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            show_default=False,
            autocompletion=completion.agents,
            help="Also draw what this agent expects after each move, e.g. mcts:simulations=2000.",
        ),
    ] = None,
    seed: options.Seed = 0,
    json: options.Json = False,
) -> None:
    """Print a saved game move by move, with its mistakes and its turning point.

    The value history has a line per move, lost and won to the left and right of a middle line: the exact value as a
    bar, and what the player expected of the move if that was saved.
    """
    from nimtui.cli import game_text, output, saved_games
    from nimtui.cli.bar import Bar
    from nimtui.cli.saving import open_database
    from nimtui.documents.game import document, estimated
    from nimtui.store import tournaments

    own_files()
    with closing(open_database()) as database, Bar("game") as bar:
        [info] = tournaments.with_beliefs(database, [tournaments.find_game(database, id)])
        keys = saved_games.game_document(info)
        codes, text, why = saved_games.codes(info), None, ""
        try:
            game = saved_games.game_of(info.game)
            text = saved_games.game_text(info, game, bar)
        except InputError as fault:  # an own game that is missing or has changed, or a damaged row
            why = str(fault)
        if text is not None and estimate is not None:
            text = estimated(text, estimate, seed, bar)
    if json:
        if text is None:
            output.document({**keys, "moves": None, "codes": codes, "unreadable": why})
        else:
            output.document({**keys, "moves": text.rows, **document(text)})
        return
    if text is None:
        output.say(info.game, style="bold")
        output.say(*saved_games.heading_lines(info, keys), "")
        output.paragraph(" ".join(f"#{code}" for code in codes))
        output.paragraph(f"The moves are shown as codes: {why}")
    else:
        output.heading(game)
        output.say(*saved_games.heading_lines(info, keys), "")
        game_text.show(text)
    output.say("", saved_games.end_text(keys))


games.command(epilog=_examples("export"))(games_export.export)


@games.command("import", epilog=_examples("import"))
def import_games(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", parser=options.file_name, show_default=False, help=IMPORTED),
    ],
    json: options.Json = False,
) -> None:
    """Import games from a file.

    Skips games that are saved already. Each game keeps its date. A whole tournament comes back with its standings;
    other games become single games, named after their tournament. If a line is wrong, nothing is imported.
    """
    from nimtui.arena import game_import
    from nimtui.cli import output
    from nimtui.cli.bar import Bar
    from nimtui.cli.saving import open_database

    own_files()
    name = "stdin" if str(file) == "-" else str(file)
    with Bar("import") as bar:
        with naming(name), _opened(file) as lines:
            given = game_import.read(lines, bar)
        with closing(open_database()) as database:
            found = game_import.save(database, given, bar)
    if json:
        numbers = [number for number, _ in found.tournaments]
        output.document({"games": found.games, "already": found.already, "ids": found.ids, "tournaments": numbers})
        return
    shows = f". 'nimtui games show {found.ids[-1]}' shows the last one." if found.ids else ""
    output.paragraph(found.text + shows)


@contextmanager
def _opened(file: Path) -> Iterator[Iterable[str]]:
    """Give the lines of a file, or of stdin for '-'. Raises InputError if it is unreadable or not text."""
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
    """Put the name of the file before the message of an InputError."""
    try:
        yield
    except InputError as fault:
        raise InputError(f"{shortened(name, LONGEST_WORD)}: {fault}") from None
