"""One learner of a training: its run and job, the newest view of it, what its scores were before, how fast it goes."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.jobs import Job, Jobs, JobState
from nimtui.progress import Progress
from nimtui.ui.kit.latest_job import LatestJob

if TYPE_CHECKING:
    from nimtui.learning.run import Run
    from nimtui.learning.training import Training
    from nimtui.learning.views import View

SINGLY = 2.0  # games a second up to which every game can be followed move by move
GROWTH = 1.2  # the ever faster pace: so many games a second for each game played so far
FIRST = 12.0  # … and at least so many
MOST_COPIES = 64
MOST_BYTES = 32 * 2**20


class Pace(NamedTuple):
    """`speed` in games a second; None is flat out, 0 ever faster: in proportion to the games played so far."""

    speed: float | None
    said: str
    short: str

    def of(self, games: int, seen: bool) -> float | None:
        """The speed after so many games. What nobody sees need not be slow for the sake of being seen."""
        if self.speed != 0:
            return self.speed
        return max(FIRST, GROWTH * games) if seen else None

    @property
    def singly(self) -> bool:
        """Can every game be followed?"""
        return self.speed is not None and 0 < self.speed <= SINGLY


PACES = (
    Pace(0.2, "1 game in 5 seconds", "1/5 s"),
    Pace(1, "1 game a second", "1/s"),
    Pace(2, "2 games a second", "2/s"),
    Pace(5, "5 games a second", "5/s"),
    Pace(20, "20 games a second", "20/s"),
    Pace(100, "100 games a second", "100/s"),
    Pace(1_000, "1,000 games a second", "1,000/s"),
    Pace(10_000, "10,000 games a second", "10,000/s"),
    Pace(0, "ever faster: in proportion to the games played", "ever faster"),
    Pace(None, "flat out", "flat out"),
)
USUAL_PACE = PACES[-2]  # on the curve's log scale learning goes on evenly then, so that it can be seen


class History:
    """Copies of a table's scores at so many games. When there are too many, every other one is forgotten."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._copies: list[tuple[int, npt.NDArray[Any]]] = []  # games, scores [edges]; the games ascend
        self._step = 1.0  # games go up by this factor between two copies that are kept

    def __len__(self) -> int:
        return len(self._copies)

    @property
    def bytes(self) -> int:
        """How much memory the copies take."""
        return sum(scores.nbytes for _, scores in self._copies)

    def clear(self) -> None:
        self._copies.clear()
        self._step = 1.0

    def add(self, games: int, scores: npt.NDArray[Any]) -> None:
        """Keep these scores (an array that nobody changes any more), if enough games have passed since the last."""
        if self._copies and games <= self._copies[-1][0]:
            if games < self._copies[-1][0]:
                self.clear()  # it has begun anew
            else:
                return
        if self._copies and games < self._copies[-1][0] * self._step:
            return
        self._copies.append((games, scores))
        most = min(MOST_COPIES, self._most_bytes // max(1, scores.nbytes))
        if len(self._copies) > most:
            first, last = max(1, self._copies[0][0]), max(2, games)
            self._step = (last / first) ** (2 / max(2, most))
            del self._copies[1::2]
            if len(self._copies) > most:  # not even one has room
                self._copies.clear()

    def of(self, edge: int, now: float, cells: int) -> Sequence[float]:
        """At most so many values of one score, evenly among those that are kept, the last being what it is now."""
        known = len(self._copies)
        if known == 0 or cells < 2:
            return [now]
        places = np.unique(np.linspace(0, known - 1, min(known, cells - 1)).astype(int))
        return [*(float(self._copies[at][1][edge]) for at in places), now]


class Lane:
    """One learner: its run, the job that does it, the newest view of it and what its scores were before."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.job: Job[Any] | None = None
        self.view: View | None = None
        self.history = History()
        self._jobs: Jobs | None = None
        self._looking: LatestJob[View | None] = LatestJob()
        self._keeping: LatestJob[None] = LatestJob()
        self._frozen = False  # is the view that of a game which is shown move by move?
        self._seen = -1  # games at the last look
        self._ticks: deque[tuple[float, int]] = deque(maxlen=6)  # when how many games were seen

    @property
    def training(self) -> Training:
        """What is trained; another one after a reset."""
        return self.run.training

    @property
    def learner(self) -> str:
        return self.training.table.learner

    @property
    def games(self) -> int:
        """How many games it has learned from; while one is shown move by move, those before it."""
        return self.view.games if self._frozen and self.view is not None else self.training.games

    @property
    def goal(self) -> int | None:
        """After how many games it ends; None where that is open."""
        return self.run.last

    @property
    def paused(self) -> bool:
        return self.job is not None and self.job.state is JobState.PAUSED

    @property
    def ended(self) -> bool:
        return self.job is not None and self.job.state.ended

    @property
    def going(self) -> bool:
        return self.job is not None and not self.paused and not self.ended

    @property
    def fault(self) -> str:
        """What went wrong, in one line; '' where nothing did."""
        if self.job is not None and self.job.state is JobState.FAILED:
            return self.job.error_text
        return self.run.file.fault or ("" if self.run.file.path is not None else "there is no file for it")

    @property
    def rate(self) -> float | None:
        """Games a second, over the last second or so; None where nothing is known."""
        if len(self._ticks) < 2:
            return None
        (began, first), (ended, last) = self._ticks[0], self._ticks[-1]
        return (last - first) / (ended - began) if ended > began and last >= first else None

    def start(self, jobs: Jobs) -> Job[None]:
        """Let it run to its goal."""
        known = Event()  # the run may have to hold after its first game: then it must know the job to pause

        def work(progress: Progress) -> None:
            known.wait()
            self.run.work(progress)

        self._jobs = jobs
        self.job = jobs.start(self.learner.partition(":")[0], work)
        self.run.hold, self.run.held = self.job.pause, lambda: self.paused
        known.set()
        return self.job

    def freeze(self, view: View) -> None:
        """Let this be what is seen, whatever is played meanwhile."""
        self.view, self._frozen = view, True

    def thaw(self, view: View | None = None) -> None:
        """Let this be what is seen next, and from now on whatever is new."""
        self._frozen = False
        if view is not None:
            self.view = view
            self.history.add(view.games, view.scores)

    def keep(self) -> None:
        """Save what is held, if it is not saved yet."""
        run, jobs = self.run, self._jobs
        if jobs is not None and self.paused and run.unsaved and not run.file.fault and not self._keeping.running:
            self._keeping.start(jobs, "saving", lambda progress: run.save(), lambda job: None)

    def _look(self) -> None:
        """Have a view made where it was paused between two, or came to its end while nobody looked."""
        run, jobs = self.run, self._jobs
        if run.views.every is None or not self.training.ready or jobs is None or self._looking.running:
            return
        if run.views.newest is None or run.views.newest.games != self.training.games:
            self._looking.start(jobs, "map", lambda progress: run.views.look_now(), lambda job: None)

    def pull(self) -> bool:
        """Take the newest view; is it another one?"""
        games = self.training.games
        if (self.paused or self.ended) and self._seen == games:
            self._look()
            self.keep()
        self._seen = games
        if self.going:
            self._ticks.append((monotonic(), games))
        else:
            self._ticks.clear()
        view = self.run.views.newest
        if self._frozen or view is None or view is self.view:
            return False
        self.view = view
        self.history.add(view.games, view.scores)
        return True
