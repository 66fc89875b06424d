"""All that is seen of one training, where the person is in it, and a game of it shown move by move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil

from textual.timer import Timer
from textual.widget import Widget

from nimtui.learning.atlas import Order
from nimtui.learning.run import Shown
from nimtui.learning.views import View
from nimtui.ui.kit.latest_job import LatestJob
from nimtui.ui.train import episode
from nimtui.ui.train.lane import Lane
from nimtui.ui.train.view import Atlas

MOST_BACK = 200  # positions to come back to
CALM = 0.35  # seconds a picture where nothing presses
LANDING = 0.35  # the share of the time for the last picture


class Whereabouts:
    """The position that is looked at (a node), its marked move (an edge), and the way one came."""

    def __init__(self, node: int = -1) -> None:
        self.node = node
        self.edge: int | None = None  # the marked move; None: the best one
        self._way: list[int] = []

    def go(self, node: int, *, keep: bool) -> None:
        """To another position; `keep` this one, to come back to."""
        if node == self.node:
            return
        if keep and self.node >= 0:
            self._way = [*self._way[-MOST_BACK:], self.node]
        self.node, self.edge = node, None

    def back(self) -> int | None:
        """The position one came from, which is forgotten; None where one began."""
        return self._way.pop() if self._way else None


class Film:
    """One film at a time. The last picture stays."""

    def __init__(self) -> None:
        self._timer: Timer | None = None
        self._of: object = None

    @property
    def running(self) -> bool:
        """Are there pictures to come?"""
        return self._timer is not None

    def knows(self, of: object) -> bool:
        """Is this what is shown, or was shown last?"""
        return of is self._of

    def start(
        self,
        on: Widget,
        of: object,
        frames: int,
        seconds: float | None,
        least: float,
        show: Callable[[int], object],
    ) -> None:
        """Show all frames after the first, within `seconds` where given, at least `least` seconds each."""
        self.stop()
        self._of = of
        room = seconds * (1 - LANDING) if seconds is not None else CALM * frames
        every = max(least, room / frames)
        step = max(1, ceil(frames * every / room - 0.01))
        shown = iter((*range(step, frames - 1, step), frames - 1))

        def turn() -> None:
            frame = next(shown, frames - 1)
            if frame == frames - 1:
                self.stop()
            show(frame)

        self._timer = on.set_interval(every, turn)

    def stop(self) -> None:
        """No more pictures."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None


@dataclass
class Sight:
    """All that is seen of one training, and where the person is in it. Another training gets another."""

    lanes: list[Lane] = field(default_factory=list)
    atlas: Atlas | None = None
    place: Whereabouts = field(default_factory=Whereabouts)
    active: int = 0  # whose table the position panel and the list show
    views: list[View | None] = field(default_factory=list)  # what is drawn of the lanes
    shared: bool = False  # is it known how many lines the maps need?
    turn: int = 0  # which of two maps waits
    stale: bool = True  # is there a view that is not drawn yet?
    mapping: LatestJob[tuple[Atlas, list[Order]]] = field(default_factory=LatestJob)
    film: Film = field(default_factory=Film)
    filmed: list[Shown | None] = field(default_factory=list)  # of each learner, what is shown of it meanwhile
    game: episode.Played | None = None  # the game that is shown move by move
    walked: list[tuple[int, int]] = field(default_factory=list)  # its positions and moves

    def rest(self) -> None:
        """No more pictures of a game: its learners are seen as they are now."""
        self.film.stop()
        for lane in self.lanes:
            lane.thaw()

    def end(self) -> None:
        """Nobody looks at it any more."""
        self.mapping.cancel()
        self.rest()
