"""`nimtui tournaments`: lists, shows, exports, renames and deletes saved tournaments and matches.

`nimtui ratings`: rates the agents of several saved tournaments as one pool.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nimtui.cli import completion, options, output
from nimtui.cli.bar import Bar
from nimtui.cli.names import own_files
from nimtui.cli.output import check_new, format_of
from nimtui.cli.saving import Saving, open_database
from nimtui.errors import InputError, invalid, unknown
from nimtui.foreign import values
from nimtui.report.values import Named
from nimtui.store import files
from nimtui.store import tournaments as store
from nimtui.store.rows import TournamentInfo

if TYPE_CHECKING:
    from nimtui.arena.rating.ratings import Anchor
    from nimtui.arena.standings.pool import Gathered
    from nimtui.store.database import Database

tournaments = options.group("tournaments", "List, show, export and change saved tournaments.")

Id = Annotated[
    int,
    options.argument(
        "ID", "The tournament's number in 'nimtui tournaments list'.", options.id_number, completion.tournaments
    ),
]


@options.command(tournaments, "list")
@options.examples("""\
nimtui tournaments list
nimtui tournaments list tower --limit 5 --json""")
def list_tournaments(
    words: Annotated[
        list[str] | None, options.argument("[WORD]...", "Only tournaments with all these words in name or settings.")
    ] = None,
    limit: Annotated[int, options.limit_option("tournaments")] = options.USUAL_LIMIT,
    json: options.Json = False,
) -> None:
    """List saved tournaments and matches, the newest first."""
    from nimtui.arena.standings import games_report

    text = " ".join(words or ())
    with closing(open_database()) as database:
        every = store.tournaments(database, text=text)
    output.report(games_report.tournaments(every, limit, bool(text)), json)


@options.command(tournaments)
@options.examples("""\
nimtui tournaments show 3
nimtui tournaments show 3 --json""")
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


@options.command(tournaments)
@options.examples("""\
nimtui tournaments export 3 --to standings.csv
nimtui tournaments export 3 --to games.txt""")
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
    check_new(to, force)
    own_files()
    with closing(open_database()) as database, Bar("export") as bar:
        not_deleted(database, id)
        write = games_report.writer(database, id, games_report.ending_of(to), bar)
        files.replace_text(to, write)
        if database.faults:  # damaged games were left out and reported
            raise typer.Exit(1)


@options.command(tournaments)
@options.examples("""\
nimtui tournaments rename 3 margins
nimtui tournaments rename 3 \"\"               remove the name""")
def rename(id: Id, name: Annotated[str, options.argument("NAME", 'The new name; "" removes it.')]) -> None:
    """Rename a tournament."""
    wanted = values.name(name, "the name") if name.strip() else ""
    with closing(open_database()) as database:
        kind = not_deleted(database, id).kind
        store.rename(database, id, wanted)
    output.say(f'{kind} {id} is now named "{wanted}"' if wanted else f"{kind} {id} has no name now")


@options.command(tournaments)
@options.examples("""\
nimtui tournaments delete 3
nimtui tournaments delete 3 --yes""")
def delete(id: Id, yes: Annotated[bool, options.flag("--yes -y", "Delete without asking.")] = False) -> None:
    """Delete a tournament and its games. The Library restores them within 30 days."""
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


@options.command(tournaments)
@options.examples("""\
nimtui tournaments extend 3 --games 500
nimtui tournaments extend 3 --agent mcts:simulations=200""")
def extend(
    id: Id,
    games: Annotated[int | None, options.games_option("Number of games to add to each pairing.")] = None,
    agent: Annotated[
        list[str] | None,
        options.agent_option(
            "An agent to add, against all others; in a gauntlet, against the first. Repeat for each agent."
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
    info = store.info(database, id)
    if info.deleted:
        raise InputError(f"{info.kind} {id} was deleted: u in the Library (F6) restores what was deleted last")
    return info


FARTHEST = 100_000  # Elo of an anchor, at most
NUMBER = re.compile(r"[+-]?\d+(\.\d*)?|[+-]?\.\d+", re.ASCII)


@options.examples("""\
nimtui ratings
nimtui ratings 3 5 --anchor perfect=0
nimtui ratings --game tower:16 --json""")
def ratings(
    id: Annotated[
        list[int] | None,
        options.argument(
            "ID",
            "Numbers of saved tournaments and matches, as in the Library. [default: all of one game]",
            parser=options.id_number,
            complete=completion.tournaments,
        ),
    ] = None,
    anchor: Annotated[
        str | None,
        options.option(
            "", "AGENT=ELO", "Count ratings from this agent, e.g. perfect=0. [default: the agents' mean is 0]"
        ),
    ] = None,
    game: Annotated[str | None, options.filter_option("Only results in this game.")] = None,
    json: options.Json = False,
) -> None:
    """Rate the agents of several saved tournaments together.

    All results are one pool, as if they were one tournament. Games that two tournaments share count once: the same
    seed plays the same games. Agents that met none of the others get no rating.

    Without numbers, rates all tournaments and matches of one game; --game chooses it if there are several. With
    numbers, different games may be in one pool: the report says so.
    """
    from nimtui.arena.standings.pool import gather, rated
    from nimtui.arena.standings.standings_report import ratings as report

    own_files()
    reference = _anchor_text(anchor)
    with closing(open_database()) as database:
        infos = _tournaments(database, id or [])
        named = _game(game, infos)
        if not id:
            infos = _of_one_game(infos, named)
        with Bar("ratings") as bar:
            gathered = gather(database, infos, named, bar)
        if not gathered.saved.played:
            of = f" of {named}" if named is not None else ""
            raise InputError(f"these tournaments have no finished game{of}")
        output.report(report(rated(gathered, _anchor(reference, gathered))), json)
        if database.faults:  # damaged games were left out and reported
            raise typer.Exit(1)


def _tournaments(database: Database, ids: Sequence[int]) -> list[TournamentInfo]:
    """Return these tournaments, or all that have finished games, by their numbers. StoreError if one is missing."""
    if ids:
        infos = [store.info(database, id) for id in dict.fromkeys(ids)]
        if deleted := [info.id for info in infos if info.deleted]:
            raise InputError(f"tournament {deleted[0]} was deleted: restore it first")
        return infos
    infos = [info for info in reversed(store.tournaments(database)) if info.played]
    if not infos:
        raise InputError("no saved tournament has finished games: play one with nimtui tournament")
    return infos


def _games(info: TournamentInfo) -> list[str]:
    games = info.document.get("games")
    return [str(name) for name in games] if isinstance(games, list) else []


def _game(text: str | None, found: Sequence[TournamentInfo]) -> str | None:
    """Return the canonical name of the game. InputError if no tournament plays it."""
    from nimtui.games import parse_game

    if text is None:
        return None
    names = list(dict.fromkeys(name for info in found for name in _games(info)))
    canonical = text if text in names else parse_game(text).name  # a game that is missing here, too
    if canonical not in names:
        raise unknown("game of saved tournaments", canonical, names)
    return canonical


def _of_one_game(found: list[TournamentInfo], game: str | None) -> list[TournamentInfo]:
    """Return the tournaments that play the game. Raises InputError if they play several and none was chosen."""
    counts = Counter(name for info in found for name in _games(info))
    if game is None and len(counts) > 1:
        listed = ", ".join(f"{name} ({times})" for name, times in counts.most_common())
        raise InputError(f"the saved tournaments play several games: choose one with --game. Games: {listed}")
    return [info for info in found if game is None or game in _games(info)]


def _anchor_text(text: str | None) -> tuple[str, float] | None:
    """Return the name and the Elo of 'perfect=0'; a name may contain '='. InputError for anything else."""
    if text is None:
        return None
    name, _, number = text.rpartition("=")
    number = number.strip().replace("−", "-")
    if not name.strip() or not NUMBER.fullmatch(number):
        raise invalid("anchor", text, "expected AGENT=ELO, for example perfect=0")
    elo = float(number)
    if not isfinite(elo) or abs(elo) > FARTHEST:
        raise InputError(f"the Elo of an anchor must be from −{FARTHEST:,} to {FARTHEST:,}, not {number}")
    return name.strip(), elo


def _anchor(asked: tuple[str, float] | None, gathered: Gathered) -> Anchor | None:
    from nimtui.arena.rating.ratings import Anchor
    from nimtui.arena.standings.pool import find_agent

    return None if asked is None else Anchor(find_agent(asked[0], gathered), asked[1])
