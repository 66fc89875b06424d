"""`nimtui tournaments`: lists, shows, exports, renames and deletes saved tournaments and matches."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nimtui.cli import completion, options, output
from nimtui.cli.bar import Bar
from nimtui.cli.names import own_files
from nimtui.cli.output import check_new, format_of
from nimtui.cli.saving import Saving, open_database
from nimtui.errors import InputError
from nimtui.foreign import values
from nimtui.report.values import Named
from nimtui.store import files
from nimtui.store.rows import TournamentInfo

if TYPE_CHECKING:
    from nimtui.store.database import Database

USUAL_LIMIT = 20

EXAMPLES = {
    "list": """\
nimtui tournaments list
nimtui tournaments list tower --limit 5 --json""",
    "show": """\
nimtui tournaments show 3
nimtui tournaments show 3 --json""",
    "export": """\
nimtui tournaments export 3 --to standings.csv
nimtui tournaments export 3 --to games.txt""",
    "rename": """\
nimtui tournaments rename 3 margins
nimtui tournaments rename 3 \"\"               remove the name""",
    "delete": """\
nimtui tournaments delete 3
nimtui tournaments delete 3 --yes""",
    "extend": """\
nimtui tournaments extend 3 --games 500
nimtui tournaments extend 3 --agent mcts:simulations=200""",
}


tournaments = options.group("tournaments", "List, show, export and change saved tournaments.")

Id = Annotated[
    int,
    options.argument(
        "ID", "The tournament's number in 'nimtui tournaments list'.", options.id_number, completion.tournaments
    ),
]


@tournaments.command("list", epilog=options.epilog(EXAMPLES["list"]))
def list_tournaments(
    words: Annotated[
        list[str] | None,
        options.argument("[WORD]...", "Only tournaments with all these words in name or settings."),
    ] = None,
    limit: Annotated[
        int,
        options.option(
            "--limit",
            "N",
            "Number of tournaments to list, the newest first.",
            parser=options.limit_number,
            default=True,
        ),
    ] = USUAL_LIMIT,
    json: options.Json = False,
) -> None:
    """List saved tournaments and matches, the newest first."""
    from nimtui.arena.standings import games_report
    from nimtui.store import tournaments as store

    text = " ".join(words or ())
    with closing(open_database()) as database:
        every = store.tournaments(database, text=text)
    output.report(games_report.tournaments(every, limit, bool(text)), json)


@tournaments.command(epilog=options.epilog(EXAMPLES["show"]))
def show(id: Id, json: options.Json = False) -> None:
    """Print the report of a saved tournament: standings, crosstable, intervals, verdicts.

    The report is the one that 'nimtui tournament' prints at its end. Plays nothing."""
    from nimtui.agents.program import changes
    from nimtui.arena.standings.standings import remark
    from nimtui.jobs.tournament import StoppedTournament
    from nimtui.jobs.tournament_report import tournament as report

    own_files()
    with closing(open_database()) as database, Bar("tournament") as bar, output.others_silent():
        not_deleted(database, id)
        tournament = StoppedTournament(database, id)
        if not tournament.view.done:
            raise InputError(
                f"{tournament.info.kind} {id} has no games yet: nimtui tournament --resume {id} plays them"
            )
        remarks = remark(tournament.plan, bar)
    keys = {"id": id, "saved_games": tournament.info.played}
    output.report(report(tournament.view, remarks, tournament.view.seconds), json, keys)
    if json:
        return
    for line in changes(tournament.info.document):
        output.tell(line)
    more = "" if tournament.view.finished else f". Resume: nimtui tournament --resume {id}"
    output.paragraph(f"saved as {tournament.info.kind} {id}: nimtui games list --tournament {id}{more}")


@tournaments.command(epilog=options.epilog(EXAMPLES["export"]))
def export(
    id: Id,
    to: Annotated[
        Path,
        options.file_option(
            "to",
            "Output file: .csv for the standings, -openings.csv for the first moves, .json for the standings and every"
            " game, .txt for every game.",
        ),
    ],
    force: Annotated[bool, options.flag("--force", "Overwrite an existing file.")] = False,
) -> None:
    """Write a tournament to a file; the extension sets the format.

    CSV: the standings, one line per agent; -openings.csv: how often each first move was played and won. JSON:
    settings, standings, the results of every pairing, and every game.
    TXT: every game. 'nimtui games import' reads JSON and TXT back, as the same tournament."""
    from nimtui.arena.standings import games_report

    format_of(to, games_report.FORMATS)
    check_new(to, None, force)
    own_files()
    with closing(open_database()) as database, Bar("export") as bar:
        not_deleted(database, id)
        write = games_report.writer(database, id, games_report.ending_of(to), bar)
        files.replace_text(to, write)
        if database.faults:  # damaged games were left out and reported
            raise typer.Exit(1)


@tournaments.command(epilog=options.epilog(EXAMPLES["rename"]))
def rename(
    id: Id,
    name: Annotated[str, options.argument("NAME", 'The new name; "" removes it.')],
) -> None:
    """Rename a tournament."""
    from nimtui.store import tournaments as store

    wanted = values.name(name, "the name") if name.strip() else ""
    with closing(open_database()) as database:
        kind = not_deleted(database, id).kind
        store.rename(database, id, wanted)
    output.say(f'{kind} {id} is now named "{wanted}"' if wanted else f"{kind} {id} has no name now")


@tournaments.command(epilog=options.epilog(EXAMPLES["delete"]))
def delete(
    id: Id,
    yes: Annotated[bool, options.flag("--yes -y", "Delete without asking.")] = False,
) -> None:
    """Delete a tournament and its games. The Library restores them within 30 days."""
    from nimtui.store import tournaments as store
    from nimtui.store.trash import DAYS

    with closing(open_database()) as database:
        info = not_deleted(database, id)
        called = f"{info.kind} {id} with {Named(info.played, 'game', 'games')}"
        if not yes:
            if not sys.stdin.isatty():
                raise InputError(f"--yes deletes {called} without asking")
            if not typer.confirm(f"Delete {called}?", err=True):
                output.say("nothing deleted")
                return
        store.delete(database, id)
    output.paragraph(f"deleted {called}. For {DAYS} days, u in the Library (F6) restores it.")


@tournaments.command(epilog=options.epilog(EXAMPLES["extend"]))
def extend(
    id: Id,
    games: Annotated[int | None, options.games_option("Number of games to add to each pairing.")] = None,
    agent: Annotated[
        list[str] | None,
        options.agents_option(
            "--agent -a",
            "An agent to add, against all others; in a gauntlet, against the first. Repeat for each agent.",
        ),
    ] = None,
    workers: options.Workers = None,
    scheduler: options.Scheduler = None,
    headless: options.Headless = False,
    json: options.Json = False,
) -> None:
    """Add games or agents to a saved tournament, and play the new games.

    The played games stay. The result is the same as if the tournament had been started with all games, and with the
    added agents as --join. A pairing that a sequential test has ended stays as it is. Ctrl+C stops;
    'nimtui tournament --resume ID' continues.
    """
    from nimtui.cli.tournament import run
    from nimtui.jobs.tournament import Tournament

    if not games and not agent:
        raise InputError("give --games N, --agent SPEC or both: what to add to the tournament")
    options.check_workers(workers, scheduler)
    own_files()
    with closing(Saving()) as keeping:
        keeping.extend(id, games or 0, agent or [])
        plan = keeping.resume(id)
        task = Tournament(plan, keeping.kept, workers, scheduler)
        run(task, keeping, None, live=not (headless or json), json=json)


def not_deleted(database: Database, id: int) -> TournamentInfo:
    """Return a saved tournament. Raises StoreError if it does not exist, InputError if it was deleted."""
    from nimtui.store import tournaments as store

    info = store.info(database, id)
    if info.deleted:
        raise InputError(f"{info.kind} {id} was deleted: u in the Library (F6) restores what was deleted last")
    return info
