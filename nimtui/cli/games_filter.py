"""The options that select saved games, and the games that they select."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

from nimtui.cli import completion, options
from nimtui.errors import InputError

if TYPE_CHECKING:
    from nimtui.store.database import Database
    from nimtui.store.rows import GameInfo

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
