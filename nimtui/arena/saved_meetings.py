"""The results of saved tournaments as the ratings take them. Their agents may be missing here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nimtui.arena.meetings import NO_PAIRS, Meeting
from nimtui.arena.openings import START
from nimtui.arena.plan import ONE_SIDED, ORDERED
from nimtui.store import tallies as store

if TYPE_CHECKING:
    from nimtui.store.database import Database
    from nimtui.store.tallies import Tally


@dataclass(frozen=True, eq=False)
class SavedMeetings:
    """A tournament's agents as entered, and what they scored."""

    agents: tuple[str, ...]
    meetings: tuple[Meeting, ...]
    tallies: tuple[Tally, ...]


def read(db: Database, tournament: int, document: Mapping[str, Any]) -> SavedMeetings:
    """Return the results of this tournament; `document` is its plan. StoreError if the database cannot be read."""
    found = store.tallies(db, tournament)
    entered = document.get("agents") or []
    names = tuple(dict.fromkeys([*map(str, entered), *(name for one in found for name in (one.first, one.second))]))
    shared = document.get("openings", START) != START
    alternate = document.get("pairs") not in (ORDERED, ONE_SIDED)
    pairs = store.pairs(db, tournament)
    results = store.results(db, tournament) if shared else {}
    boards: dict[str, int] = {}
    meetings = []
    for number in dict.fromkeys(one.pairing for one in found):
        own = [one for one in found if one.pairing == number]
        counts = [[0, 0], [0, 0], [0, 0]]
        for one in own:
            for sums, value in zip(counts, (one.wins, one.draws, one.losses), strict=True):
                sums[one.opener] += value
        won, drawn, lost = ((row[0], row[1]) for row in counts)
        openings = boards.setdefault(own[0].game, len(boards)) if shared else None
        row = np.frombuffer(results[number], np.int8) if number in results else None
        two = names.index(own[0].first), names.index(own[0].second)
        meetings.append(Meeting(*two, won, drawn, lost, pairs.get(number, NO_PAIRS), openings, row, alternate))
    return SavedMeetings(names, tuple(meetings), tuple(found))


def pooled(parts: Sequence[SavedMeetings]) -> SavedMeetings:
    """Return several tournaments as one. Openings are shared within each, not between them."""
    names = tuple(dict.fromkeys(name for part in parts for name in part.agents))
    place = {name: at for at, name in enumerate(names)}
    meetings, apart = [], 0
    for part in parts:
        for meeting in part.meetings:
            openings = None if meeting.openings is None else meeting.openings + apart
            first, second = (place[part.agents[at]] for at in (meeting.first, meeting.second))
            meetings.append(meeting._replace(first=first, second=second, openings=openings))
        apart += 1 + max((one.openings for one in part.meetings if one.openings is not None), default=0)
    return SavedMeetings(names, tuple(meetings), tuple(tally for part in parts for tally in part.tallies))
