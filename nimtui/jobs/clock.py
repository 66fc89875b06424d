"""How long work has taken, pauses left out, and how quick it was lately."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from time import monotonic

LATELY = 5.0  # seconds that a rate looks back, and over so many moments at least: slow games end seldom
FEW, APART = 10, 0.1  # moments remembered, and seconds between two of them at least
SOON = 0.2  # seconds before which nothing can be said,
SURE = 2.0  # and before which nothing should be foretold by it


class Clock:
    """Goes while work goes on. For any thread."""

    def __init__(self, before: float = 0.0) -> None:
        """`before`: seconds that went by in earlier runs."""
        self._lock = RLock()  # guards all below
        self._before = before
        self._going: float | None = None  # since when
        self._games, self._played = 0, 0.0  # finished, and the seconds spent on them by whoever played
        self._moments: deque[tuple[float, int, float]] = deque([(before, 0, 0.0)])

    @property
    def seconds(self) -> float:
        """Of work so far."""
        with self._lock:
            return self._before + (0.0 if self._going is None else monotonic() - self._going)

    def go(self) -> None:
        """Work goes on."""
        with self._lock:
            if self._going is None:
                self._going = monotonic()

    def rest(self) -> bool:
        """It does not go on; did it until now?"""
        with self._lock:
            went = self._going is not None
            self._before, self._going = self.seconds, None
            return went

    @contextmanager
    def resting(self) -> Iterator[None]:
        """It does not go on for a while."""
        went = self.rest()
        try:
            yield
        finally:
            if went:
                self.go()

    def begin(self) -> None:
        """What was done until now says nothing of how quick work will be."""
        with self._lock:
            self._moments = deque([(self.seconds, self._games, self._played)])

    def did(self, games: int, seconds: float) -> None:
        """So many games were finished, which took one worker so long."""
        with self._lock:
            self._games += games
            self._played += seconds
            now = self.seconds
            if now - self._moments[-1][0] >= APART:
                self._moments.append((now, self._games, self._played))
            while len(self._moments) > FEW and self._moments[1][0] < now - LATELY:
                self._moments.popleft()

    @property
    def rate(self) -> float:
        """Games a second lately; 0 where nothing can be said yet."""
        return self._lately()[0]

    @property
    def speed(self) -> float:
        """Seconds of play in a second lately: about as many as there are workers; 0 before that is sure."""
        return self._lately(SURE)[1]

    def _lately(self, soon: float = SOON) -> tuple[float, float]:
        with self._lock:
            since, games, played = self._moments[0]
            gone = self.seconds - since
            return ((self._games - games) / gone, (self._played - played) / gone) if gone > soon else (0.0, 0.0)
