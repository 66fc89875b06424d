"""What a training run looks like from outside: copies of it, made now and then, which no more training changes."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from time import monotonic
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from nimtui.learning import evaluate
from nimtui.learning.evaluate import Standing
from nimtui.learning.learner import Scores
from nimtui.learning.training import LARGE, Training

SPARING = 50  # looking may take one in so many of the seconds


class View(NamedTuple):
    """A run as it was at one moment."""

    games: int
    plies: int
    seconds: float
    scores: Scores  # [edges]
    visits: npt.NDArray[np.int32]  # [edges]
    standing: Standing


NO_STANDING = Standing(0.0, 0.0, 0.0, False, False, 0, 0, 0, 0, np.zeros(0, np.int8))


class Source(Protocol):
    """What is looked at."""

    training: Training  # another one after a reset

    def copy(self) -> tuple[Training, View]:
        """Return the table as it is now, and whose it is; what it is worth is not known yet."""


class Views:
    """The newest view of a run. One of a large table is made in a thread of its own."""

    def __init__(self, source: Source) -> None:
        self.every: float | None = None  # seconds between two views; None: nobody looks
        self.newest: View | None = None
        self._source = source
        self._looked = self._cost = 0.0  # when, and for how many seconds, training waited last
        self._making: Future[None] | None = None
        self._maker: ThreadPoolExecutor | None = None

    def look(self) -> None:
        """Make a view, if somebody wants one and the last is old enough."""
        if self.every is None or monotonic() - self._looked < max(self.every, SPARING * self._cost):
            return
        if self._making is not None and not self._making.done():
            return
        begun = monotonic()
        copied = self._source.copy()
        if len(copied[1].scores) < LARGE:
            self._make(*copied)
        else:
            self._maker = self._maker or ThreadPoolExecutor(1, "view")
            self._making = self._maker.submit(self._make, *copied)
        self._cost, self._looked = monotonic() - begun, monotonic()

    def look_now(self) -> View | None:
        """Make a view of this moment, if somebody wants one; return it, or the last where the scores are no numbers."""
        if self.every is None:
            return None
        self._make(*self._source.copy())
        return self.newest

    def close(self) -> None:
        """Make no more views but those that are asked for now."""
        if self._maker is not None:
            self._maker.shutdown(wait=False, cancel_futures=True)
            self._maker = None

    def _make(self, training: Training, copied: View) -> None:
        assert training.truth is not None
        if not training.sound(copied.scores):
            return  # what was seen last stays; the run is about to fail
        known = copied._replace(standing=evaluate.standing(training.truth, copied.scores))
        if training is self._source.training:  # it has not been reset meanwhile
            self.newest = known
