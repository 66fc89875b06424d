"""Pictures that follow each other by a timer: a game shown move by move."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

from textual.timer import Timer
from textual.widget import Widget

CALM = 0.35  # seconds a picture where nothing presses
LANDING = 0.35  # the share of the time for the last picture


class Film:
    """One film at a time. The last picture stays."""

    def __init__(self) -> None:
        self._timer: Timer | None = None
        self._of: object = None
        self._frame = self._frames = 0
        self._step = 1

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
        self._of, self._frame, self._frames = of, 0, frames
        room = seconds * (1 - LANDING) if seconds is not None else CALM * frames
        every = max(least, room / frames)
        self._step = max(1, ceil(frames * every / room - 0.01))

        def turn() -> None:
            self._frame = min(self._frames - 1, self._frame + self._step)
            if self._frame == self._frames - 1:
                self._end()
            show(self._frame)

        self._timer = on.set_interval(every, turn)

    def stop(self) -> None:
        """No more pictures."""
        self._end()

    def _end(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
