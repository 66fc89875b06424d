"""The tournament that is shown: where it comes from, and its live standings.

It is started, resumed, or only shown. That takes a while, as its standings do: neither is for the event loop.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from nimtui.errors import InputError
from nimtui.ui.kit.latest_job import LatestLookup

if TYPE_CHECKING:
    from nimtui.arena.tally import Standings
    from nimtui.jobs.tournament import Tournament, View
    from nimtui.store.database import Database
    from nimtui.store.tournament_writer import TournamentWriter
    from nimtui.store.tournaments import TournamentInfo
    from nimtui.ui.library.scan import Open
    from nimtui.ui.tournament.setup import TournamentSetup

    Listed: TypeAlias = "tuple[list[TournamentInfo], list[TournamentInfo]]"  # unfinished and finished ones

MOST_LISTED, MOST_LOOKED_AT = 3, 100  # tournaments of each kind to list, from the latest so many
RESTING = 4  # wait this many times as long as the last standings took


class Opened(NamedTuple):
    """A tournament, and what its screen needs to know."""

    tournament: Tournament
    name: str  # given by the user
    workers: int | None  # requested; None: one per core
    unkept: str = ""  # why its games are not saved, in a line


def begin(database: Open, setup: TournamentSetup) -> Opened:
    """Open a new tournament. If its games cannot be saved it runs in memory. InputError if it cannot be played."""
    from nimtui.jobs.tournament import Tournament
    from nimtui.store.tournaments import begin

    plan = setup.plan()
    try:
        kept = begin(database(), plan.document(), plan.games, plan.agents, plan.pairings, plan.total, name=setup.name)
    except (InputError, OSError) as fault:
        unkept = f"Its games are not saved: {fault}"
        return Opened(Tournament(plan, None, setup.workers), setup.name, setup.workers, unkept)
    return _opened(kept, setup.workers)


def go_on(database: Open, number: int | None, workers: int | None) -> Opened:
    """Open a saved tournament to resume it, by default the latest unfinished one. InputError if that is impossible."""
    from nimtui.store.tournaments import resume

    return _opened(resume(database(), number), workers)


def _opened(kept: TournamentWriter, workers: int | None) -> Opened:
    """Return the tournament of this row, which is closed if its games cannot be played."""
    from nimtui.arena.plan import Plan
    from nimtui.jobs.tournament import Tournament

    try:
        return Opened(Tournament(Plan.from_document(kept.info.document), kept, workers), kept.info.name, workers)
    except BaseException:
        kept.close()
        raise


def show(database: Open, number: int, workers: int | None) -> Opened:
    """Open a saved tournament as it stands, even if another process plays it. InputError if it cannot be read."""
    from nimtui.jobs.tournament import StoppedTournament

    stopped = StoppedTournament(database(), number)
    return Opened(stopped, stopped.info.name, workers)


def as_it_is(tournament: Tournament, now: Tournament | None) -> Tournament:
    """Return what is shown now if it is the same tournament: resuming makes another object."""
    same = now is not None and (now.plan, now.number) == (tournament.plan, tournament.number)
    return now if now is not None and same else tournament


def listed(database: Database) -> Listed:
    """Return the saved tournaments: the latest unfinished and finished ones. StoreError if they cannot be read."""
    from nimtui.store.tournaments import tournaments

    found = tournaments(database, kind="tournament", limit=MOST_LOOKED_AT)
    unfinished, ended = ([each for each in found if (each.state == "done") is done] for done in (False, True))
    return unfinished[:MOST_LISTED], ended[:MOST_LISTED]


class Rating:
    """The standings of one tournament after another, worked out beside the event loop.

    `changed` is called when there are new ones.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self.pace = 0.5  # seconds between two standings while games are played
        self.standings: Standings | None = None  # a moment old
        self._changed = changed
        self._of: View | None = None
        self._at = self._took = 0.0  # when they were finished, and how long they took
        self._working: LatestLookup[Standings] = LatestLookup()

    def forget(self) -> None:
        """Forget the standings: another tournament is shown."""
        self._working.forget()
        self.standings = self._of = None

    def up_to_date(self, view: View) -> bool:
        """Return whether the standings cover all games played."""
        return self._of is not None and self._of.scores == view.scores

    def look(self, view: View, going: bool) -> None:
        """Work the standings out if games were played since; while it runs, not too soon after the last."""
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
