"""The marked pairing on the Tournament screen: the course of its score, and its latest game.

Both are read beside the event loop, because a course takes a moment and games come from the database.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from nimtui.jobs.live_games import LiveGame
from nimtui.ui.kit.latest_lookup import LatestLookup
from nimtui.ui.kit.state import State
from nimtui.ui.tournament import pairing_view
from nimtui.ui.tournament.pairing_view import Course, Listing

if TYPE_CHECKING:
    from nimtui.ui.tournament.conductor import TournamentConductor

AGAIN = 2.0  # seconds between two reads of one pairing while its games are played


class Read(NamedTuple):
    """What was read of a pairing."""

    listing: Listing
    course: Course  # of all games of the two
    wanted: int  # games of the two that there will be
    latest: tuple[LiveGame, int] | None  # the game and its result for the first entrant; None: no game is saved


class Marked:
    """What is known of the marked pairing. `changed` is called when there is news."""

    def __init__(self, conductor: TournamentConductor, changed: Callable[[], None]) -> None:
        self._conductor, self._changed = conductor, changed
        self._found: Read | None = None
        self._of: tuple[object, ...] = ()  # the tournament, pairing, side and games of the last read
        self._when = 0.0
        self._reading: LatestLookup[Read] = LatestLookup()

    def forget(self) -> None:
        """Drop what was read and what is being read."""
        self._reading.forget()
        self._found, self._of = None, ()

    def look(self, cursor: tuple[int, int]) -> Read | None:
        """Return what is known of the pairing of these two entrants (row, column); read it if there is news."""
        tournament = self._conductor.tournament
        found = pairing_view.pairings_of(tournament.plan, cursor) if tournament is not None else []
        if tournament is None or not found:
            self.forget()
            return None
        plan, number = tournament.plan, tournament.number
        sides = [0 if plan.pairings[at].first == cursor[0] else 1 for at in found]
        scores = [tournament.view.scores[at] for at in found]
        listing, played = Listing(found[0], sides[0]), sum(score.played for score in scores)
        of = (plan, number, listing, played)
        same = self._of[:3] == of[:3]
        if not same:
            self._found = None
        going = self._conductor.state is State.GOING
        if of != self._of and not (same and (self._reading.running or (going and monotonic() - self._when < AGAIN))):
            self._of, self._when = of, monotonic()
            database = self._conductor.database

            def work() -> Read:
                parts = [(tournament.results(at), side) for at, side in zip(found, sides, strict=True)]
                course = pairing_view.course(*parts[0], plan, *parts[1:])
                games = [] if number is None else pairing_view.read(database(), number, listing, most=1)
                saved = [(LiveGame(listing.pairing, info.row.number, tuple(info.codes)), info) for info in games]
                wanted = sum(score.wanted for score in scores)
                return Read(listing, course, wanted, (saved[0][0], saved[0][1].row.result) if saved else None)

            self._reading.start(work, self._done)
        return self._found

    def _done(self, found: Read | None, fault: str) -> None:
        self._found = found
        self._changed()
