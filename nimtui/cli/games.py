"""`nimtui games`: lists, shows, exports, imports and checks the saved games."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from nimtui.cli import completion, games_export, options, output
from nimtui.cli.bar import Bar
from nimtui.cli.names import own_files
from nimtui.cli.saving import open_database
from nimtui.errors import LONGEST_WORD, InputError, naming, shortened
from nimtui.foreign import reading
from nimtui.report.values import Named, Word
from nimtui.store.errors import StoreError, system_reason
from nimtui.store.rows import GameId

IMPORTED = (
    "A text file that 'nimtui games export' wrote, a text or JSON file of 'nimtui tournaments export', or - for stdin."
    f" At most {reading.size(reading.LARGEST_TEXT)}, {reading.size(reading.LONGEST_LINE)} per line."
)
USUAL_LIMIT = 20
DAMAGED = 1  # the exit status if anything is damaged

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
    "check": """\
nimtui games check
nimtui games check --json""",
}


games = options.group("games", "List, show, export, import and check saved games.")


@games.command(epilog=options.epilog(EXAMPLES["check"]))
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


@games.command("list", epilog=options.epilog(EXAMPLES["list"]))
def list_games(
    tournament: games_export.Of = None,
    agent: games_export.Agent = None,
    game: games_export.OfGame = None,
    result: games_export.Ended = None,
    faults: games_export.Faults = False,
    limit: Annotated[
        int,
        options.option(
            "--limit", "N", "Number of games to list, the newest first.", parser=options.limit_number, default=True
        ),
    ] = USUAL_LIMIT,
    json: options.Json = False,
) -> None:
    """List saved games, the newest first."""
    from nimtui.arena.standings import games_report
    from nimtui.store import tournaments

    own_files()
    with closing(open_database()) as database:
        criteria = games_export.asked(database, tournament, agent, game, result, faults)
        rows = list(islice(games_export.found(database, criteria), limit))
        number = tournaments.count(database, **criteria)
    output.report(games_report.games(rows, number, bool(criteria)), json)


@games.command(epilog=options.epilog(EXAMPLES["show"]))
def show(
    id: Id,
    estimate: Annotated[
        str | None,
        options.agents_option("", "Also draw what this agent expects after each move, e.g. mcts:simulations=2000."),
    ] = None,
    seed: options.Seed = 0,
    json: options.Json = False,
) -> None:
    """Print a saved game move by move, with its mistakes and its turning point.

    The value history has a line per move, lost and won to the left and right of a middle line: the exact value as a
    bar, and what the player expected of the move if that was saved.
    """
    from nimtui.arena.standings import games_report
    from nimtui.store import tournaments

    own_files()
    with closing(open_database()) as database, Bar("game") as bar:
        [info] = tournaments.with_beliefs(database, [tournaments.find_game(database, id)])
        report = games_report.shown(info, bar, estimate, seed)
    output.report(report, json)


games.command(epilog=options.epilog(EXAMPLES["export"]))(games_export.export)


@games.command("import", epilog=options.epilog(EXAMPLES["import"]))
def import_games(
    file: Annotated[
        Path,
        options.argument("FILE", IMPORTED, options.file_name),
    ],
    json: options.Json = False,
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
