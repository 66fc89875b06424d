"""`nimtui tournaments`: lists, shows, exports, renames and deletes saved tournaments and matches."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nimtui.cli import options, tournaments_extend
from nimtui.cli.files import check_new, encoded, format_of
from nimtui.cli.names import own_files
from nimtui.errors import InputError

if TYPE_CHECKING:
    from nimtui.store.database import Database
    from nimtui.store.rows import TournamentInfo

USUAL_LIMIT = 20
HEAD = ("tournament", "state", "games", "changed", "", "agents", "name")
WORDS = (1, 3, 4, 5, 6)  # columns of words
SETTINGS = {  # as in the plan, and as in the document of `nimtui tournament --json`
    "games": "game_names",
    "agents": "agents",
    "pairs": "pairs",
    "number": "games_a_pairing",
    "openings": "openings",
    "seed": "seed",
    "sprt": "sprt",
}

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
    "extend": tournaments_extend.EXAMPLES,
}


def _examples(command: str) -> str:
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in EXAMPLES[command].split("\n"))


tournaments = typer.Typer(
    name="tournaments",
    help="List, show, export and change saved tournaments.",
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

Id = tournaments_extend.Id


@tournaments.command("list", epilog=_examples("list"))
def list_tournaments(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WORD]...", show_default=False, help="Only tournaments with all these words in name or settings."
        ),
    ] = None,
    limit: Annotated[
        int,
        typer.Option(
            "--limit", metavar="N", parser=options.limit_number, help="Number of tournaments to list, the newest first."
        ),
    ] = USUAL_LIMIT,
    json: options.Json = False,
) -> None:
    """List saved tournaments and matches, the newest first."""
    from nimtui.cli import output
    from nimtui.cli.saving import open_database
    from nimtui.store import tournaments as store

    text = " ".join(words or ())
    with closing(open_database()) as database:
        every = store.tournaments(database, text=text)
    found = every[:limit]
    if json:
        output.document({"tournaments": list(map(_keys, found)), "of_tournaments": len(every)})
        return
    if not found:
        output.say("no saved tournament matches" if text else "no tournaments saved yet")
        return
    output.columns(HEAD, map(_cells, found), left=WORDS, gap=2)
    if len(every) > len(found):
        output.say("")
        output.paragraph(f"{len(found):,} of {len(every):,} tournaments. --limit lists more.")


def _keys(info: TournamentInfo) -> dict[str, Any]:
    """Return a tournament's JSON keys. Settings of a damaged tournament are null."""
    from nimtui.foreign.values import utc

    settings = {name: info.document.get(key) for key, name in SETTINGS.items()}
    dates = {key: None if (said := utc(when)) is None else f"{said}+00:00" for key, when in _dates(info)}
    return {
        "id": info.id,
        "kind": info.kind,
        "name": info.name or None,
        "state": info.state,
        "played": info.played,
        "total": info.total,
        "seconds": info.seconds,
        **dates,
        **settings,
    }


def _dates(info: TournamentInfo) -> tuple[tuple[str, float], ...]:
    return ("made", info.made), ("changed", info.changed)


def _cells(info: TournamentInfo) -> list[str]:
    """Return a line of the list."""
    from nimtui.foreign.values import fit_texts, moment

    of = f"{info.played:,}" if info.played == info.total else f"{info.played:,} of {info.total:,}"
    games, agents = (", ".join(fit_texts(info.document.get(key))) for key in ("games", "agents"))
    kind = "" if info.kind == "tournament" else f" {info.kind}"
    return [str(info.id), info.state + kind, of, moment(info.changed), games, agents, info.name]


@tournaments.command(epilog=_examples("show"))
def show(id: Id, json: options.Json = False) -> None:
    """Print the report of a saved tournament: standings, crosstable, intervals, verdicts.

    The report is the one that 'nimtui tournament' prints at its end. Plays nothing."""
    from nimtui.arena.standings import remark
    from nimtui.cli import output
    from nimtui.cli import tournament_report as report
    from nimtui.cli.bar import Bar
    from nimtui.cli.saving import open_database
    from nimtui.documents.tournament import document
    from nimtui.jobs.stopped_tournament import StoppedTournament

    own_files()
    with closing(open_database()) as database, Bar("tournament") as bar, output.others_silent():
        not_deleted(database, id)
        found = StoppedTournament(database, id)
        if not found.view.done:
            raise InputError(f"{found.info.kind} {id} has no games yet: nimtui tournament --resume {id} plays them")
        remarks = remark(found.plan, bar)
    if json:
        output.document({**document(found.view), "theory": remarks, "id": id, "saved_games": found.info.played})
        return
    report.show(found.view, remarks, found.view.seconds)
    more = "" if found.view.finished else f". Resume: nimtui tournament --resume {id}"
    output.paragraph(f"saved as {found.info.kind} {id}: nimtui games list --tournament {id}{more}")


@tournaments.command(epilog=_examples("export"))
def export(
    id: Id,
    to: Annotated[
        Path,
        options.file_option(
            "to", "Output file: .csv for the standings, .json for these and every game, .txt for every game."
        ),
    ],
    force: Annotated[bool, typer.Option("--force", show_default=False, help="Overwrite an existing file.")] = False,
) -> None:
    """Write a tournament to a file; the extension sets the format.

    CSV: the standings, one line per agent. JSON: settings, standings, the results of every pairing, and every game.
    TXT: every game. 'nimtui games import' reads JSON and TXT back, as the same tournament."""
    from nimtui.arena import tournament_files
    from nimtui.cli.bar import Bar
    from nimtui.cli.saving import open_database
    from nimtui.store import files

    format_of(to, tournament_files.FORMATS)
    check_new(to, None, force)
    own_files()
    with closing(open_database()) as database, Bar("export") as bar:
        not_deleted(database, id)
        write = tournament_files.writer(database, id, to.suffix.lower(), bar)
        files.replace(to, lambda out: encoded(out, write))
        if database.faults:  # damaged games were left out and reported
            raise typer.Exit(1)


@tournaments.command(epilog=_examples("rename"))
def rename(
    id: Id,
    name: Annotated[str, typer.Argument(metavar="NAME", show_default=False, help='The new name; "" removes it.')],
) -> None:
    """Rename a tournament."""
    from nimtui.cli import output
    from nimtui.cli.saving import open_database
    from nimtui.foreign import values
    from nimtui.store import tournaments as store

    wanted = values.name(name, "the name") if name.strip() else ""
    with closing(open_database()) as database:
        kind = not_deleted(database, id).kind
        store.rename(database, id, wanted)
    output.say(f'{kind} {id} is now named "{wanted}"' if wanted else f"{kind} {id} has no name now")


@tournaments.command(epilog=_examples("delete"))
def delete(
    id: Id,
    yes: Annotated[bool, typer.Option("--yes", "-y", show_default=False, help="Delete without asking.")] = False,
) -> None:
    """Delete a tournament and its games. The Library restores them within 30 days."""
    from nimtui.cli import output
    from nimtui.cli.saving import open_database
    from nimtui.store import tournaments as store
    from nimtui.store.deletion import LASTING

    with closing(open_database()) as database:
        found = not_deleted(database, id)
        called = f"{found.kind} {id} with {_games(found)}"
        if not yes:
            if not sys.stdin.isatty():
                raise InputError(f"--yes deletes {called} without asking")
            if not typer.confirm(f"Delete {called}?", err=True):
                output.say("nothing deleted")
                return
        store.delete(database, id)
    output.paragraph(f"deleted {called}. For {LASTING:.0f} days, u in the Library (F6) restores it.")


def not_deleted(database: Database, id: int) -> TournamentInfo:
    """Return a saved tournament. Raises StoreError if it does not exist, InputError if it was deleted."""
    from nimtui.store import tournaments as store

    found = store.info(database, id)
    if found.deleted:
        raise InputError(f"{found.kind} {id} was deleted: u in the Library (F6) restores what was deleted last")
    return found


def _games(info: TournamentInfo) -> str:
    from nimtui.arena.figures import games_text

    return games_text(info.played)


tournaments.command(epilog=_examples("extend"))(tournaments_extend.extend)
