"""The part of the app that shows the tour: its lines stand above the keys of every screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.app import App
from textual.timer import Timer

from nimtui.ui.kit.contract.shell import Guide, shell
from nimtui.ui.kit.widgets.bars import Footer

if TYPE_CHECKING:
    from nimtui.ui.tour.tour import Tour, TourShell

TOUR = "tour"  # the command and the choice that open it


class Touring(App[None]):
    """Starts, shows and leaves the tour. What the tour needs is imported when it starts."""

    guide: Guide | None = None
    _tour: Tour | None = None
    _tour_timer: Timer | None = None

    @property
    def tour_place(self) -> str:
        return self._tour.place if self._tour is not None else ""

    def is_guided(self) -> bool:
        return self.guide is not None

    def show_me(self) -> None:
        """Start the tour, continue it, or do what the key of its step does."""
        if self._tour is None:
            from nimtui.ui.tour.tour import Tour

            self._tour = Tour(cast("TourShell", self))
            self.screen_change_signal.subscribe(self, lambda _: self.show_tour())
        if self._tour_timer is None:
            self._tour_timer = self.set_interval(shell(self).tick, self._look_at_tour)
        self._tour.go_on()
        self.show_tour()

    def leave_tour(self) -> None:
        if self._tour is not None:
            self._tour.leave()
            self.show_tour()

    def _look_at_tour(self) -> None:
        if self._tour is not None:
            self._tour.look()
            self.show_tour()

    def show_tour(self) -> None:
        tour = self._tour
        guide = tour.guide if tour is not None and tour.on else None
        if (guide is None) != (self.guide is None):
            self.set_class(guide is not None, "-touring")
        self.guide = guide
        if guide is None and self._tour_timer is not None:
            self._tour_timer.stop()
            self._tour_timer = None
        for footer in self.screen.query(Footer):
            footer.look()
