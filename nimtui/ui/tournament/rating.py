"""The standings of a tournament at work, worked out beside the event loop, as often as that is worth while."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING

from nimtui.ui.kit.latest_lookup import LatestLookup

if TYPE_CHECKING:
    from nimtui.arena.tally import Standings
    from nimtui.jobs.tournament import View

RESTING = 4  # times as long as working out standings took, until they are worked out again


class Rating:
    """Of one tournament after another. `changed` is called when there are new ones."""

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
