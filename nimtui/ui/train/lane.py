"""One learner of a training: its run and job, its newest view, the history of its scores, its pace.

And how often the positions on its map are met: in training, in games of a function against itself, or against a search.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.arena.play import trials
from nimtui.arena.play.trials import Met
from nimtui.games.notation import plural
from nimtui.jobs import Job, Jobs
from nimtui.jobs.conductor import Conductor
from nimtui.jobs.work import State, Work
from nimtui.learning import compiled
from nimtui.learning.evaluate import visits_of
from nimtui.learning.mirror import Mirror
from nimtui.learning.run import Run
from nimtui.learning.sample import SampledTruth, truth_of
from nimtui.learning.training import Training
from nimtui.learning.views import History, Numbers, View
from nimtui.progress import Progress
from nimtui.theory.truth import Truth

SINGLY = 2.0  # games per second: up to this pace every game can be followed move by move
GROWTH = 1.2  # the pace "ever faster": games per second for each game played so far
FIRST = 12.0  # … and at least this many
MOST_LISTS = 8
SEARCH = "games against a search"  # the errand


class Pace(NamedTuple):
    """`speed` in games per second; None: no limit; 0: in proportion to the games played so far."""

    speed: float | None
    words: str
    short: str

    def of(self, games: int, seen: bool) -> float | None:
        """Return the speed after this many games. The pace 'ever faster' has no limit while it is not seen."""
        if self.speed != 0:
            return self.speed
        return max(FIRST, GROWTH * games) if seen else None

    @property
    def singly(self) -> bool:
        """Is the pace slow enough to follow every game?"""
        return self.speed is not None and 0 < self.speed <= SINGLY


PACES = (
    Pace(0.2, "1 game in 5 seconds", "1/5 s"),
    Pace(1, "1 game per second", "1/s"),
    Pace(2, "2 games per second", "2/s"),
    Pace(5, "5 games per second", "5/s"),
    Pace(20, "20 games per second", "20/s"),
    Pace(100, "100 games per second", "100/s"),
    Pace(1_000, "1,000 games per second", "1,000/s"),
    Pace(10_000, "10,000 games per second", "10,000/s"),
    Pace(0, "ever faster: speed grows with the games played", "ever faster"),
    Pace(None, "full speed", "full speed"),
)
USUAL_PACE = PACES[-2]  # then the curve grows evenly on its log scale


class Lane(Work[Run]):
    """One learner: its run, its newest view and the history of its scores."""

    kind = "training"
    ask: Callable[[], Numbers | None] | None = None  # another program for the numbers of its list

    def __init__(self, jobs: Jobs, run: Run) -> None:
        super().__init__(jobs)
        self.task = self.run = run
        self.view: View | None = None
        self.histories: list[tuple[Truth | None, History]] = [(None, History())]  # by listed positions, the shown last
        self.beyond = False  # does it train past its goal, in memory? A few games need no new file
        self.finished: Path | None = None  # then: the file of the finished run
        self.title = self.learner  # beside a learner of its kind: with what sets the two apart
        self._frozen = False  # does the view belong to a game that is shown move by move?
        self._looked = -1  # games at the last look
        self._ticks: deque[tuple[float, int]] = deque(maxlen=6)  # (time, games)

    @property
    def training(self) -> Training:
        """The training; a new one after a reset."""
        return self.run.training

    @property
    def learner(self) -> str:
        return self.training.table.learner

    @property
    def games(self) -> int:
        """The games that every figure on the screen is about: those of the view, if there is one."""
        return self.view.games if self.view is not None else self.training.games

    @property
    def listed(self) -> Truth | None:
        """The positions that can be shown, once they are there; the run's thread chooses those of a sample."""
        return self.training.truth if self.view is None else self.view.truth or self.training.listed

    @property
    def history(self) -> History:
        """The history of the scores of the positions that are shown."""
        return self.histories[-1][1]

    def _turn_to(self, positions: Truth | None) -> None:
        """Let the history be that of these positions: the one before, where they were shown before."""
        every = self.histories
        own = next((each for each in every if each[0] is positions), (positions, History()))
        others = [each for each in every if each[0] is not positions and len(each[1])]
        self.histories = [*others[-MOST_LISTS:], own]

    @property
    def measured(self) -> bool:
        """Do the figures hold for the table as it is now, or as the person follows it?"""
        return self._frozen or self.foreign is not None or self.games == self.training.games

    @property
    def state(self) -> State:
        state = super().state
        return State.ONE_STEP if state is State.GOING and self.run.stepping else state

    def has_begun(self, task: Run, job: Job[Any]) -> bool:
        return task.training.ready and not job.compiling  # a slow pace may wait for the first game

    @property
    def ended(self) -> bool:
        return self.job is not None and self.job.state.ended

    @property
    def fault(self) -> str:
        """What went wrong, in one line; '' if nothing did."""
        if self.job is not None and self.job.error_text:
            return self.job.error_text
        return self.run.fault or ("" if self.saved or self.beyond else "no file")

    @property
    def rate(self) -> float | None:
        """Games per second over the last second or so; None while unknown."""
        if self.foreign is not None:
            return self.foreign.rate
        if len(self._ticks) < 2:
            return None
        (started, first), (ended, last) = self._ticks[0], self._ticks[-1]
        return (last - first) / (ended - started) if ended > started and last >= first else None

    def freeze(self, view: View) -> None:
        """Show this view, whatever is played meanwhile."""
        self.view, self._frozen = view, True

    def thaw(self, view: View | None = None) -> None:
        """Show this view next, and then every new one."""
        self._frozen = False
        if view is not None:
            self.view = view
            self.history.add(view.games, view.scores)

    def keep(self) -> None:
        """Save a paused run, unless it is saved already."""
        if self.paused and self.run.unsaved and not self.run.fault and not self.on_errand("saving"):
            self.errand("saving", lambda progress: self.run.save())

    def _look(self) -> None:
        """Make a view if the run paused or ended after its newest one; another program makes its own."""
        views = self.run.views
        if views.every is None or self.foreign is not None or not self.training.ready or self.on_errand("map"):
            return
        if views.newest is None or views.newest.games != self.training.games:
            self.errand("map", lambda progress: views.look_now())

    def pull(self) -> bool:
        """Take the newest view; return True if it is a new one."""
        games = self.training.games
        if (self.paused or self.ended) and self._looked == games:
            self._look()
            self.keep()
        self._looked = games
        if self.running:
            self._ticks.append((monotonic(), games))
        else:
            self._ticks.clear()
        view = self.run.views.newest
        if self._frozen or view is None or view is self.view:
            return False
        if self.view is not None and view.games < self.view.games:
            self.histories.clear()  # the training started over
        self._turn_to(view.truth)
        self.view = view
        self.history.see(view, self.learner)
        return True


class ForeignLane(Lane):
    """One learner that trains elsewhere: it is followed and steered, not run here."""

    run: Mirror

    def __init__(self, jobs: Jobs, run: Mirror) -> None:
        super().__init__(jobs, run)
        self.ask = run.numbers

    @property
    def state(self) -> State:
        state = super().state
        return State.ONE_STEP if state is State.PAUSED and self.run.awaits else state

    def _turn_to(self, positions: Truth | None) -> None:
        self.histories = [(positions, self.run.history)]

    def look_at(self, nodes: list[int]) -> None:
        """Ask for the scores of these positions from now on, and for the history of the first one."""
        self.run.look_at(nodes)
        self._turn_to(self.listed)


class Times(NamedTuple):
    """How often each listed position was met."""

    number: npt.NDArray[np.int64]  # [nodes]
    where: str  # in which games: 'in training'

    def of(self, node: int) -> str:
        """Return how often a position was met, and where: '5 times in training'."""
        return f"{plural(int(self.number[node]), 'time', 'times')} {self.where}"


class Searched(NamedTuple):
    """What a learner met against the search."""

    met: Met
    truth: Truth  # of the positions that the map shows
    times: npt.NDArray[np.int64]  # [nodes]: how often each was met
    lane: Lane  # which played
    own: npt.NDArray[np.int64]  # [positions that it met]: how often it met each in other games
    among: str  # in which other games: 'in training'
    games: int  # of training, before

    @property
    def texts(self) -> tuple[str, ...]:
        """Say what it took and where it erred, from long to short."""
        met, never, after = self.met, self.met.unmet(self.own), f"After {plural(self.games, 'game', 'games')}"
        wrong = f"wrong in {met.errors:,} of {len(met.times):,}, {never:,} never met."
        unmet = f" {never:,} of these it did not meet {self.among}." if met.errors else ""
        brief = f"{met.share} against {met.opponent}: {wrong}"
        return f"{after}: {met.text}.{unmet}", brief.replace(", ", " positions, "), brief, wrong.capitalize()


class Meetings:
    """Counts for the lanes of one training."""

    def __init__(self, conductor: Conductor) -> None:
        self._conductor = conductor
        self.searched: Searched | None = None

    def forget(self) -> None:
        """Drop what belongs to the last training."""
        self._conductor.drop(SEARCH)
        self.searched = None

    def leave_search(self, lanes: list[Lane]) -> None:
        """Show what was shown before the games against the search."""
        self.searched = None
        for lane in lanes:
            if lane.training.truth is None:
                lane.run.show(None)

    def play_search(self, lanes: list[Lane], at: int) -> None:
        """Play one of the lanes, as it is now, against the search. Then show these positions, where not all are."""
        from nimtui.engine.graph import node_at

        lane = lanes[at]

        def work(progress: Progress) -> Searched:
            table = lane.run.copy_table()
            met, truth = trials.met(table, progress=progress), lane.training.truth
            if truth is None:
                about = f"met in {plural(met.games, 'game', 'games')} against {trials.OPPONENT}"
                positions = truth_of(met.sample, len(met.times), about)
                own = compiled.times_met(table.function, positions) if table.function is not None else met.times
                among = f"in {compiled.GAMES:,} games against itself"
                return Searched(met, positions, met.times, lane, own, among, table.games)
            nodes = [node_at(truth.graph, lane.training.game.at(board)) for board in met.sample.boards]
            times = np.zeros(len(truth.values), np.int64)
            times[nodes] = met.times
            own = visits_of(truth, table.visits)[nodes]
            return Searched(met, truth, times, lane, own, "in training", table.games)

        def done(searched: Searched) -> None:
            self.searched = searched
            if isinstance(searched.truth, SampledTruth):
                for each in lanes:
                    each.run.show(searched.truth)
            self._conductor.changed()

        self._conductor.errand(SEARCH, work, done, "No games against a search")

    def unmet(self, lane: Lane) -> npt.NDArray[np.bool_] | None:
        """Return which listed positions no own game of a function met, [nodes]; None for a table, or if unknown."""
        view, truth, searched = lane.view, lane.listed, self.searched
        if view is None or truth is None or lane.training.estimator is None:
            return None
        if lane.training.truth is None and searched is not None and searched.truth is truth:
            return searched.own == 0 if searched.lane is lane else None
        never: npt.NDArray[np.bool_] = visits_of(truth, view.visits) == 0
        return never

    def times(self, lane: Lane, numbers: Numbers | None = None) -> Times | None:
        """Return how often each position of the lane's view is met, by newer numbers if known; None without a view."""
        view, truth = lane.view, lane.listed
        if view is None or truth is None:
            return None
        if self.searched is not None and self.searched.truth is truth:
            return Times(self.searched.times, f"in {plural(self.searched.met.games, 'game', 'games')} against a search")
        if numbers is None:
            return Times(visits_of(truth, view.visits), "in training")
        return Times(numbers.plays, f"in training{numbers.text}")
