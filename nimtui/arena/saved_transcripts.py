"""Saved games as transcripts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import floor
from typing import TYPE_CHECKING

from nimtui.arena.batch import Played
from nimtui.arena.beliefs import of_game
from nimtui.arena.transcript import Transcript

if TYPE_CHECKING:
    from nimtui.agents.belief import Belief
    from nimtui.store.database import Database
    from nimtui.store.rows import GameInfo

PAGE = 1_000  # games per read


def transcripts(database: Database, games: Iterable[GameInfo], whole: bool = False) -> Iterator[Transcript]:
    """Return saved games as transcripts with their seeds. If `whole` tournaments are given, add their plans."""
    from nimtui.arena.game_import import line
    from nimtui.store.tournaments import info, with_beliefs

    seeds: dict[int, int | None] = {}
    for game in with_beliefs(database, games):
        if (number := game.tournament) is None:
            yield transcript(game)
        elif number in seeds:
            yield transcript(game, seeds[number])
        else:
            of = info(database, number)
            seed = of.document.get("seed")
            seeds[number] = seed if isinstance(seed, int) else None
            yield replace(transcript(game, seeds[number]), plan=line(of) if whole else None)


def transcript(info: GameInfo, seed: int | None = None) -> Transcript:
    """Return a saved game as a transcript; `seed` is that of its tournament."""
    kept = info.tournament is not None
    return Transcript(
        info.game,
        info.first,
        info.second,
        Played._make(info.row),
        info.short,
        info.name,
        info.tournament,
        info.pairing if kept else None,
        seed,
        floor(info.ended),
    )


def beliefs_of(database: Database, id: int, plies: int) -> list[Belief | None]:
    """Return the beliefs of a saved game of so many moves; [] if they were not saved. Raise StoreError."""
    from nimtui.store.tournaments import game, with_beliefs

    [info] = with_beliefs(database, [game(database, id)])
    return of_game(info.row.beliefs, plies)


def games_of(database: Database, tournament: int) -> Iterator[GameInfo]:
    """Read the games of a tournament page by page, the oldest first. StoreError if the database cannot be read."""
    from nimtui.store.tournaments import games

    after = 0
    while found := games(database, tournament=tournament, limit=PAGE, after=after):
        yield from found
        after = found[-1].id
