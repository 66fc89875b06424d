"""How often positions on the map are met: in training, in games of a function against itself, or against a search."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.games.notation import plural
from nimtui.jobs.conductor import Conductor
from nimtui.learning import own_games
from nimtui.learning.evaluate import visits_of
from nimtui.learning.sample import SampledTruth, truth_of
from nimtui.progress import Progress
from nimtui.theory.truth import Truth
from nimtui.ui.train.lane import Lane

if TYPE_CHECKING:
    from nimtui.arena.play.against_search import Met
    from nimtui.learning.live import Numbers

SEARCH = "games against a search"  # the errand


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
    unmet: int  # of the positions where it erred, how many it did not meet there …
    among: str  # … in these other games: 'in training'
    games: int  # of training, before

    @property
    def texts(self) -> tuple[str, ...]:
        """Say what it took and where it erred, from long to short."""
        met, after = self.met, f"After {plural(self.games, 'game', 'games')}"
        wrong = f"wrong in {met.errors:,} of {len(met.times):,}, {self.unmet:,} never met."
        unmet = f" {self.unmet:,} of these it did not meet {self.among}." if met.errors else ""
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
        from nimtui.arena.play import against_search
        from nimtui.engine.graph import node_at

        lane = lanes[at]

        def work(progress: Progress) -> Searched:
            table = lane.run.copy_table()
            met, truth = against_search.met(table, progress=progress), lane.training.truth
            if truth is None:
                about = f"met in {plural(met.games, 'game', 'games')} against {against_search.OPPONENT}"
                positions = truth_of(met.sample, len(met.times), about)
                own = own_games.times_met(table.function, positions) if table.function is not None else met.times
                among = f"in {own_games.GAMES:,} games against itself"
                return Searched(met, positions, met.times, lane, own, met.unmet(own), among, table.games)
            nodes = [node_at(truth.graph, lane.training.game.at(board)) for board in met.sample.boards]
            times = np.zeros(len(truth.values), np.int64)
            times[nodes] = met.times
            own = visits_of(truth, table.visits)[nodes]
            return Searched(met, truth, times, lane, own, met.unmet(own), "in training", table.games)

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
            return Times(self.searched.times, f"in {self.searched.met.games} games against a search")
        if numbers is None:
            return Times(visits_of(truth, view.visits), "in training")
        return Times(numbers.plays, f"in training{numbers.text}")
