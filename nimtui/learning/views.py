"""Views of a training run: copies made at intervals, which training does not change."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from time import monotonic, thread_time
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from nimtui.learning.curve_points import LARGE
from nimtui.learning.evaluate import Standing
from nimtui.learning.learner import Scores, fresh, parse_learner
from nimtui.learning.training import Training
from nimtui.theory.truth import Truth

SPARING = 50  # making views may take 1/SPARING of the time
OUTSIDE, SPARING_OUTSIDE = 0.6, 200  # seconds between two views for other programs, and the same of their time
LAST = 3.0  # seconds after the last question of another program
MOST_COPIES = 64  # of a history …
MOST_BYTES = 32 * 2**20  # … and their size


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


class History:
    """Copies of a table's scores over time. When there are too many, every second one is dropped."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._copies: list[tuple[int, npt.NDArray[Any]]] = []  # games, scores [edges]; the games ascend
        self._step = 1.0  # factor between the games of two stored copies

    def __len__(self) -> int:
        return len(self._copies)

    @property
    def last(self) -> int:
        """The games of the last copy; −1 for none."""
        return self._copies[-1][0] if self._copies else -1

    def clear(self) -> None:
        self._copies.clear()
        self._step = 1.0

    def see(self, view: View, learner: str) -> None:
        """Store the scores of this view of a learner's table, after those that every such table starts with."""
        if not len(self):
            self.add(0, np.full_like(view.scores, fresh(parse_learner(learner))))
        self.add(view.games, view.scores)

    def add(self, games: int, scores: npt.NDArray[Any]) -> None:
        """Store these scores (an array that never changes again), if enough games passed since the last copy."""
        last = self.last
        if games < last:
            self.clear()  # the training started over
        elif games == last or games < last * self._step:
            return
        self._copies.append((games, scores))
        most = min(MOST_COPIES, self._most_bytes // max(1, scores.nbytes))
        if len(self._copies) > most:
            first, last = max(1, self._copies[0][0]), max(2, games)
            self._step = (last / first) ** (2 / max(2, most))
            del self._copies[1::2]
            if not most:  # there is no room for one copy
                self._copies.clear()

    def pictures(self, edges: slice) -> list[tuple[int, npt.NDArray[Any]]]:
        """Return the games of each copy, and its scores of these moves."""
        return [(games, scores[edges]) for games, scores in self._copies]

    def of(self, edge: int, now: float, cells: int) -> Sequence[float]:
        """Return at most `cells` values of one score, spread evenly over the copies; the last one is `now`."""
        copies = len(self._copies)
        places = np.unique(np.linspace(0, copies - 1, max(0, min(copies, cells - 1))).astype(int))
        return [*(float(self._copies[at][1][edge]) for at in places), now]


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
