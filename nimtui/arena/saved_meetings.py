"""The results of saved tournaments as the ratings take them. Their agents may be missing here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from nimtui.agents.levels import known_as
from nimtui.arena.meetings import NO_PAIRS, Meeting
from nimtui.arena.openings import START
from nimtui.arena.plan import ONE_SIDED, ORDERED
from nimtui.store import tallies as store

if TYPE_CHECKING:
    from nimtui.store.database import Database
    from nimtui.store.tallies import Tally


class Source(NamedTuple):
    """Where the games of a meeting come from. Games with equal `terms` have the same openings and random numbers."""

    tournament: int
    pairing: int  # its number in the tournament
    game: str
    openings: str
    seed: object  # as saved
    limits: tuple[object, object]  # seconds per move, per game
    terms: tuple[object, ...]  # all that a game depends on, except its number
    tallies: tuple[Tally, ...]


@dataclass(frozen=True, eq=False)
class SavedMeetings:
    """Agents as entered, what they scored, and where each meeting comes from."""

    agents: tuple[str, ...]
    meetings: tuple[Meeting, ...]
    sources: tuple[Source, ...]  # of each meeting

    @property
    def tallies(self) -> tuple[Tally, ...]:
        return tuple(tally for source in self.sources for tally in source.tallies)

    @property
    def played(self) -> int:
        """Return the number of games."""
        return sum(meeting.played for meeting in self.meetings)


def read(db: Database, tournament: int, document: Mapping[str, Any], game: str | None = None) -> SavedMeetings:
    """Return the results of this tournament, or of one game in it; `document` is its plan.

    StoreError if the database cannot be read.
    """
    found = store.tallies(db, tournament)
    known = known_as(document)
    found = [
        one._replace(first=known.get(one.first, one.first), second=known.get(one.second, one.second)) for one in found
    ]
    entered = [known.get(str(name), str(name)) for name in document.get("agents") or []]
    names = tuple(dict.fromkeys([*entered, *(name for one in found for name in (one.first, one.second))]))
    kind, seed = str(document.get("openings", START)), document.get("seed")
    alternate = document.get("pairs") not in (ORDERED, ONE_SIDED)
    limits = document.get("move_time"), document.get("game_time", 0.0)
    pairs = store.pairs(db, tournament)
    results = store.results(db, tournament) if kind != START else {}
    meetings, sources = [], []
    for number, group in groupby(found, lambda one: one.pairing):
        own = tuple(group)
        if game not in (None, own[0].game):
            continue
        counts = [[0, 0], [0, 0], [0, 0]]
        for one in own:
            for sums, value in zip(counts, (one.wins, one.draws, one.losses), strict=True):
                sums[one.opener] += value
        won, drawn, lost = ((row[0], row[1]) for row in counts)
        row = np.frombuffer(results[number], np.int8) if number in results else None
        two = names.index(own[0].first), names.index(own[0].second)
        meetings.append(Meeting(*two, won, drawn, lost, pairs.get(number, NO_PAIRS), None, row, alternate))
        terms = (own[0].game, own[0].first, own[0].second, kind, seed, number, alternate, *limits)
        sources.append(Source(tournament, number, own[0].game, kind, seed, limits, terms, own))
    return _with_openings(SavedMeetings(names, tuple(meetings), tuple(sources)))


def pooled(parts: Sequence[SavedMeetings]) -> SavedMeetings:
    """Return several tournaments as one."""
    names = tuple(dict.fromkeys(name for part in parts for name in part.agents))
    place = {name: at for at, name in enumerate(names)}
    meetings = []
    for part in parts:
        for meeting in part.meetings:
            first, second = (place[part.agents[at]] for at in (meeting.first, meeting.second))
            meetings.append(meeting._replace(first=first, second=second))
    return _with_openings(SavedMeetings(names, tuple(meetings), tuple(one for part in parts for one in part.sources)))


def _with_openings(saved: SavedMeetings) -> SavedMeetings:
    """Number the openings: meetings of one game, one kind of openings and one seed share them."""
    numbers: dict[object, int] = {}
    meetings = []
    for meeting, source in zip(saved.meetings, saved.sources, strict=True):
        shared = source.openings != START
        key = source.game, source.openings, source.seed
        meetings.append(meeting._replace(openings=numbers.setdefault(key, len(numbers)) if shared else None))
    return SavedMeetings(saved.agents, tuple(meetings), saved.sources)
