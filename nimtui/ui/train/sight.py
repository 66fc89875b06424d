"""What the stage shows of one training: views, the marked position, and a game shown move by move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import ceil

from textual.timer import Timer
from textual.widget import Widget

from nimtui.jobs.latest_job import LatestJob
from nimtui.learning.atlas import Order
from nimtui.learning.live import Numbers
from nimtui.learning.reasons import Place
from nimtui.learning.run import FollowedGame
from nimtui.learning.views import View
from nimtui.ui.train import position_panel
from nimtui.ui.train.lane import Lane
from nimtui.ui.train.reasons_panel import ShownReasons
from nimtui.ui.train.view import Atlas

MOST_BACK = 200  # positions to return to
CALM = 0.35  # seconds per picture if there is no time limit
LANDING = 0.35  # the last picture's share of the time


class Whereabouts:
    """The shown position (a node), its marked move (an edge), and the positions before."""

    def __init__(self, node: int = -1) -> None:
        self.node = node
        self.edge: int | None = None  # the marked move; None: the best one
        self._way: list[int] = []

    def go(self, node: int, *, keep: bool) -> None:
        """Go to another position; with `keep`, remember this one for `back`."""
        if node == self.node:
            return
        if keep and self.node >= 0:
            self._way = [*self._way[-MOST_BACK:], self.node]
        self.node, self.edge = node, None

    def back(self) -> int | None:
        """Forget the previous position and return it; None if there is none."""
        return self._way.pop() if self._way else None


class Film:
    """Plays a series of pictures, one series at a time. The last picture stays."""

    def __init__(self) -> None:
        self._timer: Timer | None = None
        self.of: object = None  # what is shown, or was shown last

    @property
    def running(self) -> bool:
        """Are more pictures to come?"""
        return self._timer is not None

    def start(
        self, on: Widget, of: object, frames: int, seconds: float | None, least: float, show: Callable[[int], object]
    ) -> None:
        """Show all frames after the first, within `seconds` if given, each for at least `least` seconds."""
        self.stop()
        self.of = of
        room = seconds * (1 - LANDING) if seconds is not None else CALM * frames
        every = max(least, room / frames)
        step = max(1, ceil(frames * every / room - 0.01))
        pictures = iter((*range(step, frames - 1, step), frames - 1))

        def turn() -> None:
            frame = next(pictures, frames - 1)
            if frame == frames - 1:
                self.stop()
            show(frame)

        self._timer = on.set_interval(every, turn)

    def stop(self) -> None:
        """Stop the series."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None


@dataclass
class Sight:
    """What the stage shows of one training. A new training gets a new one."""

    lanes: list[Lane] = field(default_factory=list)
    atlas: Atlas | None = None
    place: Whereabouts = field(default_factory=Whereabouts)
    active: int = 0  # the lane that the position panel and the list show
    views: list[View | None] = field(default_factory=list)  # the drawn view of each lane
    turn: int = 0  # of several maps, the one that does not wait
    stale: bool = True  # is a view not drawn yet?
    mapping: LatestJob[tuple[Atlas, list[Order]]] = field(default_factory=LatestJob)
    reasoning: LatestJob[ShownReasons] = field(default_factory=LatestJob)
    asking: LatestJob[Numbers | None] = field(default_factory=LatestJob)  # another program for its counts
    places: Sequence[Place] = ()  # what inputs tell of the board, once it is known
    film: Film = field(default_factory=Film)
    filmed: list[FollowedGame | None] = field(default_factory=list)  # for each lane, what is shown meanwhile
    game: position_panel.Played | None = None  # the game that is shown move by move
    walked: list[tuple[int, int]] = field(default_factory=list)  # its positions and moves; −1 for those not listed
    frame: int | None = None  # of that game, where a person or the film stands; None: past its end

    def rest(self) -> None:
        """Stop showing a game; show the learners as they are now."""
        self.film.stop()
        self.frame = None
        for lane in self.lanes:
            lane.thaw()

    def end(self) -> None:
        """Stop all work for this training's pictures."""
        self.mapping.cancel()
        self.reasoning.cancel()
        self.asking.cancel()
        self.rest()
