"""Views of a training run: copies made at intervals, which training does not change."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from time import monotonic, thread_time
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from nimtui.learning.curve_points import LARGE
from nimtui.learning.evaluate import Standing
from nimtui.learning.learner import Scores
from nimtui.learning.training import Training
from nimtui.theory.truth import Truth

SPARING = 50  # making views may take 1/SPARING of the time
OUTSIDE, SPARING_OUTSIDE = 0.6, 200  # seconds between two views for other programs, and the same of their time
LAST = 3.0  # seconds after the last question of another program


class View(NamedTuple):
    """A run at one moment."""

    games: int
    plies: int
    seconds: float
    scores: Scores  # [edges]
    visits: npt.NDArray[np.int32]  # [edges]
    standing: Standing
    truth: Truth | None = None  # the listed positions that this is about; None: those of the training


NO_STANDING = Standing(0.0, 0.0, 0.0, False, False, 0, 0, 0, 0, np.zeros(0, np.int8))


class Source(Protocol):
    """The run that is viewed."""

    training: Training  # a new one after a reset

    def copy(self) -> tuple[Training, View]:
        """Return the training and a copy of its table, without a standing."""


class Views:
    """Makes views of a run and holds the newest. A thread makes the views of large tables."""

    def __init__(self, source: Source) -> None:
        self.every: float | None = None  # seconds between two views; None: no views
        self.outside = -LAST  # when another program asked last
        self.newest: View | None = None
        self._source = source
        self._looked = self._cost = 0.0  # when training last waited for a view, and for how many seconds
        self._making: Future[None] | None = None
        self._maker: ThreadPoolExecutor | None = None

    def look(self) -> None:
        """Make a view, if views are wanted and the last one is old enough."""
        every, sparing = (OUTSIDE, SPARING_OUTSIDE) if self.every is None else (self.every, SPARING)
        if not self.wanted or monotonic() - self._looked < max(every, sparing * self._cost):
            return
        if self._making is not None and not self._making.done():
            return
        started = thread_time()
        snapshot = self._source.copy()
        if len(snapshot[1].scores) < LARGE:
            self._make(*snapshot)
        else:
            self._maker = self._maker or ThreadPoolExecutor(1, "view")
            self._making = self._maker.submit(self._make, *snapshot)
        self._cost, self._looked = thread_time() - started, monotonic()

    @property
    def wanted(self) -> bool:
        """Return whether views are wanted by the app's own screen, or another program."""
        return self.every is not None or monotonic() - self.outside < LAST

    def look_now(self) -> View | None:
        """Make a view now, if views are wanted, and return it; the last one if the scores are not numbers."""
        if not self.wanted:
            return None
        self._make(*self._source.copy())
        return self.newest

    def close(self) -> None:
        """Stop the thread; after this only `look_now` makes views."""
        if self._maker is not None:
            self._maker.shutdown(wait=False, cancel_futures=True)
            self._maker = None

    def _make(self, training: Training, view: View) -> None:
        if not training.sound(view.scores):
            return  # the last view stays; the run is about to fail
        if view.truth is not None:
            view = view._replace(standing=training.listed_standing(view.scores, view.truth))
        if training is self._source.training and view.truth is training.listed:  # no reset meanwhile, no others to show
            self.newest = view
