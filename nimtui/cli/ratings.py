"""`nimtui ratings`: rates the agents of several saved tournaments as one pool."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from math import isfinite
from typing import TYPE_CHECKING, Annotated

import typer

from nimtui.cli import completion, options, output
from nimtui.cli.bar import Bar
from nimtui.cli.names import own_files
from nimtui.cli.saving import open_database
from nimtui.errors import InputError, invalid, unknown
from nimtui.store.rows import TournamentInfo

if TYPE_CHECKING:
    from nimtui.arena.rating.ratings import Anchor
    from nimtui.arena.standings.pool import Gathered
    from nimtui.store.database import Database

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
            infos, named = _of_one_game(infos, named)
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
    from nimtui.store import tournaments

    if ids:
        infos = [tournaments.info(database, id) for id in dict.fromkeys(ids)]
        if deleted := [info.id for info in infos if info.deleted]:
            raise InputError(f"tournament {deleted[0]} was deleted: restore it first")
        return infos
    infos = [info for info in reversed(tournaments.tournaments(database)) if info.played]
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


def _of_one_game(found: list[TournamentInfo], game: str | None) -> tuple[list[TournamentInfo], str | None]:
    """Return the tournaments that play the game, and the game. InputError if they play several and none was chosen."""
    counts = Counter(name for info in found for name in _games(info))
    if game is None and len(counts) > 1:
        listed = ", ".join(f"{name} ({times})" for name, times in counts.most_common())
        raise InputError(f"the saved tournaments play several games: choose one with --game. Games: {listed}")
    return [info for info in found if game is None or game in _games(info)], game


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
