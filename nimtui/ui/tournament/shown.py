"""The tournament that is shown: where it comes from, and its standings while it is played.

It is begun, gone on with, or only shown. That takes a while, as its standings do: neither is for the event loop.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from nimtui.errors import InputError
from nimtui.ui.kit.latest_lookup import LatestLookup

if TYPE_CHECKING:
    from nimtui.arena.tally import Standings
    from nimtui.jobs.stopped_tournament import StoppedTournament
    from nimtui.jobs.tournament import Tournament, View
    from nimtui.store.database import Database
    from nimtui.store.tournaments import TournamentInfo
    from nimtui.ui.library.scan import Open
    from nimtui.ui.tournament.setup import TournamentSetup

    Shown: TypeAlias = "Tournament | StoppedTournament"

MOST_LISTED, MOST_LOOKED_AT = 3, 100  # unfinished tournaments that are listed, of the latest so many,
MOST_ENDED = 3  # and such as are finished
RESTING = 4  # times as long as working out standings took, until they are worked out again


class Opened(NamedTuple):
    """A tournament, and what its screen has to know of it."""

    tournament: Shown
    name: str  # what the person called it
    workers: int | None  # asked for; None: one a core
    unkept: str = ""  # why they are not, in a line


def begin(database: Open, setup: TournamentSetup) -> Opened:
    """A new one. Without a place for its games it goes on in memory. InputError where it cannot be played."""
    from nimtui.jobs.tournament import Tournament
    from nimtui.store.tournaments import begin

    plan = setup.plan()
    try:
        kept = begin(database(), plan.document(), plan.games, plan.agents, plan.pairings, plan.total, name=setup.name)
    except (InputError, OSError) as fault:
        unkept = f"Its games are not kept: {fault}"
        return Opened(Tournament(plan, None, setup.workers), setup.name, setup.workers, unkept)
    try:
        return Opened(Tournament(plan, kept, setup.workers), setup.name, setup.workers)
    except BaseException:
        kept.close()
        raise


def go_on(database: Database, number: int | None, workers: int | None) -> Opened:
    """A kept one, the latest unfinished if none is named, ready to go on. InputError where it cannot."""
    from nimtui.arena.plan import Plan
    from nimtui.jobs.tournament import Tournament
    from nimtui.store.tournaments import resume

    kept = resume(database, number)
    try:
        tournament = Tournament(Plan.from_document(kept.info.document), kept, workers)
    except BaseException:
        kept.close()
        raise
    return Opened(tournament, kept.info.name, workers)


def show(database: Database, number: int, workers: int | None) -> Opened:
    """A kept one as it stands, whoever plays it. InputError where it cannot be read."""
    from nimtui.jobs.stopped_tournament import StoppedTournament

    held = StoppedTournament(database, number)
    return Opened(held, held.info.name, workers)


def as_it_is(tournament: Shown, now: Shown | None) -> Shown:
    """What is shown now where that is the same tournament: gone on with, it is another object."""
    if now is None or now.plan != tournament.plan or now.number != tournament.number:
        return tournament
    return now


def listed(database: Database) -> tuple[TournamentInfo, ...]:
    """The kept ones that were not ended, then the latest that were. StoreError where they cannot be read."""
    from nimtui.store.tournaments import tournaments

    found = tournaments(database, kind="tournament", limit=MOST_LOOKED_AT)
    ended = [each for each in found if each.state == "done"]
    return (*[each for each in found if each.state != "done"][:MOST_LISTED], *ended[:MOST_ENDED])


class Rating:
    """The standings of one tournament after another, worked out beside the event loop when that is worth while.

    `changed` is called when there are new ones.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self.pace = 0.5  # seconds between two standings while games are played
        self.standings: Standings | None = None  # of a moment ago
        self._changed = changed
        self._of: View | None = None
        self._at = self._took = 0.0  # when they were there, and how long that took
        self._working: LatestLookup[Standings] = LatestLookup()

    def forget(self) -> None:
        """It is another tournament now."""
        self._working.forget()
        self.standings = self._of = None

    def up_to_date(self, view: View) -> bool:
        """Do they say all that has been played?"""
        return self._of is not None and self._of.scores == view.scores

    def look(self, view: View, going: bool) -> None:
        """Work them out where something has been played since, and while it goes on not too soon after the last."""
        if self._working.running or self.up_to_date(view):
            return
        if going and self._of is not None and monotonic() - self._at < max(self.pace, RESTING * self._took):
            return
        begun = monotonic()

        def done(found: Standings | None, fault: str) -> None:
            self._at = monotonic()
            self._took = self._at - begun
            if found is not None:
                self._of, self.standings = view, found
                self._changed()

        self._working.start(lambda: view.standings, done)
